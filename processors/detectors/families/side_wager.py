"""Side wagers that win too often or too rarely, or are paid otherwise than their table of payouts says.

They win by dealer totals of 22 for Push 22, and by cards that match the dealer's for Match-the-Dealer.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator
from functools import lru_cache
from math import comb
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from processors.core.state import Hand, Round, Table
from processors.detectors.evidence.rates import rate_ratios
from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.favouring.lots import too_much
from processors.detectors.mixture import Mixture, fresh, heaviest, left, since_heaviest, standing_of, weighed
from processors.detectors.shapes import About, Alarm, Closed, EvidenceStanding
from processors.detectors.weighty import WeightyRound, events_of, keep, rows_of
from processors.games.blackjack.rules import RulesInForce
from processors.games.totals import POINTS
from schemas.amounts import verb
from schemas.values import DEALER, UNKNOWN

ABOVE: Final = 0.02
BELOW: Final = 0.07
"""Null: the chance lies at most by these shares of the exact one above or below it.

Rounds that players cut short are not counted, and of those that the dealer wins by Blackjack none is cut short: so the
rounds counted have one or two in a hundred fewer totals of 22.
"""
MORE: Final = (1.4, 2.0, 4.0, 12.0)
LESS: Final = (0.6, 0.25)
MISPAID: Final = 2 / 1000
"""Null: at most this share of the side wagers of a kind is mispaid, 1 in 1,000 each way."""
MISPAID_MORE: Final = (4.0, 20.0, 100.0)
SHARES: Final = {
    "push22": 0.2,
    "push22_staked": 0.2,
    "push22_paid": 0.1,
    "match_dealer": 0.2,
    "match_dealer_staked": 0.2,
    "match_dealer_paid": 0.1,
}
"""The share of the level of each statistic: over all rounds, over those with such a wager, and of what it was paid."""
STRETCH = 10  # rounds
STRETCH_PAID = 25  # wagers
_NAMES: Final = {"push22": "Push 22", "match_dealer": "Match-the-Dealer"}


class Tally(Struct):
    """One statistic: the evidence, with cases, hits and what chance allows, and the rounds that weigh most."""

    mixture: Mixture = field(default_factory=lambda: fresh(len(MORE) + len(LESS)))
    rounds: list[WeightyRound] = field(default_factory=list)


class PaidRound(WeightyRound, frozen=True):
    """A round with side wagers mispaid; under: the cents, below 0, of those that were paid too little."""

    under: int = 0

    def row(self) -> dict[str, Any]:
        """What a suspicion says of it: errors both ways do not cancel out."""
        row, over = super().row(), self.cents - self.under
        if over and self.under:
            del row["cents"]
            row |= {"too_much_cents": over, "too_little_cents": -self.under}
        return row


class Paid(Struct):
    """Side wagers of one kind: the evidence, with those mispaid, and the rounds that weigh most.

    `waiting` are those settled rightly that are not weighed yet. errors: rounds with mispaid ones.
    """

    mixture: Mixture = field(default_factory=lambda: fresh(len(MISPAID_MORE)))
    waiting: int = 0
    errors: int = 0
    rounds: list[PaidRound] = field(default_factory=list)


class State(Struct):
    """One table, by statistic; the side wagers it offers and the chances of each, as configured at an event."""

    configured_at: int = 0
    day: dt.date = dt.date.min
    stands_from: int = 0
    push_total: int = 0
    chances: dict[str, float] = field(default_factory=dict)
    tallies: dict[str, Tally] = field(default_factory=dict)
    paid: dict[str, Paid] = field(default_factory=dict)


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    round_ = closed.round
    if (state.configured_at, state.day) != (closed.table.configured_at, round_.day):
        _configure(state, closed.table, round_.day)
    if not state.chances or not closed.ended or round_.voided is not None:
        return
    staked = {(one.kind, one.seat) for one in round_.stakes.values()}
    dealer = closed.result.hands.get(DEALER)
    total = dealer.total if dealer is not None else None
    if "push22" in state.chances and isinstance(total, int) and total >= state.stands_from:
        case = [total == state.push_total]
        yield from _count(state, "push22", case, closed)
        if any(kind == "push22" for kind, _ in staked):
            yield from _count(state, "push22_staked", case, closed)
    if "match_dealer" in state.chances:
        cases = matches(round_)
        these = {seat: hit for seat, hit in cases.items() if ("match_dealer", seat) in staked}
        for name, hits in (("match_dealer", cases), ("match_dealer_staked", these)):
            matched = {at for at, hit in hits.items() if hit}
            yield from _count(state, name, list(hits.values()), closed, matched or hits.keys())
    if closed.whole:
        for kind in state.chances:
            yield from _settled(state, kind, closed)


def _settled(state: State, kind: str, closed: Closed) -> Iterator[Alarm]:
    """Hold what the wagers of a kind were paid against what was due; a round that the law does not charge is right."""
    number = sum(stake.kind == kind for stake in closed.result.stakes)
    if not number:
        return
    paid = state.paid.get(kind)
    if paid is None:
        paid = state.paid[kind] = Paid()
    paid.waiting += number
    mispaid: list[tuple[int, int]] = []
    if closed.round.breached:
        of_kind = [stake for stake in closed.result.stakes if stake.kind == kind]
        wrong = [(stake.seat, too_much(stake, charged=True)) for stake in of_kind]
        mispaid = [(seat, cents) for seat, cents in wrong if cents]
        paid.waiting -= sum(cents is None for _, cents in wrong)
    if not mispaid and paid.waiting < left(paid.mixture, STRETCH_PAID):
        return
    factors = rate_ratios(MISPAID_MORE, MISPAID, len(mispaid), paid.waiting)
    moved = [cents for _, cents in mispaid]
    over, under = [cents for cents in moved if cents > 0], [cents for cents in moved if cents < 0]
    counted = (len(over), len(under), sum(over), sum(under))
    evidence, weight = weighed(paid.mixture, factors, STRETCH_PAID, paid.waiting, counted)
    paid.waiting = 0
    if not mispaid:
        return
    paid.errors += 1
    keep(paid.rounds, PaidRound(*_named(closed, paid.mixture, weight, mispaid), under=sum(under)))
    evidence *= SHARES[f"{kind}_paid"]
    if evidence >= 1 / LEVEL:
        yield _alarm_of_payments(kind, paid, closed, evidence)


def _named(
    closed: Closed, mixture: Mixture, weight: float, moved: list[tuple[int, int]]
) -> tuple[str, int, int, int, float, int, tuple[int, ...]]:
    """What is kept of the round that the mixture has taken last; moved: seats and cents of its wagers in question."""
    place = closed.table.subject, closed.round.number, closed.sequence, mixture.rounds
    seats = tuple(sorted({seat for seat, _ in moved}))
    return *place, weight, sum(cents for _, cents in moved), seats


def _configure(state: State, table: Table, day: dt.date) -> None:
    """Take the chances of the side wagers that the table offers, by the numbers of a day."""
    state.configured_at, state.day, state.chances = table.configured_at, day, {}
    config, rules = table.config, RulesInForce().on(table, day)
    if config is None or rules is None:
        return
    state.stands_from, state.push_total = rules.stands_from, rules.push_total
    if "push22" in config.side_wagers:
        state.chances["push22"] = chance_of_total(rules.push_total, rules.dealer_limit, rules.stands_from)
    if "match_dealer" in config.side_wagers and config.decks:  # of no decks there is no chance
        state.chances["match_dealer"] = chance_of_match(config.decks)


def _count(
    state: State, name: str, cases: list[bool], closed: Closed, seats: Collection[int] | None = None
) -> Iterator[Alarm]:
    """Count the cases of a round; `seats` had a hit, or all are that were counted; None where a hit is the dealer's."""
    if not cases:
        return
    kind = name.removesuffix("_staked")
    p = state.chances[kind]
    tally = state.tallies.get(name)
    if tally is None:
        tally = state.tallies[name] = Tally()
    hits = sum(cases)
    factors, counted = _factors(p, hits, len(cases)), (len(cases), hits, p * len(cases))
    value, weight = weighed(tally.mixture, factors, STRETCH, 1, counted)
    evidence = value * SHARES[name]
    if weight > 0:
        staked = {one.seat: one.cents for one in closed.round.stakes.values() if one.kind == kind}
        moved = [(seat, staked.get(seat, 0)) for seat in (staked if seats is None else seats)]
        keep(tally.rounds, WeightyRound(*_named(closed, tally.mixture, weight, moved)))
    if evidence >= 1 / LEVEL:
        yield _alarm(name, tally, closed, evidence)


@lru_cache(maxsize=256)
def _factors(p: float, hits: int, cases: int) -> tuple[float, ...]:
    """The likelihood ratios of so many hits, by alternative."""
    more = rate_ratios(MORE, p * (1.0 + ABOVE), hits, cases)
    return (*more, *rate_ratios(LESS, p * (1.0 - BELOW), hits, cases))


def _alarm(name: str, tally: Tally, closed: Closed, evidence: float) -> Alarm:
    kind = name.removesuffix("_staked")
    seen = "a dealer's 22" if kind == "push22" else "a card of the dealer's rank"
    of, such = "round" if kind == "push22" else "hand", " with such a wager" if name != kind else ""
    since = heaviest(tally.mixture)
    cases, hits, by_chance = since.counted
    most = since_heaviest(tally.mixture, tally.rounds)
    return Alarm(
        variant=name,
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=events_of(most, closed.table.subject),
        expected={"by_chance": round(by_chance, 1), "chance": round(by_chance / cases, 4)},
        observed={
            "rounds_counted" if kind == "push22" else "hands": cases,
            "hits": hits,
            "rounds": rows_of(most),
        },
        message=f"{seen[0].upper()}{seen[1:]} came in {since.part(hits, of, cases)}{such}; chance allows "
        f"{by_chance:.1f}.",
    )


def _alarm_of_payments(kind: str, paid: Paid, closed: Closed, evidence: float) -> Alarm:
    since = heaviest(paid.mixture)
    over, under, more, less = since.counted
    amounts = [
        f"${abs(cents) / 100:,.2f} {way}"
        for cents, way in ((more, "too much"), (less, "too little"))
        if cents
    ]
    by_chance = since.rounds * MISPAID
    most = since_heaviest(paid.mixture, paid.rounds)
    return Alarm(
        variant=f"{kind}_paid",
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=events_of(most, closed.table.subject),
        expected={"mispaid_at_most": "1 in 1,000 each way", "by_chance": round(by_chance, 2)},
        observed={
            "wagers": since.rounds,
            "for_patrons": over,
            "for_house": under,
            "patrons_got_too_much_cents": more,
            "patrons_got_too_little_cents": -less,
            "rounds": rows_of(most),
        },
        message=f"Of {since.of(f'{_NAMES[kind]} wager')}, {over + under} {verb(over + under, 'was')} settled otherwise "
        f"than the table of payouts says ({' and '.join(amounts)} to patrons);"
        f" at 1 in 1,000 each way, chance allows {by_chance:.2g}.",
    )


@lru_cache(maxsize=16)
def chance_of_total(total: int, limit: int, stands_from: int) -> float:
    """The chance that the dealer finishes on a total, from very many decks; six and eight differ by less than .0003.

    limit: over which aces count 1, one by one. The dealer draws below `stands_from`, soft or hard.
    """
    points = [POINTS[rank + "c"] for rank in "23456789TJQKA"]

    @lru_cache(maxsize=256)
    def ends(value: int, aces: int) -> float:
        while value > limit and aces:
            value, aces = value - 10, aces - 1
        if value >= stands_from:
            return float(value == total)
        return sum(ends(value + one, aces + (one == 11)) for one in points) / len(points)

    return sum(ends(one + other, (one == 11) + (other == 11)) for one in points for other in points) / 169


@lru_cache(maxsize=16)
def chance_of_match(decks: int) -> float:
    """The chance that at least one of two cards has the rank of the dealer's up card, from full decks."""
    rest, same = 52 * decks - 1, 4 * decks - 1
    return 1.0 - comb(rest - same, 2) / comb(rest, 2)


def matches(round_: Round) -> dict[int, bool]:
    """By seat, whether one of its first hand's two cards as dealt has the rank of the dealer's up card."""
    dealer = round_.hands.get(DEALER)
    up = (
        next((card for at, card in enumerate(dealer.cards) if at != round_.hole_index), UNKNOWN)
        if dealer
        else UNKNOWN
    )
    if up == UNKNOWN:
        return {}
    found: dict[int, bool] = {}
    for hand in round_.hands.values():
        cards = _as_dealt(round_, hand)
        if hand.parent is None and hand.name != DEALER and len(cards) == 2 and UNKNOWN not in cards:
            found[hand.seat] = found.get(hand.seat, False) or any(card[0] == up[0] for card in cards)
    return found


def _as_dealt(round_: Round, hand: Hand) -> tuple[str, ...]:
    """The first two cards of a hand, the second of which may have gone to a hand split from it."""
    if hand.split_at is None:
        return tuple(hand.cards[:2])
    other = next((one for one in round_.hands.values() if one.parent == hand.name), None)
    return (*hand.cards[:1], *(other.cards[:1] if other is not None else ()))


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    for name, tally in state.tallies.items():
        about: About = {"table": subject}
        yield standing_of(tally.mixture, name, about, SHARES[name], weighty=tally.rounds)
    for kind, paid in state.paid.items():
        variant, right = f"{kind}_paid", rate_ratios(MISPAID_MORE, MISPAID, 0, paid.waiting)
        standing = standing_of(
            paid.mixture, variant, {"table": subject}, SHARES[variant],
            weighty=paid.rounds, untaken=right, more=paid.waiting,
        )  # fmt: skip
        yield replace(standing, rounds=paid.errors)


register(
    Family(
        name="side_wager",
        variants=tuple(SHARES),
        about=("table",),
        null="the dealer finishes on 22, and a first hand matches the dealer's rank, with the chance of a full shoe, "
        "or one up to 2 % higher or 7 % lower; at most 1 side wager in 1,000 is mispaid each way",
        statistic="Rounds in which the dealer finishes on 22, of those in which the dealer's hand is complete; first "
        "hands with a card of the up card's rank; each over all rounds, and over those with such a wager. "
        "And side wagers settled, and settled otherwise than the table of payouts in force says.",
        bound="Likelihood ratios against four higher rates and two lower ones, from the first round and from any "
        "stretch of ten; payments against three rates, from the first wager and from any stretch of 25 wagers "
        "(Ville). The six statistics share the level: 2 of 10 parts each, and 1 of 10 each for payments.",
        innocent=(
            "a patron who stakes side wagers by the count: the staked rounds then differ, all rounds do not",
            "few rounds, in which players cut many short",
            "a table of payouts that was changed, or configured wrongly, while dealers pay by the one on the layout",
        ),
        blind=(
            "who mispays: that is for the patterns of a dealer's payments",
            "side wagers of the stack games",
            "rates within a few per cent of the exact ones",
            "the suits of a 22 or of a match",
        ),
        cost="A look at the dealer's hand and the first hands; four mixtures of six rates, two of three, at most "
        "20 kB a table.",
        table=AtTable(state=State, closed=_closed, standing=_standing),
    )
)
