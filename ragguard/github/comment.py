"""The one comment that a job keeps in a pull request.

A hidden first line says whose comment it is and which run wrote it. Whatever happens at once (two
pushes, two jobs, an answer that gets lost), one comment stays in the end: the oldest, with the
words of the latest run.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ragguard.github.client import Comment, GitHub, GitHubError
from ragguard.github.settings import CommentMode

_MARKER = re.compile(
    r"<!-- ragguard id=(?P<id>\S+) head=(?P<head>[0-9a-f]{40}) "
    r"run=(?P<run>\d+)\.(?P<attempt>\d+) -->"
)
_ROUNDS = 4
_TRIES = 3
_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True)
class Marker:
    """What the first line of a comment says.

    Attributes:
        id: the action's input of that name; tells jobs apart.
        head: commit id of the pull request's head.
        run: number and attempt of the workflow run; a later run is greater.
    """

    id: str
    head: str
    run: tuple[int, int]

    def __str__(self) -> str:
        return f"<!-- ragguard id={self.id} head={self.head} run={self.run[0]}.{self.run[1]} -->"


@dataclass(frozen=True, slots=True)
class Draft:
    """A comment that a run wants to write.

    Attributes:
        text: the comment without its marker.
        mode: `new` writes another comment every time; any other keeps one.
        is_wanted: whether a comment is begun where there is none; one that is there is always
            kept up to date.
    """

    marker: Marker
    text: str
    mode: CommentMode = "update"
    is_wanted: bool = True


@dataclass(frozen=True, slots=True)
class Posted:
    """What came of posting.

    Attributes:
        url: the comment's address, None when there is none.
        note: why the comment was left alone, None when it was written.
    """

    url: str | None
    note: str | None = None


def marker_of(body: str) -> Marker | None:
    """The marker a comment begins with, None when it begins otherwise."""
    found = _MARKER.match(body)
    if found is None:
        return None
    return Marker(found["id"], found["head"], (int(found["run"]), int(found["attempt"])))


def post_comment(github: GitHub, number: int, draft: Draft) -> Posted:
    """Write the comment of a run into a pull request.

    Args:
        github: the API.
        number: of the pull request.
        draft: what to write.

    Raises:
        GitHubError: GitHub refused, or did not answer.
    """
    head = github.pull_head(number)
    if head != draft.marker.head:
        return Posted(None, f"the pull request has moved on to {head[:9]}; its own run comments")
    place = _Place(github, number, draft)
    if draft.mode == "new":
        return place.posted_anew() if draft.is_wanted else Posted(None)
    return place.posted()


class _Place:
    """A pull request seen by one run."""

    def __init__(self, github: GitHub, number: int, draft: Draft) -> None:
        self._github, self._number, self._draft = github, number, draft
        self._marker, self._body = draft.marker, f"{draft.marker}\n{draft.text}"
        self._login = github.viewer()

    def posted_anew(self) -> Posted:
        # The marker of such a comment has another form: no later run takes it for its own.
        self._body = self._body.replace(" -->", " new -->", 1)
        return Posted(self._created().url)

    def posted(self) -> Posted:
        ours = self._ours()
        if not ours and not self._draft.is_wanted:
            return Posted(None)
        later = [each for each in ours if _run(each) > self._marker.run]
        if later:
            return Posted(later[0].url, "a later run has commented already")
        if any(_run(each) == self._marker.run for each in ours):
            return Posted(ours[0].url, self._collision())
        written = self._written(ours)
        return self._settled(written)

    def _collision(self) -> str:
        return (
            f"another job of this run writes the comment with id {self._marker.id!r}; "
            "give each its own `id`"
        )

    def _written(self, ours: list[Comment]) -> Comment:
        if ours:
            try:
                return self._github.update_comment(ours[0].id, self._body)
            except GitHubError as error:
                if error.status not in {403, 404, 410, 422}:
                    raise
        # Deleted meanwhile, or locked: what cannot be edited any more is followed by a new one.
        return self._created()

    def _created(self) -> Comment:
        """A new comment; when the answer gets lost, it is looked for before it is made again."""
        for attempt in range(1, _TRIES + 1):
            try:
                return self._github.create_comment(self._number, self._body)
            except GitHubError as error:
                if error.status is not None and error.status < _SERVER_ERROR:
                    raise
                made = [each for each in self._mine() if _first_line(each.body) == self._line]
                if made:
                    return made[0]
                if attempt == _TRIES:
                    raise
        raise AssertionError  # the loop returns or raises

    @property
    def _line(self) -> str:
        return _first_line(self._body)

    def _settled(self, written: Comment) -> Posted:
        """Read back until one comment is left: the oldest, with the latest words."""
        for _ in range(_ROUNDS):
            ours = self._ours()
            if not ours:
                return Posted(written.url)
            first, others = ours[0], ours[1:]
            latest = max(map(_run, ours))
            if first.id != written.id and _run(first) < self._marker.run == latest:
                first = self._github.update_comment(first.id, self._body)
            spare = [each for each in others if _run(each) <= _run(first)]
            for each in spare:
                self._github.delete_comment(each.id)
            if not spare:
                return self._outcome(first, written)
        return Posted(ours[0].url)

    def _outcome(self, first: Comment, written: Comment) -> Posted:
        if _run(first) > self._marker.run:
            return Posted(first.url, "a later run has commented already")
        if first.id != written.id and first.body.strip() != self._body.strip():
            return Posted(first.url, self._collision())
        return Posted(first.url)

    def _mine(self) -> list[Comment]:
        """Comments by the token's own account: being able to edit one proves nothing."""
        return [each for each in self._github.comments(self._number) if each.author == self._login]

    def _ours(self) -> list[Comment]:
        """Comments of this job and its predecessors, the oldest first."""
        return [
            each
            for each in self._mine()
            if (marker := marker_of(each.body)) and marker.id == self._marker.id
        ]


def _run(comment: Comment) -> tuple[int, int]:
    marker = marker_of(comment.body)
    return marker.run if marker else (0, 0)


def _first_line(body: str) -> str:
    return body.split("\n", maxsplit=1)[0].rstrip("\r")
