"""Rows of one shape as records of a compiled decoder, and what makes such a record plain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Annotated, Any, Final

import msgspec

from ragguard.lint.field_types import BOOLEAN, FIELD_TYPES, HIGHEST_GRADE, TEXT
from ragguard.lint.plain.row import are_well_formed

Record = Any
"""A record of a shape that is made while the program runs; its fields have canonical names."""

_UNSET: Final = msgspec.UNSET
_INTEGER = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
_SCALAR = str | bool | _INTEGER | float | None | list[str]
_LABELS: Mapping[str, Any] = {
    "relevant_ids": list[str],
    "judgments": dict[str, Annotated[int, msgspec.Meta(ge=0, le=HIGHEST_GRADE)]],
}
_VALUE_DECIDES = frozenset({"answerable"})
"""Fields whose value decides what the others may be."""


def record_type(canonical: str) -> Any:
    """The type of a field in a record; None when rows that have it are not for records."""
    if canonical in _LABELS:
        return _LABELS[canonical]
    if canonical == "query_id":
        return str
    known = FIELD_TYPES.get(canonical)
    if known is None:
        return _SCALAR
    by_type = {id(TEXT): str, id(BOOLEAN): bool}
    return None if canonical in _VALUE_DECIDES else by_type.get(id(known))


class RecordShape:
    """What the rows of a dataset look like.

    Attributes:
        fields: the canonical names of its fields.
        is_flat: whether no object stands inside a row.
    """

    def __init__(self, written: Mapping[str, str], required: Iterable[str], threshold: int) -> None:
        """Make a shape.

        Args:
            written: by canonical name the name in the file; every one has a `record_type`.
            required: the canonical names that all rows have, the query and its id among them.
            threshold: the grade from which a judgment is relevant.
        """
        self.fields = frozenset(written)
        self._threshold = threshold
        needed = frozenset(required)
        # A row may name its fields as no attribute can be named.
        names = {name: f"field_{index}" for index, name in enumerate(written)}
        self._get = {name: attrgetter(each) for name, each in names.items()}
        self._optional = frozenset(written) - needed
        self.is_flat = "judgments" not in self.fields
        record = msgspec.defstruct(
            "Record",
            [_field(names[name], record_type(name), name in needed) for name in written],
            rename={names[name]: each for name, each in written.items()},
            forbid_unknown_fields=True,
            kw_only=True,
            gc=False,
        )
        self._decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(record)

    def decode_all(self, lines: bytes) -> list[Record] | None:
        """The records of whole lines; None when one of them is no record."""
        try:
            return self._decoder.decode_lines(lines)
        except (msgspec.MsgspecError, RecursionError):
            return None

    def decode(self, line: bytes) -> Record | None:
        """The record of a line; None when it is none."""
        try:
            return self._decoder.decode(line)
        except (msgspec.MsgspecError, RecursionError):
            return None

    def column(self, name: str, records: Sequence[Record]) -> list[Any]:
        """The values of a field, None for a record that lacks it."""
        values = map(self._get[name], records)
        if name not in self._optional:
            return list(values)
        return [None if each is _UNSET else each for each in values]

    def labels(self, records: Sequence[Record]) -> Iterator[str]:
        """The labelled ids of all records, one after the other."""
        return chain.from_iterable(chain.from_iterable(self._label_columns(records)))

    def key_count(self, records: Sequence[Record]) -> int:
        """How many keys the rows of these records have, if none stands twice in one of them."""
        count = len(records) * (len(self.fields) - len(self._optional))
        count += sum(len(self._set(name, records)) for name in self._optional)
        return count if self.is_flat else count + sum(map(len, self._set("judgments", records)))

    def plain(self, records: Sequence[Record]) -> list[int]:
        """The indexes of the records in which no rule for rows can find anything.

        Looked at together, and in halves where something is amiss: a block with few odd rows costs
        little more than one without.
        """
        if not records or self.are_plain(records):
            return list(range(len(records)))
        if len(records) == 1:
            return []
        half = len(records) // 2
        return [*self.plain(records[:half]), *(half + at for at in self.plain(records[half:]))]

    def are_plain(self, records: Sequence[Record]) -> bool:
        """Whether no rule for rows can find anything in any of these records."""
        queries = list(map(self._get["query"], records))
        if not all(queries) or any(map(str.isspace, queries)):
            return False
        if not are_well_formed(list(map(self._get["query_id"], records))):
            return False
        columns = self._label_columns(records)
        if sum(map(len, columns)) != len(records) or not all(map(all, columns)):
            return False  # a row with both kinds of labels, with none, or with an empty one
        if not are_well_formed(list(self.labels(records))):
            return False
        return self._are_distinct(records) and self._reach_threshold(records)

    def _label_columns(self, records: Sequence[Record]) -> list[list[Iterable[str]]]:
        return [self._set(name, records) for name in _LABELS if name in self.fields]

    def _set(self, name: str, records: Sequence[Record]) -> list[Any]:
        values = map(self._get[name], records)
        if name not in self._optional:
            return list(values)
        return [each for each in values if each is not _UNSET]

    def _are_distinct(self, records: Sequence[Record]) -> bool:
        if "relevant_ids" not in self.fields:
            return True
        lists = self._set("relevant_ids", records)
        return sum(map(len, map(frozenset, lists))) == sum(map(len, lists))

    def _reach_threshold(self, records: Sequence[Record]) -> bool:
        if self.is_flat:
            return True
        highest = (max(each.values()) for each in self._set("judgments", records))
        return min(highest, default=self._threshold) >= self._threshold


def _field(name: str, type_: Any, is_required: bool) -> tuple[str, Any] | tuple[str, Any, Any]:
    return (name, type_) if is_required else (name, type_ | msgspec.UnsetType, _UNSET)
