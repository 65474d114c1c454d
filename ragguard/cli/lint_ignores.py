"""`ragguard lint --add-ignores`: the lists of ignored findings written anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ragguard.errors import InputError

if TYPE_CHECKING:
    from ragguard.lint.ignores.ignore_list import IgnoreList
    from ragguard.lint.request import LintRequest

NO_REASON_YET = "not looked into yet: found when this list was written"


def add_ignores(request: LintRequest, reason: str | None) -> None:
    """Write every list that changes, and tell what became of its entries.

    Raises:
        RagguardError: a list cannot be made or written; none is written by halves.
    """
    from ragguard.lint.run import renewed_ignore_lists

    for before, after in renewed_ignore_lists(request, reason or NO_REASON_YET):
        if not before.entries and not after.entries:
            click.echo(f"nothing to ignore: {after.shown} is not written", err=True)
            continue
        _write(after)
        click.echo(_told(before, after), err=True)


def _write(ignores: IgnoreList) -> None:
    from ragguard.atomic import replace_file
    from ragguard.lint.ignores.text import ignores_text
    from ragguard.location import Location

    try:
        replace_file(ignores.path, ignores_text(ignores.entries).encode())
    except OSError as error:
        raise InputError(
            f"cannot write the list of ignored findings: {error.strerror or error}",
            location=Location(ignores.shown),
            hint="the list is as it was",
        ) from error


def _told(before: IgnoreList, after: IgnoreList) -> str:
    from ragguard.render.wording import plural

    old, new = before.by_key, after.by_key
    changed = sum(old[key].count != new[key].count for key in old.keys() & new.keys())
    counts = {"added": len(new.keys() - old.keys()), "changed": changed}
    counts["removed"] = len(old.keys() - new.keys())
    told = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    findings = plural(sum(entry.count for entry in after.entries), "finding")
    entries = plural(len(after.entries), "entry", "entries")
    return f"{after.shown}: {entries} for {findings} ({told or 'nothing changed'})"
