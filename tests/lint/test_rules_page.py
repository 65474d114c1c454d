"""`docs/rules.md` is made from the rules."""

from __future__ import annotations

from pathlib import Path

from ragguard.lint.registry import RULES
from ragguard.render.rule_text import rules_markdown

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def test_the_page_says_what_the_rules_say() -> None:
    """Made anew with: python -m tests.lint.test_rules_page."""
    assert PAGE.read_text(encoding="utf-8") == rules_markdown(RULES)


if __name__ == "__main__":
    PAGE.write_text(rules_markdown(RULES), encoding="utf-8", newline="\n")
