"""Issue comments, labels and the issue behind a pull request."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from tests.loopback.call import Call, Refusal, answer
from tests.loopback.contract import Answer
from tests.loopback.shapes import talk
from tests.loopback.state import Comment, PullRequest, now

LONGEST_BODY = 65_536


def list_comments(call: Call) -> Answer:
    """The comments of an issue, in ascending order of id."""
    comments = call.repository.comments_of(_issue(call).number)
    since = call.query("since")
    if since is not None:
        comments = [each for each in comments if each.updated_at >= datetime.fromisoformat(since)]
    shown, links = call.page(comments)
    return answer([talk.comment(call.place, each) for each in shown], headers=links)


def create_comment(call: Call) -> Answer:
    """A new comment by the token's account."""
    issue, body = _issue(call), _body(call)
    if call.token is None:
        raise Refusal(401, "Requires authentication")
    made = call.repository.comment(issue.number, body, call.token.login)
    shape = talk.comment(call.place, made)
    return answer(shape, 201, {"Location": shape["url"]})


def get_comment(call: Call) -> Answer:
    """One comment."""
    return answer(talk.comment(call.place, _comment(call)))


def update_comment(call: Call) -> Answer:
    """Another body for a comment; a token that may write may change anyone's."""
    comment = _comment(call)
    comment.body, comment.updated_at = _body(call), now()
    return answer(talk.comment(call.place, comment))


def delete_comment(call: Call) -> Answer:
    """The comment is gone."""
    del call.repository.comments[_comment(call).id]
    return Answer(204)


def get_issue(call: Call) -> Answer:
    """The issue behind a pull request."""
    issue = _issue(call)
    count = len(call.repository.comments_of(issue.number))
    return answer(talk.issue(call.place, issue, count))


def list_labels(call: Call) -> Answer:
    """The labels of an issue."""
    shown, links = call.page(_issue(call).labels)
    return answer([talk.label(call.place, name) for name in shown], headers=links)


def _issue(call: Call) -> PullRequest:
    found = call.repository.pulls.get(call.number("issue_number"))
    if found is None:
        raise Refusal(404, "Not Found")
    return found


def _comment(call: Call) -> Comment:
    found = call.repository.comments.get(call.number("comment_id"))
    if found is None:
        raise Refusal(404, "Not Found")
    return found


def _body(call: Call) -> str:
    sent: Any = call.received.json()
    body: str = sent["body"]
    if not body.strip():
        raise _invalid("Body cannot be blank")
    if len(body) > LONGEST_BODY:
        raise _invalid(f"Body is too long (maximum is {LONGEST_BODY} characters)")
    return body


def _invalid(message: str) -> Refusal:
    errors = [
        {
            "resource": "IssueComment",
            "code": "unprocessable",
            "field": "data",
            "message": message,
        }
    ]
    return Refusal(422, "Validation Failed", errors=errors)
