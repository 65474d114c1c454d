"""Tables of other tools made into rows: every form, every cell, every fault with its line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from ragguard.dataset.imports.table import ImportedTable, import_tables
from ragguard.dataset.imports.table_options import TableOptions, field_mapping
from ragguard.dataset.imports.values import listed
from ragguard.dataset.mapping import hashed_id
from ragguard.errors import UsageError

MAPPING = ("query_id=id", "query=question", "relevant_ids=gold")
ROWS = [
    {"query_id": "0912", "query": "one; two?", "relevant_ids": ["36e54439"], "kind": "a"},
    {"query_id": "q2", "query": "zwei é", "relevant_ids": ["09.10", "1e5"], "kind": ""},
]
"""What each of the forms below holds."""

FAULTS = yaml.safe_load(Path(__file__).with_name("table_faults.yml").read_text("utf-8"))

CSV = 'id,question,gold,kind\n0912,one; two?,36e54439,a\nq2,zwei é,"09.10,1e5",\n'
OBJECTS: list[dict[str, Any]] = [
    {"id": "0912", "question": "one; two?", "gold": ["36e54439"], "kind": "a"},
    {"id": "q2", "question": "zwei é", "gold": ["09.10", "1e5"], "kind": ""},
]
PLAIN = {
    "comma.csv": CSV,
    "windows.csv": "\ufeff" + CSV.replace("\n", "\r\n"),
    "no-line-end.csv": CSV.removesuffix("\n"),
    "tab.tsv": "id\tquestion\tgold\tkind\n0912\tone; two?\t36e54439\ta\n"
    'q2\tzwei é\t"09.10,1e5"\t\n',
    "semicolon.csv": 'id;question;gold;kind\n0912;"one; two?";36e54439;a\nq2;zwei é;09.10,1e5;\n',
    "blank lines.txt": "\n" + CSV.replace("\n", "\n\n"),
    "pandas.csv": ',id,question,gold,kind\n0,0912,one; two?,36e54439,a\n1,q2,zwei é,"09.10,1e5",\n',
    "lines.jsonl": "".join(json.dumps(each) + "\n" for each in OBJECTS),
    "lines.json": "\ufeff" + "\r\n".join(json.dumps(each) for each in OBJECTS),
    "array.json": json.dumps(OBJECTS, indent=2),
    "integers.json": json.dumps(OBJECTS).replace('["36e54439"]', '"36e54439"'),
    "parallel.json": json.dumps(
        {name: [each[name] for each in OBJECTS] for name in ("id", "question", "gold", "kind")}
    ),
}
KEYED = {
    "by-id.json": json.dumps({each["id"]: {**each} for each in OBJECTS}),
    "columns.json": json.dumps(
        {
            name: {each["id"]: each[name] for each in OBJECTS}
            for name in ("gold", "question", "kind")
        }
    ),
}


def run(
    folder: Path, text: str | bytes, *fields: str, name: str = "x.csv", **settings: Any
) -> ImportedTable:
    """What becomes of one file."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return import_tables([(path, name)], TableOptions(field_mapping(fields), **settings))


def told(imported: ImportedTable) -> list[str]:
    """The faults as `file:line message`; each has a way out."""
    assert all(fault.hint for fault in imported.faults)
    return [f"{fault.location} {fault.message}" for fault in imported.faults]


@pytest.mark.parametrize("name", PLAIN)
def test_every_form_reads_the_same(tmp_path: Path, name: str) -> None:
    """Ids that look like numbers stay as they are written, whatever the form."""
    imported = run(tmp_path, PLAIN[name], *MAPPING, name=name, separator=",")
    assert not imported.faults
    assert imported.rows == ROWS


@pytest.mark.parametrize("name", KEYED)
def test_objects_by_id_give_the_id(tmp_path: Path, name: str) -> None:
    """Rows by id and columns by id; the key is the query id unless a column is."""
    fields = ("query=question", "relevant_ids=gold")
    rows = run(tmp_path, KEYED[name], *fields, name=name).rows
    assert [{key: each[key] for key in ROWS[0]} for each in rows] == ROWS


def test_gzip_is_told_by_its_bytes(tmp_path: Path) -> None:
    """Whatever the file is named."""
    packed = gzip.compress(CSV.encode())
    assert run(tmp_path, packed, *MAPPING, name="x.csv.gz", separator=",").rows == ROWS


def test_several_files_are_one_dataset(tmp_path: Path) -> None:
    """In the order in which they are named."""
    paths = []
    for number, text in enumerate(CSV.splitlines()[1:]):
        paths.append(tmp_path / f"{number}.csv")
        paths[-1].write_text(CSV.splitlines()[0] + "\n" + text)
    options = TableOptions(field_mapping(MAPPING), separator=",")
    assert import_tables([(path, path.name) for path in paths], options).rows == ROWS


def test_an_id_is_derived_where_there_is_none(tmp_path: Path) -> None:
    """From query and context, as the mapping of a suite derives it."""
    imported = run(
        tmp_path,
        "question,course,document\nwhen?,ml,d1\n",
        "query=question",
        "query_id=@hash",
        "relevant_ids=document",
        "context.course=course",
    )
    asked = {"query": "when?", "context": {"course": "ml"}}
    assert imported.rows == [{"query_id": hashed_id(asked), "relevant_ids": ["d1"], **asked}]


def test_one_column_can_be_two_fields(tmp_path: Path) -> None:
    """And a column of a field's own name needs no mapping."""
    imported = run(tmp_path, "id,query\nd1,what?\n", "query_id=id", "relevant_ids=id")
    assert imported.rows == [{"query_id": "d1", "query": "what?", "relevant_ids": ["d1"]}]


def test_a_path_leads_into_objects_and_lists(tmp_path: Path) -> None:
    """The objects themselves are kept, for they hold more than the path takes."""
    rows = [
        {"id": 7, "query": "q", "targets": [{"doc": {"id": "a"}}, {"doc": {"id": "b"}}], "m": 1}
    ]
    text = json.dumps({"version": 2, "cases": {"all": rows}})
    fields = ("query_id=id", "relevant_ids=targets.doc.id")
    imported = run(tmp_path, text, *fields, name="x.json", rows="cases.all")
    assert imported.rows == [
        {
            "query_id": "7",
            "query": "q",
            "relevant_ids": ["a", "b"],
            "targets": rows[0]["targets"],
            "m": 1,
        }
    ]


def test_an_item_without_the_member_is_no_label_lost(tmp_path: Path) -> None:
    """It is null, which an id cannot be."""
    text = json.dumps([{"query_id": "1", "query": "q", "gold": [{"id": "a"}, {"path": "b"}]}])
    faults = told(run(tmp_path, text, "relevant_ids=gold.id", name="x.json"))
    assert faults == ["x.json:1:2 an id is a text, here null"]
    fields = ("relevant_ids=query_id", "metadata.golds=gold.id")
    assert run(tmp_path, text, *fields, name="x.json").rows[0]["metadata"] == {"golds": ["a", None]}


@pytest.mark.parametrize(
    ("cell", "ids"),
    [
        ('["a","b, c"]', ["a", "b, c"]),
        ("['a', \"it's\"]", ["a", "it's"]),
        ("['0912', 12]", ["0912", "12"]),
        ('["a\\u00e9\\n", ]', ["aé\n"]),
        ("['it\\'s']", ["it's"]),
        ("[]", []),
    ],
)
def test_lists_in_cells_are_read_as_they_were_written(cell: str, ids: list[str]) -> None:
    """By JSON, or by Python as pandas writes them."""
    assert listed(cell) == ids


@pytest.mark.parametrize(
    "cell", ["['a' 'b']", "[1e5]", "[nan]", "[['a']]", "['a', 'b'", "a", "[a]"]
)
def test_what_is_no_list_of_texts_is_refused(tmp_path: Path, cell: str) -> None:
    """NumPy leaves the commas out: Python would read one id of both."""
    quoted = cell.replace('"', '""')
    text = f'query_id,query,relevant_ids\nq,what?,"{quoted}"\n'
    assert told(run(tmp_path, text, separator="list"))[0].startswith("x.csv:2 ")


def test_cells_become_what_their_field_holds(tmp_path: Path) -> None:
    """Flags, numbers and objects; an empty cell is no value."""
    text = (
        "query_id,query,judgments,critical,weight,max_rank,context,forbidden_ids,claims,split,note\n"
        'a,x,"{""c1"": 2}",yes,0.5,3,"{""tenant"": ""t""}",c8|c9,one claim,dev,\n'
        'b,y,"{""c1"": 1}",FALSE,,,,,"[""1"", ""2""]",,5\n'
    )
    first, second = run(tmp_path, text, separator="|").rows
    assert first == {
        "query_id": "a",
        "query": "x",
        "judgments": {"c1": 2},
        "forbidden_ids": ["c8", "c9"],
        "max_rank": 3,
        "critical": True,
        "context": {"tenant": "t"},
        "weight": 0.5,
        "split": "dev",
        "claims": ["one claim"],
        "note": "",
    }
    assert second == {
        "query_id": "b",
        "query": "y",
        "judgments": {"c1": 1},
        "critical": False,
        "claims": ["1", "2"],
        "note": "5",
    }


@pytest.mark.parametrize(
    ("unlabelled", "rows"),
    [
        ("unanswerable", [{"relevant_ids": ["d"]}, {"answerable": False}, {"answerable": False}]),
        ("keep", [{"relevant_ids": ["d"]}, {}, {}]),
    ],
)
def test_rows_without_a_label_are_what_the_caller_says(
    tmp_path: Path, unlabelled: str, rows: list[dict[str, Any]]
) -> None:
    """Null and an empty list alike; without a word of the caller each is an error."""
    text = json.dumps(
        [{"query_id": str(n), "query": "q", "gold": gold} for n, gold in enumerate(["d", None, []])]
    )
    imported = run(tmp_path, text, "relevant_ids=gold", name="x.json", unlabelled=unlabelled)
    taken = [
        {k: v for k, v in each.items() if k not in {"query_id", "query"}} for each in imported.rows
    ]
    assert taken == rows
    refused = run(tmp_path, text, "relevant_ids=gold", name="x.json")
    assert [message.split(":")[2] for message in told(refused)] == ["48 no label", "95 no label"]


@pytest.mark.parametrize(
    ("name", "case"), [(name, case) for name, cases in FAULTS.items() for case in cases]
)
def test_every_row_that_cannot_be_used_is_named(
    tmp_path: Path, name: str, case: dict[str, Any]
) -> None:
    """With its line, and with all others."""
    assert told(run(tmp_path, case["text"], name=name)) == case["faults"]


@pytest.mark.parametrize(
    ("encoding", "place"), [("windows-1252", "x.csv:2"), ("utf-16", "x.csv:1")]
)
def test_another_encoding_is_refused_until_it_is_named(
    tmp_path: Path, encoding: str, place: str
) -> None:
    """The hint is what works."""
    content = "query_id,query,relevant_ids\n1,5 €,d\n".encode(encoding)
    refused = run(tmp_path, content)
    assert told(refused)[0].startswith(f"{place} not UTF-8: byte 0x")
    assert refused.faults[0].hint == f"say which encoding it is: --encoding {encoding}"
    assert run(tmp_path, content, encoding=encoding).rows[0]["query"] == "5 €"


@pytest.mark.parametrize("magic", [b"PK\x03\x04", b"PAR1", b"SQLite format 3\0"])
def test_files_that_are_no_text_are_named(tmp_path: Path, magic: bytes) -> None:
    """A workbook is what people have most often; no encoding would help."""
    fault = run(tmp_path, magic + b"\x90\x00").faults[0]
    assert "not a text" in fault.message
    assert "CSV" in (fault.hint or "")


def test_queries_and_labels_in_two_files_are_for_qrels(tmp_path: Path) -> None:
    """Each alone is no table; the hint says which command joins them."""
    for value in ("one", ["d1"]):
        text = json.dumps({f"q{number}": value for number in range(20)})
        hint = run(tmp_path, text, name="x.json").faults[0].hint
        assert hint is not None
        assert "`ragguard import qrels` joins them" in hint


def test_a_mark_in_a_named_encoding_is_no_part_of_a_column(tmp_path: Path) -> None:
    """UTF-16LE by name keeps the byte-order mark, which would hide the first column."""
    content = "\ufeffquery_id,query,relevant_ids\n1,a,d\n".encode("utf-16-le")
    assert run(tmp_path, content, encoding="utf-16-le").rows[0]["query_id"] == "1"


def test_a_column_that_does_not_exist_is_answered_with_the_nearest(tmp_path: Path) -> None:
    """And with all there are; in JSON with paths into objects."""
    imported = run(tmp_path, CSV, "query_id=id", "query=questoin", "relevant_ids=gold")
    assert imported.faults[0].hint == "did you mean 'question'? columns: id, question, gold, kind"
    text = json.dumps([{"id": "1", "query": "q", "meta": {"golds": ["d"]}}])
    imported = run(tmp_path, text, "query_id=id", "relevant_ids=meta.gold", name="x.json")
    assert (
        imported.faults[0].hint == "did you mean 'meta.golds'? columns: id, query, meta, meta.golds"
    )


def test_no_column_is_lost_behind_a_field(tmp_path: Path) -> None:
    """A column that has the name of a field taken from elsewhere is kept under another name."""
    text = "query_id,query,question,relevant_ids\n1,short,long?,d\n"
    assert told(run(tmp_path, text, "query=question")) == [
        "x.csv:1 --field query=question: there is a column 'query' too"
    ]
    imported = run(tmp_path, text, "query=question", "metadata.query=query")
    assert imported.rows == [
        {"query_id": "1", "query": "long?", "relevant_ids": ["d"], "metadata": {"query": "short"}}
    ]


def test_values_without_a_query_are_counted(tmp_path: Path) -> None:
    """In columns by id, labels of an unknown query are named and make the import incomplete."""
    text = json.dumps(
        {
            "corpus": {"d": "text"},
            "gold": {"q1": ["d"], "gone": ["d"]},
            "queries": {"q1": "one"},
        }
    )
    imported = run(tmp_path, text, "query=queries", "relevant_ids=gold", name="x.json")
    assert imported.rows == [{"query_id": "q1", "query": "one", "relevant_ids": ["d"]}]
    assert not imported.is_complete
    assert imported.notes == [
        "1 id of gold is no query and was left out: 'gone'",
        "x.json: 'corpus' holds no column of the rows and was left out",
    ]


@pytest.mark.parametrize(
    ("text", "fields", "note"),
    [
        (
            "id,query\n0,a\n0,b\n1,c\n",
            ("query_id=id", "relevant_ids=id"),
            "1 row has the query id of another row: '0' stands 2 times; is 'id' the id of a chunk",
        ),
        (
            "query,relevant_ids\na,d\na,e\n",
            ("query_id=@hash",),
            "1 row has the query and context of another row",
        ),
        ("query_id,query,relevant_ids\n1,a,None\n", (), "1 label reads 'None'"),
        ("query_id,query,relevant_ids\n1,a,d1;d2\n", (), "1 id holds ';', such as 'd1;d2'"),
    ],
)
def test_signs_of_a_wrong_mapping_are_said(
    tmp_path: Path, text: str, fields: tuple[str, ...], note: str
) -> None:
    """The rows are written all the same: only people know."""
    imported = run(tmp_path, text, *fields)
    assert not imported.faults
    assert imported.notes[0].startswith(note)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("query", "neither field nor column may be missing"),
        ("query=", "neither field nor column may be missing"),
        ("relevant_id=gold", "did you mean 'relevant_ids'?"),
        ("question=query", "did you mean 'query=question'?"),
        ("nothing=gold", "fields: query_id, query"),
        ("query=@hash", "only query_id can be @hash"),
    ],
)
def test_a_mapping_that_means_nothing_is_refused(given: str, said: str) -> None:
    """Before any file is read."""
    with pytest.raises(UsageError, match=said.replace("?", r"\?")):
        field_mapping([given])


def test_a_field_is_taken_from_one_column() -> None:
    """The second would win silently."""
    with pytest.raises(UsageError, match="given twice: 'a' and 'b'"):
        field_mapping(["query=a", "query=b"])


def test_rows_path_says_what_is_there(tmp_path: Path) -> None:
    """A path that leads nowhere, and one for a file that has none."""
    imported = run(tmp_path, '{"cases": []}', name="x.json", rows="queries")
    assert imported.faults[0].hint == "its keys: cases"
    assert told(run(tmp_path, CSV, rows="queries")) == [
        "x.csv --rows queries is for a file that is one JSON value"
    ]
