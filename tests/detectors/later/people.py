"""Dealers and players: honest rounds, and those of a pattern."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from processors.detectors.calling.chances import BOUNDS
from processors.detectors.families import (
    called_void,
    collusion,
    dealer_mispay,
    hole_card_knowledge,
    pace,
    past_posting,
)
from processors.detectors.favouring.shares import Lot, log_factors
from processors.detectors.favouring.signals import Signalling, follow
from processors.detectors.knowing.judged import KNOWERS
from processors.detectors.knowing.judged import RoundNote as Judged
from processors.detectors.shapes import Alarm
from tests.detectors.counted import Follower, Staking, breaks, dealt, joins_when_high, mood, ramp
from tests.detectors.later.case import SEEN, SHARE, Case, due


def mispays(variant: str, size: float, signs: tuple[int, ...] = ()) -> Case:
    """Four hands a round, of which an honest dealer mispays 1 in 2,000 each way."""
    signs = signs or {"for_patrons": (1,), "for_house": (-1,), "careless": (1, -1)}[variant]

    def play(state: dealer_mispay.OfDealer, rng: Random, wrong: bool) -> Alarm | None:
        bad = []
        for _ in range(4):
            if rng.random() < (size if wrong else 1 / 1000):
                bad.append(dealer_mispay.Bad(2, 500 * rng.choice(signs if wrong else (1, -1))))
        good = [0, 0, 4 - len(bad), 0, 0]
        none = [0] * 5
        note = dealer_mispay.Note(0, none, good, bad) if bad else dealer_mispay.Note(1, good, none, [])
        return due(dealer_mispay._weigh(state, SEEN, note, SHARE), variant)

    return Case(dealer_mispay.OfDealer, play)


def _pair() -> dict[str, Any]:
    return {"pair": collusion.OfPair(), "first": True, "hands": 0}


def partner(size: float) -> Case:
    """Four hands a round, one of them the partner's; she overpays others 1 in 1,000 times."""

    def play(state: dict[str, Any], rng: Random, wrong: bool) -> Alarm | None:
        state["hands"] += 1
        chances = (size if wrong else 1 / 1000, *(1 / 1000,) * 3)
        lot = Lot((1_000,) * 4, ("P", *"QRS"), tuple(500 * (rng.random() < one) for one in chances))
        if not lot.mispaid:
            return None
        his = len(lot.got("P"))
        note = collusion.Note(
            log_factors(lot, "P"),
            his,
            lot.mispaid,
            lot.mispaid / 4,
            500 * his,
            hands=state["hands"],
            first=state["first"],
        )
        state.update(first=False, hands=0)
        return due(collusion._weigh(state["pair"], SEEN, note, SHARE), "overpaid")

    return Case(_pair, play)


def exchanges(size: float) -> Case:
    """A player with two hands in every round, whose hands exchange cards honestly in 1 of 2,000 rounds."""

    def play(state: dict[str, Any], rng: Random, wrong: bool) -> Alarm | None:
        state["hands"] += 1
        if rng.random() >= (size if wrong else 1 / 2000):
            return None
        several = state["hands"]
        note = collusion.Note(
            [0.0] * 6, exchanged=True, hands=2 * several, several=several, first=state["first"]
        )
        state.update(first=False, hands=0)
        return due(collusion._weigh(state["pair"], SEEN, note, SHARE), "exchanged")

    return Case(_pair, play)


def _decided(rng: Random, knows: float) -> Judged:
    """A decision that fits with a chance of 1/2 whatever lies there, or nearly surely for who knows the card."""
    fits = rng.random() < (1 + knows) / 2
    factors = [(1 - one.share) + one.share * 2 * (0.98 if fits else 0.02) for one in KNOWERS]
    return Judged(tuple(factors), 1, int(fits), 0.5)


def signals(size: float) -> Case:
    """Three dealers in turns of twenty rounds, of whom one tells the player the card."""

    def play(state: dict[str, Any], rng: Random, wrong: bool) -> Alarm | None:
        state["hands"] += 1
        number = state["hands"]
        dealer = f"D-{number // 20 % 3}"
        judged, alarm = _decided(rng, size if wrong and dealer == "D-0" else 0.0), None
        for whom, said in follow(state["table"], dealer, "P", judged, (number, number)):
            if whom == "D-0":
                found = collusion._weigh(state["pair"], SEEN, collusion.Note(signals=said), SHARE)
                alarm = due(found, "decisions") or alarm
        return alarm

    return Case(lambda: {**_pair(), "table": Signalling()}, play)


def knows(size: float) -> Case:
    def play(state: hole_card_knowledge.OfPlayer, rng: Random, wrong: bool) -> Alarm | None:
        note = _decided(rng, size if wrong else 0.0)
        return due(hole_card_knowledge._weigh(state, SEEN, note, SHARE), "")

    return Case(hole_card_knowledge.OfPlayer, play)


def lost_rounds_void(size: float) -> Case:
    """Rounds called void, one in fifty, at three boxes: lost as often as honest ones are, or by the pattern."""
    lost, lost_everywhere, won, won_everywhere = (row[2] for row in BOUNDS.values())

    def play(state: called_void.OfDealer, rng: Random, wrong: bool) -> Alarm | None:
        chance = rng.random()
        some, everywhere = (0.95, 0.7) if wrong and rng.random() < size else (0.5, 0.2)
        outcome = -2 if chance < everywhere else -1 if chance < some else 1
        chances = (lost, lost_everywhere, won, won_everywhere)
        note = called_void.Note(outcome, 100 * outcome, chances, (2, 3, 0, 4, 1))
        return due(called_void._weigh(state, SEEN, note, SHARE), "for_patrons")

    return Case(called_void.OfDealer, play, 50)


def slows(size: float) -> Case:
    """Four dealers in turns of 30 rounds; the first takes longer, as a log."""

    def begin() -> dict[str, Any]:
        return {"table": pace.AtOneTable(), "dealer": pace.OfDealer(), "hands": 0}

    def play(state: dict[str, Any], rng: Random, wrong: bool) -> Alarm | None:
        state["hands"] += 1
        number, table, alarm = state["hands"], state["table"], None
        dealer = str(number // 30 % 4)
        turn = pace._turn_of(table, dealer)
        slower = size if wrong and dealer == "0" else 0.0
        turn.rounds = [*turn.rounds[-39:], pace.Dealt(number, number, rng.gauss(slower, 0.2))]
        if len(turn.rounds) >= 12 and table.waiting is not None:
            for said in pace._weighed(table, table.waiting, turn):
                if said.whom["dealer"] == "0":
                    assert isinstance(said.note, pace.Note)
                    alarm = due(pace._weigh(state["dealer"], SEEN, said.note, SHARE), "slower") or alarm
            table.waiting = None
        return alarm

    return Case(begin, play)


def posts(size: float) -> Case:
    """One hand a round; by the pattern the stake of so many winning hands is three times as large."""

    def play(state: past_posting.OfPlayer, rng: Random, wrong: bool) -> Alarm | None:
        won = rng.random() < 0.46
        large = rng.random() < ((size if won else 0.03) if wrong else 0.1)
        note = past_posting.Note([past_posting.Hand(3_000 if large else 1_000, won, False, 0)], {})
        return due(past_posting._weigh(state, SEEN, note, SHARE), "raised")

    return Case(past_posting.OfPlayer, play)


def posts_side_wagers(size: float) -> Case:
    chance = past_posting.SIDES["push22"]

    def play(state: past_posting.OfPlayer, rng: Random, wrong: bool) -> Alarm | None:
        note = past_posting.Note([], {"push22": rng.random() < (size if wrong else 0.9 * chance)})
        return due(past_posting._weigh(state, SEEN, note, SHARE), "side")

    return Case(past_posting.OfPlayer, play)


def counter(honest: Staking, counts: Staking) -> Case:
    """A shoe of a player who stakes in his own way, or by the count."""
    rng = Random(4)
    shoes = [dealt(rng, 3) for _ in range(60)]

    def play(state: dict[str, Any], rng: Random, wrong: bool) -> Alarm | None:
        follower, shoe = state["follower"], rng.choice(shoes)
        before = len(follower.alarms)
        follower.play(shoe, (counts if wrong else honest)(rng, shoe, state["mind"]), SHARE)
        return next(iter(follower.alarms[before:]), None)

    return Case(lambda: {"follower": Follower(3), "mind": {}}, play, len(shoes[0]))


PEOPLE: Final = {
    "dealer_mispay.for_patrons": mispays("for_patrons", 0.05),
    "dealer_mispay.for_house": mispays("for_house", 0.05),
    "dealer_mispay.careless": mispays("careless", 0.05),
    "collusion.overpaid": partner(0.1),
    "collusion.exchanged": exchanges(0.3),
    "collusion.decisions": signals(0.9),
    "hole_card_knowledge": knows(0.6),
    "called_void.for_patrons": lost_rounds_void(1.0),
    "pace.slower": slows(0.3),
    "past_posting.raised": posts(0.6),
    "past_posting.side": posts_side_wagers(0.4),
    "counting.stakes": counter(mood, ramp),
    "counting.presence": counter(breaks, joins_when_high),
}
