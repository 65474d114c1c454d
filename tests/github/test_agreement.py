"""action.yml, the documentation and the code tell the same inputs, defaults and outputs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from ragguard.errors import ExitCode
from ragguard.gate.verdict import Outcome, Verdict
from ragguard.github.comment import Posted
from ragguard.github.conclusion import Conclusion
from ragguard.github.settings import INPUTS, TOKEN_VARIABLE, variable
from ragguard.github.telling import outputs_of

ROOT = Path(__file__).resolve().parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
PAGE = (ROOT / "docs" / "github-action.md").read_text("utf-8")
OF_THE_SHELL = {"python"}
PINS = (ROOT / ".github" / "action" / "requirements.txt").read_text("utf-8")


def table(title: str) -> list[list[str]]:
    """The rows of the table below a heading of the page, cell by cell."""
    section = PAGE.split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row] for row in rows]


def test_inputs_and_defaults_agree() -> None:
    """The code's, the action's and the page's."""
    defaults = {name: str(told["default"]) for name, told in ACTION["inputs"].items()}
    assert defaults.pop("github-token") == "${{ github.token }}"
    assert {name: defaults[name] for name in defaults if name not in OF_THE_SHELL} == {
        name: default for name, default in INPUTS.items() if name != "github-token"
    }
    shown = {row[0].strip("`"): row[1].strip("`") for row in table("Inputs")}
    assert shown.pop("github-token") == "the workflow's token"
    assert shown == defaults


def test_every_input_reaches_the_program_through_its_environment() -> None:
    """And nothing is put into a script by the template language."""
    steps = ACTION["runs"]["steps"]
    (step,) = (each for each in steps if each.get("id") == "ragguard")
    handed = {name: value for name, value in step["env"].items() if name.startswith("INPUT_")}
    assert handed == {variable(name): f"${{{{ inputs.{name} }}}}" for name in INPUTS}
    assert variable("github-token") == TOKEN_VARIABLE
    assert not [each["run"] for each in steps if "${{" in each.get("run", "")]


def test_outputs_agree() -> None:
    """What the program writes is what the action hands on and the page explains."""
    written = outputs_of(
        Conclusion(Verdict(Outcome.INCOMPLETE)), ExitCode.NO_VERDICT, Posted(None), Path("r")
    )
    handed = ACTION["outputs"]
    assert set(handed) == set(written)
    assert [row[0].strip("`") for row in table("Outputs")] == list(handed)
    for name, told in handed.items():
        source = "code" if name == "exit-code" else name
        assert told["value"] == f"${{{{ steps.ragguard.outputs.{source} }}}}"


def test_every_action_used_is_pinned_by_commit() -> None:
    """With its version beside it."""
    used = re.findall(r"uses: (\S+)(.*)", (ROOT / "action.yml").read_text("utf-8"))
    assert len(used) == 3
    for action, comment in used:
        assert re.fullmatch(r"actions/[a-z/-]+@[0-9a-f]{40}", action)
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment)


def test_every_package_is_pinned_by_hash() -> None:
    """Each at one version, with at least one SHA-256, and from nowhere in particular."""
    packages = re.split(r"\n(?=[a-z])", PINS.split("\n\n", maxsplit=1)[-1])
    pinned = [each for each in packages if "==" in each]
    names = {each.split("==")[0] for each in pinned}
    assert {"click", "ghapi", "jsonschema", "pyyaml", "tabulate"} <= names
    for each in pinned:
        assert re.match(r"[a-z0-9-]+==[0-9][0-9.]*( ; [^\n]+)? \\\n", each), each[:80]
        assert "--hash=sha256:" in each
    assert "://" not in PINS
    assert "--index" not in PINS
