"""Shoes that are reshuffled early when the cards seen favour the players, or when they do not.

Whoever has the shuffle in his hand and a count in his head takes the good rounds away from one side. When a shoe is
reshuffled may depend on anything but the cards: so these are what is random here, and the decisions are what is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace
from numpy.typing import NDArray

from processors.core.folding.preparation import reshuffles_itself
from processors.core.state import Table
from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.following.steps import DECK, TAGS, Rounds, step
from processors.detectors.mixture import Mixture, fresh, heaviest, since_heaviest, standing_of, weighed
from processors.detectors.shapes import About, Alarm, Closed, EvidenceStanding, Happened
from processors.detectors.weighty import WeightyAct, events_of, keep, rows_of
from schemas import events as e
from schemas.amounts import amount, verb
from schemas.values import UNKNOWN

SHARES: Final = {"for_house": 0.8, "for_patrons": 0.2}
PLANS: Final = (
    (1.0, 0.9, 0.005), (2.0, 0.9, 0.005), (3.0, 0.9, 0.005), (1.0, 0.4, 0.02), (2.0, 0.4, 0.02), (3.0, 0.4, 0.02),
    (2.0, 0.8, 0.05),
)  # fmt: skip
"""Alternatives: a reshuffle with the second chance where the true count is above the first number, else the third."""
_SOFT = 0.2  # true counts: people round
_VARIANCE = 0.74  # of the tag of a card, beside what the number of cards of its round tells: as simulated
_MOST, _STEP = 14.0, 0.4  # true counts that are told apart
_LEAST_LEFT = DECK // 2  # cards: with fewer the count says little of the next round
_UNSEEN = (
    8  # cards of a round, with its burn card, of which the record says nothing: with more there is no count
)

_ROWS = 128

Numbers = NDArray[np.float64]
_GRID: Final[Numbers] = np.linspace(-_MOST, _MOST, int(2 * _MOST / _STEP) + 1, dtype=np.float64)
_APART: Final[Numbers] = _STEP * np.arange(1 - len(_GRID), len(_GRID), dtype=np.float64)
_FROM_TO: Final = np.arange(len(_GRID))[None, :] - np.arange(len(_GRID))[:, None] + len(_GRID) - 1


class Row(Struct, array_like=True, frozen=True):
    """One round: its cards that were read, cards left and running count after it, and what its length tells of it."""

    cards: int
    left: int
    running: int
    drift: float


class Order(WeightyAct, frozen=True):
    """One early reshuffle: its shoe, and the true count with which it was ordered. It weighs as much as its shoe."""

    shoe: int = 0
    count: float = 0.0

    def why(self) -> dict[str, Any]:
        """The event, the shoe, the true count, and the factor."""
        return {"event": self.sequence, "shoe": self.shoe, "true_count": self.count, **super().why()}


class State(Struct):
    """One table: the rounds of the shoe in play, what rounds take, the evidence, the reshuffles that weigh most.

    `over` says that nobody has a choice about this shoe any more. `rounds` counts the rounds of shoes since the first
    early reshuffle. Beside the evidence there are counted the early reshuffles, those at a true count of 1 or more and
    those at -1 or less; likewise the rounds; and the sum of the true counts of early reshuffles, in tenths.
    """

    shoe: int = 0
    round: int = 0
    loaded: int = 0
    over: bool = True
    rows: list[Row] = field(default_factory=list)
    known: Rounds = field(default_factory=Rounds)
    for_house: Mixture = field(default_factory=lambda: fresh(len(PLANS)))
    for_patrons: Mixture = field(default_factory=lambda: fresh(len(PLANS)))
    rounds: int = 0
    orders: dict[str, list[Order]] = field(default_factory=dict)


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    """Take the cards of a round; nobody has a choice after the cover card."""
    if not state.over and closed.round.shoe == state.shoe:
        _take(state, closed)
        if closed.table.decks.ends.ordered and not state.over:  # while the round was under way
            yield from _ordered(state, closed.table, closed.table.decks.ends.ordered)


def _take(state: State, closed: Closed) -> None:
    table, round_ = closed.table, closed.round
    if round_.reloads or table.shoe.number != state.shoe or len(state.rows) >= _ROWS:
        state.over = True
        return
    cards = tags = boxes = 0
    for hand in round_.hands.values():
        for card in hand.cards:
            if card != UNKNOWN:
                cards += 1
                tags += TAGS[card]
    for stake in round_.stakes.values():
        boxes += stake.kind == "main"
    before = state.rows[-1] if state.rows else Row(0, state.loaded, 0, 0.0)
    left = table.shoe.remaining
    if not 0 < left < before.left or before.left - left - cards > _UNSEEN:
        state.over = True
        return
    parts = step(state.known, boxes, cards, tags, before.running, before.left)
    state.rows.append(Row(cards, left, before.running + tags, round(parts.drift, 2)))
    state.round = round_.number
    state.over = bool(table.decks.ends.covers) or left < max(_LEAST_LEFT, table.decks.cover_in_shoe)


def _ordered(state: State, table: Table, sequence: int) -> Iterator[Alarm]:
    yield from _weighed(state, table, sequence, chosen=True)
    state.over, state.rows = True, []


_ENDS = (
    e.CoverCardReached,
    e.TableIdle,
    e.TableClosed,
    e.DecksRemoved,
    e.DecksReceived,
    e.StackShuffledFromRack,
)


def _happened(state: State, happened: Happened) -> Iterator[Alarm]:
    data, table = happened.event.data, happened.table
    if type(data) is e.ShoeLoaded:
        # A shoe that is replaced although nothing had brought it to its end was taken from play by somebody's choice.
        if state.rows:
            yield from _weighed(state, table, happened.event.sequence, chosen=not state.over)
        _begin(state, table, data)
    elif type(data) is e.ReshuffleOrdered:
        if not state.over and state.rows and happened.round is None:
            yield from _ordered(state, table, happened.event.sequence)
    elif type(data) in _ENDS:
        state.over = True


def _begin(state: State, table: Table, data: e.ShoeLoaded) -> None:
    state.shoe, state.loaded, state.rows = data.shoe, data.cards, []
    state.over = reshuffles_itself(table) or data.cards <= DECK or table.round is not None


def _weighed(state: State, table: Table, sequence: int, *, chosen: bool) -> Iterator[Alarm]:
    """Hold the rounds after which this shoe was dealt on, and the one after which it was not, against other cards."""
    rows = state.rows
    last = rows[-1]
    count = last.running * DECK / last.left
    if not (chosen or state.rounds):
        return  # at a table where nobody ever chose there is nothing to weigh, whatever its cards were
    state.rounds += len(rows)
    counted = (
        int(chosen),
        int(chosen and count >= 1),
        int(chosen and count <= -1),
        len(rows),
        sum(row.running * DECK >= row.left for row in rows),
        sum(row.running * DECK <= -row.left for row in rows),
        round(10 * count) if chosen else 0,
    )
    factors = ratios(rows, state.loaded, chosen=chosen)
    half = len(PLANS)
    for variant, mixture, these in (
        ("for_house", state.for_house, factors[:half]),
        ("for_patrons", state.for_patrons, factors[half:]),
    ):
        value, weight = weighed(mixture, these, counted=counted)
        evidence = value * SHARES[variant]
        orders = state.orders.setdefault(variant, [])
        if chosen and weight > 0:
            place = table.subject, state.round, sequence, mixture.rounds
            keep(orders, Order(*place, weight, shoe=state.shoe, count=round(count, 1)))
        # A shoe that is dealt to its end may raise the evidence too: alone it names nothing.
        if evidence >= 1 / LEVEL and (most := since_heaviest(mixture, orders)):
            yield _alarm(variant, mixture, most, table.subject, evidence)


def chances(at: Numbers) -> Numbers:
    """The chance of a reshuffle at these true counts, by alternative: for the house, then for the patrons."""
    plans, at = np.asarray(PLANS), np.clip(at, -_MOST, _MOST)
    above, often, seldom = plans[:, :1], plans[:, 1:2], plans[:, 2:]
    chance = [seldom + (often - seldom) / (1.0 + np.exp((above - sign * at) / _SOFT)) for sign in (1.0, -1.0)]
    return np.concatenate(chance)


_RESHUFFLED: Final = chances(_GRID)
_DEALT_ON: Final = 1.0 - _RESHUFFLED


def ratios(rows: list[Row], loaded: int, *, chosen: bool) -> list[float]:
    """How much likelier each alternative makes the decisions with the cards that came than with other cards.

    The shoe was dealt on after each round but the last; after that it was reshuffled if that was `chosen`, and else
    there was no choice. With other cards the true count moves by steps that lean neither way but for `Row.drift`: it is
    followed on a grid, weighted with the chance that each alternative decides as it was decided. A count that no place
    of the grid is near, as where more cards lie than the shoe gave up, tells nothing.
    """
    rows = rows if chosen else rows[:-1]
    plans = 2 * len(PLANS)
    weights = np.zeros((plans, len(_GRID)))
    weights[:, len(_GRID) // 2] = 1.0
    here = chances(np.array([row.running * DECK / row.left for row in rows]))
    here[:, : len(rows) - chosen] = 1.0 - here[:, : len(rows) - chosen]
    left = loaded
    for place, row in enumerate(rows, start=1):
        weights = weights @ _moves(row, left)
        weights *= _RESHUFFLED if chosen and place == len(rows) else _DEALT_ON
        left = row.left
    others = weights.sum(axis=1)
    return [float(one) for one in here.prod(axis=1) / others] if others.all() else [1.0] * plans


def _moves(row: Row, left: int) -> Numbers:
    """How the true count moves in a round, from each place of the grid (rows) to each."""
    decks = row.left / DECK
    variance = max(0.3, _VARIANCE * row.cards * (1.0 - row.cards / left)) / decks**2
    kernel = np.exp(-((_APART - row.drift / decks) ** 2) / (2.0 * variance))
    kernel /= kernel.sum() or 1.0
    return np.asarray(kernel[_FROM_TO], dtype=np.float64)


def _alarm(variant: str, mixture: Mixture, most: list[Order], subject: str, evidence: float) -> Alarm:
    since = heaviest(mixture)
    chosen, high, low, rounds, rounds_high, rounds_low, counts = since.counted
    mean = counts / (10 * max(1, chosen))
    whom = "the players" if variant == "for_house" else "the house"
    shoes = since.part(chosen, "shoe") if since.later else amount(chosen, "shoe")
    which = "true count" if chosen == 1 else "mean true count"
    return Alarm(
        variant=variant,
        about={"table": subject},
        e_value=evidence,
        sequences=events_of(most, subject),
        expected={"mean_true_count": 0},
        observed={
            "early_reshuffles": chosen,
            "at_true_count_of_1_or_more": high,
            "at_true_count_of_-1_or_less": low,
            "mean_true_count": round(mean, 1),
            "rounds": rounds,
            "rounds_at_true_count_of_1_or_more": rounds_high,
            "rounds_at_true_count_of_-1_or_less": rounds_low,
            "weightiest": rows_of(most),
        },
        message=f"{shoes[:1].upper()}{shoes[1:]} {verb(chosen, 'was')} reshuffled early, at a {which} of {mean:.1f}: "
        f"where the cards left favoured {whom} far more often than in the other rounds of "
        f"{'this shoe' if since.rounds == 1 else 'these shoes'}.",
    )


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    for variant, mixture in (("for_house", state.for_house), ("for_patrons", state.for_patrons)):
        if mixture.rounds:
            about: About = {"table": subject}
            orders = state.orders.get(variant, ())
            standing = standing_of(mixture, variant, about, SHARES[variant], weighty=orders)
            yield replace(standing, rounds=state.rounds)


register(
    Family(
        name="preferential_shuffle",
        variants=tuple(SHARES),
        about=("table",),
        null="when a shoe is reshuffled before its cover card does not depend on the cards that were seen, but for how "
        "many there were",
        statistic="The true count (High-Low) after each round of a shoe: after those from which it was dealt on, and "
        "after the one upon which it was reshuffled although the cover card had not come out, by order of the floor "
        "or without one. Shoes from the table's first such reshuffle on are weighed, each when it ends.",
        bound="Likelihood ratios of the decisions given the cards against those given other cards, for seven plans "
        "either way, from the first shoe and from any later one (Ville). The true count of other cards moves normally, "
        "with the length of each round taken into account. Reshuffles where the count favours the players have four "
        "fifths of the level, those where it favours the house one fifth.",
        innocent=(
            "a floor that reshuffles because of something that follows the count: a patron who raises his stakes, or "
            "asks for new cards after a run of losses",
            "cards seen to be in disorder, which is found out more often when many have been dealt",
        ),
        blind=(
            "a cover card that is put in where few cards are dealt: it lets nobody choose by the count",
            "tables that shuffle after every round, by hand or by a device: they have no choice",
            "a house that never orders a reshuffle, but closes the table, or leaves it idle, by the count",
            "counts other than High-Low, and counts of the last half deck",
        ),
        cost="A sum over the cards of a round; at tables where a shoe was ever reshuffled early also some 25 "
        "microseconds a round. Under 10 kB a table.",
        table=AtTable(
            state=State,
            closed=_closed,
            reads=(e.ShoeLoaded, e.ReshuffleOrdered, *_ENDS),
            happened=_happened,
            standing=_standing,
        ),
    )
)
