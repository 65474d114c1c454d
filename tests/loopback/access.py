"""Who may do what: GitHub's permissions of a token for a route."""

from __future__ import annotations

from tests.loopback.call import Call, Refusal
from tests.loopback.faults import READ_ONLY
from tests.loopback.routes import Route


def check_permission(call: Call, route: Route) -> None:
    """Refuse what the token must not do.

    What is public anyone may read; for the rest the token must belong to the repository and have
    one of the route's scopes.
    """
    repository, token = call.repository, call.token
    belongs = token is not None and token.repository in (None, repository.full_name)
    if repository.private and not belongs:
        raise Refusal(404, "Not Found")
    if route.level == "read" and not repository.private:
        return
    if token is None:
        raise Refusal(401, "Requires authentication")
    if not belongs or not token.allows(route.scopes, route.level):
        accepted = "; ".join(f"{scope}={route.level}" for scope in route.scopes)
        raise Refusal(403, READ_ONLY, headers={"X-Accepted-GitHub-Permissions": accepted})
