"""All rules, by what they look at. A rule that is not listed here does not exist."""

from __future__ import annotations

from ragguard.lint.rule import Rule, Scope
from ragguard.lint.rules import (
    bad_configuration,
    bad_grade,
    bad_number,
    blank_line,
    blank_query,
    byte_order_mark,
    duplicate_key,
    file_not_found,
    id_not_string,
    labelled_unanswerable,
    lone_surrogate,
    malformed_id,
    missing_field,
    misspelt_field,
    no_final_newline,
    no_label,
    not_an_object,
    not_json,
    not_utf8,
    nothing_relevant,
    other_corpus_version,
    relevant_and_forbidden,
    repeated_label,
    repeated_query_id,
    several_versions,
    stale_label,
    unknown_chunk_id,
    version_missing,
    wrong_type,
)

_MODULES = {
    Scope.LINE: (
        not_utf8,
        byte_order_mark,
        blank_line,
        no_final_newline,
        not_json,
        not_an_object,
        duplicate_key,
        bad_number,
        lone_surrogate,
    ),
    Scope.ROW: (
        missing_field,
        wrong_type,
        misspelt_field,
        no_label,
        blank_query,
        malformed_id,
        repeated_label,
        labelled_unanswerable,
        bad_grade,
        nothing_relevant,
        id_not_string,
        relevant_and_forbidden,
    ),
    Scope.SUITE: (
        repeated_query_id,
        unknown_chunk_id,
        stale_label,
        version_missing,
        several_versions,
        other_corpus_version,
    ),
    Scope.CONFIGURATION: (bad_configuration, file_not_found),
}

RULES = tuple(
    sorted(
        (Rule.of(module, scope) for scope, modules in _MODULES.items() for module in modules),
        key=lambda rule: rule.code,
    )
)
"""Every rule, by code."""

NEEDS_CORPUS = frozenset({"RG301", "RG303", "RG403"})
"""Rules that are skipped, with a note, for a suite without a corpus."""

BLOCKING = frozenset(
    rule.code for rule in RULES if rule.code.startswith("RG0") and rule.severity == "error"
) | {"RG101", "RG102", "RG105", "RG111", "RG201"}
"""Rules whose findings stop an evaluation: rows that cannot be read or told apart."""
