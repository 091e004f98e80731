"""The command line as a whole: help, version, mistakes in one line, exit statuses, interrupted and cut output."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import click
import pytest

from deploy.cli import main as cli
from deploy.errors import UserError
from schemas.errors import ActionableError
from tests.starting import start
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
PRESENT = list(cli.COMMANDS)


class Refused(ActionableError):
    """An error of a port: it says what, why and what to do."""

    def __init__(self) -> None:
        super().__init__("ledger x", "is torn", "restore it")


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> list[Exception]:
    """`catwalk replay` that raises what is put into the list."""
    raised: list[Exception] = []

    @click.command("replay")
    def failing() -> None:
        raise raised[0]

    monkeypatch.setattr(cli.Subcommand, "load", lambda _self: failing)
    return raised


def test_help_names_every_command_there_is_and_gives_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--help"]) == 0
    shown = capsys.readouterr().out
    assert [name for name in PRESENT if f"  {name} " not in shown] == []
    assert "Example:\n    catwalk " in shown
    assert cli.main([]) == 0
    assert capsys.readouterr().out == shown


def test_the_overview_imports_no_command() -> None:
    program = (
        "import sys; from deploy.cli.main import main; main(['--help'])\n"
        "sys.exit(' '.join(m for m in sys.modules if m.startswith(('processors', 'producers', 'chdb', 'rich'))) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", PRESENT)
def test_every_command_has_help_with_an_example_of_itself(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Example" in shown
    assert f"  catwalk {name}" in shown.partition("Example")[2]


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"catwalk {version('catwalk')}\n"


@pytest.mark.parametrize(
    "arguments", [["nope"], ["--nope"], ["replay"], ["replay", "--out"], ["doctor", "-x"]]
)
def test_a_wrong_call_is_one_line_and_status_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.startswith("catwalk: ")
    assert shown.err.count("\n") == 1
    assert shown.err.endswith("--help`\n")


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (UserError("a", "b\nc", "d"), "catwalk: a: b c; d\n"),
        (Refused(), "catwalk: ledger x: is torn; restore it\n"),
        (FileNotFoundError(2, "No such file or directory", "x.ndjson"), "catwalk: x.ndjson: No such file"),
        (
            PermissionError(13, "Permission denied", "out"),
            "catwalk: out: Permission denied; check the rights",
        ),
        (OSError(28, "No space left on device"), "catwalk: input or output: No space left on device; "),
        (click.FileError("x", "is odd"), "catwalk: arguments: Could not open file 'x': is odd; "),
    ],
)
def test_a_users_mistake_is_one_line_and_never_a_traceback(
    error: Exception, line: str, command: list[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    command.append(error)
    assert cli.main(["replay"]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith(line)
    assert shown.count("\n") == 1


def test_a_defect_of_ours_is_shown_whole_and_is_not_taken_for_a_finding(
    command: list[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    command.append(ZeroDivisionError("by nought"))
    assert cli.main(["replay"]) == 2
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert shown.endswith("catwalk: defect: ZeroDivisionError: by nought; report it with the lines above\n")


def test_an_interrupt_ends_quietly_with_130(
    command: list[Exception], capsys: pytest.CaptureFixture[str]
) -> None:
    command.append(click.Abort())
    assert cli.main(["replay"]) == 130
    assert capsys.readouterr().err == "catwalk: stopped\n"


@pytest.mark.parametrize(
    ("asked", "status", "said"), [(signal.SIGINT, 130, "catwalk: stopped\n"), (signal.SIGTERM, 143, "")]
)
def test_a_running_command_that_is_asked_to_end_lets_go_without_a_traceback(
    asked: signal.Signals, status: int, said: str
) -> None:
    program = (
        "import sys, time, click; from deploy.cli import main as cli\n"
        "@click.command()\n"
        "def waiting():\n"
        "    try:\n"
        "        print('ready', flush=True)\n"
        "        while True: time.sleep(0.1)\n"  # a signal just before a long sleep would wait for its end
        "    finally: print('let go')\n"
        "cli.Subcommand.load = lambda self: waiting\n"
        "sys.exit(cli.main(['doctor']))"
    )
    with start(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        running.send_signal(asked)
        left, shown = running.communicate(timeout=PATIENCE)
    assert (running.returncode, left, shown) == (status, "let go\n", said)


def test_a_reader_that_goes_away_leaves_no_complaint() -> None:
    script = (
        f"set -o pipefail; {sys.executable} -m deploy.cli doctor | true"  # gone long before the first line
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_cannot_be_written_is_said(unbuffered: str) -> None:
    script = f"{sys.executable} -m deploy.cli doctor > /dev/full"
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert done.returncode == 2
    assert done.stderr.startswith("catwalk: ")
    assert done.stderr.count("\n") == 1


def test_a_shell_can_complete_commands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_CATWALK_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "catwalk doc")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert cli.main([]) == 0
    assert capsys.readouterr().out == "plain,doctor\n"
