"""The store of records as the console asks it: few questions at once, none for ever, and none while it is away."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from typing import Any, Final

from dashboards.reader.question import Parameter, Reader, RecordsAway
from processors.runtime.store.warehouse import WarehouseError

WORKERS: Final = 4  # connections: a thread of the web server that is gone would leave its own behind
ANSWER_SECONDS: Final = 20.0
LOOK_SECONDS: Final = 5.0  # for the question whether it answers at all
REST_SECONDS: Final = 2.0  # that a store which does not answer is not asked again
SILENT_SECONDS: Final = 30.0  # the same of one that keeps silent: all who ask it meanwhile would wait too


class StoreRecords:
    """`Reader` of a store on a server; any thread may ask."""

    def __init__(
        self,
        store: Reader,
        away: type[WarehouseError],
        seconds: float = ANSWER_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Ask `store`; `away` is what it raises when it does not answer."""
        self._store, self._away = store, away
        self._seconds, self._clock = seconds, clock
        self._rest_until = float("-inf")
        self._pool = ThreadPoolExecutor(WORKERS, "records")
        self.trouble: str | None = None

    def query(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> list[tuple[Any, ...]]:
        """Rows of the answer.

        Raises:
            RecordsAway: the store does not answer, or not in time.
            WarehouseError: it refuses the question.
        """
        if self._clock() < self._rest_until and self.trouble is not None:
            raise RecordsAway(self.trouble)
        return self._ask(sql, parameters or {}, self._seconds)

    def look(self) -> None:
        """Ask whether it answers, also while nobody else may."""
        try:
            self._ask("SELECT 1", {}, min(LOOK_SECONDS, self._seconds))
        except RecordsAway:
            return
        except WarehouseError as error:
            self.trouble = f"{error.why}; {error.remedy}"

    def close(self) -> None:
        """Ask no more; what is being asked ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _ask(self, sql: str, parameters: Mapping[str, Parameter], seconds: float) -> list[tuple[Any, ...]]:
        try:
            rows = self._pool.submit(self._store.query, sql, parameters).result(seconds)
        except TooLate as error:
            raise self._rest("no answer in time", SILENT_SECONDS) from error
        except WarehouseError as error:
            if isinstance(error, self._away):
                raise self._rest(error.why, REST_SECONDS) from error
            raise
        self.trouble = None
        return rows

    def _rest(self, why: str, seconds: float) -> RecordsAway:
        self.trouble = why
        self._rest_until = self._clock() + seconds
        return RecordsAway(why)
