"""The desk's ledger in the distributed deployment: a topic of one partition that every console reads and writes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from dashboards.desk.desk import DeskInDoubt, DeskUnavailable, Outrun
from deploy.cli.kafka import connection
from deploy.cli.settings import Settings
from producers.kafka.chain_topic import ChainTopic, InDoubt
from producers.kafka.connection import Connection, Patience
from producers.log import Fenced, Head, LedgerError
from schemas.topics import DESK

# People wait for it: brokers that do not answer are told of after seconds, and asked again by the next one.
PATIENCE = Patience(connect=2_000, look=2_000, request=3_000, delivery=4_000)


class KafkaDeskLog:
    """`DeskLog` in the topic `catwalk.desk`; `producers.kafka.chain_topic` says how it meets rivals and crashes."""

    def __init__(self, chain: ChainTopic) -> None:
        self._chain = chain

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
        try:
            self._chain.append(lines, Head(after, head))
        except Fenced as error:
            raise Outrun from error
        except InDoubt as error:
            raise DeskInDoubt(str(error)) from error
        except LedgerError as error:
            raise DeskUnavailable(str(error)) from error

    def read_from(self, sequence: int) -> Iterator[tuple[int, bytes]]:
        """Sequence and line of the records from this one on; the first call reads the topic to its end."""
        try:
            yield from self._chain.read_from(sequence)
        except LedgerError as error:
            raise DeskUnavailable(str(error)) from error

    def close(self) -> None:
        """Let go of the brokers."""
        self._chain.close()


def for_people(settings: Settings) -> Connection:
    """The brokers, asked by someone who waits for the answer."""
    return replace(connection(settings), patience=PATIENCE)


def desk_topic(settings: Settings) -> KafkaDeskLog:
    """The desk's ledger on the brokers that the settings name; nothing is reached yet."""
    return KafkaDeskLog(ChainTopic(for_people(settings), DESK))
