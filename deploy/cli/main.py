"""The `catwalk` command: subcommands found by an explicit table, every mistake turned into one line."""

from __future__ import annotations

import importlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from threading import current_thread, main_thread
from types import FrameType
from typing import NoReturn

import click
from click.shell_completion import shell_complete

from deploy.errors import DONE, IMPOSSIBLE, INTERRUPTED, READER_GONE, UserError, from_system, from_usage
from deploy.private_files import private_files
from deploy.settings import refuse_half_set_anywhere, unknown_variables
from schemas.errors import ActionableError


@dataclass(frozen=True, slots=True)
class Subcommand:
    """A subcommand: its section of the overview, its module below `deploy.cli`, and its line in the overview."""

    section: str
    at: str
    summary: str

    def load(self) -> click.Command:
        """Import the module and return its command."""
        command: click.Command = importlib.import_module(f"deploy.cli.{self.at}").command
        return command


# Summaries stand here so that `catwalk --help` imports no command: some of them need the warehouse engine.
COMMANDS: dict[str, Subcommand] = {
    "demo": Subcommand("Try", "record.demo", "Everything in one process: tables to console."),
    "simulate": Subcommand("Try", "record.simulate", "Write contract streams of simulated tables."),
    "replay": Subcommand("Audit", "audit.replay", "Audit recorded streams offline."),
    "verify": Subcommand("Audit", "audit.verify", "Prove chain, sequence and signatures."),
    "witness": Subcommand("Audit", "audit.witness", "Cosign checkpoints, or say what was rewritten."),
    "evidence": Subcommand("Audit", "audit.evidence", "One round as a file that proves itself."),
    "patterns": Subcommand("Audit", "audit.patterns", "What the detectors hold of whom."),
    "rack": Subcommand("Audit", "audit.rack", "Every reconstruction of a discard rack."),
    "coverage": Subcommand("Audit", "audit.coverage", "What decides each provision."),
    "explain": Subcommand("Audit", "audit.explain", "A clause, a check or a finding in words."),
    "report": Subcommand("Audit", "report.report", "A shift, revenue, a month, restitution, readings."),
    "export": Subcommand("Audit", "audit.export", "The files of an audit, out of the store."),
    "keygen": Subcommand("Run", "record.keygen", "A key that signs checkpoints."),
    "rebuild": Subcommand("Run", "pipeline.rebuild", "Fold everything again and compare."),
    "reconcile": Subcommand("Run", "pipeline.reconcile", "Hold the store against the ledger."),
    "backup": Subcommand("Run", "keeping.backup", "A proven copy of all that is not derived."),
    "restore": Subcommand("Run", "keeping.restore", "A backup into an empty home."),
    "console": Subcommand("Run", "console.console", "Alerts in the browser."),
    "notify": Subcommand("Run", "console.notify", "Alerts to mailboxes and pagers."),
    "record": Subcommand("Run", "record.record", "Append events to the ledger."),
    "stack": Subcommand("Distributed", "pipeline.stack", "Kafka and ClickHouse on this machine."),
    "topics": Subcommand("Distributed", "pipeline.topics", "Create or compare the topics."),
    "migrate": Subcommand("Run", "pipeline.migrate", "Bring the store to this release's form."),
    "fold": Subcommand("Run", "pipeline.fold", "Worker: the ledger into rounds and findings."),
    "sink": Subcommand("Run", "pipeline.sink", "Worker: the topics into ClickHouse."),
    "analyst": Subcommand("Run", "pipeline.analyst", "Worker: rounds and findings into counters."),
    "upgrade": Subcommand("Distributed", "pipeline.upgrade", "A new fold beside the old: compare, switch."),
    "lag": Subcommand("Run", "pipeline.lag", "How far the workers are behind the ledger."),
    "doctor": Subcommand("Run", "doctor", "What is installed, reachable, configured."),
    "bench": Subcommand("Run", "bench", "Measure, each figure beside its peer."),
}


class LazyGroup(click.Group):
    """A group that imports a subcommand only when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Names of the subcommands, in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's
        """The subcommand of that name, imported now, or None."""
        return COMMANDS[cmd_name].load() if cmd_name in COMMANDS else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's
        """Write the overview, one section after the other, without importing any command."""
        for section in dict.fromkeys(each.section for each in COMMANDS.values()):
            with formatter.section(section):
                rows = [(name, each.summary) for name, each in COMMANDS.items() if each.section == section]
                formatter.write_dl(rows, col_max=14)


COMPLETION = "_CATWALK_COMPLETE"  # bash: eval "$(_CATWALK_COMPLETE=bash_source catwalk)"
EPILOG = """\b
Example:
  catwalk replay examples/breach_overpay.ndjson --out out

\b
Exit status:
  0  done
  1  done, and what was asked about was found, or a verification failed
  2  could not be done
"""


@click.group(
    cls=LazyGroup,
    name="catwalk",
    epilog=EPILOG,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100, "show_default": True},
)
@click.version_option(version("catwalk"), prog_name="catwalk", message="%(prog)s %(version)s")
@click.pass_context
def catwalk(ctx: click.Context) -> None:
    """Watch card tables: every card, stake and step held against the clause that governs it."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
        return
    refuse_half_set_anywhere()
    if ctx.invoked_subcommand != "doctor":  # which lists them
        for name in unknown_variables(os.environ):
            click.echo(
                f"catwalk: {name} sets nothing: there is no such setting; `catwalk doctor` has all", err=True
            )


def _explained(error: Exception) -> UserError:
    """An error that says what to do, as the user's; anything else is a defect, shown whole."""
    if isinstance(error, ActionableError):
        return UserError(error.what, error.why, error.remedy)
    traceback.print_exception(error)
    return UserError("defect", f"{type(error).__name__}: {error}", "report it with the lines above")


def _status(arguments: Sequence[str]) -> int:
    """Run the command; its exit status. `click.Group.main` would end with 1, "found", when the reader goes away."""
    try:
        with catwalk.make_context("catwalk", list(arguments)) as context:
            status = catwalk.invoke(context)
    except click.exceptions.Exit as leaving:
        status = leaving.exit_code
    except SystemExit as leaving:
        status = leaving.code
    return status if isinstance(status, int) else DONE


def _drop_output() -> None:
    """Let what could not be written go nowhere: Python flushes stdout once more at exit, and would end with 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def _left_at_term() -> Iterator[None]:
    """TERM leaves the command as Ctrl-C does, so that it lets go of its files and processes; status 143.

    Ctrl-C alone would not do: a shell starts what runs in its background with INT ignored. Commands that have something
    to make durable first set a handler of their own.
    """

    def leave(number: int, _frame: FrameType | None) -> NoReturn:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a second one ends the process at once
        raise SystemExit(128 + number)

    if current_thread() is not main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `catwalk` with these arguments (default: the process's) and return its exit status."""
    instruction = os.environ.get(COMPLETION)
    if instruction:
        return shell_complete(catwalk, {}, "catwalk", COMPLETION, instruction)
    with private_files(), _left_at_term():  # before anything is written, also by processes that it starts
        return _ended(sys.argv[1:] if arguments is None else arguments)


def _ended(arguments: Sequence[str]) -> int:
    """Run the command, and say what went wrong in one line; its exit status."""
    try:
        status = _status(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return READER_GONE
    except (KeyboardInterrupt, click.Abort):
        click.echo("catwalk: stopped", err=True)
        return INTERRUPTED
    except UserError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        from_usage(error).show()
    except OSError as error:
        from_system(error).show()
        try:
            sys.stdout.flush()
        except OSError:
            _drop_output()
    except Exception as error:
        _explained(error).show()
    else:
        return status
    return IMPOSSIBLE
