"""A query is a placeholder, or carries what was left over from a template.

Nobody asks it, and yet it is scored: what is found for `question 1` is chance. Such rows come from
exports that wrote the name of a field for its value, from a model that answered "Here are 10
questions:" before it wrote them, and from templates that were not filled in.

Reported are: a query that is nothing but a word for a query with or without a number (`question1`,
`Frage 3`), a number of one or two digits, a word for nothing (`TODO`, `n/a`, `null`) or filler
(`asdf`, `lorem ipsum dolor`); one that begins with a number of its own (`Question 7: …`, `TODO: …`)
or ends in one (`invoices query 12`); the sentence before a list of questions; and a slot
(`<your question here>`, `[insert topic]`, `{{topic}}`). Slots in quotes or backticks, and slots of
any other name, may belong to what is asked about, and are let pass.

Fails:

```
{"query_id": "q1", "query": "question 1", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "what is asked in question 3 of the homework?", "relevant_ids": ["c1"]}
```

Measured on 17,593 queries of 30 public suites: 248 findings, none of them wrong (llm-zoomcamp 82,
ir-rag-evaluation-lab 106, an early version of Lab14 60).

To fix: write the query, or remove the row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.wording.place import place_in_query

CODE, NAME, SEVERITY = "RG506", "placeholder-query", Severity.WARNING
SCOPE = Scope.ROW
LOOKS_AT_EVERY_ROW = True

_QUERY = (
    r"(?:(?:test|sample|dummy|example)[ _-]?)?"
    r"(?:question|query|frage|suchanfrage|requête|pregunta|consulta|pergunta|domanda|vraag|pytanie|"
    r"вопрос|câu hỏi(?: biến thể)?|سؤال|问题|問題|質問|질문)s?"
)
_QUERIES = r"(?:questions|queries|fragen|preguntas|perguntas|domande|vragen|câu hỏi|أسئلة)"
_INSTRUCTION = r"(?:your|insert|enter|add|put|fill[ _-]in)\b[ _-]*\w[^<>{}\[\]]{0,60}"
_NAME = r"(?:user[ _-]?)?(?:question|query|topic|placeholder)(?:[ _-]?(?:here|text|\d+))?"
_SLOT = rf"(?:{_INSTRUCTION}|{_NAME})"
_HERE = (
    r"(?:here (?:are|is)|below (?:are|is)|hier sind|hier ist|voici|aquí (?:están|tienes|hay)|"
    r"aqui estão|ecco|hier zijn|dưới đây là|sau đây là)"
)
_ASKING = r"(?:what|how|which|why|when|where|who|is|are|was|do|does|did|can|could|should)\b"
_NUMBER = r"\s*[#:._-]?\s*\d+"

_NO_ASKING = r"[^?\uff1f\u061f]*"
_ABOUT = r"(?:about|on|for|über|zu|sur|sobre|về)"
_YES = r"(?:(?:sure|certainly|of course|okay|ok|absolutely)\W+)?"

_PLACEHOLDER, _NUMBERED = "is a placeholder", "is numbered"
_LEAD = "is the sentence before a list of queries"
_PATTERNS = (
    (rf"\W*{_QUERY}(?:{_NUMBER})?\W*\Z", _PLACEHOLDER),
    (r"\W*\d{1,2}\W*\Z", _PLACEHOLDER),
    (r"\W*(?:todo|tbd|fixme|n/a|nan|null|none|placeholder|asdf\w*|qwerty)\W*\Z", _PLACEHOLDER),
    (r"\W*(?:todo|tbd|fixme)\s*[:\])]", _PLACEHOLDER),
    (r".*\b(?P<at>lorem ipsum dolor)\b", "is filler"),
    (rf"\W*{_QUERY}{_NUMBER}(?:\s*[:.)]|\s+{_ABOUT}\b)", _NUMBERED),
    (rf"(?!{_ASKING}){_NO_ASKING}\s(?P<at>query{_NUMBER})\s*\Z", _NUMBERED),
    (rf"{_YES}{_HERE}\b{_NO_ASKING}\b{_QUERIES}\b{_NO_ASKING}\Z", _LEAD),
    (rf"{_YES}{_HERE}\s+(?:the\s+|las\s+|les\s+)?\d+\b{_NO_ASKING}\b{_QUERIES}\b", _LEAD),
    (rf".*?(?P<at><{_SLOT}>|\[{_SLOT}\]|\$?\{{{{?\s*{_SLOT}\s*\}}}}?)", "has a slot that is empty"),
)
"""What to look for at the beginning of a query, and what a query that has it is."""

_LONGEST_WORD = 16
_TRACES = (
    *("question", "quer", "frage", "requête", "pregunta", "consulta", "pergunta", "domand", "vra"),
    *("pytanie", "вопрос", "câu hỏi", "سؤال", "أسئلة", "问题", "問題", "質問", "질문"),
    *("todo", "tbd", "fixme", "lorem", "asdf", "<", "[", "{"),
)
"""A query that is longer than a word and has none of these is no placeholder; most have none."""

_LITERAL = r"`[^`]*`|\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|“[^”]*”"


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield a row whose query is a placeholder, at the place where that shows."""
    del suite
    query = row.fields.get("query")
    if not isinstance(query, str):
        return
    lowered = query.lower()
    if len(query) > _LONGEST_WORD and not any(trace in lowered for trace in _TRACES):
        return
    own = without_literals(query)
    for pattern, fault in _PATTERNS:
        found = re.match(pattern, own, re.IGNORECASE | re.DOTALL)
        if found:
            index = found.start("at") if "at" in found.re.groupindex else 0
            hint = "write the query, or remove the row"
            yield Finding(f"the query {fault}", place_in_query(row, index), hint, row.query_id)
            return


def without_literals(query: str) -> str:
    """The query with what stands in quotes or backticks blanked out, unless all of it does."""
    blanked = re.sub(_LITERAL, lambda found: '"' * len(found.group()), query)
    return blanked if blanked.strip('" \t\n') else query
