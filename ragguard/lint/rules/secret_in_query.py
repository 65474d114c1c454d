"""A query holds an e-mail address, a key or a token.

Queries taken from logs carry what people paste: the address they write from, the key that does not
work. A dataset is committed, sent to a retriever and quoted in comments and reports, and what was
committed once stays in the history.

Reported are: e-mail addresses; keys whose form says whose they are (AWS, GitHub, GitLab, Slack,
Stripe, OpenAI, Anthropic, Google, Hugging Face, npm, PyPI, SendGrid), by prefix and length; JSON web
tokens, bearer tokens, blocks of private keys and passwords in addresses (`https://user:pass@…`); what
is called a key, token, secret or password and looks drawn at random (`api_key=…`); and runs of 32
letters and digits or more that do. The last two need upper and lower case and digits, or hexadecimal
after such a word, and an entropy (Shannon 1948) that words do not reach: 3.0 bits a character for
hexadecimal, 4.2 else.

Not reported are addresses and keys made for examples (`user@example.com` and the other reserved
names of RFC 2606 and RFC 6761, what holds `EXAMPLE` or `xxxx`), mailboxes of a role and not of a
person (`support@…`, RFC 2142), remotes (`git@github.com`), and bare hexadecimal, which is a hash or
an id far more often than a key. The message says of what kind the finding is and shows four
characters at most, of an address none.

Fails:

```
{"query_id": "q1", "query": "why does jane.roe@tallyhaven.io get no invoices?", "relevant_ids": ["c1"]}
```

Passes:

```
{"query_id": "q1", "query": "why does user@example.com get no invoices?", "relevant_ids": ["c1"]}
```

Measured on 17,593 queries of 30 public suites: one finding, a right one (the address of a service
account in llm-zoomcamp, whose questions are full of pasted messages, paths and identifiers).

To fix: write an address of `example.com`, or a made-up key, in its place. A key that was committed
is known: withdraw it where it was issued.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragguard.config.model import Suite
from ragguard.dataset.row import DatasetRow
from ragguard.lint.diagnostic import Severity
from ragguard.lint.finding import Finding
from ragguard.lint.rule import Scope
from ragguard.lint.wording.place import place_in_query

CODE, NAME, SEVERITY = "RG507", "secret-in-query", Severity.WARNING
SCOPE = Scope.ROW
LOOKS_AT_EVERY_ROW = True


def check(row: DatasetRow, suite: Suite) -> Iterator[Finding]:
    """Yield every secret in a row's query, at its first character."""
    from ragguard.lint.wording.secrets import secrets_in

    del suite
    query = row.fields.get("query")
    if not isinstance(query, str):
        return
    for secret in secrets_in(query):
        yield Finding(
            f"the query holds {secret.shown}",
            place_in_query(row, secret.start),
            _ADDRESS_HINT if secret.is_address else _KEY_HINT,
            row.query_id,
        )


_ADDRESS_HINT = "write an address of example.com in its place"
_KEY_HINT = "write a made-up one in its place, and withdraw this one where it was issued"
