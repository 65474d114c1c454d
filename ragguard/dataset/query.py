"""One dataset row as a value: a query and what is known to answer it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ragguard.location import Location


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of one row as they were written, before a policy reads them.

    Attributes:
        relevant_ids: required chunks, each its own evidence group.
        judgments: integer grade by chunk id.
        evidence: evidence groups; any member satisfies its group.
    """

    relevant_ids: tuple[str, ...] = ()
    judgments: Mapping[str, int] = field(default_factory=dict)
    evidence: tuple[tuple[str, ...], ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any label at all."""
        return bool(self.relevant_ids or self.judgments or self.evidence)

    def grades(self, threshold: int) -> dict[str, int]:
        """Every labelled chunk with its grade; one labelled without a grade has the threshold's."""
        ungraded = [*self.relevant_ids, *(member for group in self.evidence for member in group)]
        return dict.fromkeys(ungraded, threshold) | dict(self.judgments)

    def groups(self, threshold: int) -> tuple[tuple[str, ...], ...]:
        """The evidence groups: those written, else one group per relevant chunk."""
        if self.evidence:
            return self.evidence
        grades = self.grades(threshold)
        return tuple((chunk_id,) for chunk_id, grade in grades.items() if grade >= threshold)


@dataclass(frozen=True, slots=True)
class Query:
    """A query of a suite, its labels and what the gates need to know of it.

    Attributes:
        source: where its row stands; the file relative to the configuration.
        row: the whole row under canonical field names, JSON values only; what the report keeps.
        context: handed to the retriever as it is.
        weight: traffic weight, above zero.
        max_rank: the first relevant chunk must stand at this rank or above.
    """

    query_id: str
    text: str
    labels: Labels = field(default_factory=Labels)
    answerable: bool = True
    critical: bool = False
    forbidden_ids: tuple[str, ...] = ()
    context: Mapping[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    max_rank: int | None = None
    private: bool = False
    source: Location | None = None
    row: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def from_row(cls, row: Mapping[str, Any], source: Location | None = None) -> Query:
        """The query of a canonical row that satisfies the dataset-row schema.

        In a report a private row has `query_sha256` in place of `query`; its text is then empty.
        """
        return cls(
            query_id=row["query_id"],
            text=row.get("query", ""),
            labels=Labels(
                relevant_ids=tuple(dict.fromkeys(row.get("relevant_ids") or ())),
                judgments=dict(row.get("judgments") or {}),
                evidence=_distinct(row.get("evidence") or ()),
            ),
            answerable=row.get("answerable", True),
            critical=row.get("critical", False),
            forbidden_ids=tuple(row.get("forbidden_ids") or ()),
            context=row.get("context") or {},
            weight=row.get("weight", 1.0),
            max_rank=row.get("max_rank"),
            private=row.get("private", False),
            source=source,
            row=row,
        )

    def slice_value(self, path: str) -> str | None:
        """The value of a slice field by dotted path (`metadata.language`) as text.

        None when it is absent or no scalar. Booleans read as JSON writes them (`true`).
        """
        value = self.value_at(path)
        if isinstance(value, bool):
            return "true" if value else "false"
        return str(value) if isinstance(value, str | int | float) else None

    def value_at(self, path: str) -> Any:
        """The value of a row field by dotted path, None when absent."""
        value: Any = self.row
        for key in path.split("."):
            if not isinstance(value, Mapping) or key not in value:
                return None
            value = value[key]
        return value


def _distinct(groups: Iterable[Iterable[str]]) -> tuple[tuple[str, ...], ...]:
    """Groups as sets: a member or a whole group that is written twice counts once."""
    by_members = {frozenset(group): tuple(dict.fromkeys(group)) for group in groups}
    return tuple(by_members.values())
