"""A ClickHouse server on this machine, over its native protocol, loopback only.

It is the engine's own library: it has no port for other servers, makes no users by SQL, and ends when a sign-in fails
or when a client that is sending is killed.
What needs those is for the official server, which `deploy/compose.yaml` starts. Users of a file (`<users_config>`) it
has.
"""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy.stack.parts import clickhouse_engine
from deploy.stack.ports import answers
from deploy.stack.processes import Process

START_SECONDS: Final = 60.0
SERVER: Final = Path(__file__).with_name("clickhouse_server.py")


@dataclass(frozen=True, slots=True)
class ClickHouse:
    """One server; `config` is an XML file (`<macros>`, `<remote_servers>`, `<users_config>` ...) or None."""

    port: int
    process: Process
    config: Path | None = None

    def start(self) -> None:
        """Start it, on the data that is there; `wait` says when it answers.

        Raises:
            UserError: the engine is missing and cannot be fetched.
        """
        if self.process.pid is not None:
            return
        engine = clickhouse_engine()
        self.process.folder.mkdir(parents=True, exist_ok=True)
        self._ready.unlink(missing_ok=True)
        command = [sys.executable, str(SERVER), str(engine), str(self._data), str(self.port)]
        if self.config is not None:
            command.append(str(self.config))
        self.process.start(command, os.environ)

    def wait(self, seconds: float = START_SECONDS) -> None:
        """Return when it takes connections; one that comes before that would end it.

        Raises:
            UserError: it ended, or was not ready in time.
        """
        self.process.wait_until(self._ready.exists, seconds)
        self.process.wait_until(self.answers, seconds)

    def answers(self) -> bool:
        """Whether it takes connections."""
        return self._ready.exists() and self.process.pid is not None and answers(self.port)

    @property
    def _data(self) -> Path:
        return self.process.folder / "data"

    @property
    def _ready(self) -> Path:
        return self._data / "ready"
