"""The desk's ledger in the distributed deployment: a topic of one partition that every console reads and writes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from msgspec.structs import replace

from dashboards.ledger.ledger import DeskAltered, DeskInDoubt, DeskUnavailable, Outrun
from dashboards.ledger.ledger import LedgerHead as DeskHead
from deploy.configured.kafka import connection
from deploy.settings import Settings
from producers.kafka.chain_topic import ChainTopic, InDoubt
from producers.kafka.connection import ClientPatience, Connection
from producers.log import Fenced, Head, LedgerError, LedgerUnusable
from schemas.topics import DESK

# People wait for it: brokers that do not answer are told of after seconds, and asked again by the next one.
PATIENCE = ClientPatience(connect=2_000, look=2_000, request=3_000, delivery=4_000)
LOST_FOR: Final = 10.0  # seconds: after a failure brokers may tell an end that is too low, for moments
SETTLE: Final = LOST_FOR  # the same for who has just started


class KafkaDeskLog:
    """`DeskLog` in the topic `catwalk.desk`; `producers.kafka.chain_topic` says how it meets rivals and crashes."""

    def __init__(self, chain: ChainTopic, clock: Callable[[], float] = time.monotonic) -> None:
        self._chain = chain
        self._clock = clock
        self._lost_since: float | None = None

    @property
    def trouble(self) -> str | None:
        """Why it cannot be read or written now."""
        return self._chain.trouble

    @property
    def void(self) -> int:
        """Frames that came second to a rival's."""
        return self._chain.void

    def append(self, lines: Sequence[bytes], after: int, head: str) -> None:
        """Append all lines behind the record `after`, or none of them."""
        with self._told():
            self._chain.append(lines, Head(after, head))

    def read_from(self, sequence: int) -> Iterator[tuple[int, bytes]]:
        """Sequence and line of the records from this one on; the first call reads the topic to its end."""
        with self._told():
            yield from self._chain.read_from(sequence)
            self._lost_since = None

    def head(self) -> DeskHead:
        """The last record that was read: a topic notes none, and `reread` finds what was put in its place."""
        return DeskHead(*self._chain.head)

    def reread(self) -> Iterator[tuple[int, bytes]]:
        """All records that count, from the brokers."""
        with self._told():
            yield from self._chain.reread()

    def close(self) -> None:
        """Let go of the brokers."""
        self._chain.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What the topic raises, in the desk's words; that it has lost records only once it goes on saying so."""
        try:
            yield
        except Fenced as error:
            raise Outrun from error
        except InDoubt as error:
            raise DeskInDoubt(str(error)) from error
        except LedgerUnusable as error:
            now = self._clock()
            self._lost_since = now if self._lost_since is None else self._lost_since
            if now - self._lost_since < LOST_FOR:
                raise DeskUnavailable(str(error)) from error
            raise DeskAltered(str(error)) from error
        except LedgerError as error:
            raise DeskUnavailable(str(error)) from error


def for_people(settings: Settings) -> Connection:
    """The brokers, asked by someone who waits for the answer."""
    return replace(connection(settings), patience=PATIENCE)


def desk_topic(settings: Settings) -> KafkaDeskLog:
    """The desk's ledger on the brokers that the settings name; nothing is reached yet."""
    return KafkaDeskLog(ChainTopic(for_people(settings), DESK))
