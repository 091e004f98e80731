"""Server processes that outlive the command which started them: start, stop, kill, pause, and who is alive."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from deploy.errors import UserError

TERM_SECONDS: Final = 20.0  # a broker closes its logs within a few seconds
POLL_SECONDS: Final = 0.05
PAUSE_SECONDS: Final = 5.0

# The shell starts the server in the background and leaves, so that the system and not the caller is its
# parent: nobody waits for it, and no terminal that closes takes it along.
_LAUNCHER: Final = 'log=$1; shift; "$@" </dev/null >>"$log" 2>&1 & echo $!'


class Identity(msgspec.Struct, frozen=True):
    """A process for certain: its id, and when it began in clock ticks since boot; ids are used again."""

    pid: int
    started: int


def identify(pid: int) -> Identity | None:
    """The process of that id if it runs; None for one that has ended, waited for or not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return None
    state, *fields = stat[stat.rindex(")") + 2 :].split()
    # A process that nobody has waited for holds its ports until its last thread has ended.
    ended = state in "ZX" and int(fields[16]) <= 1
    return None if ended else Identity(pid, int(fields[18]))


@dataclass(frozen=True, slots=True)
class Process:
    """One server process: `name` for people, its files in `folder`."""

    name: str
    folder: Path

    @property
    def log(self) -> Path:
        """What the server wrote, all starts one after the other."""
        return self.folder / "log"

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""
        try:
            said = msgspec.json.decode((self.folder / "pid").read_bytes(), type=Identity)
        except (OSError, msgspec.DecodeError):
            return None
        return said.pid if identify(said.pid) == said else None

    def start(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        """Start it, unless it runs."""
        if self.pid is not None:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        launched = subprocess.run(
            ["sh", "-c", _LAUNCHER, "catwalk-stack", str(self.log), *command],
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            check=True,
            start_new_session=True,
            cwd=self.folder,
        )
        identity = identify(int(launched.stdout))
        if identity is None:
            raise self.died()
        (self.folder / "pid").write_bytes(msgspec.json.encode(identity))

    def wait_until(self, ready: Callable[[], bool], seconds: float) -> None:
        """Return when it is ready.

        Raises:
            UserError: it ended, or was not ready in time.
        """
        deadline = time.monotonic() + seconds
        while not ready():
            if self.pid is None:
                raise self.died()
            if time.monotonic() > deadline:
                remedy = f"read {self.log}, or try again: the machine may be slow"
                raise UserError(self.name, f"no answer within {seconds:.0f} s", remedy)
            time.sleep(POLL_SECONDS)

    def stop(self) -> bool:
        """Ask it to end, and end it if it does not; False if it did not run."""
        return stop_all([self], TERM_SECONDS)

    def ask_to_stop(self) -> bool:
        """Ask it to end; False if it did not run."""
        asked = self._signal(signal.SIGTERM)
        self._signal(signal.SIGCONT)  # one that is paused hears nothing
        return asked

    def kill(self) -> bool:
        """End it at once, as a power cut would; False if it did not run."""
        running = self._signal(signal.SIGKILL)
        if running and not self.gone_within(TERM_SECONDS):
            raise UserError(self.name, "it does not end", f"look at process {self.pid}")
        return running

    def pause(self) -> None:
        """Stop the process where it is: it keeps its connections and answers nothing."""
        self._signal(signal.SIGSTOP)
        deadline = time.monotonic() + PAUSE_SECONDS
        while (pid := self.pid) is not None and not _stands_still(pid) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS / 10)  # each thread stops when it next runs

    def resume(self) -> None:
        """Let a paused process go on."""
        self._signal(signal.SIGCONT)

    def died(self) -> UserError:
        """What to tell when it ended by itself."""
        return UserError(self.name, f"it ended: {self._last_words()}", f"read {self.log}")

    def _last_words(self) -> str:
        try:
            lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return "without a word"
        worst = [line for line in lines[-200:] if "ERROR" in line or "Exception" in line or "Error" in line]
        said = [line for line in worst or lines if line.strip()]
        return said[-1].strip()[:200] if said else "without a word"

    def _signal(self, number: signal.Signals) -> bool:
        pid = self.pid
        if pid is None:
            return False
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return False
        return True

    def gone_within(self, seconds: float) -> bool:
        """Whether it has ended, waiting so long for it."""
        deadline = time.monotonic() + seconds
        while self.pid is not None:
            if time.monotonic() > deadline:
                return False
            time.sleep(POLL_SECONDS)
        return True


def _stands_still(pid: int) -> bool:
    """Whether every thread of a process has stopped."""
    for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
        try:
            said = stat.read_text(encoding="utf-8")
        except OSError:
            continue  # that thread has ended
        if said[said.rindex(")") + 2] not in "TtZX":
            return False
    return True


def stop_all(processes: Sequence[Process], seconds: float) -> bool:
    """Ask all to end at once, and end those that have not after so many seconds; False if none ran."""
    asked = [process for process in processes if process.ask_to_stop()]
    deadline = time.monotonic() + seconds
    for process in asked:
        if not process.gone_within(max(deadline - time.monotonic(), 0.0)):
            process.kill()
    return bool(asked)
