"""All rules. One that is not listed here does not exist."""

from __future__ import annotations

from importlib import import_module

from ragguard.lint.rule import Rule

_MODULES = (
    "not_utf8",
    "byte_order_mark",
    "blank_line",
    "no_final_newline",
    "not_json",
    "not_an_object",
    "duplicate_key",
    "bad_number",
    "lone_surrogate",
    "missing_field",
    "wrong_type",
    "misspelt_field",
    "no_label",
    "blank_query",
    "malformed_id",
    "repeated_label",
    "labelled_unanswerable",
    "bad_grade",
    "nothing_relevant",
    "id_not_string",
    "repeated_query_id",
    "contradicting_labels",
    "repeated_query",
    "nearly_repeated_query",
    "query_across_splits",
    "reused_query_id",
    "unknown_chunk_id",
    "document_label",
    "stale_label",
    "changed_chunk",
    "relevant_and_forbidden",
    "twice_in_manifest",
    "rechunked",
    "version_missing",
    "several_versions",
    "other_corpus_version",
    "version_not_raised",
    "review_overdue",
    "manifest_not_versioned",
    "leaked_wording",
    "named_gold",
    "small_slice",
    "critical_share",
    "no_unanswerable",
    "placeholder_query",
    "secret_in_query",
    "unmarked_synthetic",
    "bad_configuration",
    "file_not_found",
    "ineffective_gate",
    "unused_ignore",
)
"""The files of `ragguard/lint/rules/`, by the codes of their rules."""

RULES = tuple(Rule.of(import_module(f"ragguard.lint.rules.{name}")) for name in _MODULES)
"""Every rule, by code."""

BLOCKING = frozenset(
    rule.code for rule in RULES if rule.code.startswith("RG0") and rule.severity == "error"
) | {"RG101", "RG102", "RG105", "RG111", "RG201"}
"""Rules whose findings stop an evaluation: rows that cannot be read or told apart."""
