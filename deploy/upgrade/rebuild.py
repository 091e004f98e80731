"""Fold everything again, and compare what comes of it with what was there."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import Struct

from deploy.backup.answers import OldHouse
from deploy.configured.embedded import embedded, fold_what_is_new
from deploy.configured.standing import standing
from deploy.configured.store import open_store
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.settings import Settings
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.preflight import answered
from processors.runtime.brokers.store_lag import StoreLagMeter
from processors.runtime.embedded.progress import StoreDiverged
from processors.runtime.rebuild import digests
from processors.runtime.rebuild.begin_again import begin_again, refuse_if_any_runs
from processors.runtime.reconcile.marks import other_version
from processors.runtime.sink.kept import keep_offsets, kept_offsets
from processors.runtime.store.warehouse import Warehouse
from schemas.amounts import amount, verb

Say = Callable[[str], None]
_STOP_SECONDS: Final = 30.0
_LOOK: Final = 0.5


class Rebuilt(Struct, frozen=True, kw_only=True):
    """What was there before and after; `seconds` is the time of folding and storing everything again.

    `compared` says what the store held before. `unlike_copy` is where the house of a copy had answered otherwise; None
    where no copy was named.
    """

    compared: str
    before: dict[str, int]
    after: dict[str, int]
    differences: list[str]
    seconds: float
    unlike_copy: list[str] | None = None

    @property
    def events_per_second(self) -> float:
        """Events folded and stored again, a second."""
        return self.after["events"] / self.seconds if self.seconds else 0.0


def rebuild(
    settings: Settings, workers: int, seconds: float, say: Say, against: Path | None = None
) -> Rebuilt:
    """Empty the store, fold the ledger from its beginning, and compare; also with what the house of a copy answered.

    Raises:
        UserError: it did not come to the end in time, or a worker failed; the copy holds no answers.
        WorkersRun: a worker is at work.
        WarehouseError: the store does not answer.
    """
    old = OldHouse(against) if against is not None else None
    if settings.mode == "embedded":
        return _embedded(settings, say, old)
    return _distributed(settings, workers, seconds, say, old)


def _embedded(settings: Settings, say: Say, old: OldHouse | None) -> Rebuilt:
    with embedded(settings) as held:
        held_before = _held(held.store)
        if other_version(held.store) is None:
            say("folding what is new")
            with suppress(StoreDiverged):  # then the comparison will say where
                fold_what_is_new(held)
        before = digests.fingerprints(held.store)
        say("folding everything again")
        held.store.clear()
        begun = time.monotonic()
        fold_what_is_new(held)
        return _compared(held_before, before, held.store, time.monotonic() - begun, old)


def _distributed(settings: Settings, workers: int, seconds: float, say: Say, old: OldHouse | None) -> Rebuilt:
    brokers = brokers_of(settings)
    asyncio.run(answered(brokers, lambda: refuse_if_any_runs(brokers)))
    with closing(open_store(settings)) as store:
        meter = partial(StoreLagMeter, brokers, lambda: kept_offsets(store))
        lag = standing(settings)
        counted = "analyst" not in lag.absent or (old is not None and old.counted)
        held_before = _held(store)
        if lag.faults:  # no worker would go on: what there is is compared as it is
            held_before = "the store as it stood, behind what its sinks have acknowledged,"
            worst = lag.faults[0]
            say(f"{worst.what}: {worst.why}; what is there is compared as it is")
        elif other_version(store) is None:
            # Else that would fold everything, and leave nothing to compare with.
            say("folding what is new")
            _work(settings, brokers, meter(), workers, counted, seconds)
        before = digests.fingerprints(store)
        say("folding everything again")
        begins = asyncio.run(begin_again(brokers, counted=counted))
        store.clear()
        keep_offsets(store, begins)
        begun = time.monotonic()
        _work(settings, brokers, meter(), workers, counted, seconds)
        return _compared(held_before, before, store, time.monotonic() - begun, old)


def _held(store: Warehouse) -> str:
    """What a rebuild compares with, asked before it begins."""
    if other_version(store) is not None:
        return "the store as another fold had filled it"
    [[rows]] = store.query("SELECT count() FROM progress")
    if not rows:
        return "a first folding of the ledger into the empty store"
    return "the store as it stood, with what was new in the ledger,"


def _compared(
    compared: str,
    before: list[digests.RowsDigest],
    store: Warehouse,
    seconds: float,
    old: OldHouse | None,
) -> Rebuilt:
    after = digests.fingerprints(store)
    return Rebuilt(
        compared=compared,
        before=digests.row_counts(before),
        after=digests.row_counts(after),
        differences=digests.differences(before, after),
        seconds=seconds,
        unlike_copy=old.differences(store) if old is not None else None,
    )


def _work(
    settings: Settings, brokers: Brokers, meter: StoreLagMeter, workers: int, counted: bool, seconds: float
) -> None:
    """Run workers of our own until nothing is behind."""
    kinds = ["fold"] * workers + (["analyst"] if counted else []) + ["sink"]
    with _processes(kinds, Path(settings.data)) as started:
        asyncio.run(_caught_up(brokers, meter, started, seconds))


async def _caught_up(
    brokers: Brokers, meter: StoreLagMeter, started: Sequence[subprocess.Popen[bytes]], seconds: float
) -> None:
    until = time.monotonic() + seconds
    try:
        while True:
            for process in started:
                if process.poll() is not None:
                    remedy = "read the rebuild-*.log files in the data folder"
                    raise UserError("rebuild", "a worker ended", remedy)
            lag = await answered(brokers, meter.measure)
            if not (lag.behind or lag.unknown):
                return
            if time.monotonic() > until:
                why = (
                    lag.unknown
                    or f"{amount(lag.behind, 'record')} {verb(lag.behind, 'is')} left after {seconds:,.0f} s"
                )
                raise UserError("rebuild", why, "start the workers: they go on; or allow more by --seconds")
            await asyncio.sleep(_LOOK)
    finally:
        await meter.stop()


@contextmanager
def _processes(kinds: Sequence[str], folder: Path) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Worker processes, told to stop at the end; their logs are files in the folder."""
    started: list[subprocess.Popen[bytes]] = []
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for number, kind in enumerate(kinds):
            with (folder / f"rebuild-{kind}-{number}.log").open("ab") as log:
                command = [sys.executable, "-m", "deploy.cli", kind, "--health-port", "0"]
                started.append(subprocess.Popen(command, env=os.environ, stdout=log, stderr=log))
        yield started
    finally:
        for process in started:
            process.terminate()
        for process in started:
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
