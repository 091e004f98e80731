"""Shoes that do not hold the cards of their decks: ranks too few or too many, cards missing, cards of another batch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from math import exp, lgamma, log
from typing import Final

from msgspec import Struct, field

from processors.core.conservation import CARDS_OF_A_DECK
from processors.core.facts_decks import Batch, Shoe
from processors.core.folding.preparation import reshuffles_itself
from processors.core.state import Round, Table
from processors.detectors.evidence.logs import log_sum, plain
from processors.detectors.evidence.rates import rate_ratios
from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.mixture import Mixture, RoundsTold, fresh, heaviest, standing_of, weigh, weighed
from processors.detectors.shapes import Alarm, Closed, EvidenceStanding, Happened
from processors.detectors.shuffling import wholeness
from processors.detectors.shuffling.over_shoes import OverShoes, in_words, shown
from processors.detectors.shuffling.wholeness import LOST, MORE_LOST, Foreign, ShoeWatch
from processors.detectors.weighty import WeightyRound, events_of, heaviest_since, keep, rows_of
from schemas import events as e
from schemas.amounts import amount
from schemas.values import RANKS

GROUPS: Final = {**{rank: rank for rank in RANKS}, "2 to 6": "23456", "ten-values": "TJQK"}
MOVED: Final = (-16, -8, -4, 4, 8, 16)
"""Alternatives: so many cards of a group more, or fewer, than the decks have, in every shoe, in place of others."""
ANY: Final = 16  # ... or up to so many fewer, or more, in each shoe anew
_ALTERNATIVES = len(MOVED) + 2
SHARES: Final = {"ranks": 0.3, "short": 0.35, "foreign": 0.35}
_CLIP = (
    7.0  # a shoe says at most so much of one alternative, as a log: it may be one card that was counted twice
)

_KEPT = 20
_OF_A_DECK = frozenset(CARDS_OF_A_DECK)
_STRETCH = 25  # rounds of a device that reshuffles by itself


class State(Struct):
    """One table: the evidence of ranks, of missing cards and of cards of other batches, and the shoes laid open last.

    Beside the evidence of ranks there are counted the cards read, those of each group, and the cents staked; where a
    device reshuffles by itself, of the first cards of rounds. Beside that of missing cards: the cards due, those
    missing, and the cents staked. staked: cents staked since the shoe was loaded.
    """

    ranks: Mixture = field(default_factory=lambda: fresh(len(GROUPS) * _ALTERNATIVES))
    short: Mixture = field(default_factory=lambda: fresh(len(MORE_LOST)))
    watch: ShoeWatch = field(default_factory=ShoeWatch)
    others: OverShoes = field(default_factory=OverShoes)
    shoes: list[tuple[int, int]] = field(default_factory=list)  # shoe, event that laid it open
    rounds: list[WeightyRound] = field(default_factory=list)
    staked: int = 0


def _happened(state: State, happened: Happened) -> Iterator[Alarm]:
    table, sequence = happened.table, happened.event.sequence
    if type(happened.event.data) is e.ShoeLoaded:
        state.others.begin()
        state.staked = 0
        wholeness.loaded(state.watch)
        return
    opened = wholeness.laid_open(state.watch, happened)
    if opened is None:
        return
    shoe, batch = opened.shoe, opened.batch
    state.shoes = [*state.shoes[1 - _KEPT :], (shoe.number, sequence)]
    yield from _ranks(state, table.subject, batch, opened.drawn)
    yield from _foreign(
        state, table, wholeness.foreign(table, opened.racked, opened.drawn, opened.extra), sequence
    )
    if opened.missing is not None:
        yield from _short(state, table.subject, shoe, batch, opened.missing)


def _ranks(state: State, subject: str, batch: Batch, drawn: list[str]) -> Iterator[Alarm]:
    """Hold how many cards of each group the shoe gave up against a random part of the decks."""
    seen, total = _by_group(drawn)
    if total > 52 * batch.decks:
        return
    counted = (total, *seen.values(), state.staked)
    evidence = weigh(state.ranks, _factors(seen, total, batch.decks), counted=counted) * SHARES["ranks"]
    if evidence >= 1 / LEVEL:
        name, since, read, came = _likeliest(state.ranks)
        fair = read * len(GROUPS[name]) / len(RANKS)
        yield Alarm(
            variant="ranks",
            about={"table": subject},
            e_value=evidence,
            sequences=tuple(at for _, at in state.shoes),
            expected={"cards": name, "in_these_shoes": round(fair, 1)},
            observed={
                "cards": name,
                "in_these_shoes": came,
                "read": read,
                "shoes": since.rounds,
                "staked_cents": since.counted[-1],
            },
            message=f"Too {'many' if came > fair else 'few'} cards of {name} came out of the shoes for the decks that "
            f"the record says: of {amount(read, 'card')} read of {since.of('shoe')}, {came}, where {fair:.1f} are due; "
            "that is beyond chance.",
        )


def _by_group(drawn: list[str]) -> tuple[dict[str, int], int]:
    """How many cards of each group were read, and how many of all."""
    ranks = dict.fromkeys(RANKS, 0)
    for card in drawn:
        if card in _OF_A_DECK:
            ranks[card[0]] += 1
    seen = {name: sum([ranks[rank] for rank in group]) for name, group in GROUPS.items()}
    return seen, sum(ranks.values())


def _factors(seen: dict[str, int], total: int, decks: int) -> list[float]:
    """The likelihood ratios of the cards read of so many whole decks, by group and alternative."""
    return [
        one
        for name, group in GROUPS.items()
        for one in ratios(seen[name], total, 4 * decks * len(group), 52 * decks)
    ]


def _likeliest(ranks: Mixture) -> tuple[str, RoundsTold, float, float]:
    """The group of the alternative that fits best; its stretch, with the cards read in it and those of the group."""
    places = range(len(ranks.whole))
    group = max(places, key=lambda at: ranks.whole[at] + ranks.since[at]) // _ALTERNATIVES
    since = heaviest(ranks, places[group * _ALTERNATIVES :][:_ALTERNATIVES])
    return list(GROUPS)[group], since, since.counted[0], since.counted[1 + group]


def _first_cards(state: State, closed: Closed) -> Iterator[Alarm]:
    """Hold the first cards of a round, of a device that reshuffles by itself, against a random part of the decks.

    Two cards for each box and one for the dealer are drawn whatever they are. How many follow depends on what they
    are, so that all cards of a round are no random part of the decks. A card under seal is left out, since it is read
    in some rounds only.
    """
    table, round_ = closed.table, closed.round
    batch = table.batches.get(table.shoe.batch)
    drawn = round_.told(e.CardDrawn)
    mains = (one for one in round_.stakes.values() if one.kind == "main" and one.cents)
    boxes = sum(one.placed < drawn[0].sequence for one in mains) if drawn else 0
    draws = [one.data for one in drawn[: 2 * boxes + 1]]
    if batch is None or not batch.decks or not boxes or len(draws) <= 2 * boxes or round_.voided is not None:
        return
    seen, total = _by_group([one.card for one in draws if not one.seal])
    cents = _staked(round_)
    factors, counted = _factors(seen, total, batch.decks), (total, *seen.values(), cents)
    value, weight = weighed(state.ranks, factors, _STRETCH, 1, counted)
    evidence = value * SHARES["ranks"]
    if weight > 0:
        place = table.subject, round_.number, closed.sequence, state.ranks.rounds
        keep(state.rounds, WeightyRound(*place, weight, cents))
    if evidence >= 1 / LEVEL:
        name, since, read, came = _likeliest(state.ranks)
        fair = read * len(GROUPS[name]) / len(RANKS)
        most = heaviest_since(state.rounds, state.ranks.rounds - since.rounds)
        yield Alarm(
            variant="ranks",
            about={"table": table.subject},
            e_value=evidence,
            sequences=events_of(most, table.subject),
            expected={"cards": name, "among_first_cards": round(fair, 1)},
            observed={
                "cards": name,
                "among_first_cards": came,
                "read": read,
                "rounds": since.rounds,
                "staked_cents": since.counted[-1],
                "weightiest": rows_of(most),
            },
            message=f"Too {'many' if came > fair else 'few'} cards of {name} came out of the shuffler for the decks "
            f"that the record says: of {amount(read, 'first card')} of {since.of('round')}, {came:,}, where "
            f"{fair:,.1f} are due; that is beyond chance.",
        )


@lru_cache(maxsize=8192)
def ratios(seen: int, of: int, held: int, whole: int) -> tuple[float, ...]:
    """The likelihood ratios of `seen` cards of a group that has `held` in whole decks, by alternative."""
    null = _log_chance(seen, of, held, whole)
    fixed = [_log_chance(seen, of, held + moved, whole) for moved in MOVED]
    fewer = [_log_chance(seen, of, held - moved, whole) for moved in range(1, ANY + 1)]
    more = [_log_chance(seen, of, held + moved, whole) for moved in range(1, ANY + 1)]
    logs = (*fixed, log_sum(fewer) - log(ANY), log_sum(more) - log(ANY))
    return tuple(exp(min(_CLIP, one - null)) if one > -math.inf else 0.0 for one in logs)


def _log_chance(seen: int, of: int, held: int, whole: int) -> float:
    """The log of the hypergeometric chance."""
    if not (0 <= seen <= held and 0 <= of - seen <= whole - held):
        return -math.inf
    return _log_comb(held, seen) + _log_comb(whole - held, of - seen) - _log_comb(whole, of)


@lru_cache(maxsize=8192)
def _log_comb(n: int, k: int) -> float:
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)


def _short(state: State, subject: str, shoe: Shoe, batch: Batch, lost: int) -> Iterator[Alarm]:
    """Count the cards that neither the shoe nor the rack has reported once all must have come out."""
    factors = rate_ratios(MORE_LOST, LOST, lost, batch.cards)
    evidence = weigh(state.short, factors, counted=(batch.cards, lost, state.staked)) * SHARES["short"]
    if lost and evidence >= 1 / LEVEL:
        since = heaviest(state.short)
        due, missing, staked = since.counted
        by_chance = due * LOST
        several = f"; in {since.of('shoe')} {missing}, where chance allows {by_chance:.1f}"
        together = several if since.rounds > 1 else ""
        yield Alarm(
            variant="short",
            about={"table": subject},
            e_value=evidence,
            sequences=tuple(at for _, at in state.shoes),
            expected={"missing_by_chance": round(by_chance, 1), "cards": batch.cards},
            observed={
                "missing_of_this_shoe": lost,
                "missing": missing,
                "shoes": since.rounds,
                "staked_cents": staked,
            },
            message=f"{amount(lost, 'card')} of batch {batch.name} came out of shoe {shoe.number} neither by the "
            f"shoe's word nor by the rack's; devices in order miss {batch.cards * LOST:.1f} of {batch.cards}"
            f"{together}.",
        )


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    wholeness.told(state.watch, closed)
    table = closed.table
    state.staked += _staked(closed.round)
    if closed.whole and reshuffles_itself(table):
        yield from _first_cards(state, closed)
    if wholeness.suspects(table):
        facts = table.decks
        yield from _foreign(
            state, table, wholeness.foreign(table, facts.rack, facts.drawn, 0), closed.sequence
        )


def _staked(round_: Round) -> int:
    """All that was staked in a round, in cents."""
    return sum(one.cents for one in round_.stakes.values())


def _foreign(state: State, table: Table, found: Foreign | None, sequence: int) -> Iterator[Alarm]:
    """Name a table at which cards of another batch come out of a shoe."""
    if found is None:
        return
    shoe, batch = table.shoe, table.batches[table.shoe.batch]
    seen = found.in_words(batch)
    evidence = state.others.take(plain(found.log_e), shoe.number, seen, "foreign") * SHARES["foreign"]
    if evidence >= 1 / LEVEL:
        before = state.others.before()
        yield Alarm(
            variant="foreign",
            about={"table": table.subject},
            e_value=evidence,
            sequences=(shoe.loaded_at, sequence),
            expected={"of_each_card_at_most": batch.decks, "cards": batch.cards},
            observed={
                "cards": found.cards,
                "extra": found.extra,
                "shoe": shoe.number,
                "staked_cents": state.staked,
                **shown(before),
            },
            message=f"Shoe {shoe.number} has given up {seen}, by its own word and the rack's; its {batch.decks} decks "
            f"have {batch.decks} of each and {batch.cards} in all: it looks as if a card of another batch lay in it"
            f"{f', as in {in_words(before)}' if before else ''}.",
        )


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    for name, mixture in (("ranks", state.ranks), ("short", state.short)):
        if mixture.rounds:
            weighty = state.rounds if name == "ranks" else ()
            yield standing_of(mixture, name, {"table": subject}, SHARES[name], weighty=weighty)
    if state.others.told:
        yield standing_of(state.others.mixture, "foreign", {"table": subject}, SHARES["foreign"])


register(
    Family(
        name="rank_composition",
        variants=tuple(SHARES),
        about=("table",),
        null="a shoe holds the cards of its decks; each device misses a card with a chance of at most 1 in 200, and "
        "two devices report a card that is not there with at most 1 in 2,000,000,000, whatever came before",
        statistic="Once the rest of a shoe is laid open: how many cards of each rank, of 2 to 6 and of the ten-values "
        "were read, and how many cards neither shoe nor rack reported. At any round: a card that came out more often "
        "than the decks have it, or cards that shoe and rack both report beyond those of the decks. Where a device "
        "reshuffles by itself: the first cards of each round, two a box and one of the dealer's, from the first round "
        "and from any stretch of 25.",
        bound="Ranks: hypergeometric likelihood ratios against eight changed compositions of each group. Missing "
        "cards: likelihood ratios against three rates. Foreign cards: seen over expected, a shoe; 1/2, 1/40 and "
        "1/1,000 of what there is are bet on each shoe. All from the first shoe and from any later one (Ville). The "
        "three share the level (3/10, 7/20, 7/20).",
        innocent=(
            "a card that was exchanged for a damaged one without a word in the record",
            "cards left in a shuffler that was opened, or swept to the floor",
            "a reader that takes one worn card for another",
        ),
        blind=(
            "one or two cards that are missing: devices in order miss as many",
            "one foreign card in a single late shoe: another shoe must show one, too",
            "cards missing from a shoe in which a round is missing, or lacks words around a pause of 15 seconds",
            "shoes whose rest is never laid open, but for foreign cards; in a device that reshuffles by itself, cards "
            "that change no rank, nor 2 to 6, nor the ten-values by as much as four",
            "a card put in for one of the same rank and suit; stack games",
        ),
        cost="A count of the cards and 120 ratios a shoe; under 8 kB a table.",
        table=AtTable(
            state=State,
            closed=_closed,
            reads=(e.ShoeLoaded, e.ShoeEmptied),
            happened=_happened,
            standing=_standing,
        ),
    )
)
