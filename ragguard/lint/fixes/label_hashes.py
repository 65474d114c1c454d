"""The hashes of a row's labelled chunks written into it, every other byte left as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragguard.dataset.positions import Span, members, value_span
from ragguard.dataset.row import DatasetRow
from ragguard.errors import InputError
from ragguard.lint.diagnostic import Edit
from ragguard.lint.fixes.row_style import RowStyle
from ragguard.lint.labels import named_ids

FIELD = "label_hashes"


def labelled_ids(row: DatasetRow) -> list[str]:
    """The ids that a row labels, each once and in their order.

    A forbidden id is among them only where the row has its hash already.
    """
    hashes = row.fields.get(FIELD)
    hashed = hashes if isinstance(hashes, dict) else ()
    named = [each for each in named_ids(row) if isinstance(each.value, str)]
    return list(
        dict.fromkeys(
            each.value for each in named if each.field != "forbidden_ids" or each.value in hashed
        )
    )


def hash_edits(row: DatasetRow, digests: Mapping[str, str]) -> tuple[Edit, ...]:
    """The edits that make a row remember these hashes; none where it does.

    New entries stand at the end of its `label_hashes`, a new field at the end of the row, or of the
    object that the field mapping names.

    Args:
        row: the row.
        digests: by chunk id the hex SHA-256 of its text.

    Raises:
        InputError: something else stands where the hashes belong.
    """
    path = row.source_path((FIELD,))
    depth = _depth(row, path)
    place = path[:depth]
    written = members(row.text, place)
    span = value_span(row.text, place)
    if written is None and span is not None and row.text[span.start : span.end] != "null":
        raise InputError(
            f"the hashes of labels belong in `{'.'.join(map(str, path))}`, "
            f"but {row.text[span.start : span.end][:40]} stands there",
            location=row.locate_key(*place),
            hint="make it an object, or take it away",
        )
    style = RowStyle.of(row.text)
    if written is None:  # null stands there
        return _replaced(row, span, style.entries(path[depth:], digests)) if span else ()
    if depth < len(path):
        return _appended(row, place, style, style.nested(path[depth:], digests))
    return tuple(_updated(row, path, style, digests))


def _depth(row: DatasetRow, path: tuple[str | int, ...]) -> int:
    """How many steps of a path the row has."""
    depth = len(path)
    while value_span(row.text, path[:depth]) is None:
        depth -= 1
    return depth


def _updated(
    row: DatasetRow, path: tuple[str | int, ...], style: RowStyle, digests: Mapping[str, str]
) -> Iterator[Edit]:
    """Hashes that differ rewritten in place, and those that lack appended."""
    lacking = []
    for chunk_id, digest in digests.items():
        span = value_span(row.text, (*path, chunk_id))
        if span is None:
            lacking.append(style.member(chunk_id, f'"{digest}"'))
        elif row.text[span.start : span.end] != f'"{digest}"':
            yield from _replaced(row, span, f'"{digest}"')
    if lacking:
        yield from _appended(row, path, style, style.comma.join(lacking))


def _appended(
    row: DatasetRow, path: tuple[str | int, ...], style: RowStyle, entries: str
) -> tuple[Edit, ...]:
    """The edit that adds members at the end of an object."""
    written = members(row.text, path) or []
    if written:
        end = written[-1][1].end
        return _replaced(row, Span(end, end), style.comma + entries)
    span = value_span(row.text, path)
    return _replaced(row, Span(span.start + 1, span.start + 1), entries) if span else ()


def _replaced(row: DatasetRow, span: Span, text: str) -> tuple[Edit, ...]:
    start, end = row.bytes_of(span)
    return (Edit(start, end, text.encode()),)
