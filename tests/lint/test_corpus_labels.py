"""Labels against the corpus: each cause is told by one rule, in the words of the cause."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragguard.lint.diagnostic import Diagnostic
from ragguard.lint.rules import unknown_chunk_id
from ragguard.lint.selection import Selection
from tests.lint.linting import EVERYTHING, VERSIONS, lint, suite_of, write


def labelled(*labels: Any, **fields: Any) -> dict[str, Any]:
    """A row with these labels."""
    return {"query_id": "q1", "query": "text", "relevant_ids": list(labels), **fields}


def found_in(
    folder: Path,
    rows: list[dict[str, Any]] | bytes,
    chunks: list[Any],
    selection: Selection = EVERYTHING,
) -> list[Diagnostic]:
    """What is found in rows whose corpus has these chunks; an id stands for a chunk."""
    manifest = [chunk if isinstance(chunk, dict) else {"id": chunk} for chunk in chunks]
    write(folder, {"d.jsonl": rows, "d.meta.json": VERSIONS, "corpus.jsonl": manifest})
    result = lint(folder, suite_of("d.jsonl", corpus="corpus.jsonl"), selection)
    assert not result.faults
    return list(result.diagnostics)


def told(found: list[Diagnostic]) -> list[str]:
    """Code, message and hint of each finding, without the folder."""
    return [
        f"{each.code} {each.message.replace(each.location.file.rpartition('/')[0] + '/', '')}"
        f"; {each.hint}"
        for each in found
    ]


def test_a_label_on_a_document_counts_its_chunks_and_is_told_once(tmp_path: Path) -> None:
    """Forbidden or relevant, at its place; a document that is itself a chunk may be labelled."""
    chunks = [{"id": f"h{n}", "parent_id": "handbook"} for n in range(3)]
    chunks += [{"id": "i1", "parent_id": "intro"}, {"id": "faq"}, {"id": "f1", "parent_id": "faq"}]
    rows = [labelled("handbook", "faq", "h0", forbidden_ids=["intro"])]
    found = found_in(tmp_path, rows, chunks)
    assert told(found) == [
        "RG302 'handbook' is a document of 3 chunks in corpus.jsonl; "
        "label the chunks that answer the query, or use a manifest of documents",
        "RG302 'intro' is a document of 1 chunk in corpus.jsonl; "
        "forbid its chunks, or use a manifest of documents",
    ]
    line = json.dumps(rows[0])
    assert [each.location.column for each in found] == [
        line.index('"handbook"') + 1,
        line.index('"intro"') + 1,
    ]
    assert [each.query_id for each in found] == ["q1", "q1"]
    alone = found_in(tmp_path, rows, chunks, Selection.of(["RG301"]))
    assert [each.code for each in alone] == ["RG301", "RG301"]


def test_a_blank_label_is_told_once(tmp_path: Path) -> None:
    """By the rule for blank ids; by that for unknown ones where nobody else does."""
    rows = [labelled("", " \t", "c1")]
    assert [each.code for each in found_in(tmp_path, rows, ["c1"])] == ["RG106", "RG106"]
    alone = found_in(tmp_path, rows, ["c1"], Selection.of(["RG301"]))
    assert [each.code for each in alone] == ["RG301", "RG301"]


@pytest.mark.parametrize(
    ("label", "chunk_id", "hint"),
    [
        ("912", "0912", "'0912' lost its leading zero to number inference; read ids as texts"),
        ("inf", "36e54439", "'36e54439' lost its exponent to number inference; read ids as texts"),
        ("4.07E+08", "0407213397", "'0407213397' lost its last digits to number inference"),
        ("0046", "46", "'46' differs from it only by leading zeros"),
        ("d5_TYPO", "d5", "'d5' differs from it only by the suffix '_TYPO'"),
    ],
)
def test_an_unknown_label_is_explained(
    tmp_path: Path, label: str, chunk_id: str, hint: str
) -> None:
    """In the words of its cause."""
    (found,) = found_in(tmp_path, [labelled(label)], [chunk_id, "unrelated"])
    assert found.code == "RG301"
    assert (found.hint or "").startswith(hint)


def test_a_suffix_is_no_reason_to_relabel(tmp_path: Path) -> None:
    """What is with it may be another unit; what is without it may be, too."""
    (found,) = found_in(tmp_path, [labelled("d5_TYPO")], ["d5"])
    assert found.fix is None


def test_a_number_is_not_quoted_when_it_was_another_id(tmp_path: Path) -> None:
    """912 was 0912; 7 is in the corpus; 8 dangles, but never was anything else."""
    rows = b'{"query_id": "q1", "query": "text", "relevant_ids": [912, 7, 8], "x": 1}\n'
    found = found_in(tmp_path, rows, ["0912", "7"], Selection.of(["RG111"]))
    assert [(each.hint, each.fix is not None) for each in found] == [
        ("'0912' lost its leading zero to number inference; label it as a text", False),
        ('write it in quotes: "7"; --fix does', True),
        ('write it in quotes: "8"; --fix does', True),
    ]


def test_the_first_twenty_unknown_ids_are_explained(tmp_path: Path) -> None:
    """The others are told, and that nobody looked for what is near to them."""
    count = unknown_chunk_id.MOST_EXPLAINED
    assert count == 20
    chunks = [f"chunk-{n:02}-known" for n in range(60)]
    labels = [f"chunk-{n:02}-knwn" for n in range(25)]
    found = found_in(tmp_path, [labelled(*labels, *chunks)], chunks)
    hints = [each.hint or "" for each in found]
    assert len(hints) == 25
    assert all(hint.startswith("did you mean 'chunk-") for hint in hints[:count])
    assert set(hints[count:]) == {
        "nearest ids are looked up for the first 20 unknown ones; mend those first"
    }


def test_a_labelled_chunk_that_stands_twice_is_told_at_its_second_line(tmp_path: Path) -> None:
    """Once each, with all its lines; ids that nobody labels are left alone."""
    chunks = ["a", "b", "a", "b", "c", "c", *["b"] * 7, "d"]
    found = found_in(
        tmp_path, [labelled("a", "b"), labelled("a", query_id="q2", query="another")], chunks
    )
    assert [
        (each.code, Path(each.location.file).name, str(each.location)[-4:]) for each in found
    ] == [
        ("RG306", "corpus.jsonl", ":3:1"),
        ("RG306", "corpus.jsonl", ":4:1"),
    ]
    assert [each.message for each in found] == [
        "the labelled chunk 'a' stands twice in the manifest, first on line 1",
        "the labelled chunk 'b' stands 9 times in the manifest, first on line 2; "
        "here, and on 7, 8, 9, 10, 11, …",
    ]


def rechunked(folder: Path, unknown: int, known: int, **more: Any) -> list[Diagnostic]:
    """What is found when so many distinct labels are unknown, and so many known."""
    labels = [f"old/{n}#p" for n in range(unknown)]
    chunks = [f"new-{n:03}" for n in range(max(known, 5))]
    return found_in(folder, [labelled(*labels, *chunks[:known])], chunks, **more)


@pytest.mark.parametrize(
    ("unknown", "known", "codes"),
    [
        (10, 0, ["RG307"]),
        (9, 0, ["RG301"] * 9),
        (6, 4, ["RG307"]),
        (5, 5, ["RG301"] * 5),
        (6, 6, ["RG301"] * 6),
        (2, 1, ["RG301"] * 2),
        (0, 12, []),
    ],
)
def test_most_of_ten_labels_must_dangle_for_a_rechunk(
    tmp_path: Path, unknown: int, known: int, codes: list[str]
) -> None:
    """One or two slips of a small dataset are told one by one."""
    assert [each.code for each in rechunked(tmp_path, unknown, known)] == codes


def test_a_rechunk_shows_both_sides_and_the_way_out(tmp_path: Path) -> None:
    """Once, at the top of the first dataset."""
    (found,) = rechunked(tmp_path, 12, 3)
    assert told([found]) == [
        "RG307 12 of 15 labelled ids are not in corpus.jsonl (labels: 'old/0#p', 'old/1#p', "
        "'old/10#p', …; manifest: 'new-000', 'new-001', 'new-002', …); was the corpus cut anew? "
        "`ragguard migrate --help` says how labels move to new ids; "
        "or is this the manifest of another corpus?"
    ]
    assert str(found.location).endswith("d.jsonl:1:1")


def test_a_rechunk_that_is_not_told_silences_nothing(tmp_path: Path) -> None:
    """Whoever ignores the rule hears of each label."""
    selection = Selection.of(["ALL"], ["RG5", "RG307"])
    found = rechunked(tmp_path, 12, 3, selection=selection)
    assert [each.code for each in found] == ["RG301"] * 12


@pytest.mark.parametrize(
    ("labels", "chunks", "way"),
    [
        ([f"docs/part-{n:02}" for n in range(30)], [f"part-{n:02}" for n in range(30)], "prefix"),
        ([f"PART-{n:02}" for n in range(30)], [f"part-{n:02}" for n in range(30)], "case"),
        ([f"{n}" for n in range(30)], [f"00{n}" for n in range(30)], "number inference"),
    ],
)
def test_ids_that_all_differ_in_one_way_are_no_rechunk(
    tmp_path: Path, labels: list[str], chunks: list[str], way: str
) -> None:
    """What they differ in is said instead."""
    (found,) = found_in(tmp_path, [labelled(*labels)], chunks)
    differ = {"prefix": "the prefix 'docs/'"}.get(way, way)
    assert found.code == "RG307"
    assert found.hint == (
        f"the 20 that were compared differ from the manifest's ids only by {differ}: "
        "write ids one way on both sides"
    )


def test_labels_that_are_documents_throughout_are_told_once(tmp_path: Path) -> None:
    """A corpus that was cut into chunks after the labels were made."""
    chunks = [{"id": f"d{n}#{part}", "parent_id": f"d{n}"} for n in range(40) for part in (1, 2)]
    (found,) = found_in(tmp_path, [labelled(*(f"d{n}" for n in range(40)))], chunks)
    assert found.code == "RG307"
    assert found.hint == (
        "40 of them are documents whose chunks it holds: label the chunks, "
        "or use a manifest of documents"
    )


def test_every_fault_of_a_manifest_is_among_the_faults(tmp_path: Path) -> None:
    """One by one, each with its line; the rules that need no corpus have run."""
    files = {
        "d.jsonl": [labelled()],
        "d.meta.json": VERSIONS,
        "corpus.jsonl": b'{"id": 1}\n{"id": "a"}\n{"id":\n',
    }
    write(tmp_path, files)
    result = lint(tmp_path, suite_of("d.jsonl", corpus="corpus.jsonl"))
    assert [fault.location.line for fault in result.faults if fault.location] == [1, 3]
    assert [each.code for each in result.diagnostics] == ["RG104"]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (Path.mkdir, "a manifest is a file, this is a folder"),
        (os.mkfifo, "a manifest is read more than once, which this pipe or device does not allow"),
    ],
)
def test_a_manifest_that_is_no_plain_file_is_a_fault(
    tmp_path: Path, make: Callable[[Path], None], said: str
) -> None:
    """At once: nobody waits for a pipe."""
    write(tmp_path, {"d.jsonl": [labelled("a")], "d.meta.json": VERSIONS})
    make(tmp_path / "corpus.jsonl")
    result = lint(tmp_path, suite_of("d.jsonl", corpus="corpus.jsonl"))
    assert [fault.message for fault in result.faults] == [said]
    assert result.faults[0].hint
