"""The labels of one row moved to other ids, every other byte left as it was."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from ragguard.dataset.positions import Span, members, value_span
from ragguard.dataset.row import DatasetRow
from ragguard.errors import InputError
from ragguard.lint.diagnostic import Edit
from ragguard.lint.field_types import is_integer
from ragguard.lint.fixes.row_style import RowStyle
from ragguard.lint.labels import ids_of
from ragguard.migration.containers import with_entries
from ragguard.migration.groups import MOST_GROUPS, TooManyGroupsError, moved_group
from ragguard.migration.label_map import Move


@dataclass(slots=True)
class RowMove:
    """What a mapping does to one row.

    Attributes:
        edits: the changes, in the order of the row.
        moved: how many places of the row name an id that moves.
        dropped: how many labels were removed, their chunk being gone.
        gone: ids that stay although their chunk is gone.
        hashes: how many hashes of old ids were dropped.
        joined: chunks in which judgments of different grades met.
    """

    edits: list[Edit] = field(default_factory=list)
    moved: int = 0
    dropped: int = 0
    gone: set[str] = field(default_factory=set)
    hashes: int = 0
    joined: int = 0


def moved_row(row: DatasetRow, moves: Mapping[str, Move], *, drop_gone: bool) -> RowMove:
    """The edits that move the labels of a row, all of them at once.

    Args:
        row: the row.
        moves: by old id.
        drop_gone: whether labels on chunks that are gone are removed.

    Raises:
        InputError: an evidence group would become too many.
    """
    named = [each for each in ids_of(row.fields) if each in moves]
    hashes = row.fields.get("label_hashes")
    if not named and not (isinstance(hashes, dict) and not moves.keys().isdisjoint(hashes)):
        return RowMove()
    return _Moving(row, moves, drop_gone).done()


class _Moving:
    """The moving of one row."""

    def __init__(self, row: DatasetRow, moves: Mapping[str, Move], drop_gone: bool) -> None:
        self._row = row
        self._moves = moves
        self._drop_gone = drop_gone
        self._style = RowStyle.of(row.text)
        self._result = RowMove()

    def done(self) -> RowMove:
        for name in ("relevant_ids", "forbidden_ids"):
            self._move_list(name)
        self._move_judgments()
        self._move_evidence()
        self._forget_hashes()
        self._result.edits.sort(key=lambda edit: edit.start)
        return self._result

    def _successors(self, chunk_id: object) -> tuple[str, ...] | None:
        """The ids that take the place of one; None when it stays."""
        move = self._moves.get(chunk_id) if isinstance(chunk_id, str) else None
        if move is None or move.new == (chunk_id,):
            return None
        return move.new if move.new or self._drop_gone else None

    def _note(self, chunk_id: object) -> None:
        """Count one place of the row that names an id."""
        new = self._successors(chunk_id)
        if new:
            self._result.moved += 1
        elif new is not None:
            self._result.dropped += 1
        elif isinstance(chunk_id, str) and (move := self._moves.get(chunk_id)) and not move.new:
            self._result.gone.add(chunk_id)

    def _move_list(self, name: str) -> None:
        values = self._row.fields.get(name)
        if not isinstance(values, list):
            return
        seen = {each for each in values if isinstance(each, str) and self._successors(each) is None}
        replaced: dict[int, list[str]] = {}
        for index, value in enumerate(values):
            self._note(value)
            new = self._successors(value)
            if new is not None:
                fresh = [each for each in new if each not in seen]
                seen.update(fresh)
                replaced[index] = [self._literal(each) for each in fresh]
        self._rewrite(self._row.source_path((name,)), self._items(len(values), name), replaced)

    def _move_judgments(self) -> None:
        judgments = self._row.fields.get("judgments")
        if not isinstance(judgments, dict):
            return
        path = self._row.source_path(("judgments",))
        written = members(self._row.text, path) or []
        keys = list(judgments)
        spans = dict(zip(keys, written, strict=True))
        targets = {old: (old,) if (new := self._successors(old)) is None else new for old in keys}
        best: dict[str, str] = {}
        for old in keys:
            self._note(old)
            for target in targets[old]:
                best[target] = self._better(judgments, best.get(target), old)
        homes = {key: key for key in keys if self._successors(key) is None}
        for old in keys:
            for target in targets[old]:
                homes.setdefault(target, old)
        replaced: dict[int, list[str]] = {}
        for index, old in enumerate(keys):
            own = [target for target in targets[old] if homes[target] == old]
            if own != [old] or best[old] != old:
                replaced[index] = [self._member(spans, old, each, best[each]) for each in own]
        entries = [Span(key.start, value.end) for key, value in written]
        self._rewrite(path, entries, replaced)

    def _better(self, judgments: Mapping[str, object], known: str | None, other: str) -> str:
        """Of two old ids that become one the one with the higher grade; the first when equal."""
        if known is None or judgments[known] == judgments[other]:
            return known or other
        self._result.joined += 1
        one, two = judgments[known], judgments[other]
        return other if is_integer(two) and (not is_integer(one) or two > one) else known  # type: ignore[operator]

    def _member(self, spans: Mapping[str, tuple[Span, Span]], old: str, new: str, best: str) -> str:
        """A judgment of a chunk, written as that of the old one, with the grade of the best."""
        text = self._row.text
        key, value = spans[old]
        grade = spans[best][1]
        written = text[key.start : key.end] if new == old else self._literal(new)
        return written + text[key.end : value.start] + text[grade.start : grade.end]

    def _move_evidence(self) -> None:
        groups = self._row.fields.get("evidence")
        if not isinstance(groups, list):
            return
        seen = {frozenset(each) for each in groups if self._is_plain(each) and self._stays(each)}
        replaced: dict[int, list[str]] = {}
        for index, group in enumerate(groups):
            if not self._is_plain(group):
                continue
            for member in group:
                self._note(member)
            if self._stays(group):
                continue
            fresh = [each for each in self._groups(group, index) if frozenset(each) not in seen]
            seen.update(map(frozenset, fresh))
            replaced[index] = [self._group(index, len(group), each) for each in fresh]
        path = self._row.source_path(("evidence",))
        self._rewrite(path, self._items(len(groups), "evidence"), replaced)

    def _groups(self, group: list[str], index: int) -> list[tuple[str, ...]]:
        try:
            return moved_group(group, self._successors)
        except TooManyGroupsError as error:
            raise InputError(
                f"an evidence group would become more than {MOST_GROUPS}: too many of its "
                "alternatives were cut into several pieces",
                location=self._row.locate("evidence", index),
                hint="map each to the pieces that hold the answer, or write the groups by hand",
            ) from error

    def _group(self, index: int, length: int, ids: tuple[str, ...]) -> str:
        """A group written as the old one is."""
        entries = self._items(length, "evidence", index)
        whole = self._row.span("evidence", index)
        replaced: dict[int, list[str]] = {position: [] for position in range(length)}
        replaced[0] = [self._literal(each) for each in ids]
        comma = self._style.comma
        if length > 1:
            comma = self._row.text[entries[0].end : entries[1].start]
        return with_entries(self._row.text, whole or entries[0], entries, replaced, comma)

    def _forget_hashes(self) -> None:
        hashes = self._row.fields.get("label_hashes")
        if not isinstance(hashes, dict):
            return
        path = self._row.source_path(("label_hashes",))
        written = members(self._row.text, path) or []
        forgotten = [i for i, each in enumerate(hashes) if self._successors(each) is not None]
        self._result.hashes += len(forgotten)
        entries = [Span(key.start, value.end) for key, value in written]
        self._rewrite(path, entries, {index: [] for index in forgotten})

    def _is_plain(self, group: object) -> bool:
        return isinstance(group, list) and all(isinstance(each, str) for each in group)

    def _stays(self, group: list[str]) -> bool:
        return all(self._successors(each) is None for each in group)

    def _items(self, count: int, *path: str | int) -> list[Span]:
        """The spans of the items of a list at a canonical path."""
        found = (self._row.span(*path, index) for index in range(count))
        return [span for span in found if span is not None]

    def _rewrite(
        self, path: tuple[str | int, ...], entries: list[Span], replaced: dict[int, list[str]]
    ) -> None:
        whole = value_span(self._row.text, path)
        if not replaced or whole is None:
            return
        written = with_entries(self._row.text, whole, entries, replaced, self._style.comma)
        start, end = self._row.bytes_of(whole)
        self._result.edits.append(Edit(start, end, written.encode("utf-8", "surrogatepass")))

    def _literal(self, chunk_id: str) -> str:
        return json.dumps(chunk_id, ensure_ascii=self._style.is_ascii)
