"""`ragguard rule`: explain one lint rule, or list them all."""

from __future__ import annotations

import click


@click.command(short_help="Explain one lint rule, or list them all.")
@click.argument("code", required=False)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of what is shown.",
)
def command(code: str | None, form: str) -> None:
    """Explain the lint rule CODE (or its name), or list all rules.

    \b
    Examples:
      ragguard rule
      ragguard rule RG301
      ragguard rule unknown-chunk-id --format json
    """
    from ragguard.lint.registry import RULES
    from ragguard.render.json_text import json_text
    from ragguard.render.rule_text import rule_list, rule_object, rule_page

    if code is None:
        shown = json_text([rule_object(rule) for rule in RULES]) if form == "json" else None
        click.echo(shown or rule_list(RULES), nl=False)
        return
    rule = next((rule for rule in RULES if code.upper() == rule.code or code == rule.name), None)
    if rule is None:
        raise _unknown(code)
    click.echo(json_text(rule_object(rule)) if form == "json" else rule_page(rule), nl=False)


def _unknown(code: str) -> Exception:
    from difflib import get_close_matches

    from ragguard.errors import UsageError
    from ragguard.lint.registry import RULES

    names = [each for rule in RULES for each in (rule.code, rule.name)]
    near = get_close_matches(code.upper(), names, 1) or get_close_matches(code, names, 1)
    hint = f"did you mean {near[0]}?" if near else "`ragguard rule` lists them all"
    return UsageError(f"there is no lint rule {code!r}", hint=hint)
