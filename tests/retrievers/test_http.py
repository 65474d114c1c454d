"""An HTTP retriever against a real service: what is sent, what is read, every way it can fail."""

from __future__ import annotations

import gzip
import itertools
import json
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragguard.config.environment import EnvironmentReference
from ragguard.config.model import RetrieverSettings
from ragguard.dataset.query import Query
from ragguard.errors import ConfigError
from ragguard.location import Location
from ragguard.retrievers.answer import Answer, Reply
from ragguard.retrievers.http_retriever import FAILURES_IN_A_ROW, HttpRetriever
from tests.retrievers.served import failure, ranking
from tests.retrievers.service import Asked, Service, Told, serving

FOUND = Told({"results": [{"id": "a", "score": 2.5}, {"id": "b"}]})
BODY = {"query": "{{query}}"}


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's own proxies are not for the loopback."""
    for name in (
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def service() -> Iterator[Service]:
    """A service that finds `a` and `b` until told otherwise."""
    with serving(lambda _: FOUND) as running:
        yield running


def ask(
    url: str,
    *queries: Query | str,
    timeout: float = 5.0,
    concurrency: int = 1,
    variables: dict[str, str] | None = None,
    depth: int = 5,
    **options: Any,
) -> list[Reply]:
    """What an http retriever with these settings replies."""
    named = tuple(EnvironmentReference(name, Location("x")) for name in variables or {})
    settings = RetrieverSettings("http", url, {"url": url, **options}, timeout, concurrency, named)
    listed = [
        each if isinstance(each, Query) else Query(f"q{number}", each)
        for number, each in enumerate(queries or ("?",))
    ]
    return list(HttpRetriever(settings, variables or {}).ask(listed, depth))


def test_the_body_template_becomes_json_values_and_not_text(service: Service) -> None:
    """A query full of quotes and braces is one string, a limit a number, roles a list."""
    text = '"}, {"evil": true, \\ {{limit}} ${env:TOKEN} \u2028 \U0001f600'
    query = Query("q", text, context={"roles": ["a", "b"], "tenant": {"id": 7}})
    body = {
        "q": "{{query}}",
        "k": "{{limit}}",
        "say": "find {{ query }} for {{context.tenant.id}}",
        "filter": [{"roles": "{{context.roles}}", "fixed": 1.5, "none": None}],
        "all": "{{context}}",
        "maybe": "{{context.absent?}}",
        "key": "${env:TOKEN}",
    }
    (reply,) = ask(f"{service.url}/s", query, body=body, variables={"TOKEN": "x{{query}}x"})
    assert ranking(reply) == [("a", 2.5), ("b", None)]
    (asked,) = service.asked
    assert asked.method == "POST"
    assert asked.headers["content-type"] == "application/json"
    assert asked.json == {
        "q": text,
        "k": 5,
        "say": f"find {text} for 7",
        "filter": [{"roles": ["a", "b"], "fixed": 1.5, "none": None}],
        "all": {"roles": ["a", "b"], "tenant": {"id": 7}},
        "maybe": None,
        "key": "x{{query}}x",
    }


def test_url_and_headers_are_filled_in_too(service: Service) -> None:
    """Percent-encoded in the URL, as it is in a header."""
    query = Query("q", "a/b?c=d&e #ü", context={"tenant": "north"})
    ask(
        f"{service.url}/{{{{context.tenant}}}}?q={{{{query}}}}&k={{{{limit}}}}",
        query,
        headers={"X-Tenant": "{{context.tenant}}", "Authorization": "Bearer ${env:TOKEN}"},
        variables={"TOKEN": "s3cret-token"},
    )
    (asked,) = service.asked
    assert asked.method == "GET"
    assert asked.path == "/north?q=a%2Fb%3Fc%3Dd%26e%20%23%C3%BC&k=5"
    assert asked.headers["x-tenant"] == "north"
    assert asked.headers["authorization"] == "Bearer s3cret-token"
    assert asked.content == b""


@pytest.mark.parametrize(
    ("context", "options", "told"),
    [
        ({}, {"body": {"t": "{{context.tenant}}"}}, "its row has no context.tenant"),
        ({"tenant": ["a"]}, {"body": {"t": "x {{context.tenant}}"}}, "context.tenant is a list"),
        ({"tenant": "a\r\nX: y"}, {"headers": {"T": "{{context.tenant}}"}}, "what no header may"),
        ({"tenant": "\u20ac"}, {"headers": {"T": "{{context.tenant}}"}}, "what no header may"),
    ],
)
def test_a_query_that_cannot_be_asked_is_an_error_and_nothing_is_sent(
    service: Service, context: dict[str, Any], options: dict[str, Any], told: str
) -> None:
    """To ask without the tenant would be to ask for everybody's."""
    (reply,) = ask(f"{service.url}/s", Query("q", "?", context=context), **options)
    assert failure(reply).kind == "error"
    assert told in failure(reply).message
    assert not service.asked


def test_a_folder_is_not_left_by_a_value_in_the_url(service: Service) -> None:
    """`..` would ask another address."""
    query = Query("q", "?", context={"tenant": ".."})
    (reply,) = ask(f"{service.url}/v1/{{{{context.tenant}}}}/search", query)
    assert "another folder" in failure(reply).message


def test_expressions_say_where_results_ids_and_scores_are(service: Service) -> None:
    """JMESPath over whatever the service answers, stages included."""
    hits = [{"_id": "a", "_score": 2, "_source": {"text": "t"}}, {"_id": "b", "_score": None}]
    answer = {"took": 3, "hits": {"hits": hits}, "lexical": ["x"], "meta": {"q": "better", "n": 1}}
    service.respond = lambda _: Told(answer)
    (reply,) = ask(
        service.url,
        results="hits.hits",
        id="_id",
        score="_score",
        text="_source.text",
        rewritten="meta.q",
        admitted="meta.n",
        error="error.reason",
        stages={"first": "hits.hits[:1]"},
    )
    assert ranking(reply) == [("a", 2.0), ("b", None)]
    assert isinstance(reply.outcome, Answer)
    assert [place.chunk_id for place in reply.outcome.stages["first"]] == ["a"]
    assert (reply.outcome.rewritten, reply.outcome.admitted) == ("better", 1)
    assert reply.latency_ms is not None


def test_bare_ids_and_an_empty_list_are_results(service: Service) -> None:
    """An empty list is a search that found nothing, and no failure."""
    told = iter([["a", "b"], []])
    service.respond = lambda _: Told(next(told))
    first, second = ask(service.url, "1", "2", results="@", id="@", score="null")
    assert (ranking(first), ranking(second)) == ([("a", None), ("b", None)], [])


@pytest.mark.parametrize(
    ("told", "options", "kind", "message"),
    [
        (Told(b"<!doctype html><p>Hello"), {}, "error", "it is no JSON: '<!doctype"),
        (Told(b""), {}, "error", "it is no JSON"),
        (Told(b"\xff\xfe\xff"), {}, "error", "it is no JSON"),
        (Told(b"[" * 100_000), {}, "error", "it is no JSON"),
        (Told(b"9" * 5_000), {}, "error", "it is no JSON"),
        (Told({"hits": []}), {}, "error", "'results' finds no list of results in it, but None"),
        (Told({"results": {"a": 1}}), {}, "error", "finds no list of results"),
        (Told({"results": [1]}), {"results": "length(results[0])"}, "error", "fails on it"),
        (Told({"results": [{"id": 7}]}), {}, "invalid", "ids are strings"),
        (Told({"results": ["a"]}), {}, "invalid", "the id at rank 1 is nothing"),
        (Told({"results": [{"id": "a", "score": "1"}]}), {}, "invalid", "no finite number"),
        (Told(b'{"results": [{"id": "a", "score": NaN}]}'), {}, "invalid", "no finite number"),
        (Told({"error": "index is closed"}), {"error": "error"}, "error", "index is closed"),
        (Told({"error": {"code": 7}}), {"error": "error"}, "error", '{"code": 7}'),
        (Told({"results": []}, 201, {}), {"error": "error"}, "ok", ""),
        (Told({"detail": "no such index"}, 404), {}, "error", 'HTTP 404 Not Found: {"detail"'),
        (Told(b"who are you", 401), {}, "error", "HTTP 401 Unauthorized: who are you"),
        (Told(b"", 204), {}, "error", "HTTP 204 No Content"),
        (Told(b"", 304), {}, "error", "HTTP 304"),
    ],
)
def test_an_answer_that_is_none_is_a_failure_that_names_address_and_status(
    service: Service, told: Told, options: dict[str, Any], kind: str, message: str
) -> None:
    """Never a zero, whatever came back."""
    service.respond = lambda _: told
    (reply,) = ask(f"{service.url}/find", body=BODY, **options)
    if kind == "ok":
        assert ranking(reply) == []
        return
    assert failure(reply).kind == kind
    assert message in failure(reply).message
    assert f"POST {service.url}/find: " in failure(reply).message
    assert "HTTP" in failure(reply).message
    assert len(service.asked) == 1


def test_limits_and_hiccups_are_waited_out(service: Service) -> None:
    """429 and 5xx are asked again; the latency is that of the attempt that was answered."""
    told = iter([Told(b"", 503), Told(b"", 429, {"retry-after": "1"}), Told(b"", 500), FOUND])
    service.respond = lambda _: next(told)
    (reply,) = ask(service.url, timeout=20.0)
    assert ranking(reply)[0] == ("a", 2.5)
    moments = [asked.moment for asked in service.asked]
    waits = [later - sooner for sooner, later in itertools.pairwise(moments)]
    assert len(waits) == 3
    assert 0.3 < waits[0] < 1.0
    assert waits[1] >= 1.0
    assert reply.latency_ms is not None
    assert reply.latency_ms < 900


def test_a_pause_that_one_query_is_asked_for_is_kept_by_all(service: Service) -> None:
    """A host that says it has enough is left alone, by those that it did not say it to as well."""
    count = itertools.count()

    def respond(_: Asked) -> Told:
        number = next(count)
        return Told(b"", 429, {"retry-after": "1"}) if number == 0 else replace(FOUND, delay=0.2)

    service.respond = respond
    replies = ask(service.url, *map(str, range(6)), concurrency=2, timeout=20.0)
    assert all(ranking(reply) for reply in replies)
    first, _, *later = [asked.moment for asked in service.asked]
    assert all(moment - first >= 1.0 for moment in later)


@pytest.mark.parametrize("wait", ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"], ids=["seconds", "date"])
def test_a_wait_beyond_the_time_limit_is_an_error_at_once(service: Service, wait: str) -> None:
    """It could not be kept."""
    service.respond = lambda _: Told(b"slow down", 429, {"retry-after": wait})
    started = time.monotonic()
    (reply,) = ask(service.url, timeout=5.0)
    assert time.monotonic() - started < 4
    assert failure(reply).kind == "error"
    assert "HTTP 429 Too Many Requests: slow down; the next attempt would be in" in (
        failure(reply).message
    )
    assert len(service.asked) == 1


def test_what_does_not_pass_is_given_up_after_the_retries(service: Service) -> None:
    """The message says how often it was tried."""
    service.respond = lambda _: Told(b"overloaded", 503)
    (reply,) = ask(service.url, retries=1)
    assert "HTTP 503 Service Unavailable: overloaded (before that one attempt" in (
        failure(reply).message
    )
    assert len(service.asked) == 2


def test_the_time_limit_spans_all_attempts(service: Service) -> None:
    """Not each of them."""
    service.respond = lambda _: Told(b"", 503, delay=0.6)
    started = time.monotonic()
    (reply,) = ask(service.url, timeout=1.5, retries=10)
    assert time.monotonic() - started < 4
    assert "HTTP 503" in failure(reply).message


def trickle(connection: socket.socket, content: bytes) -> None:
    """Send a byte now and then for ever."""
    for byte in itertools.cycle(content):
        time.sleep(0.05)
        try:
            connection.sendall(bytes([byte]))
        except OSError:
            return


@pytest.mark.parametrize("beginning", [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n"])
def test_a_server_that_trickles_is_a_timeout(beginning: bytes) -> None:
    """Neither in its headers nor in its body does a byte now and then keep a query alive."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                connection.sendall(beginning)
                trickle(connection, b"x" if beginning else b"HTTP/1.1 200 OK\r\nA: " + b"b" * 9_999)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/slow"
        started = time.monotonic()
        (reply,) = ask(url, timeout=1.0)
        assert time.monotonic() - started < 4
        thread.join(10)
    assert failure(reply).kind == "timeout"
    assert f"GET {url}: no answer within 1 s" in failure(reply).message


@pytest.mark.parametrize(
    "raw",
    [
        b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"results": []',
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"re',
        b"HTTP/1.1 200",
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde",
    ],
    ids=["cut body", "cut chunk", "cut head", "nothing", "another protocol", "bad gzip"],
)
def test_a_broken_answer_is_an_error_and_not_half_a_ranking(service: Service, raw: bytes) -> None:
    """What is cut is not an empty list."""
    service.respond = lambda _: Told(raw=raw)
    (reply,) = ask(service.url, retries=1)
    assert failure(reply).kind == "error"
    assert len(service.asked) == 2


def test_a_compressed_answer_is_read(service: Service) -> None:
    """As servers send them."""
    content = gzip.compress(json.dumps({"results": [{"id": "a"}]}).encode())
    service.respond = lambda _: Told(content, headers={"content-encoding": "gzip"})
    assert ranking(ask(service.url)[0]) == [("a", None)]


def test_a_huge_answer_is_not_read_to_its_end(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is on what it becomes, not on what is sent."""
    monkeypatch.setattr("ragguard.retrievers.http_exchange.LARGEST", 1 << 20)
    service.respond = lambda _: Told(
        gzip.compress(b" " * (4 << 20)), headers={"content-encoding": "gzip"}
    )
    (reply,) = ask(service.url)
    assert "HTTP 200 OK, but the answer is larger than 1 MiB" in failure(reply).message
    assert len(service.asked) == 1


def test_queries_are_in_flight_together_and_replies_in_order(service: Service) -> None:
    """As many as asked for, no more; the slowest first does not shuffle them."""

    def respond(asked: Asked) -> Told:
        number = int(asked.json["query"])
        return Told({"results": [{"id": str(number)}]}, delay=0.4 if number == 0 else 0.05)

    service.respond = respond
    replies = ask(service.url, *map(str, range(20)), body=BODY, concurrency=4)
    assert [ranking(reply)[0][0] for reply in replies] == list(map(str, range(20)))
    assert 2 <= service.most_at_once <= 4


def test_the_rate_is_kept(service: Service) -> None:
    """Attempts count like first requests."""
    ask(service.url, *map(str, range(6)), rate=10, concurrency=6)
    moments = sorted(asked.moment for asked in service.asked)
    assert moments[-1] - moments[0] >= 0.45


def test_one_failing_query_harms_no_other(service: Service) -> None:
    """Each has its own state."""

    def respond(asked: Asked) -> Told:
        return Told(b"", 400) if asked.json["query"] == "bad" else FOUND

    service.respond = respond
    replies = ask(service.url, "1", "bad", "2", body=BODY, concurrency=2)
    assert [isinstance(reply.outcome, Answer) for reply in replies] == [True, False, True]


def test_a_service_that_is_not_there_is_given_up(service: Service) -> None:
    """A thousand queries do not wait for a host that is down."""
    with socket.create_server(("127.0.0.1", 0)) as unused:
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
    replies = ask(url, *map(str, range(FAILURES_IN_A_ROW + 5)), retries=0)
    messages = [failure(reply).message for reply in replies]
    assert all(
        "no connection: Connection refused" in message for message in messages[:FAILURES_IN_A_ROW]
    )
    assert all("not asked: given up" in message for message in messages[FAILURES_IN_A_ROW:])
    assert all(url in message for message in messages)


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate for the loopback, signed by itself, and its key."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"),
            *("-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-out", str(certificate), "-keyout", str(key)),
        ],
        check=True,
        capture_output=True,
    )
    return certificate, key


def test_a_certificate_that_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    """And not tried again."""
    certificate, key = self_signed(tmp_path)
    with serving(lambda _: FOUND, (certificate, key)) as service:
        (reply,) = ask(service.url, headers={"Authorization": "Bearer x"})
        assert not service.asked
    assert "its certificate is not accepted" in failure(reply).message


def test_a_trusted_certificate_is_accepted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SSL_CERT_FILE names the authorities, as for other programs."""
    certificate, key = self_signed(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    with serving(lambda _: FOUND, (certificate, key)) as service:
        assert ranking(ask(service.url)[0])[0] == ("a", 2.5)


def test_a_redirect_to_another_host_carries_no_header_of_ours(service: Service) -> None:
    """Whatever a secret header is called, it stays."""
    headers = {"Authorization": "Bearer abc", "X-Api-Key": "abc", "X-Tenant": "north"}
    with serving(lambda _: FOUND) as other:
        service.respond = lambda _: Told(b"", 307, {"location": f"{other.url}/there"})
        (reply,) = ask(f"{service.url}/here", body=BODY, headers=headers)
        assert ranking(reply)[0] == ("a", 2.5)
        (asked,) = other.asked
    assert asked.json == {"query": "?"}
    assert {"authorization", "x-api-key", "x-tenant"} <= service.asked[0].headers.keys()
    assert not {"authorization", "x-api-key", "x-tenant"} & asked.headers.keys()
    assert "abc" not in str(asked.headers)


def test_a_redirect_on_the_same_host_keeps_the_headers(service: Service) -> None:
    """A trailing slash is no other host."""
    service.respond = lambda asked: (
        FOUND if asked.path == "/s/" else Told(b"", 308, {"location": "/s/"})
    )
    (reply,) = ask(f"{service.url}/s", body=BODY, headers={"X-Api-Key": "abc"})
    assert ranking(reply)
    assert service.asked[1].headers["x-api-key"] == "abc"


@pytest.mark.parametrize(
    ("status", "location", "options", "told"),
    [
        (302, "/other", {"body": BODY}, "a POST does not survive a 302; configure that address"),
        (307, "/again", {}, "it redirects more than 5 times"),
        (302, "file:///etc/passwd", {}, "no web address"),
        (302, "http://[", {}, "no web address"),
        (307, "http://localhost:1/x", {"body": {"k": "${env:KEY}"}}, "not for another host"),
    ],
)
def test_a_redirect_that_cannot_be_followed_says_why(
    service: Service, status: int, location: str, options: dict[str, Any], told: str
) -> None:
    """The query is an error, not a search for nothing."""
    service.respond = lambda _: Told(b"", status, {"location": location})
    (reply,) = ask(service.url, variables={"KEY": "s3cret-key"}, **options)
    assert told in failure(reply).message


def test_no_cookie_goes_from_one_query_to_the_next(service: Service) -> None:
    """What a query finds does not depend on those asked before it."""
    service.respond = lambda _: Told(FOUND.content, headers={"set-cookie": "session=1"})
    ask(service.url, "1", "2")
    assert "cookie" not in service.asked[1].headers


def test_a_proxy_of_the_environment_is_used(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And NO_PROXY keeps a host out of it."""
    monkeypatch.setenv("HTTP_PROXY", service.url)
    (reply,) = ask("http://search.invalid/q")
    assert ranking(reply)
    assert service.asked[0].path == "http://search.invalid/q"
    monkeypatch.setenv("NO_PROXY", "search.invalid")
    assert "no connection" in failure(ask("http://search.invalid/q", retries=0)[0]).message


@pytest.mark.parametrize(
    ("url", "value", "told"),
    [
        ("${env:URL}/q", "ftp://x", "no http or https address"),
        ("${env:URL}/q", "http://user:word@x", "a user or a password"),
        ("${env:URL}/q", "not an address", "no http or https address"),
        ("http://x/", "line\nbreak", "cannot stand in the header Key"),
    ],
)
def test_a_variable_that_makes_no_request_is_a_configuration_error(
    url: str, value: str, told: str
) -> None:
    """Before any query is asked, and without its value."""
    with pytest.raises(ConfigError, match=told) as caught:
        ask(url, headers={"Key": "${env:URL}"}, variables={"URL": value})
    assert value not in str(caught.value)


def test_what_the_service_echoes_of_a_secret_is_hidden(service: Service) -> None:
    """In an error, in a text that is no JSON, in a rewritten query; an id is refused."""
    secret = 'pa"ss wörd/123456'
    answers = iter(
        [
            Told(f"bad key {secret}".encode(), 403),
            Told(json.dumps({"error": f"key={secret}"}).encode()),
            Told(f"{'x' * 70}{secret}".encode()),
            Told({"results": [{"id": f"a-{secret}"}]}),
            Told({"results": [{"id": "a"}], "q": f"? {secret}"}),
            Told(
                {
                    "results": [
                        {
                            "id": [
                                "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                                secret,
                            ]
                        }
                    ]
                }
            ),
            Told({"results": {"x": ["y" * 60, secret]}}),
        ]
    )
    service.respond = lambda _: next(answers)
    replies = ask(
        service.url,
        *map(str, range(7)),
        error="error",
        rewritten="q",
        body={"key": "${env:KEY}"},
        variables={"KEY": secret},
    )
    shown = repr(replies)
    assert 'pa"ss' not in shown
    assert "pa\\" not in shown
    assert "wörd" not in shown
    assert "${env:KEY}" in failure(replies[0]).message
    assert "${env:KEY}" in failure(replies[1]).message
    assert failure(replies[3]).kind == "invalid"
    assert "a chunk id holds the value of ${env:KEY}" in failure(replies[3]).message
    assert isinstance(replies[4].outcome, Answer)
    assert replies[4].outcome.rewritten == "? ${env:KEY}"
