"""Strict decoding: what is wrong with a line, where, and what was meant."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragguard.dataset.decoding import DecodedLine, FaultKind, decode

SYNTAX = [
    ('{"a": 1,}', 7, "a comma before '}'"),
    ('{"a": [1, ]}', 8, "a comma before ']'"),
    ("{'a': 1}", 1, "single quotes"),
    ("{\u201ca\u201d: 1}", 1, "typographic quotes"),
    ("{a: 1}", 1, "a key without quotes"),
    ('{"a": True}', 6, "True"),
    ('{"a": None}', 6, "None"),
    ('{"a": "x\ty"}', 8, "the control character U+0009"),
    ('{"a": "x\t\'y"}', 8, "the control character U+0009"),
    ('{"a": "\\x"}', 7, "a backslash that begins no escape"),
    ('{"a": "x', 6, "a text without its closing quote"),
    ('{"a": 1', 7, "the line ends in the middle"),
    ("[", 1, "a list that goes on in the next line"),
    ('{"a": 1},', 8, "a comma after the object"),
    ('{"a": 1}{"b": 2}', 8, "something stands after the object"),
    ('{"a": 1} // why', 9, "a comment"),
    ('// {"a": 1}', 0, "a comment"),
    ('{"a" 1}', 5, "'1' where a colon after the key is expected"),
    ('{"a": 1 "b": 2}', 8, "'\"' where a comma or the end of the object or list is expected"),
    ('{"a": }', 6, "'}' where a value is expected"),
    ('{"é": 1,}', 7, "a comma before '}'"),
]
"""Text of a line, index of the character at fault, and what the message says it is."""


def kinds(decoded: DecodedLine) -> list[FaultKind]:
    """The kinds of the faults of a line."""
    return [fault.kind for fault in decoded.faults]


@pytest.mark.parametrize(("text", "position", "said"), SYNTAX, ids=[case[0] for case in SYNTAX])
def test_syntax_faults_say_what_was_meant(text: str, position: int, said: str) -> None:
    """The message names the habit, the position is the character to change."""
    decoded = decode(text.encode())
    assert decoded.value is None
    assert kinds(decoded) == [FaultKind.SYNTAX]
    assert said in decoded.faults[0].message
    assert decoded.faults[0].position == position


def test_a_sound_row_is_what_json_says() -> None:
    """Strictness changes nothing about rows that are right."""
    text = '{"a": [1, -2.5e3, true, null], "b": {"c": "\\ud83d\\ude00 \u2028 é"}}'
    decoded = decode(text.encode())
    assert decoded.faults == ()
    assert decoded.value == json.loads(text)


def test_all_faults_of_a_row_are_found_at_once() -> None:
    """Twin keys and numbers that JSON lacks, each at its place, the value kept for other rules."""
    decoded = decode(b'{"a": 1e999, "b": NaN, "a": -Infinity, "n": {"x": 1, "x": 2}}')
    assert [(fault.kind, fault.position) for fault in decoded.faults] == [
        (FaultKind.NUMBER, 6),
        (FaultKind.NUMBER, 18),
        (FaultKind.DUPLICATE_KEY, 23),
        (FaultKind.NUMBER, 28),
        (FaultKind.DUPLICATE_KEY, 53),
    ]
    assert decoded.value is not None
    assert decoded.value["n"] == {"x": 2}


@pytest.mark.parametrize("digits", [301, 400, 4300, 10_000])
def test_integers_no_double_holds_are_faults_not_tracebacks(digits: int) -> None:
    """Python refuses to read more than 4300 digits; floats end at 308."""
    decoded = decode(b'{"k": 3, "weight": ' + b"1" * digits + b"}")
    assert [(fault.kind, fault.position) for fault in decoded.faults] == [(FaultKind.NUMBER, 19)]
    assert len(decoded.faults[0].message) < 60
    assert decoded.value == {"k": 3, "weight": math.inf}


@pytest.mark.parametrize(("levels", "is_read"), [(100, True), (101, False), (100_000, False)])
def test_nesting_has_one_limit_everywhere(levels: int, is_read: bool) -> None:
    """What follows may recurse over a row; the limit is no accident of the interpreter's stack."""
    decoded = decode(b'{"a":' * levels + b"1" + b"}" * levels)
    assert (decoded.value is not None) == is_read
    assert kinds(decoded) == ([] if is_read else [FaultKind.SYNTAX])


def test_brackets_inside_texts_are_no_nesting() -> None:
    """A query about JSON is no deep row."""
    assert decode(json.dumps({"query": "[" * 500}).encode()).faults == ()


def test_half_a_surrogate_pair_is_found_at_its_value_and_at_its_key() -> None:
    """It has no UTF-8, so no message could name it: the value kept holds U+FFFD instead."""
    decoded = decode(b'{"a": ["x", "\\ud800"], "\\udc00": 1, "ok": "\\ud83d\\ude00 \\\\ud800"}')
    assert sorted((fault.kind, fault.position) for fault in decoded.faults) == [
        (FaultKind.SURROGATE, 12),
        (FaultKind.SURROGATE, 23),
    ]
    assert decoded.value == {"a": ["x", "\ufffd"], "\ufffd": 1, "ok": "\U0001f600 \\ud800"}


@pytest.mark.parametrize(
    ("content", "position", "said"),
    [
        ('{"a": "café"}'.encode("latin-1"), 10, "byte 0xe9; it looks like Latin-1"),
        ('{"a": "“é”"}'.encode("cp1252"), 7, "byte 0x93; it looks like Windows-1252"),
        ('{"é": "café"}'.encode().replace(b"caf\xc3\xa9", b"caf\xe9"), 10, "byte 0xe9"),
        ('{"a": "x"}'.encode("utf-16"), 0, "byte 0xff; it looks like UTF-16"),
        ('{"a": "x"}'.encode("utf-16-le"), 1, "it looks like UTF-16"),
        ('{"a": "x"}'.encode("utf-16-be"), 0, "it looks like UTF-16"),
        (b'{"a": "\xed\xa0\x80"}', 7, "byte 0xed"),
        (b'{"a": "\xe2\x80', 7, "the line ends inside a character"),
        (b'{"a": 1\x00}', 7, "a null byte"),
        (b"\x00" * 9, 0, "nothing but null bytes"),
    ],
)
def test_bytes_that_are_no_utf8_name_the_likely_encoding(
    content: bytes, position: int, said: str
) -> None:
    """The position counts characters, not bytes."""
    decoded = decode(content)
    assert decoded.value is None
    assert kinds(decoded) == [FaultKind.ENCODING]
    assert said in decoded.faults[0].message
    assert decoded.faults[0].position == position


@pytest.mark.parametrize(
    ("text", "said"),
    [("null", "null"), ("  [1]", "a list"), ('"x"', "a text"), ("1", "a number"), ("true", "bool")],
)
def test_values_that_are_no_object_are_named(text: str, said: str) -> None:
    """A row is an object; the position skips leading white space."""
    fault = decode(text.encode()).faults[0]
    assert fault.kind == FaultKind.NOT_AN_OBJECT
    assert said in fault.message
    assert fault.position == len(text) - len(text.lstrip())


JSONISH = st.text(alphabet="{}[]\",:\\'/#ud8Na1e+-. \t\u201cé\u2028", max_size=60)


@given(st.one_of(st.binary(max_size=80), JSONISH.map(str.encode)))
@example(b"\xff\xfe")
@example(b'{"a":1,')
@example(b"{\xe2\x80\x9c")
@example(b"\x00")
@example(b'{"\\ud800":"\\ud800"}')
def test_no_bytes_end_in_a_traceback(content: bytes) -> None:
    """Whatever the bytes: a value or a fault, inside the line, in words that can be printed."""
    decoded = decode(content)
    assert decoded.value is not None or decoded.faults
    for fault in decoded.faults:
        assert 0 <= fault.position <= len(decoded.text)
        f"{fault.message} {fault.hint}".encode()
    if decoded.value is not None:
        repr(decoded.value)
        json.dumps(decoded.value, ensure_ascii=False).encode()


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(min_value=-(10**20), max_value=10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), JSON_VALUES, max_size=5))
def test_every_object_json_writes_is_read_back(value: dict[str, object]) -> None:
    """No false alarms: what `json.dumps` writes has no fault unless it holds half characters."""
    text = json.dumps(value)
    decoded = decode(text.encode())
    if not decoded.faults:
        assert decoded.value == value
    else:
        assert set(kinds(decoded)) == {FaultKind.SURROGATE}
