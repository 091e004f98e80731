"""Fold everything again, and compare what comes of it with what was there."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from deploy.configured.embedded import embedded, fold_what_is_new
from deploy.configured.store import open_store
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.settings import Settings
from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import Lag
from processors.runtime.brokers.preflight import answered
from processors.runtime.brokers.store_lag import StoreLagMeter
from processors.runtime.embedded.progress import StoreDiverged
from processors.runtime.rebuild.begin_again import begin_again, refuse_if_any_runs
from processors.runtime.rebuild.fingerprints import (
    Difference,
    Fingerprints,
    differences,
    fingerprints,
    row_counts,
    written_by_this_fold,
)
from processors.runtime.sink.kept import keep_offsets, kept_offsets
from processors.runtime.store.warehouse import Warehouse

Say = Callable[[str], None]
_STOP_SECONDS: Final = 30.0
_LOOK: Final = 0.5


class Rebuilt(Struct, frozen=True, kw_only=True):
    """What was there before and after; `seconds` is the time of folding and storing everything again."""

    before: dict[str, int]
    after: dict[str, int]
    differences: list[Difference]
    seconds: float

    @property
    def events_per_second(self) -> float:
        """Events folded and stored again, a second."""
        return self.after["events"] / self.seconds if self.seconds else 0.0


def rebuild(settings: Settings, workers: int, seconds: float, say: Say) -> Rebuilt:
    """Empty the store, fold the ledger from its beginning, and compare.

    Raises:
        UserError: it did not come to the end in time, or a worker failed.
        WorkersRun: a worker is at work.
        WarehouseError: the store does not answer.
    """
    if settings.mode == "embedded":
        return _embedded(settings, say)
    return _distributed(settings, workers, seconds, say)


def _embedded(settings: Settings, say: Say) -> Rebuilt:
    with embedded(settings) as held:
        if written_by_this_fold(held.store):
            say("folding what is new")
            with suppress(StoreDiverged):  # then the comparison will say where
                fold_what_is_new(held)
        before = fingerprints(held.store)
        say("folding everything again")
        held.store.clear()
        begun = time.monotonic()
        fold_what_is_new(held)
        return _compared(before, held.store, time.monotonic() - begun)


def _distributed(settings: Settings, workers: int, seconds: float, say: Say) -> Rebuilt:
    brokers = brokers_of(settings)
    asyncio.run(answered(brokers, lambda: refuse_if_any_runs(brokers)))
    store = open_store(settings)

    def meter() -> StoreLagMeter:
        return StoreLagMeter(brokers, lambda: kept_offsets(store))

    try:
        lag = asyncio.run(_measured(brokers, meter()))
        counted = "analyst" not in lag.absent
        if lag.faults:  # no worker would go on: what there is is compared as it is
            worst = lag.faults[0]
            say(f"{worst.what}: {worst.why}; what is there is compared as it is")
        elif written_by_this_fold(
            store
        ):  # else that would fold everything, and leave nothing to compare with
            say("folding what is new")
            _work(settings, brokers, meter(), workers, counted, seconds)
        before = fingerprints(store)
        say("folding everything again")
        begins = asyncio.run(begin_again(brokers))
        store.clear()
        keep_offsets(store, begins)
        begun = time.monotonic()
        _work(settings, brokers, meter(), workers, counted, seconds)
        return _compared(before, store, time.monotonic() - begun)
    finally:
        store.close()


def _compared(before: Fingerprints, store: Warehouse, seconds: float) -> Rebuilt:
    after = fingerprints(store)
    return Rebuilt(
        before=row_counts(before),
        after=row_counts(after),
        differences=differences(before, after),
        seconds=seconds,
    )


async def _measured(brokers: Brokers, meter: StoreLagMeter) -> Lag:
    try:
        return await answered(brokers, meter.measure)
    finally:
        await meter.stop()


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
                    raise UserError(
                        "rebuild", "a worker ended", "read the rebuild-*.log files in the data folder"
                    )
            lag = await answered(brokers, meter.measure)
            if not (lag.behind or lag.unknown):
                return
            if time.monotonic() > until:
                why = lag.unknown or f"{lag.behind:,} records are left after {seconds:,.0f} s"
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
                started.append(
                    subprocess.Popen(
                        [sys.executable, "-m", "deploy.cli", kind, "--health-port", "0"],
                        env=os.environ,
                        stdout=log,
                        stderr=log,
                    )
                )
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
