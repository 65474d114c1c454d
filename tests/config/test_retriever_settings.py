"""Settings of command and http retrievers, and the variables they may name."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragguard.config.environment import variable_values
from ragguard.config.model import RetrieverSettings
from ragguard.config.problem import InvalidConfigError
from ragguard.config.reading import config_from_text
from ragguard.config.template import Placeholder, Variable, parse_template, parse_variables

BEGINNING = "version: 1\nsuites:\n  docs:\n    dataset: eval/docs.jsonl\n"


def settings(retriever: str) -> RetrieverSettings:
    """The settings that a retriever, written in one line, is read as."""
    text = f"{BEGINNING}    retriever: {retriever}\n"
    read = config_from_text(text, Path("ragguard.yml")).suites["docs"].retriever
    assert read is not None
    return read


def problems(text: str) -> list[str]:
    """What is wrong in a configuration, as `line:column: message`."""
    with pytest.raises(InvalidConfigError) as caught:
        config_from_text(text, Path("ragguard.yml"))
    return [
        f"{each.location.line}:{each.location.column}: {each.message}"
        for each in caught.value.problems
    ]


def test_a_command_is_a_line_or_a_list() -> None:
    """Both are told in one line."""
    assert settings("{command: node a.js}").target == "node a.js"
    assert settings("{command: [sh, -c, 'echo $1']}").target == "sh -c 'echo $1'"


def test_the_settings_of_http_are_read_as_written() -> None:
    """Variables are not expanded: what is recorded of the settings is what the file says."""
    read = settings(
        "{http: {url: 'https://x/y?q={{query}}', headers: {Key: '${env:KEY}'}}, concurrency: 8}"
    )
    assert (read.kind, read.target, read.concurrency) == ("http", "https://x/y?q={{query}}", 8)
    assert read.options["headers"] == {"Key": "${env:KEY}"}
    assert [(each.name, each.location.line, each.location.column) for each in read.references] == [
        ("KEY", 5, 71)
    ]


@pytest.mark.parametrize(
    ("retriever", "expected"),
    [
        ("{command: 'a | b'}", "5:26: no shell runs the command, so '|' would be an argument"),
        ('{command: "a \'b"}', "5:26: the command cannot be split into words: No closing"),
        ("{command: ' '}", "5:26: the command is empty"),
        ("{command: ['']}", "5:26: the program of the command is empty"),
        ("{command: []}", "5:26: suites.docs.retriever.command: [] is not written as it should be"),
        ("{command: a, concurrency: 2}", "5:42: a command retriever is asked one query at a time"),
        ("{command: a, interpreter: b}", "'interpreter' means something for a python retriever"),
        ("{run: a, env: {A: b}}", "'env' means something for a python or command retriever only"),
        ("{command: a, env: {A: 1}}", "1 is not a text"),
        ("{command: a, env: {A-B: x}}", "'A-B' cannot be a name in suites.docs.retriever.env"),
        ("{command: 'a ${env:KEY}'}", "5:26: ${env:…} is expanded in env, and in url, headers"),
        ("{python: 'a:b', interpreter: '${env:PY}'}", "5:45: ${env:…} is expanded in env"),
        (
            "{command: a, env: {A: '${env:B-C}'}}",
            "5:38: '${env:B-C}' names no environment variable",
        ),
        ("{command: a, env: {A: '${env:B'}}", "5:38: '${env:B' names no environment variable"),
        ("{http: {method: GET}}", "5:23: suites.docs.retriever.http lacks the key 'url'"),
        (
            "{http: {url: ftp://x}}",
            "5:29: suites.docs.retriever.http.url: 'ftp://x' is not written",
        ),
        ("{http: {url: http://x, bodie: {}}}", "unknown key 'bodie' in suites.docs.retriever.http"),
        ("{http: {url: 'http://{{query}}/'}}", "5:29: a placeholder stands in the scheme or the"),
        ("{http: {url: 'http://x{{query}}/'}}", "5:29: a placeholder stands in the scheme or the"),
        ("{http: {url: 'http://a:b@x/'}}", "5:29: the URL holds a user or a password"),
        ("{http: {url: http://x, results: 'a['}}", "5:48: 'a[' is no JMESPath expression"),
        ("{http: {url: http://x, stages: {a: '('}}}", "5:51: '(' is no JMESPath expression"),
        ("{http: {url: http://x, body: {a: '{{quary}}'}}}", "5:49: '{{quary}}' is nothing that a"),
        (
            "{http: {url: http://x, body: '{}'}}",
            "5:45: suites.docs.retriever.http.body: '{}' is not",
        ),
        ("{http: {url: http://x, headers: {A: x, a: y}}}", "5:55: the header a stands twice"),
        ('{http: {url: http://x, headers: {A: "x\\n"}}}', "5:52: the header A holds a line break"),
        ("{http: {url: http://x, headers: {content-length: '3'}}}", "5:49: content-length is set"),
        (
            "{http: {url: http://x, results: '${env:A}'}}",
            "5:48: ${env:…} is expanded in env, and in",
        ),
    ],
)
def test_a_setting_that_cannot_work_is_named_with_its_place(retriever: str, expected: str) -> None:
    """Line, column and what is wrong; before anything is asked."""
    found = problems(f"{BEGINNING}    retriever: {retriever}\n")
    assert [each for each in found if expected in each], found


def test_variables_have_no_meaning_outside_a_retriever() -> None:
    """A literal `${env:…}` in a path would be looked for on disk."""
    text = BEGINNING.replace("eval/docs.jsonl", "'${env:DATA}/docs.jsonl'")
    assert problems(text) == [
        "4:14: ${env:…} is expanded in a retriever's settings only",
    ]


def test_an_unquoted_placeholder_is_explained() -> None:
    """To YAML two braces are two mappings."""
    text = f"{BEGINNING}    retriever: {{http: {{url: http://x, body: {{q: {{{{query}}}}}}}}}}\n"
    with pytest.raises(Exception, match="quotes") as caught:
        config_from_text(text, Path("ragguard.yml"))
    assert "ragguard.yml:5:" in str(caught.value)


def test_a_variable_that_is_not_set_is_named_with_its_place() -> None:
    """All of them; an empty one is none, for that is what a missing secret is in a workflow."""
    read = settings("{command: a, env: {A: '${env:ONE}', B: 'x${env:TWO}${env:THREE}'}}")
    with pytest.raises(InvalidConfigError) as caught:
        variable_values(read.references, {"TWO": "", "THREE": "3"})
    assert str(caught.value).splitlines()[::2] == [
        "ragguard.yml:5:38: the environment variable ONE is not set",
        "ragguard.yml:5:55: the environment variable TWO is empty",
    ]
    values = variable_values(read.references, {"ONE": "1", "TWO": "2", "THREE": "3", "FOUR": "4"})
    assert values == {"ONE": "1", "TWO": "2", "THREE": "3"}


def test_a_configuration_is_valid_whether_its_variables_are_set_or_not() -> None:
    """A hook that lints has no secrets."""
    assert settings("{http: {url: '${env:SURELY_NOT_SET}/find'}}").kind == "http"


def test_a_template_is_cut_into_its_pieces_once() -> None:
    """Variables, placeholders and what stands between them."""
    assert parse_template("a${env:B}{{ query }}c{{context.d.e?}}") == (
        "a",
        Variable("B"),
        Placeholder(("query",)),
        "c",
        Placeholder(("context", "d", "e"), is_optional=True),
    )
    assert parse_template("") == ()
    assert parse_variables("{{query}}${env:B}") == ("{{query}}", Variable("B"))
    assert parse_template("$x ${B} {a} }} {") == ("$x ${B} {a} }} {",)
