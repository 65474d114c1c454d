"""`ragguard action`: what action.yml calls."""

from __future__ import annotations

import os

import click


@click.command(short_help="What action.yml calls; everything comes from the environment.")
def command() -> int:
    """Lint, evaluate, compare with the base branch, and tell the pull request.

    This is what `uses: org/ragguard@v1` runs. Inputs come from INPUT_… variables, the rest from
    those that GitHub sets. At a terminal use `ragguard eval` and `ragguard diff`: they give the
    same numbers and the same verdict.

    \b
    Example, in a step of a workflow:
      ragguard action
    """
    from ragguard.cli.ending import end_in_order
    from ragguard.cli.eval_command import progress_lines
    from ragguard.github.action import run_action

    end_in_order()
    # A retriever may write to the same log; whole lines keep workflow commands whole.
    return run_action(os.environ, lambda line: click.echo(line, color=False), progress_lines)
