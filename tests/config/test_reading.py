"""Reading ragguard.yml: defaults, values, and every way it can be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragguard.config.discovery import find_config
from ragguard.config.gates import CriticalGate, MetricGate, SliceGate
from ragguard.config.mapping import scoring_from_mapping, scoring_to_mapping
from ragguard.config.problem import InvalidConfigError
from ragguard.config.reading import config_from_text, locate_config, read_config, seconds
from ragguard.errors import ConfigError
from ragguard.metrics.name import Metric

MINIMAL = "version: 1\nsuites:\n  docs:\n    dataset: eval/docs.jsonl\n"


def problems(text: str) -> list[str]:
    """What is wrong in a configuration, as `line:column: message (hint)`."""
    with pytest.raises(InvalidConfigError) as caught:
        config_from_text(text, Path("ragguard.yml"))
    return [
        f"{found.location.line}:{found.location.column}: {found.message} ({found.hint})"
        for found in caught.value.problems
    ]


def test_a_minimal_suite_has_the_documented_defaults() -> None:
    """The values shown in the documentation are the defaults."""
    suite = config_from_text(MINIMAL, Path("ragguard.yml")).suites["docs"]
    assert suite.dataset == ("eval/docs.jsonl",)
    assert suite.scoring.cutoffs == (1, 3, 5, 10)
    assert suite.scoring.depth == 20
    assert suite.scoring.primary == Metric("evidence", 5)
    assert suite.scoring.slices == ("category",)
    assert suite.scoring.gates.critical == CriticalGate(at=None, require="all", existing="list")
    assert (suite.scoring.gates.forbidden, suite.scoring.gates.stale) == (0, None)
    assert suite.unlabelled == "error"
    assert suite.retriever is None


def test_every_setting_is_read() -> None:
    """A full suite arrives whole."""
    text = MINIMAL + (
        "    corpus: corpus/manifest.jsonl\n"
        "    fields: {query_id: id}\n"
        "    retriever: {python: 'app.search:find', timeout: 500ms}\n"
        "    cutoffs: [10, 30]\n"
        "    policy: {relevance_threshold: 2}\n"
        "    gates:\n"
        "      R@10: {min: 0.8, max_drop: 0.02}\n"
        "      slices: {category: {evidence@10: {min: 0.6}}}\n"
    )
    suite = config_from_text(text, Path("ragguard.yml")).suites["docs"]
    assert suite.retriever is not None
    assert suite.retriever.target == "app.search:find"
    assert suite.retriever.timeout == 0.5
    assert suite.scoring.depth == 30
    assert suite.scoring.primary == Metric("evidence", 10)
    assert suite.scoring.policy.relevance_threshold == 2
    assert suite.scoring.gates.metrics == {Metric("recall", 10): MetricGate(0.8, 0.02)}
    assert suite.scoring.gates.slices == {
        "category": {Metric("evidence", 10): SliceGate(min=0.6, min_count=10)}
    }


def test_lines_are_those_of_editors() -> None:
    """U+2028, U+0085 and a lone carriage return end a line of YAML, but none of a file."""
    text = MINIMAL + "    # a\u2028# b\x85# c\r# d\n    cutofs: [1]\n"
    assert [each.partition(" ")[0] for each in problems(text)] == ["6:5:"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            MINIMAL + "    cutofs: [1]\n",
            "5:5: unknown key 'cutofs' in suites.docs (did you mean 'cutoffs'?)",
        ),
        (
            MINIMAL + "    gates: {forbiden: 0}\n",
            "5:13: unknown key 'forbiden' in suites.docs.gates (did you mean 'forbidden'?)",
        ),
        (
            MINIMAL + "    gates: {recal@5: {min: 0.5}}\n",
            "5:13: unknown key 'recal@5' in suites.docs.gates (did you mean 'recall@5'?)",
        ),
        (
            MINIMAL + "    fields: {relevant: gold}\n",
            "5:14: unknown key 'relevant' in suites.docs.fields (did you mean 'relevant_ids'?)",
        ),
        (
            MINIMAL + "    cutoffs: ten\n",
            "5:14: suites.docs.cutoffs: 'ten' is not a list (Ranks at which the measures look.)",
        ),
        (
            MINIMAL + "    depth: 5\n",
            "5:12: depth 5 keeps less than the largest cutoff 10 needs "
            "(set depth to 10 or more, or leave it out)",
        ),
        (
            "version: 2\nsuites: {docs: {dataset: a.jsonl}}\n",
            "1:10: version: 2 must be 1 (Version of this format.)",
        ),
        (
            "suites: {docs: {dataset: a.jsonl}}\n",
            "1:1: the configuration lacks the key 'version' (None)",
        ),
        (
            MINIMAL + "    retriever: {run: a.trec, python: 'a:b'}\n",
            "5:16: a retriever has exactly one of python, command, http, run, search; "
            "here: python and run (None)",
        ),
        (
            MINIMAL + "    retriever: {search: {}}\n",
            "5:17: suite 'docs' uses the built-in search but names no corpus "
            "(add `corpus:` with a manifest whose chunks carry their text)",
        ),
        (
            MINIMAL + "    retriever: {run: a.trec, interpreter: python}\n",
            "5:30: 'interpreter' means something for a python retriever only "
            "(remove it, or use `python:` instead of `run:`)",
        ),
        (
            MINIMAL + "    retriever: {run: a.trec, timeout: soon}\n",
            "5:39: suites.docs.retriever.timeout: 'soon' is not written as it should be "
            "(Time one query may take.)",
        ),
        ("", "1:1: the configuration: None is not a mapping (Configuration of ragguard.)"),
    ],
)
def test_a_problem_is_named_with_its_place_and_the_way_out(text: str, expected: str) -> None:
    """Line, column, key, value and hint are those of the fault."""
    assert expected in problems(text)


def test_all_problems_are_reported_in_file_order() -> None:
    """The first fault does not hide the second."""
    found = problems(MINIMAL + "    depht: 5\n    unlabelled: maybe\n")
    assert [line.split(":")[0] for line in found] == ["5", "6"]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [
        ("version: 1\nversion: 1\n", ":2:1", "'version' stands twice"),
        ("suites: [\n", ":2:1", "not valid YAML"),
        ("a: !!python/object:os.system {}\n", ":1:4", "could not determine a constructor"),
        ("a: &x [*x]\n", "", "Circular"),
        ("a: .nan\n", "", "not JSON compliant"),
    ],
)
def test_what_is_no_plain_yaml_is_refused(text: str, where: str, what: str) -> None:
    """Duplicate keys, broken syntax and unsafe tags have a place and a message."""
    with pytest.raises(ConfigError) as caught:
        config_from_text(text, Path("ragguard.yml"))
    assert f"ragguard.yml{where}" in str(caught.value)
    assert what in str(caught.value)


@pytest.mark.parametrize("content", [b"\xff\xfev\x00", b"caf\xe9: 1"])
def test_bytes_that_are_not_utf_8_are_named(tmp_path: Path, content: bytes) -> None:
    """The byte and its offset are in the message."""
    path = tmp_path / "ragguard.yml"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="not UTF-8: byte"):
        read_config(path)


def test_a_missing_or_unreadable_configuration_says_how_to_name_one(tmp_path: Path) -> None:
    """No file, a folder, and nothing found each point to --config."""
    for path in (tmp_path / "absent.yml", tmp_path):
        with pytest.raises(ConfigError, match="--config"):
            read_config(path)
    (tmp_path / ".git").mkdir()
    with pytest.raises(ConfigError, match="--config"):
        locate_config(None, tmp_path)


def test_discovery_stops_at_the_repository_root(tmp_path: Path) -> None:
    """The nearest file upwards wins, and nothing above the repository is looked at."""
    (tmp_path / "ragguard.yml").touch()
    repository = tmp_path / "repository"
    inner = repository / "a" / "b"
    inner.mkdir(parents=True)
    assert find_config(inner) == tmp_path / "ragguard.yml"
    (repository / ".git").mkdir()
    assert find_config(inner) is None
    (repository / "a" / "ragguard.yml").touch()
    assert find_config(inner) == repository / "a" / "ragguard.yml"


def test_settings_survive_the_way_into_a_report_and_back() -> None:
    """What a report keeps is what the configuration said."""
    text = MINIMAL + "    gates: {evidence@5: {min: 0.5}, stale: 0, failures: null}\n"
    scoring = config_from_text(text, Path("ragguard.yml")).suites["docs"].scoring
    assert scoring_from_mapping(scoring_to_mapping(scoring)) == scoring
    assert scoring.gates.failures is None


@pytest.mark.parametrize(("text", "value"), [("500ms", 0.5), ("10s", 10.0), ("2m", 120.0), (3, 3)])
def test_durations_are_seconds(text: str | float, value: float) -> None:
    """A unit is required in text; a number is seconds."""
    assert seconds(text) == value


@given(st.text(max_size=60))
def test_no_text_ends_in_a_traceback(text: str) -> None:
    """Any text is a configuration or a ConfigError."""
    try:
        config_from_text(text, Path("ragguard.yml"))
    except ConfigError as error:
        assert str(error)
