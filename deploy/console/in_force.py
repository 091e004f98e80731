"""What a console takes of the version of the fold that is in force, and of the next one from the switch on.

The topic of versions is followed; findings, records and lag are asked of whichever version it names, without a restart.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from dashboards.reader.question import Parameter, Reader
from processors.runtime.brokers.claimed import FollowedTopic
from processors.runtime.brokers.lag import Lag
from processors.runtime.watch.metrics import WorkerMetrics
from producers.log import LedgerError
from schemas import fold_versions
from schemas.answers import FOLD_VERSION
from schemas.errors import ActionableError

_WAIT: Final = 0.5
_PAUSE: Final = 0.5


class Store(Reader, Protocol):
    """A store of records that can be let go of."""

    def close(self) -> None:
        """Disconnect."""


class Meter(Protocol):
    """Says how far the workers of one version are behind."""

    async def measure(self) -> Lag:
        """The lag now."""

    async def stop(self) -> None:
        """Let go of the connections."""


class NewerInForce(ActionableError):
    """A newer fold is in force: what its results say this release may not even know the names of."""

    def __init__(self, fold: int) -> None:
        why = f"fold {fold} is in force, and this release shows what folds up to {FOLD_VERSION} make"
        remedy = "start the consoles of the newer release: they show what older folds make too"
        super().__init__("catwalk console", why, remedy)


class InForce:
    """The version in force, by the topic that names it; for one thread, any may ask."""

    def __init__(self, topic: FollowedTopic, metrics: WorkerMetrics) -> None:
        """Nothing is read yet."""
        self._topic, self._metrics = topic, metrics
        self._standing = fold_versions.VersionsStanding()
        self._fold = 0
        self.trouble: str | None = "the version in force is not read yet"

    @property
    def known(self) -> bool:
        """Whether the topic was read to its end."""
        return self._fold > 0

    @property
    def fold(self) -> int:
        """The version in force as last read; this release's own before."""
        return self._fold or FOLD_VERSION

    def step(self, seconds: float) -> None:
        """Read what is new.

        Raises:
            NewerInForce: this release does not know the version.
            LedgerError: the brokers do not answer, or have no such topic.
        """
        try:
            records = self._topic.take(seconds)
        except LedgerError as error:
            self.trouble = str(error)
            raise
        self._standing = fold_versions.read((one.value for one in records), self._standing)
        if self._topic.behind:
            return
        self.trouble = None
        self._fold = self._standing.fold
        self._metrics.fold.labels(self._metrics.worker).set(self._fold)
        if self._fold > FOLD_VERSION:
            raise NewerInForce(self._fold)

    def follow(self, ended: threading.Event) -> None:
        """Read until `ended`; brokers that are away are waited for.

        Raises:
            NewerInForce: this release does not know the version.
        """
        while not ended.is_set():
            try:
                self.step(_WAIT)
            except LedgerError:
                ended.wait(_PAUSE)


class FindingsInForce:
    """The findings of the version in force, from the first; behind a switch those of the other one, from the first."""

    def __init__(self, opened: Callable[[int], FollowedTopic], fold: Callable[[], int]) -> None:
        """`opened` follows the findings of a version, `fold` says which is in force."""
        self._opened, self._wanted = opened, fold
        self._fold = 0
        self._topic: FollowedTopic | None = None

    @property
    def fold(self) -> int:
        """The version whose findings were taken last; 0 before the first."""
        return self._fold

    @property
    def behind(self) -> int:
        """Records that wait."""
        return self._topic.behind if self._topic is not None else 0

    def take(self, seconds: float) -> list[Any]:
        """The next records.

        Raises:
            LedgerError: the brokers do not answer, or have no such topic.
        """
        wanted = self._wanted()
        if self._topic is None or wanted != self._fold:
            self.close()
            self._topic, self._fold = self._opened(wanted), wanted
        return self._topic.take(seconds)

    def close(self) -> None:
        """Let go of the brokers."""
        if self._topic is not None:
            self._topic.close()


class StoreInForce:
    """The records of the version in force; any thread may ask."""

    def __init__(self, opened: Callable[[int], Store], fold: Callable[[], int]) -> None:
        """`opened` is the store of a version, `fold` says which is in force."""
        self._opened, self._fold = opened, fold
        self._stores: dict[int, Store] = {}
        self._lock = threading.Lock()

    def query(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> list[tuple[Any, ...]]:
        """Rows of the answer."""
        fold = self._fold()
        with self._lock:
            store = self._stores.get(fold)
            if store is None:
                store = self._stores[fold] = self._opened(fold)
        return store.query(sql, parameters or {})

    def close(self) -> None:
        """Disconnect."""
        for store in self._stores.values():
            store.close()


class LagInForce:
    """How far the workers of the version in force are behind; one question at a time."""

    def __init__(self, opened: Callable[[int], Meter], fold: Callable[[], int]) -> None:
        """`opened` measures for a version, `fold` says which is in force."""
        self._opened, self._fold = opened, fold
        self._of = 0
        self._meter: Meter | None = None

    async def measure(self) -> Lag:
        """The lag now."""
        fold = self._fold()
        if self._meter is None or fold != self._of:
            await self.stop()
            self._meter, self._of = self._opened(fold), fold
        return await self._meter.measure()

    async def stop(self) -> None:
        """Let go of the connections."""
        meter, self._meter = self._meter, None
        if meter is not None:
            await meter.stop()
