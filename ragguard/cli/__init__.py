"""The command line: a thin skin that parses, calls, prints and exits.

Commands are listed here and imported only when they run or are asked for help,
so that `ragguard lint` in a pre-commit hook pays for lint alone.
"""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from contextlib import suppress

import click

import ragguard
from ragguard.errors import ExitCode, RagguardError

COMMANDS = {
    "lint": "Check datasets, manifests and configuration.",
    "rule": "Explain one lint rule, or list them all.",
    "eval": "Run the retriever over the suites and write a report.",
    "diff": "Compare two reports and apply the gates.",
    "report": "Show one report.",
    "import": "Bring a dataset, qrels or run from another tool.",
    "migrate": "Move labels to new chunk ids by a reviewed mapping.",
    "demo": "Run the whole chain on the bundled example.",
    "action": "What action.yml calls; everything comes from the environment.",
}
"""Command names in the order `ragguard --help` lists them, each with its short help."""


_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
"""How a system says that what is printed does not arrive."""


class LazyGroup(click.Group):
    """A group that imports the module of a command when it is needed, not before."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All command names, in the order of the work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, None when there is none."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(f"ragguard.cli.{cmd_name}_command").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 passed, 1 findings or a gate failed, 2 usage or unreadable input, "
    "3 no verdict exists, 130 interrupted.",
)
@click.version_option(ragguard.__version__, "-V", "--version", message="%(prog)s %(version)s")
@click.pass_context
def ragguard_command(ctx: click.Context) -> None:
    """Lint retrieval-evaluation datasets, evaluate retrievers, and compare the results."""
    ctx.color = colour_wanted()


def colour_wanted() -> bool | None:
    """What NO_COLOR and FORCE_COLOR say of colour; None leaves it to the terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    return True if os.environ.get("FORCE_COLOR") else None


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code; the one handler of errors.

    Args:
        arguments: the command line without the program's name; None takes the process's own.
    """
    sys.exit(int(_run(arguments)))


def _run(arguments: list[str] | None) -> int:  # noqa: PLR0911 - one for each way to end
    try:
        code = ragguard_command.main(arguments, prog_name="ragguard", standalone_mode=False)
        if sys.stdout is not None:  # a process may be started without one
            sys.stdout.flush()
    except RagguardError as error:
        _complain(str(error))
        return error.exit_code
    except click.ClickException as error:
        shown = io.StringIO()
        error.show(shown)
        with suppress(OSError):
            click.echo(_for_log(shown.getvalue()), err=True, nl=False)
        return ExitCode.UNUSABLE
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        return ExitCode.INTERRUPTED
    except MemoryError:
        _complain(
            "not enough memory\n  hint: is a file one line of very many bytes? "
            "rows and chunks are read one at a time"
        )
        return ExitCode.UNUSABLE
    except BrokenPipeError:
        # Whoever read our output has left (`| head`); Python must not flush into the void at exit.
        _abandon_output()
        return ExitCode.UNUSABLE
    except OSError as error:
        if error.errno not in _NO_ROOM or error.filename is not None:
            return _own_up()
        _abandon_output()
        _complain(f"cannot write the output: {error.strerror}")
        return ExitCode.UNUSABLE
    except Exception:  # noqa: BLE001 - the edge: a defect has its own exit code and says what to do
        return _own_up()
    return int(code or ExitCode.PASSED)


def _own_up() -> int:
    """Say that the exception being handled is nobody's data."""
    import traceback  # takes a tenth of the time that a hook's run takes to start

    click.echo(_for_log(traceback.format_exc()), err=True, nl=False)
    _complain(
        "this is a defect of ragguard, not of your data; "
        "please report it with the lines above: https://github.com/org/ragguard/issues"
    )
    return ExitCode.NO_VERDICT


def _abandon_output() -> None:
    """Nobody reads on; Python must not flush into the void at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _complain(message: str) -> None:
    label = click.style("error:", fg="red", bold=True)
    with suppress(OSError):  # nobody may be there to read it; the exit code says it too
        click.echo(f"{label} {_for_log(message)}", err=True, color=colour_wanted())


def _for_log(text: str) -> str:
    """A text that may quote others: it steers no terminal, and no line is a workflow's command."""
    from ragguard.render.visible import visible_lines

    text = visible_lines(text)
    if not os.environ.get("GITHUB_ACTIONS"):
        return text
    from ragguard.render.workflow_commands import defused

    return defused(text)
