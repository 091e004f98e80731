"""A dealer who pays hands wrongly more often than honest dealers do: for patrons, for the house, or both ways.

One wrong payment is a breach of the regulation and a human error. What makes a pattern is how often it happens to one
dealer, over all tables where she deals.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log1p
from typing import Final

from msgspec import Struct, field

from processors.core.state import seat_of
from processors.detectors.family import LEVEL, AtTable, Family, OfEntity, register
from processors.detectors.mixture import Mixture, fresh, weigh
from processors.detectors.shapes import Alarm, Closed, Contribution, Observation, Standing
from schemas.rounds import StakeResult

HONEST: Final = 1 / 1000
"""Null: the chance that a hand is mispaid, given all before it, is at most this in each direction."""
ALTERNATIVES: Final = (0.004, 0.015, 0.05, 0.2)
WEIGHTS: Final = {"for_patrons": 0.5, "for_house": 0.35, "careless": 0.15}
"""The share of the level of each variant: paid too much or not collected, the other way, and both together."""
_MANY, _FEW = 4.0, 0.25  # how much more (less) often a hand of a large (small) stake may be mispaid for money
_MOST = 0.5
_STRETCH = 25  # rounds: she may begin with any such stretch
_KEPT = 40


class Hand(Struct, array_like=True, frozen=True):
    """A hand of which it is known what was due: its stake by the table's mean, and what the patron got too much."""

    weight: float
    cents: int


class Note(Struct, array_like=True, frozen=True):
    """The hands of one round that its dealer settled."""

    hands: list[Hand]


class AtOneTable(Struct):
    """The mean stake of a hand at the table so far."""

    hands: int = 0
    cents: int = 0


class Wrong(Struct, array_like=True, frozen=True):
    """A round with mispaid hands: table, round, event, hands, and what its patrons got too much."""

    subject: str
    round: int
    sequence: int
    hands: int
    cents: int


def _mixture() -> Mixture:
    return fresh(2 * len(ALTERNATIVES))


class OfDealer(Struct):
    """One dealer: hands settled and mispaid each way, the money, the evidence, and the latest such rounds."""

    for_patrons: Mixture = field(default_factory=_mixture)
    for_house: Mixture = field(default_factory=_mixture)
    careless: Mixture = field(default_factory=_mixture)
    hands: int = 0
    over: int = 0
    under: int = 0
    over_cents: int = 0
    under_cents: int = 0
    rounds: list[Wrong] = field(default_factory=list)


def _closed(state: AtOneTable, closed: Closed) -> Iterator[Contribution]:
    if not (closed.dealer and closed.whole):
        return
    hands: list[Hand] = []
    for staked, wrong in settled(closed):
        mean = state.cents / state.hands if state.hands else staked
        weight = round(min(_MANY, max(_FEW, staked / mean)), 2) if mean else 1.0
        hands.append(Hand(weight, wrong))
        state.hands += 1
        state.cents += staked
    if hands:
        yield Contribution({"dealer": closed.dealer}, Note(hands))


def settled(closed: Closed) -> list[tuple[int, int]]:
    """Of each hand of a round: what was staked on it, and what its patron got more than was due (minus: less), in cents.

    A hand of which something cannot be said is left out. What lies at a seat belongs to the seat's first hand. A stake
    that never moved counts only where the law charges the round with it: else its word may be lost.
    """
    hands: dict[str, tuple[int, int] | None] = {}
    for stake in closed.result.stakes:
        name = stake.hand or f"{stake.seat}.1"
        before = hands.get(name, (0, 0))
        wrong = _wrong(stake, closed.round.charges > 0)
        if before is None or wrong is None:
            hands[name] = None
        else:
            hands[name] = before[0] + stake.staked_cents, before[1] + wrong
    return [known for name, known in hands.items() if known is not None and seat_of(name)]


def _wrong(stake: StakeResult, charged: bool) -> int | None:
    if stake.expected is None:
        return None
    if stake.observed is None:
        moved = 0 if charged or not stake.expected.patron_cents else None
        return None if moved is None else -stake.expected.patron_cents
    return stake.observed.patron_cents - stake.expected.patron_cents


def _weigh(state: OfDealer, seen: Observation, note: Note, share: float) -> Iterator[Alarm]:
    over = [hand for hand in note.hands if hand.cents > 0]
    under = [hand for hand in note.hands if hand.cents < 0]
    state.hands += len(note.hands)
    state.over += len(over)
    state.under += len(under)
    more, less = sum(hand.cents for hand in over), -sum(hand.cents for hand in under)
    state.over_cents += more
    state.under_cents += less
    if over or under:
        wrong = Wrong(seen.subject, seen.round, seen.sequence, len(over) + len(under), more - less)
        state.rounds = [*state.rounds[1 - _KEPT :], wrong]
    for variant, bad, mixture, honest in (
        ("for_patrons", over, state.for_patrons, HONEST),
        ("for_house", under, state.for_house, HONEST),
        ("careless", over + under, state.careless, 2 * HONEST),
    ):
        evidence = weigh(mixture, ratios(note.hands, bad, honest), _STRETCH) * WEIGHTS[variant] * share
        if bad and evidence >= 1 / LEVEL:
            yield _alarm(variant, state, seen, evidence)


def ratios(hands: list[Hand], bad: list[Hand], honest: float) -> list[float]:
    """The likelihood ratios of a round, by alternative: hands mispaid at one rate, and the more the larger the stake."""
    good = len(hands) - len(bad)
    by_count = [(p / honest) ** len(bad) * exp(good * (log1p(-p) - log1p(-honest))) for p in ALTERNATIVES]
    by_money = []
    for p in ALTERNATIVES:
        product = 1.0
        for hand in hands:
            rate = min(_MOST, p * hand.weight)
            # A rate below the honest one is no alternative: the hand then says nothing.
            if rate > honest:
                product *= rate / honest if hand in bad else (1 - rate) / (1 - honest)
        by_money.append(product)
    return by_count + by_money


_SAID = {
    "for_patrons": "paid too much, or not collected",
    "for_house": "paid too little, or collected wrongly",
    "careless": "mispaid one way or the other",
}


def _alarm(variant: str, state: OfDealer, seen: Observation, evidence: float) -> Alarm:
    dealer = seen.whom["dealer"]
    count = {"for_patrons": state.over, "for_house": state.under}.get(variant, state.over + state.under)
    cents = {"for_patrons": state.over_cents, "for_house": -state.under_cents}.get(
        variant, state.over_cents - state.under_cents
    )
    rate = HONEST * (2 if variant == "careless" else 1)
    allowed = state.hands * rate
    per = "2 in 1,000" if variant == "careless" else "1 in 1,000"
    return Alarm(
        variant=variant,
        about={"dealer": dealer},
        e_value=evidence,
        sequences=tuple(one.sequence for one in state.rounds if one.subject == seen.subject),
        expected={"hands_mispaid_at_most": per, "by_chance": round(allowed, 2)},
        observed={
            "hands": state.hands,
            "for_patrons": state.over,
            "for_patrons_cents": state.over_cents,
            "for_house": state.under,
            "for_house_cents": state.under_cents,
            "rounds": [
                {"table": one.subject, "round": one.round, "cents": one.cents} for one in state.rounds[-10:]
            ],
        },
        message=f"Of {state.hands:,} hands that dealer {dealer} settled, {count} were {_SAID[variant]} "
        f"(${abs(cents) / 100:,.2f} {'to patrons' if cents >= 0 else 'to the house'}); "
        f"at {per}, chance allows {allowed:.1f}.",
        money_cents=-cents,
    )


def _standing(state: OfDealer, whom: dict[str, str], share: float) -> Iterator[Standing]:
    for variant, mixture in (
        ("for_patrons", state.for_patrons),
        ("for_house", state.for_house),
        ("careless", state.careless),
    ):
        yield Standing(
            variant=variant,
            about={"dealer": whom["dealer"]},
            e_value=mixture.value * WEIGHTS[variant] * share,
            highest=mixture.highest * WEIGHTS[variant] * share,
            rounds=mixture.rounds,
        )


register(
    Family(
        name="dealer_mispay",
        variants=tuple(WEIGHTS),
        about=("dealer",),
        null="at most 1 mispaid hand in 1,000 each way",
        statistic="Hands settled and hands mispaid, by direction: what the cards were due against what was paid, "
        "collected or returned, of all stakes of a hand together. By count, and by money: as if hands were mispaid "
        "the more often the larger the stake.",
        bound="Likelihood ratios against four rates, each by count and by money, from the dealer's first round and from "
        "any stretch of 25 (Ville). Three variants share the level (1/2, 7/20, 3/20), and so do the dealers of a "
        "table's stream: the n-th has 1/(n(n+1)) of it.",
        innocent=(
            "a new dealer, or a new side wager or paytable that was trained wrongly",
            "one rule that the dealer reads otherwise: look whether all rounds are of one kind",
            "a patron who is paid what he was owed from an earlier round",
        ),
        blind=(
            "rounds that could not be decided, or of which a device's word is missing",
            "payments that are right by the cards although the cards were not dealt rightly",
            "rounds in which the dealer changed; stack games, of which what is due is known only of void rounds",
            "a dealer who mispays no more often than 1 hand in 1,000",
        ),
        cost="One look at each stake of a round; three mixtures of eight rates a dealer, some 3 kB.",
        table=AtTable(state=AtOneTable, closed=_closed),
        entity=OfEntity(state=OfDealer, note=Note, weigh=_weigh, standing=_standing),
    )
)
