"""Whether a query record is shaped as the report schema says, told a hundred times faster.

A record that is found unsound is checked against the schema itself, which says what is wrong.
Numbers are looked at more closely than a schema can: JSON writes 1e999, which is no double.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import isfinite
from types import NoneType
from typing import Any

_LARGEST = 2**63
"""Integers beyond are nobody's grade, score or rank, and do not fit other readers of JSON."""


def is_sound(record: Mapping[str, Any]) -> bool:
    """Whether every part of a query record that code relies on has its type."""
    return (
        isinstance(record.get("suite"), str)
        and _is_row(record.get("row"))
        and _are_values(record.get("metrics"))
        and _is_ranking(record.get("ranking", []))
        and _are_rankings(record.get("stages", {}))
        and _are_id_lists(record.get("exposures", {}))
        and _are_texts(record.get("warnings", []))
        and isinstance(record.get("duplicates", 0), int)
        and isinstance(record.get("error", ""), str)
        and isinstance(record.get("rewritten", ""), str)
        and isinstance(record.get("admitted", 0), int)
    )


def _is_row(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and isinstance(row.get("query_id"), str)
        and isinstance(row.get("query", ""), str)
        and _are_texts(row.get("relevant_ids", []))
        and _are_texts(row.get("forbidden_ids", []))
        and _are_grades(row.get("judgments", {}))
        and _are_groups(row.get("evidence", []))
        and isinstance(row.get("context", {}), dict)
        and _is_positive(row.get("weight", 1))
        and _is_positive(row.get("max_rank", 1))
        and all(
            type(row.get(flag, False)) is bool for flag in ("answerable", "critical", "private")
        )
    )


def _is_positive(value: Any) -> bool:
    return value is not None and _are_numbers([value]) and value > 0


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and set(map(type, value)) <= {str}


def _are_groups(value: Any) -> bool:
    return isinstance(value, list) and all(map(_are_texts, value))


def _are_grades(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(map(type, value.values())) <= {int}
        and _are_numbers(value.values())
    )


def _are_values(value: Any) -> bool:
    return isinstance(value, dict) and _are_numbers(value.values())


def _is_ranking(value: Any) -> bool:
    if not isinstance(value, list) or not set(map(type, value)) <= {list}:
        return False
    if not value:
        return True
    if set(map(len, value)) != {2}:
        return False
    ids, scores = zip(*value, strict=True)
    return set(map(type, ids)) <= {str} and _are_numbers(scores)


def _are_rankings(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_ranking, value.values()))


def _are_id_lists(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_are_texts, value.values()))


def _are_numbers(values: Collection[Any]) -> bool:
    """Whether these are finite doubles, integers of 64 bits or null; by type first, for speed."""
    kinds = set(map(type, values))
    if not kinds <= {float, int, NoneType}:
        return False
    if int in kinds and not all(-_LARGEST < one < _LARGEST for one in values if type(one) is int):
        return False
    return all(map(isfinite, filter(None, values)))
