"""The token's own account, its rate limit, the repository, and the one known GraphQL question."""

from __future__ import annotations

import json
import re

from tests.loopback import shapes
from tests.loopback.call import Call, Refusal, answer
from tests.loopback.contract import Answer, skeleton
from tests.loopback.faults import READ_ONLY
from tests.loopback.state import RateLimit, Received, Token

VIEWER = re.compile(r"(query\s*\w*\s*)?{\s*viewer\s*{\s*login\s*}\s*}")


def get_user(call: Call) -> Answer:
    """The account of a personal token; a workflow token has none."""
    if call.token is None:
        raise Refusal(401, "Requires authentication")
    if call.token.kind == "workflow":
        raise Refusal(403, READ_ONLY)
    return answer(skeleton("public-user") | shapes.account(call.token.login))


def get_repository(call: Call) -> Answer:
    """The repository itself."""
    return answer(shapes.repository(call.place))


def rate_limit(limit: RateLimit) -> Answer:
    """The rate limit of the token; asking costs nothing."""
    state = {
        "limit": limit.limit,
        "used": limit.used,
        "remaining": limit.remaining,
        "reset": limit.reset_at,
    }
    small = state | {"limit": 30, "used": 0, "remaining": 30}
    return answer({"resources": {"core": state, "search": small}, "rate": state})


def graphql(received: Received, token: Token | None) -> Answer:
    """``viewer { login }`` of the token; NotImplementedError for any other question."""
    if token is None:
        raise Refusal(401, "This endpoint requires you to be authenticated.")
    try:
        question = json.loads(received.body)["query"]
    except (ValueError, KeyError, TypeError) as error:
        raise NotImplementedError("the body is not a JSON object with a query") from error
    if not isinstance(question, str) or not VIEWER.fullmatch(question.strip()):
        raise NotImplementedError(f"the loopback does not know the question {question!r}")
    return answer({"data": {"viewer": {"login": token.login}}})
