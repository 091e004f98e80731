"""One table's state as a message: small, and no larger for a property of many tables or a table of many days.

Words (dealers, rulesets, days) stand once and are named by their place; counters are lists of numbers in the order in
which `CounterMessage` declares them, so that a later release may add some behind them.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

import msgspec
from msgspec import Struct

from processors.runtime.analyst.tallies import Grain, Stint, TableTally
from schemas.counters import CounterMessage

_NAMED: Final = ("property", "gaming_day", "subject", "ruleset", "dealer")
_COUNTS: Final = tuple(name for name in CounterMessage.__struct_fields__ if name not in _NAMED)


class PackedTable(Struct, frozen=True, array_like=True):
    """A table's state behind these offsets of rounds and findings; `begun` is the offset at which counting began.

    `grains` are places of property, day, ruleset and dealer among the words; `stints` name a grain by its place.
    """

    fold_version: int
    partition: int
    begun: int
    rounds: int
    findings: int
    subject: str
    covered: int
    reached: int
    shoe: int
    ended: dt.datetime | None
    words: list[str]
    grains: list[tuple[int, int, int, int]]
    stints: list[tuple[int, int]]
    counters: list[list[int]]
    waiting: list[tuple[int, str]]
    seen: bytes

    def unpack(self) -> TableTally:
        """The state, to go on from."""
        words = self.words
        grains = [
            (words[owner], dt.date.fromisoformat(words[day]), words[ruleset], words[dealer])
            for owner, day, ruleset, dealer in self.grains
        ]
        counters = {
            grains[place]: _with_counts(self.subject, grains[place], counts)
            for place, *counts in self.counters
        }
        return TableTally(
            subject=self.subject,
            covered=self.covered,
            reached=self.reached,
            shoe=self.shoe,
            ended=self.ended,
            stints=[Stint(sequence, grains[place]) for sequence, place in self.stints],
            counters=counters,
            waiting=self.waiting,
            seen=self.seen,
            rounds=self.rounds,
            findings=self.findings,
        )


def packed(table: TableTally, fold_version: int, partition: int, begun: int) -> PackedTable:
    """The state of a table as a message."""
    words: dict[str, int] = {}
    grains: dict[tuple[int, int, int, int], int] = {}

    def word(text: str) -> int:
        return words.setdefault(text, len(words))

    def grain(owner: str, day: dt.date, ruleset: str, dealer: str) -> int:
        named = (word(owner), word(day.isoformat()), word(ruleset), word(dealer))
        return grains.setdefault(named, len(grains))

    stints = [(stint.sequence, grain(*stint.grain)) for stint in table.stints]
    counters = [
        [grain(*of), *(getattr(counter, name) for name in _COUNTS)] for of, counter in table.counters.items()
    ]
    return PackedTable(
        fold_version=fold_version,
        partition=partition,
        begun=begun,
        rounds=table.rounds,
        findings=table.findings,
        subject=table.subject,
        covered=table.covered,
        reached=table.reached,
        shoe=table.shoe,
        ended=table.ended,
        words=list(words),
        grains=list(grains),
        stints=stints,
        counters=counters,
        waiting=table.waiting,
        seen=table.seen,
    )


def _with_counts(subject: str, grain: Grain, counts: list[int]) -> CounterMessage:
    owner, day, ruleset, dealer = grain
    none = CounterMessage(property=owner, gaming_day=day, subject=subject, ruleset=ruleset, dealer=dealer)
    return msgspec.structs.replace(none, **dict(zip(_COUNTS, counts, strict=False)))


encode: Final = msgspec.msgpack.Encoder().encode
decode: Final = msgspec.msgpack.Decoder(PackedTable).decode
