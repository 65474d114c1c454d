"""What is sent to an HTTP retriever, and what of it survives a redirect."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import SplitResult, urljoin, urlsplit

import ragguard
from ragguard.config.model import RetrieverSettings
from ragguard.config.template import Variable, parse_template
from ragguard.errors import ConfigError
from ragguard.retrievers.filling import FillingError, Values, json_filler, text_filler, url_filler

_OURS = {
    "accept": "application/json",
    "user-agent": f"ragguard/{ragguard.__version__}",
}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_TO_GET, _MAY_CHANGE = 303, (301, 302)
_PORTS = {"http": 80, "https": 443}


class RedirectError(Exception):
    """A redirect that is not followed."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request; what may hold a secret is not shown.

    Attributes:
        headers: values by lower-case name.
        content: the body; None without one.
        is_confidential: whether the body holds the value of a variable.
    """

    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(default=None, repr=False)
    is_confidential: bool = False

    def redirected(self, status: int, location: str) -> HttpRequest:
        """The request to make instead.

        At another host none of the configured headers is sent: whatever they are called, one of
        them may be a password.

        Raises:
            RedirectError: it must not be followed.
        """
        try:
            target = urljoin(self.url, location)
            here, there = urlsplit(self.url), urlsplit(target)
            is_same_origin = _origin(here) == _origin(there)
        except (ValueError, KeyError):
            raise RedirectError(f"it redirects to {location[:80]!r}, no web address") from None
        if here.scheme == "https" and there.scheme == "http":
            raise RedirectError(f"it redirects from https to {_shown(target)}")
        moved = self
        if status == _TO_GET and self.method != "GET":
            headers = {name: v for name, v in self.headers.items() if name != "content-type"}
            moved = replace(self, method="GET", content=None, headers=headers)
        elif status in _MAY_CHANGE and self.method != "GET":
            raise RedirectError(
                f"it redirects to {_shown(target)}, and a {self.method} does not survive a "
                f"{status}; configure that address"
            )
        if is_same_origin:
            return replace(moved, url=target)
        if moved.content is not None and self.is_confidential:
            raise RedirectError(
                f"it redirects to {_shown(target)}, and the body holds a secret that is not for "
                "another host"
            )
        kept = {name: each for name, each in moved.headers.items() if name == "content-type"}
        return replace(moved, url=target, headers={**_OURS, **kept})


def _origin(parts: SplitResult) -> tuple[str, str, int]:
    """Scheme, host and port; a KeyError or ValueError for what is no web address."""
    if not parts.hostname:
        raise ValueError("no host")
    return parts.scheme, parts.hostname, parts.port or _PORTS[parts.scheme]


def _shown(url: str) -> str:
    """An address without what may be secret in it: user, query, fragment."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"[:200]


class RequestTemplate:
    """Makes the request for each query from the settings of a suite."""

    def __init__(self, settings: RetrieverSettings, variables: Mapping[str, str]) -> None:
        """Fill in the variables.

        Raises:
            ConfigError: with their values the URL is none, or a header cannot be sent.
        """
        options = settings.options
        _check_url(settings, variables)
        self.method: str = options.get("method") or ("POST" if "body" in options else "GET")
        self.shown = f"{self.method} {settings.target}"
        self._url = url_filler(options["url"], variables)
        self._headers = {
            name.lower(): _header_filler(name, value, variables)
            for name, value in options.get("headers", {}).items()
        }
        self._body = json_filler(options["body"], variables) if "body" in options else None
        self._is_confidential = "${env:" in json.dumps(options.get("body"))

    def request(self, values: Values) -> HttpRequest:
        """The request for one query.

        Raises:
            FillingError: the query lacks something, or has what cannot be sent.
        """
        headers = {name: _sendable(name, fill(values)) for name, fill in self._headers.items()}
        content = None
        if self._body is not None:
            content = json.dumps(self._body(values), ensure_ascii=True).encode("ascii")
            headers = {"content-type": "application/json", **headers}
        try:
            url = self._url(values)
        except UnicodeEncodeError as error:
            raise FillingError("its text cannot be encoded as UTF-8") from error
        return HttpRequest(self.method, url, {**_OURS, **headers}, content, self._is_confidential)


def _header_filler(name: str, value: str, variables: Mapping[str, str]) -> Callable[[Values], str]:
    for part in parse_template(value):
        if isinstance(part, Variable) and _is_unsendable(variables[part.name]):
            raise ConfigError(
                f"the value of {part.name} cannot stand in the header {name}: it holds a line "
                "break, a control character or a letter that headers lack",
                hint="often the variable was set with a line break at its end",
            )
    return text_filler(value, variables)


def _sendable(name: str, value: str) -> str:
    if _is_unsendable(value):
        raise FillingError(f"its header {name} would hold what no header may")
    return value


def _is_unsendable(value: str) -> bool:
    if _CONTROL.search(value):
        return True
    try:
        value.encode("latin-1")
    except UnicodeEncodeError:
        return True
    return False


def _check_url(settings: RetrieverSettings, variables: Mapping[str, str]) -> None:
    # Placeholders stand in path and query alone, so any text in their place gives the same host.
    text = "".join(
        part
        if isinstance(part, str)
        else variables[part.name]
        if isinstance(part, Variable)
        else "x"
        for part in parse_template(settings.options["url"])
    )
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in _PORTS and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address or _CONTROL.search(text) or " " in text:
        raise ConfigError(
            f"{settings.target} is no http or https address once its variables are filled in",
            hint="look at the values of the variables it names",
        )
    if parts.username is not None or parts.password is not None:
        raise ConfigError(
            f"{settings.target} holds a user or a password once its variables are filled in",
            hint="send them as a header: Authorization: Basic ${env:CREDENTIALS}",
        )
