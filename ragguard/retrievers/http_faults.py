"""What a failed connection means, in words, and whether it may go well a little later."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator


def may_pass(error: BaseException) -> bool:
    """Whether the same request may go well a little later; a certificate stays bad."""
    import httpx2

    if any(isinstance(each, ssl.SSLCertVerificationError) for each in _causes(error)):
        return False
    lasting = (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError, httpx2.InvalidURL)
    return not isinstance(error, lasting)


def explained(error: BaseException) -> str:
    """What went wrong; the innermost cause that the system gives a reason for says it best."""
    causes = list(_causes(error))
    for each in causes:
        if isinstance(each, ssl.SSLCertVerificationError):
            return f"its certificate is not accepted: {each.verify_message}"
    import httpx2

    told = [_reason(each) for each in causes if isinstance(each, OSError) and each.strerror]
    words = told[-1] if told else str(error) or type(error).__name__
    if isinstance(error, httpx2.ConnectError):
        return f"no connection: {words}"
    if isinstance(error, httpx2.DecodingError):
        return f"the answer cannot be decompressed: {words}"
    return f"the connection failed: {words}"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what it came from."""
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _reason(error: OSError) -> str:
    """The system's own words; asyncio puts an address in their place, look-ups have their own."""
    number = error.errno or 0
    return os.strerror(number) if number > 0 else str(error.strerror)
