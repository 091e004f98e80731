"""Shoes that lack cards of their decks, or hold cards of others: what is said of the one shoe that shows it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from processors.core.state import Table
from processors.detectors.evidence.logs import plain
from processors.detectors.evidence.rates import rate_ratios
from processors.detectors.mixture import Mixture, fresh, weigh
from processors.detectors.shapes import Closed, Happened
from processors.detectors.shuffling import wholeness
from processors.detectors.shuffling.over_shoes import OverShoes, in_words, shown
from processors.detectors.shuffling.wholeness import LOST, MORE_LOST, Foreign, ShoeWatch
from schemas.amounts import amount

_NAMED = 16


class Decks(Struct):
    """One table: how its shoes were seen, the evidence of missing cards, and that of cards of other batches.

    named: what was said of which batch (`short B1`), until one of its shoes shows that it is in order again.
    """

    watch: ShoeWatch = field(default_factory=ShoeWatch)
    short: Mixture = field(default_factory=lambda: fresh(len(MORE_LOST)))
    others: OverShoes = field(default_factory=OverShoes)
    named: list[str] = field(default_factory=list)


class ShoeEvidence(Struct, frozen=True):
    """Evidence about the shoe in play, or at its end: an alarm's parts, before the variant's share is paid."""

    variant: str
    batch: str
    e_value: float
    expected: dict[str, object]
    observed: dict[str, object]
    message: str


def happened(decks: Decks, event: Happened) -> Iterator[ShoeEvidence]:
    """Take the load of a shoe, or its end."""
    opened = wholeness.laid_open(decks.watch, event)
    if opened is None:
        return
    table, name = event.table, opened.batch.name
    found = wholeness.foreign(table, opened.racked, opened.drawn, opened.extra)
    if found is None and opened.missing is not None:
        in_order(decks, "migrated", name)
    yield from _migrated(decks, table, found)
    if opened.missing is None:
        return
    cards, missing = opened.batch.cards, opened.missing
    factors = rate_ratios(MORE_LOST, LOST, missing, cards)
    evidence = weigh(decks.short, factors)
    if max(factors) <= 1:
        in_order(decks, "short", name)
    elif missing:
        yield ShoeEvidence(
            "short",
            name,
            evidence,
            {"missing_by_chance": round(cards * LOST, 1), "cards": cards},
            {"missing": missing},
            f"{amount(missing, 'card')} of batch {name} did not come out of shoe {opened.shoe.number}, neither by "
            f"the shoe's word nor by the rack's; devices in order miss {cards * LOST:.1f} of {cards}: it was dealt "
            "short.",
        )


def in_order(decks: Decks, variant: str, batch: str) -> None:
    """What was said of a batch is over: it is worth saying when it comes again."""
    mark = f"{variant} {batch}"
    if mark in decks.named:
        decks.named.remove(mark)


def newly(decks: Decks, said: ShoeEvidence) -> bool:
    """Whether this was not said of the batch yet; from now on it was."""
    mark = f"{said.variant} {said.batch}"
    if mark in decks.named:
        return False
    decks.named = [*decks.named, mark][-_NAMED:]
    return True


def loaded(decks: Decks) -> None:
    """A shoe is loaded."""
    decks.others.begin()
    wholeness.loaded(decks.watch)


def closed(decks: Decks, told: Closed) -> Iterator[ShoeEvidence]:
    """Take a round: a card of another batch may come in any."""
    wholeness.told(decks.watch, told)
    if wholeness.suspects(told.table):
        facts = told.table.decks
        yield from _migrated(decks, told.table, wholeness.foreign(told.table, facts.rack, facts.drawn, 0))


def _migrated(decks: Decks, table: Table, found: Foreign | None) -> Iterator[ShoeEvidence]:
    if found is None:
        return
    shoe, batch = table.shoe, table.batches[table.shoe.batch]
    seen = found.in_words(batch)
    evidence = decks.others.take(plain(found.log_e), shoe.number, seen, "migrated")
    before = decks.others.before()
    yield ShoeEvidence(
        "migrated",
        batch.name,
        evidence,
        {"of_each_card_at_most": batch.decks, "cards": batch.cards},
        {"cards": found.cards, "extra": found.extra, **shown(before)},
        f"{seen} came out of shoe {shoe.number}, by its own word and the rack's, where {batch.decks} decks have "
        f"{batch.decks} of each and {batch.cards} in all: a card has come to it from other decks"
        f"{f', as to {in_words(before)}' if before else ''}.",
    )
