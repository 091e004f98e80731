"""What the workers need of the settings, and how a worker process runs, is stopped, and fails."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Awaitable, Callable
from typing import Final

from deploy.errors import DONE, IMPOSSIBLE, UserError
from deploy.settings import Settings
from processors.runtime.brokers.connection import Brokers
from processors.runtime.watch.logs import write_logs
from schemas.answers import FOLD_VERSION


def brokers_of(settings: Settings, fold: int = FOLD_VERSION) -> Brokers:
    """The Kafka cluster that the settings name, with the topics and groups of this version of the fold."""
    return Brokers(
        fold=fold,
        servers=settings.kafka,
        prefix=settings.kafka_prefix,
        security=settings.kafka_security.upper(),  # type: ignore[arg-type] # the four that it may be
        mechanism=settings.kafka_mechanism,
        user=settings.kafka_user,
        password=settings.kafka_password,
        ca_file=settings.kafka_ca,
        cert_file=settings.kafka_certificate,
        key_file=settings.kafka_certificate_key,
    )


_LAST_SECONDS: Final = 5.0
_IN_ONE_PROCESS: Final = {
    "sink": ("there `catwalk fold` stores what it folds", "run `catwalk fold`"),
    "analyst": (
        "there no counters are kept: the store's rounds and stakes are summed when asked",
        "leave it out",
    ),
    "reconcile --every": (
        "the store is one process's at a time",
        "run `catwalk reconcile` when nothing else has it",
    ),
    "lag": ("there nobody is behind but the store", "run `catwalk fold --once`"),
}


def require_distributed(settings: Settings, command: str) -> None:
    """Refuse what works on topics where everything runs in one process.

    Raises:
        UserError: the mode is embedded.
    """
    if settings.mode != "distributed":
        why, instead = _IN_ONE_PROCESS.get(command, ("there no topics are", ""))
        remedy = 'set CATWALK_MODE=distributed, or eval "$(catwalk stack env)"'
        remedy = f"{instead}; for topics {remedy}" if instead else remedy
        raise UserError(f"catwalk {command}", f"the setting mode is embedded: {why}", remedy)


def run_worker(name: str, work: Callable[[asyncio.Event], Awaitable[None]]) -> None:
    """Run a worker until it is told to stop (TERM, INT) or cannot go on; its log goes to stderr as JSON lines.

    `work` is given an event that is set when it is to make everything durable and return. A second signal ends the
    process at once: nothing that was acknowledged is lost by that.

    Raises:
        Exception: what it could not deal with.
    """
    write_logs(name, sys.stderr)

    async def main() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()

        def asked(number: int) -> None:
            if stop.is_set():
                os._exit(128 + number)
            stop.set()

        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, asked, number)
        status = IMPOSSIBLE
        try:
            await work(stop)
            status = DONE
        finally:
            _end_within(_LAST_SECONDS, status)

    asyncio.run(main())


def _end_within(seconds: float, status: int) -> None:
    """End this process so soon: threads of client libraries may go on waiting for a server that stands still."""
    last = threading.Timer(seconds, os._exit, (status,))
    last.daemon = True
    last.start()
