"""Manifests in JSON Lines decoded by the block: as strict as line by line, several times as fast.

msgspec decodes; it lets pass what strict reading refuses: a key that stands twice, and lines that
hold no row each. So a block counts as decoded only when its line feeds stand between rows and it
has as many keys as its rows have; of any other block nothing is said, and strict reading looks at
its lines. Only large files are worth importing this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, Literal

import msgspec

from ragguard.corpus.chunk import Chunk

_Scalar = str | int | float | bool | None
_Value: Any = _Scalar
for _ in range(
    4
):  # What is nested deeper is left to strict reading, which knows how deep is too deep.
    _Value = _Scalar | list[_Value] | dict[str, _Value]

Id = Annotated[str, msgspec.Meta(min_length=1)]
_Text = str | None
_Date = Annotated[str, msgspec.Meta(pattern=r"\A(?:[0-9]{4}-[0-9]{2}-[0-9]{2}(?:T.*)?)?\Z")] | None
_FACTS: dict[str, Any] = {
    "parent_id": _Text,
    "sha256": _Text,
    "status": Literal["active", "superseded", "withdrawn", ""] | None,
    "superseded_by": _Text,
    "effective_from": _Date,
    "effective_to": _Date,
    "access": list[str] | None,
}
_TEXTS: dict[str, Any] = {"title": _Text, "text": _Text}
_NOTABLE = ("status", "superseded_by", "effective_from", "effective_to")
_USUAL = frozenset({None, "", "active"})

_MOST_KEYS, _DEEPEST = 60, 4

_generic = msgspec.json.Decoder(dict[str, _Value])


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a block.

    Attributes:
        rows: structs with an `id` and the fields in `known`.
        known: names of the fields that rows may have, their `id` included.
    """

    rows: Sequence[Any]
    known: frozenset[str]

    def column(self, name: str) -> Iterator[Any]:
        """The values of one field; empty when no row has it."""
        return map(attrgetter(name), self.rows) if name in self.known else iter(())

    @property
    def may_be_notable(self) -> bool:
        """Whether there may be more to say of a row than that it is there and holds."""
        return not all(_USUAL.issuperset(self.column(name)) for name in _NOTABLE)

    def chunk(self, index: int) -> Chunk:
        """The chunk that a row describes."""
        row = self.rows[index]
        fields = {name: getattr(row, name) for name in self.known if name != "id"}
        fields["status"] = fields.get("status") or "active"
        fields["access"] = tuple(fields.get("access") or ())
        return Chunk(row.id, **fields)


class BulkDecoder:
    """Decodes the blocks of one manifest, most of whose rows have the fields of its first."""

    def __init__(self, *, with_text: bool) -> None:
        self._types = _FACTS | _TEXTS if with_text else _FACTS
        self._uniform: _Uniform | None = None
        self._is_varied = False
        self._varied = {key: _Varied(key, self._types) for key in ("id", "_id")}

    def rows(self, block: bytes, lines: int) -> Rows | None:
        """The rows of a block, None when it takes strict reading to tell.

        Args:
            block: whole lines, each ended by a line feed.
            lines: how many.
        """
        if not _holds_a_row_a_line(block, lines):
            return None
        try:
            if not self._is_varied:
                found = self._uniform_rows(block)
                if found is not None and len(found.rows) == lines:
                    return found
            found = self._varied_rows(block)
        except (msgspec.MsgspecError, RecursionError):
            return None
        return found if found is not None and len(found.rows) == lines else None

    def _uniform_rows(self, block: bytes) -> Rows | None:
        if self._uniform is None:
            first = msgspec.json.decode(block[: block.index(b"\n")])
            self._uniform = _Uniform.of(first, self._types)
        try:
            found = self._uniform.rows(block) if self._uniform else None
        except msgspec.ValidationError:
            found = None
        self._is_varied = found is None
        return found

    def _varied_rows(self, block: bytes) -> Rows | None:
        decoded = _generic.decode_lines(block)
        return self._varied["id" if "id" in decoded[0] else "_id"].rows(block, decoded)


class _Uniform:
    """Rows that all have the same fields: when one is decoded, all its keys are known."""

    def __init__(self, first: dict[str, Any], types: dict[str, Any]) -> None:
        row, self._count = _struct_of(first, types | {"id" if "id" in first else "_id": Id})
        self._known = frozenset({"id", *(types.keys() & first)})
        self._decoder = msgspec.json.Decoder(row)

    @classmethod
    def of(cls, first: Any, types: dict[str, Any]) -> _Uniform | None:
        """What rows with the fields of this one are decoded by; None where that cannot be."""
        if not isinstance(first, dict) or not ("id" in first or "_id" in first):
            return None
        try:
            return cls(first, types)
        except ValueError:  # a name that msgspec does not take, or objects within lists
            return None

    def rows(self, block: bytes) -> Rows | None:
        """The rows; None when a key may stand twice.

        Raises:
            msgspec.MsgspecError: a row is malformed, or of another make.
        """
        rows = self._decoder.decode_lines(block)
        there = self._count * len(rows)
        if block.count(b":") != there and _keys(_dense(block)) != there:
            return None
        return Rows(rows, self._known)


def _struct_of(sample: dict[str, Any], types: Mapping[str, Any], depth: int = 0) -> tuple[Any, int]:
    """A type of objects with the keys of a sample, all of them there and no other; and how many.

    Args:
        sample: the object.
        types: those of some of its keys; of the others their values decide.
        depth: how deep it is nested in its row.

    Raises:
        ValueError: no such type can be made.
    """
    fields, renamed, count = [], {}, len(sample)
    for number, (key, value) in enumerate(sample.items()):
        if "\\" in key or count > _MOST_KEYS or depth > _DEEPEST:
            raise ValueError(key)
        field, type_ = f"field_{number}", types.get(key, _Scalar)
        if key in types:
            field = "id" if type_ is Id else key
        elif isinstance(value, dict):
            type_, inner = _struct_of(value, {}, depth + 1)
            count += inner
        elif isinstance(value, list):
            type_ = list[_Scalar]
        renamed[field] = key
        fields.append((field, type_))
    row = msgspec.defstruct("Row", fields, rename=renamed, forbid_unknown_fields=True, gc=False)
    return row, count


class _Varied:
    """Rows of any make: their keys are counted in what they are encoded to again."""

    def __init__(self, id_name: str, types: dict[str, Any]) -> None:
        fields: list[Any] = [("id", Id), *((name, type_, None) for name, type_ in types.items())]
        row = msgspec.defstruct("Row", fields, rename={"id": id_name}, gc=False)
        self._type = list[row]  # type: ignore[valid-type]
        self._known = frozenset({"id", *types})
        self._is_other_id = id_name != "id"

    def rows(self, block: bytes, decoded: Sequence[dict[str, Any]]) -> Rows | None:
        """The rows of a block that is decoded; None when a key may stand twice.

        Raises:
            msgspec.MsgspecError: a row is malformed.
        """
        there = _keys(msgspec.json.encode(decoded))
        if there is None or _keys(_dense(block)) != there:
            return None
        if self._is_other_id and any("id" in row for row in decoded):
            return None
        return Rows(msgspec.convert(decoded, self._type), self._known)


def _holds_a_row_a_line(block: bytes, lines: int) -> bool:
    """Whether every line feed but the last stands between the end of an object and the next one.

    Inside an object or a list a line that ends with `}` is never followed by one that begins with
    `{`, so that lines and objects are the same when there are as many of each.
    """
    if not block.startswith(b"{"):
        return False
    between, end = (b"}\r\n{", b"}\r\n") if block.endswith(b"\r\n") else (b"}\n{", b"}\n")
    return block.endswith(end) and block.count(between) == lines - 1


def _dense(text: bytes) -> bytes:
    return text.translate(None, b" \t\r\n")


def _keys(dense: bytes) -> int | None:
    """How many keys all objects of a text have, twins included; None where that is not certain.

    Every key ends in `":`. Inside a string a backslash precedes such a quote, as it does one that
    ends a key whose last character is a backslash.

    Args:
        dense: the text without white space; what strings lose by that makes no key.
    """
    if b"\\" not in dense:
        return dense.count(b'":')
    return None if b'\\\\":' in dense else dense.count(b'":') - dense.count(b'\\":')
