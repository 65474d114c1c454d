"""The list of ignored findings: read, applied and written anew."""

from __future__ import annotations

import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ragguard.config.model import Config
from ragguard.config.positions import PositionedYaml
from ragguard.errors import ConfigError
from ragguard.lint.ignores.ignore_list import IgnoreEntry, read_ignore_list
from ragguard.lint.ignores.text import ignores_text, quickly_read
from ragguard.lint.request import LintRequest
from ragguard.lint.result import LintResult
from ragguard.lint.run import renewed_ignore_lists, run
from ragguard.lint.selection import Choice
from ragguard.resources import schema
from tests.lint.linting import VERSIONS, write

CONFIG = (
    "version: 1\nsuites:\n"
    "  docs: {dataset: eval/docs.jsonl, corpus: corpus.jsonl}\n"
    "  more: {dataset: eval/more.jsonl, corpus: corpus.jsonl}\n"
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from("\u2028\x85\ufeff\x7f"))
ENTRIES = st.lists(
    st.builds(
        IgnoreEntry,
        code=st.sampled_from(["RG301", "RG101"]),
        file=TEXTS.filter(bool) | st.sampled_from(["no", "eval/docs.jsonl", "1e3", "a b"]),
        reason=TEXTS.filter(str.strip),
        query_id=st.none() | TEXTS | st.sampled_from(["0912", "no", "~", "1e3", "\ud800"]),
        count=st.integers(1, 1000),
    ),
    unique_by=lambda entry: entry.key,
)


def row(query_id: str, *labels: str) -> dict[str, Any]:
    """A row with these labels."""
    return {"query_id": query_id, "query": f"the text of {query_id}", "relevant_ids": list(labels)}


def entry(code: str, file: str, query_id: str | None = None, count: int = 1, **more: Any) -> str:
    """An entry in the form in which a person may write it."""
    named = {"code": code, "file": file, "query_id": query_id, "count": count, "reason": "why"}
    kept = {key: value for key, value in (named | more).items() if value is not None}
    return f"- {yaml.safe_dump(kept, default_flow_style=True, width=1000)}"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two suites of one corpus; labels x and y are unknown."""
    (tmp_path / ".git").mkdir()
    write(
        tmp_path,
        {
            "ragguard.yml": CONFIG,
            "eval/docs.jsonl": [row("q1", "c1", "x"), row("q2", "x", "y")],
            "eval/docs.meta.json": VERSIONS,
            "eval/more.jsonl": [row("m1", "y")],
            "eval/more.meta.json": VERSIONS,
            "corpus.jsonl": [{"id": "c1"}],
        },
    )
    monkeypatch.chdir(tmp_path)
    return tmp_path


def linted(*paths: str, **request: Any) -> LintResult:
    """What linting these paths finds."""
    return run(LintRequest(tuple(map(Path, paths)), **request)).result


def told(result: LintResult) -> list[str]:
    """The findings as `file:line CODE query`."""
    return [
        f"{each.location.file}:{each.location.line} {each.code} {each.query_id}"
        for each in result.diagnostics
    ]


UNNEEDED = "ragguard-ignores.yml:1 RG904 None"
EVERYTHING = [
    "eval/docs.jsonl:1 RG301 q1",
    "eval/docs.jsonl:2 RG301 q2",
    "eval/docs.jsonl:2 RG301 q2",
    "eval/more.jsonl:1 RG301 m1",
]


@pytest.mark.parametrize(
    ("entries", "expected", "ignored"),
    [
        ([], EVERYTHING, 0),
        ([entry("RG301", "eval/docs.jsonl", "q1")], EVERYTHING[1:], 1),
        ([entry("RG301", "eval/docs.jsonl", "q2", 2)], [EVERYTHING[0], EVERYTHING[3]], 2),
        ([entry("RG301", "eval/docs.jsonl", "q2", 1)], EVERYTHING, 0),
        (
            [entry("RG301", "eval/docs.jsonl", "q2", 3)],
            [EVERYTHING[0], EVERYTHING[3], "ragguard-ignores.yml:1 RG904 q2"],
            2,
        ),
        (
            [entry("RG301", "eval/docs.jsonl", "q9"), entry("RG301", "eval/docs.jsonl", "q1")],
            [*EVERYTHING[1:], "ragguard-ignores.yml:1 RG904 q9"],
            1,
        ),
        (
            [entry("RG301", "eval/docs.jsonl")],
            [*EVERYTHING, "ragguard-ignores.yml:1 RG904 None"],
            0,
        ),
        ([entry("RG301", "gone.jsonl")], [*EVERYTHING, UNNEEDED], 0),
        ([entry("RG102", "corpus.jsonl")], [*EVERYTHING, UNNEEDED], 0),
    ],
    ids=[
        "an empty list",
        "one query",
        "both findings of a query",
        "fewer than there are",
        "more than there are",
        "a query that is gone",
        "no query named",
        "a file that is gone",
        "a manifest without the finding",
    ],
)
def test_what_an_entry_covers_is_not_reported(
    entries: list[str], expected: list[str], ignored: int, project: Path
) -> None:
    """By code, file and query; too little covers nothing, and too much is told."""
    write(project, {"ragguard-ignores.yml": "".join(entries)})
    result = linted()
    assert told(result) == expected
    assert dict(result.ignored) == ({"ragguard-ignores.yml": ignored} if ignored else {})


def test_an_entry_that_covers_too_little_is_explained(project: Path) -> None:
    """The reader sees why what was ignored is reported."""
    write(project, {"ragguard-ignores.yml": entry("RG301", "eval/docs.jsonl", "q2", 1)})
    assert linted().notes == (
        "ragguard-ignores.yml:1:3: covers 1 of RG301 for query 'q2' in eval/docs.jsonl, "
        "but there are 2: all are reported",
    )


@pytest.mark.parametrize(
    ("paths", "choice", "unused"),
    [
        ((), Choice(), ["docs q9", "more m9", "corpus None"]),
        (("eval/docs.jsonl",), Choice(), ["docs q9"]),
        (("eval/more.meta.json",), Choice(), ["more m9"]),
        (("corpus.jsonl",), Choice(), ["docs q9", "more m9", "corpus None"]),
        (("ragguard-ignores.yml",), Choice(), ["docs q9", "more m9", "corpus None"]),
        ((), Choice(select=("RG2", "RG904")), []),
        ((), Choice(ignore=("RG904",)), []),
        ((), Choice(ignore=("RG106",)), ["docs q9", "more m9"]),
    ],
)
def test_an_entry_is_judged_only_by_who_could_find_it(
    paths: tuple[str, ...], choice: Choice, unused: list[str], project: Path
) -> None:
    """All suites that have its file were linted, and its rule ran."""
    entries = [
        entry("RG301", "eval/docs.jsonl", "q9"),
        entry("RG301", "eval/more.jsonl", "m9"),
        entry("RG106", "corpus.jsonl"),
    ]
    write(project, {"ragguard-ignores.yml": "".join(entries)})
    found = [each for each in linted(*paths, choice=choice).diagnostics if each.code == "RG904"]
    names = {1: "docs", 2: "more", 3: "corpus"}
    assert [f"{names[each.location.line or 0]} {each.query_id}" for each in found] == unused


def test_nothing_is_unused_while_something_cannot_be_read(project: Path) -> None:
    """What cannot be read may hold the finding."""
    write(project, {"ragguard-ignores.yml": entry("RG301", "eval/docs.jsonl", "q1")})
    write(project, {"eval/docs.jsonl": b""})
    result = linted()
    assert len(result.faults) == 1
    assert "RG904" not in {each.code for each in result.diagnostics}


def test_edits_elsewhere_do_not_wake_a_finding(project: Path) -> None:
    """Lines move, the query stays; the list is found from any folder."""
    write(project, {"ragguard-ignores.yml": entry("RG301", "eval/docs.jsonl", "q1")})
    write(project, {"eval/docs.jsonl": [row("q0", "c1"), row("q3", "c1"), row("q1", "x")]})
    assert told(linted("eval/docs.jsonl")) == []


def test_fixing_leaves_what_is_ignored(project: Path, tmp_path_factory: Any) -> None:
    """Somebody wants it as it is."""
    write(project, {"eval/docs.jsonl": [row("q1 ", "c1"), row("q2 ", "c1")]})
    write(project, {"ragguard-ignores.yml": entry("RG106", "eval/docs.jsonl", "q1 ")})
    done = run(LintRequest((Path("eval/docs.jsonl"),))).fixed(tmp_path_factory.mktemp("copies"))
    (file,) = done.files
    after = b"".join(line for _, line in file.lines())
    assert (b'"q1 "' in after, b'"q2"' in after) == (True, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "- {code: RG301, file: a.jsonl}\n",
            ["1:3 entry 1 lacks the key 'reason'"],
        ),
        (
            "- {code: RG301, file: a.jsonl, reason: ' '}\n",
            ["1:40 entry 1.reason: ' ' is not written as it should be"],
        ),
        (
            '- code: RG301\n  file: a.jsonl\n  count: 1\n  reason: " "\n',
            ["4:11 entry 1.reason: ' ' is not written as it should be"],
        ),
        (
            "- {code: RG301, file: a.jsonl, reason: x, query_id: 12}\n",
            ["1:53 entry 1.query_id: 12 is not a text"],
        ),
        (
            "- {code: RG301, file: a.jsonl, reason: x, qid: q1}\n",
            ["1:43 unknown key 'qid' in entry 1"],
        ),
        (
            "- {code: RG3, file: a.jsonl, reason: x}\n",
            ["1:10 entry 1.code: 'RG3' is not written as it should be"],
        ),
        (
            "- {code: RG399, file: a.jsonl, reason: x}\n",
            ["1:10 entry 1.code: no lint rule matches 'RG399'"],
        ),
        (
            "- {code: RG301, file: a.jsonl, reason: x}\n- {code: RG904, file: a, reason: x}\n",
            ["2:10 entry 2.code: RG904 cannot be ignored"],
        ),
        (
            "- {code: RG206, file: a.jsonl, reason: x}\n",
            ["1:10 entry 1.code: RG206 cannot be ignored"],
        ),
        (
            "- {code: RG301, file: a, reason: x}\n- {code: RG301, file: a, reason: y}\n",
            ["2:3 entry 2 covers the same as entry 1"],
        ),
        (
            "- {code: RG301, file: a, reason: x, count: 0}\n",
            ["1:44 entry 1.count: 0 is less than the minimum of 1"],
        ),
        (
            "RG301: a.jsonl\n",
            ["1:1 a list of ignored findings has one entry a finding, each after a dash"],
        ),
    ],
)
def test_a_faulty_list_is_a_finding_in_it(text: str, expected: list[str], project: Path) -> None:
    """With line and column, whichever way the list is read; nothing is ignored meanwhile."""
    write(project, {"ragguard-ignores.yml": text})
    result = linted()
    assert {each.code for each in result.diagnostics} == {"RG901"}
    assert {each.location.file for each in result.diagnostics} == {"ragguard-ignores.yml"}
    assert [
        f"{each.location.line}:{each.location.column} {each.message}" for each in result.diagnostics
    ] == expected


@pytest.mark.parametrize("content", [b"- {", b"\xff"])
def test_a_list_that_is_no_yaml_is_a_finding_too(content: bytes, project: Path) -> None:
    """It has a place, and nothing is written over it."""
    write(project, {"ragguard-ignores.yml": content})
    assert [each.code for each in linted().diagnostics] == ["RG901"]
    with pytest.raises(ConfigError):
        renewed_ignore_lists(LintRequest(), "why")


def test_a_configured_list_stands_elsewhere(project: Path) -> None:
    """Relative to the configuration; one that is not there is a finding, or is written."""
    write(project, {"ragguard.yml": CONFIG + "lint: {ignore_list: known/eval.yml}\n"})
    (found,) = linted().diagnostics
    assert (found.code, found.message, found.location.column) == (
        "RG901",
        "lint.ignore_list: there is no file 'known/eval.yml'",
        21,
    )
    ((_, after),) = renewed_ignore_lists(LintRequest(), "why")
    assert after.path == project / "known/eval.yml"
    write(project, {"known/eval.yml": ignores_text(after.entries)})
    result = linted()
    assert (told(result), dict(result.ignored)) == ([], {"known/eval.yml": 4})


def renewed(project: Path, *paths: str, reason: str = "new", **request: Any) -> list[str]:
    """The list written anew, an entry a line: file, code, query, count, reason."""
    asked = LintRequest(tuple(map(Path, paths)), **request)
    ((_, after),) = renewed_ignore_lists(asked, reason)
    text = ignores_text(after.entries)
    write(project, {"ragguard-ignores.yml": text})
    Draft202012Validator(schema("ignores")).validate(yaml.safe_load(text))
    return [" ".join(map(str, each.values())) for each in yaml.safe_load(text)]


def test_a_list_is_written_for_an_existing_dataset(project: Path) -> None:
    """Everything found is in it, sorted; then lint is clean, and writing again changes nothing."""
    expected = [
        "RG301 eval/docs.jsonl q1 1 new",
        "RG301 eval/docs.jsonl q2 2 new",
        "RG301 eval/more.jsonl m1 1 new",
    ]
    assert renewed(project) == expected
    result = linted()
    assert (told(result), dict(result.ignored)) == ([], {"ragguard-ignores.yml": 4})
    before = (project / "ragguard-ignores.yml").read_bytes()
    assert renewed(project, reason="another") == expected
    assert (project / "ragguard-ignores.yml").read_bytes() == before


def test_writing_anew_keeps_reasons_and_drops_what_is_not_needed(project: Path) -> None:
    """Counts follow what is found."""
    entries = [
        entry("RG301", "eval/docs.jsonl", "q2", 1, reason="old"),
        entry("RG301", "eval/docs.jsonl", "q9", 1, reason="gone"),
        entry("RG301", "eval/more.jsonl", "m1", 5, reason="older"),
    ]
    write(project, {"ragguard-ignores.yml": "".join(entries)})
    assert renewed(project) == [
        "RG301 eval/docs.jsonl q1 1 new",
        "RG301 eval/docs.jsonl q2 2 old",
        "RG301 eval/more.jsonl m1 1 older",
    ]


def test_what_was_not_looked_at_stays_in_the_list(project: Path) -> None:
    """Another suite's entries, and those of rules that did not run."""
    entries = [
        entry("RG301", "eval/more.jsonl", "m9"),
        entry("RG105", "eval/docs.jsonl", "q1"),
        entry("RG104", "eval/docs.jsonl", "q9"),
    ]
    write(project, {"ragguard-ignores.yml": "".join(entries)})
    choice = Choice(select=("RG301", "RG104"))
    assert renewed(project, "eval/docs.jsonl", choice=choice) == [
        "RG105 eval/docs.jsonl q1 1 why",
        "RG301 eval/docs.jsonl q1 1 new",
        "RG301 eval/docs.jsonl q2 2 new",
        "RG301 eval/more.jsonl m9 1 why",
    ]


def test_what_was_looked_at_in_part_keeps_its_count(project: Path) -> None:
    """The manifest is another suite's too, whose findings in it nobody has looked for."""
    write(project, {"corpus.jsonl": [{"id": "c1"}, {"id": "c1"}, {"id": "x"}, {"id": "y"}]})
    write(project, {"ragguard-ignores.yml": entry("RG306", "corpus.jsonl", count=5)})
    assert renewed(project, "eval/docs.jsonl") == ["RG306 corpus.jsonl 5 why"]
    assert renewed(project) == ["RG306 corpus.jsonl 1 why"]


def test_a_list_that_nothing_is_left_of_is_empty(project: Path) -> None:
    """It stays valid, and lint stays clean."""
    renewed(project)
    write(project, {"corpus.jsonl": [{"id": "c1"}, {"id": "x"}, {"id": "y"}]})
    assert renewed(project) == []
    assert linted().diagnostics == ()


@given(ENTRIES)
@settings(max_examples=200, deadline=None)
def test_what_is_written_is_read_back_in_both_ways(entries: list[IgnoreEntry]) -> None:
    """As YAML and in the quick way, with the same places; the schema holds."""
    text = ignores_text(entries)
    document = PositionedYaml.parse(text, "list")
    quick = quickly_read(text)
    assert quick is not None
    assert [raw for raw, _ in quick] == [{"count": 1} | raw for raw in document.value]
    assert [line for _, line in quick] == [
        document.locate([index]).line for index in range(len(entries))
    ]
    read = {IgnoreEntry(**raw).key: IgnoreEntry(**raw) for raw, _ in quick}
    assert read == {each.key: replace(each, line=0) for each in entries}


def test_the_quick_way_takes_nothing_else(tmp_path: Path) -> None:
    """What a person wrote in another form is left to YAML, which reads it."""
    texts = [
        "- {code: RG301, file: a, reason: x}\n",
        '- code: RG301\n  file: a\n  reason: "x"\n  count: 1\n',
        '- code: RG301\n  file: a\n  count: 1\n  reason: "x" # but\n',
        '- code: RG301\n  file: a\n  count: 1\n  reason: "x\n    y"\n',
    ]
    for text in texts:
        assert quickly_read(text) is None
        write(tmp_path, {"ragguard-ignores.yml": text})
        (read,) = read_ignore_list(Config(tmp_path, {})).entries
        assert (read.code, read.file, read.line) == ("RG301", "a", 1)


def test_a_long_list_is_read_in_the_quick_way(tmp_path: Path) -> None:
    """YAML would take seconds for ten thousand entries."""
    entries = [IgnoreEntry("RG301", "a.jsonl", "why", f"q{n}") for n in range(10_000)]
    text = ignores_text(entries)
    assert len(quickly_read(text) or ()) == 10_000
    write(tmp_path, {"ragguard-ignores.yml": text})
    assert read_ignore_list(Config(tmp_path, {})).entries[-1].line == 5 * 10_000
    write(tmp_path, {"ragguard-ignores.yml": text.replace("\n", "\r\n")})
    started = time.process_time()
    assert read_ignore_list(Config(tmp_path, {})).entries[-1].line == 5 * 10_000
    assert time.process_time() - started < 2


@pytest.mark.parametrize("name", ["x\0y", "\ud800"])
def test_a_name_that_no_file_can_have_is_a_list_that_is_not_there(name: str, project: Path) -> None:
    """Told at its place in the configuration, however the list was asked for."""
    named = CONFIG + f"lint: {{ignore_list: {json.dumps(name)}}}\n"
    (project / "ragguard.yml").write_text(named, encoding="utf-8")
    (found,) = run(LintRequest()).result.diagnostics
    assert (found.code, found.location.line) == ("RG901", 5)
    assert "there is no file" in found.message
    with pytest.raises(ConfigError, match="there is no file"):
        renewed_ignore_lists(LintRequest(), "why")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_list_that_is_a_pipe_is_not_waited_for(project: Path) -> None:
    """Nobody may ever write to it."""
    os.mkfifo(project / "ragguard-ignores.yml")
    (found,) = run(LintRequest()).result.diagnostics
    assert "it is a pipe" in found.message
