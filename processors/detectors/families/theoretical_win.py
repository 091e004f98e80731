"""A table that wins less, or more, than its rules and its players' decisions make it win, by cards or by payments.

The mean of a round is known by exact play, so nothing is estimated: what is tested is whether the cards keep to it. A
single round varies by more than the wager, so it takes many to tell. What the cards gave and what moved in money are
held against each other for themselves, where luck has no part: a tenth of the wagers is seen within an hour or two.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import log
from typing import Final

from msgspec import Struct, field

from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.favouring.lots import too_much
from processors.detectors.mixture import (
    Mixture,
    fresh,
    heaviest,
    left,
    log_ratio,
    since_heaviest,
    standing_of,
    weigh,
    weighed,
)
from processors.detectors.shapes import About, Alarm, Closed, EvidenceStanding
from processors.detectors.weighty import events_of, heaviest_since, keep, rows_of
from processors.detectors.winning.boxes import PlayedBox, boxes
from processors.detectors.winning.rounds import MispaidRound, WonRound, won_round
from processors.play.boxes import STAKED, edge_of
from schemas.amounts import amount
from schemas.rounds import StakeResult

TOLERATED: Final = 0.01
"""Null: the mean result of a main wager lies at most this far, in wagers, from what exact play makes it.

And wrong payments move at most this share of the main wagers each way, of each at most all of it: honest errors, 1 hand
in 1,000, stay far below it, and a push taken in one hand of ten is ten times as much.
"""
PATRONS: Final = (0.04, 0.12, 0.4)
HOUSE: Final = (0.04, 0.12, 0.3)
"""What is bet on each box's result, in the inverse of its main wager: only doubles and splits can lose more than it."""
AFTER: Final = {"double": 0.2, "split": 0.1}
"""The most that is bet on the rest of a box once it may win or lose more than its main wager."""
PAID: Final = (3.0, 9.0, 25.0)
"""What is bet on the share of a round's main wagers that moved wrongly one way: least for 1 in 25, most for a quarter.

A bet b has the factor 1 + b (share - `TOLERATED`): on average 1 or less, and never below 0.
"""
WEIGHTS: Final = {"patrons": 0.5, "house": 0.3, "overpaid": 0.1, "underpaid": 0.1}
STRETCH = 50  # rounds
_KEPT = 40


class MispaidBox(Struct, frozen=True):
    """A box that was paid wrongly: its seat, its main wager, what its patron got too much, and if it pushed.

    What he got too little is a negative number of cents.
    """

    seat: int
    main: int
    cents: int
    pushed: bool


class Moved(Struct):
    """Wrong payments one way: the evidence, and the latest rounds, out of which the heaviest are named."""

    mixture: Mixture = field(default_factory=lambda: fresh(len(PAID)))
    last: list[MispaidRound] = field(default_factory=list)


class State(Struct):
    """One table: the evidence each way, with what the house won of main wagers, by the cards and by theory.

    `quiet` rounds in a row moved what was due: as bets on payments they are weighed together.
    won: by variant the rounds by the cards that weigh most.
    """

    patrons: Mixture = field(default_factory=lambda: fresh(len(PATRONS)))
    house: Mixture = field(default_factory=lambda: fresh(len(HOUSE)))
    rounds: int = 0
    boxes: int = 0
    won: dict[str, list[WonRound]] = field(default_factory=dict)
    quiet: int = 0
    overpaid: Moved = field(default_factory=Moved)
    underpaid: Moved = field(default_factory=Moved)


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    game = closed.play.game
    found = boxes(closed) if closed.whole else None
    if not found or game is None:
        return
    state.rounds += 1
    state.boxes += len(found)
    yield from _won(state, closed, found, edge_of(game))
    yield from _paid(state, closed, len(found))


def _won(state: State, closed: Closed, found: list[PlayedBox], edge: float) -> Iterator[Alarm]:
    """Hold what the cards gave against what exact play makes it."""
    won, due = -sum([box.won for box in found]), sum([edge + box.play.given for box in found])
    counted = (len(found), won, due)
    for variant, mixture, made in (
        ("patrons", state.patrons, factors(found, edge, 1, PATRONS)),
        ("house", state.house, factors(found, edge, -1, HOUSE)),
    ):
        value, weight = weighed(mixture, made, STRETCH, 1, counted)
        evidence = value * WEIGHTS[variant]
        rounds = state.won.setdefault(variant, [])
        if weight > 0:
            keep(rounds, won_round(closed, mixture.rounds, weight, won, due))
        if evidence >= 1 / LEVEL:
            yield _alarm(variant, mixture, rounds, closed, evidence)


def _paid(state: State, closed: Closed, number: int) -> Iterator[Alarm]:
    """Hold what moved against what was due; a round that the law does not charge is paid rightly.

    number: of boxes.
    """
    wrong = _mispaid(closed) if closed.round.breached else []
    state.quiet += not wrong
    if not wrong and state.quiet < left(state.overpaid.mixture, STRETCH):
        return
    raised: list[tuple[str, float]] = []
    for variant, moved, sign in (("overpaid", state.overpaid, 1), ("underpaid", state.underpaid, -1)):
        these = [box for box in wrong if sign * box.cents > 0]
        share = sum(min(1.0, sign * box.cents / box.main) for box in these) / number
        made = shares(share if wrong else None, state.quiet)
        rightly = moved.mixture.value(shares(None, state.quiet))
        weight = log_ratio(moved.mixture.value(made), rightly)
        evidence = weigh(moved.mixture, made, STRETCH, state.quiet + bool(wrong)) * WEIGHTS[variant]
        if these:
            row = MispaidRound(
                closed.table.subject,
                closed.round.number,
                closed.sequence,
                moved.mixture.rounds,
                weight,
                sum(box.cents for box in these),
                tuple(sorted(box.seat for box in these)),
                len(these),
                sum(box.pushed for box in these),
                round(share, 4),
                state.rounds - 1,
                state.boxes - number,
            )
            moved.last = [*moved.last[1 - _KEPT :], row]
            if evidence >= 1 / LEVEL:
                raised.append((variant, evidence))
    state.quiet = 0
    for variant, evidence in raised:
        yield _alarm_of_payments(variant, state, closed, evidence)


def _mispaid(closed: Closed) -> list[MispaidBox]:
    """The boxes of a round whose patrons got too much or too little for what they played for."""
    played: dict[int, list[StakeResult]] = {}
    for stake in closed.result.stakes:
        if stake.kind in STAKED:
            played.setdefault(stake.seat, []).append(stake)
    found = []
    for seat, stakes in played.items():
        cents = sum(too_much(stake, charged=True) or 0 for stake in stakes)
        main = next((stake.staked_cents for stake in stakes if stake.kind == "main"), 0)
        if cents and main:
            pushed = not any(stake.due_cents for stake in stakes)
            found.append(MispaidBox(seat, main, cents, pushed))
    return found


def shares(share: float | None, quiet: int) -> list[float]:
    """The factors of bets on payments, by size, of `quiet` rounds and of one with that share of its wagers moved."""
    return [
        (1 - bet * TOLERATED) ** quiet * (1.0 if share is None else 1 + bet * (share - TOLERATED))
        for bet in PAID
    ]


def factors(found: list[PlayedBox], edge: float, sign: int, bets: tuple[float, ...]) -> list[float]:
    """The factors of bets on a round's boxes, by size: 1 on average or less under the null.

    sign: 1 bets that patrons win more than their decisions leave them, -1 that they win less. It is the mean over the
    boxes of what bets on each return: their results hang together, the means of their bets do not.
    """
    allowed = TOLERATED - sign * edge
    number, at, raised = len(found), 0.0, []
    for box in found:
        result = box.won + box.play.given
        if box.play.raised:
            before = box.play.worth + box.play.before
            at += before
            raised.append((sign * before - allowed, sign * (result - before), AFTER[box.play.raised]))
        else:
            at += result
    mean = sign * at / number - allowed
    made = []
    for bet in bets:
        factor = 1 + bet * mean
        for until, after, most in raised:
            factor += (1 + bet * until) * min(bet, most) * after / number
        made.append(max(0.0, factor))
    return made


def _alarm(variant: str, mixture: Mixture, rounds: list[WonRound], closed: Closed, evidence: float) -> Alarm:
    since, most = heaviest(mixture), since_heaviest(mixture, rounds)
    wagers, all_won, all_due = since.counted
    won, due = all_won / wagers, all_due / wagers
    return Alarm(
        variant=variant,
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=events_of(most, closed.table.subject),
        expected={"theoretical_win_per_wager": round(due, 4)},
        observed={
            "win_per_wager_by_the_cards": round(won, 4),
            "rounds": since.rounds,
            "wagers": wagers,
            "weightiest": rows_of(most),
        },
        message=f"Over {since.of('main wager', wagers)} in {amount(since.rounds, 'round')} the cards gave the house "
        f"{100 * won:+.1f} % of a wager; the rules and the players' decisions make it {100 * due:+.1f} %: chance "
        f"hardly leaves {'so little' if variant == 'patrons' else 'so much'}.",
    )


def stretch_of(moved: Moved, other: Moved) -> list[MispaidRound]:
    """The latest rounds that moved money one way, from that on from which they weigh most.

    Rounds from which on `other`, what moved the other way, is not known whole any more are left out.
    """
    known = other.last[0].sequence if len(other.last) == _KEPT else 0
    rows = [row for row in moved.last if row.sequence >= known]
    start, best = len(rows) - 1, float("-inf")
    for bet in PAID:
        weight, until = 0.0, rows[-1].rounds + 1
        for place in range(len(rows) - 1, -1, -1):
            row = rows[place]
            weight += log(1 + bet * (row.share - TOLERATED)) + (until - row.rounds - 1) * log(
                1 - bet * TOLERATED
            )
            until = row.rounds
            if weight > best:
                start, best = place, weight
    return rows[start:]


def _raising(rows: list[MispaidRound]) -> list[MispaidRound]:
    """The rounds that raised the evidence: a small wrong payment may lower it."""
    return [row for row in rows if row.weight > 0]


def _alarm_of_payments(variant: str, state: State, closed: Closed, evidence: float) -> Alarm:
    """What moved in the latest stretch: an earlier dealer's rounds, paid rightly, say nothing of it."""
    over = variant == "overpaid"
    moved, other = (state.overpaid, state.underpaid) if over else (state.underpaid, state.overpaid)
    rows = stretch_of(moved, other)
    first = rows[0]
    back = [row for row in other.last if row.sequence >= first.sequence]
    cents, boxes_, pushed = (
        abs(sum(getattr(row, one) for row in rows)) for one in ("cents", "boxes", "pushed")
    )
    back_cents, back_boxes = abs(sum(row.cents for row in back)), sum(row.boxes for row in back)
    most = heaviest_since(_raising(rows))
    rounds, wagers = state.rounds - first.rounds, state.boxes - first.wagers
    words = ("more", "less") if over else ("less", "more")
    against = f", and ${back_cents / 100:,.2f} {words[1]} at {back_boxes}" if back else ""
    return Alarm(
        variant=variant,
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=events_of(most, closed.table.subject),
        expected={"share_of_wagers_moved_wrongly_at_most": TOLERATED},
        observed={
            "since_round": first.round,
            "cents": cents,
            "rounds_mispaid": len(rows),
            "boxes_mispaid": boxes_,
            "boxes_pushed": pushed,
            "cents_the_other_way": back_cents,
            "boxes_mispaid_the_other_way": back_boxes,
            "rounds_played": rounds,
            "wagers": wagers,
            "rounds": rows_of(most),
        },
        message=f"Since round {first.round:,}, over {amount(wagers, 'main wager')} in {amount(rounds, 'round')}, "
        f"patrons got ${cents / 100:,.2f} {words[0]} than was due at {amount(boxes_, 'box')} in "
        f"{amount(len(rows), 'round')} ({pushed} had pushed)"
        f"{against}: honest errors move less than {100 * TOLERATED:.0f} % of the wagers.",
    )


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    about: About = {"table": subject}
    for variant, mixture in (("patrons", state.patrons), ("house", state.house)):
        weighty = state.won.get(variant, ())
        yield standing_of(mixture, variant, about, WEIGHTS[variant], weighty=weighty)
    since = shares(None, state.quiet)
    for variant, moved in (("overpaid", state.overpaid), ("underpaid", state.underpaid)):
        last = _raising(moved.last)
        yield standing_of(
            moved.mixture, variant, about, WEIGHTS[variant], weighty=last, untaken=since, more=state.quiet
        )


register(
    Family(
        name="theoretical_win",
        variants=tuple(WEIGHTS),
        about=("table",),
        null="the cards give a main wager, on average, what exact play gives it, with the decisions "
        "that were made, within 1 % of the wager; and wrong payments move at most 1 % of the main wagers each way, of "
        "each at most the wager",
        statistic="What each box won by its cards, in units of its main wager, insurance and side wagers apart, "
        "and what each of its decisions gave away against the best one added: what then is expected is the edge alone. "
        "And the share of each round's main wagers that was paid too much, or too little: the money that moves should "
        "be the money due, whatever the cards gave. A suspicion tells of the latest stretch of payments that weighs "
        "most, with at most 40 rounds of wrong payments, and names the ten of them that weigh most.",
        bound="Bets of three sizes on the mean of a round's boxes; what a doubled or "
        "split box may win or lose beyond its worth at that choice is bet on again, with less, so that no bet loses "
        "more than all. Payments are bet on in three sizes, each way. From the first round and from any stretch of 50 "
        "(Ville). Wins of patrons have half of the level, wins of the house three tenths, payments a tenth each way.",
        innocent=(
            "players who only stake when many high cards are left: their wagers are worth some 1 or 2 % more",
            "a player who decides by what is not public, such as the hole card: he loses less by his decisions than it "
            "seems",
            "the luckiest or unluckiest of many tables: the level of the alarm allows for that",
            "wrong payments of one kind: a rule, such as who wins a tie, that the table's dealers read otherwise",
            "patrons who are paid what they were owed from an earlier round",
            "a layout or console that takes two boxes one for the other: one is paid too much, the other too little",
            "a console that loses words of settlements: a stake that was collected then looks left lying",
        ),
        blind=(
            "a drift of a few per cent: a wager's result has a standard deviation of 1.1 wagers, so that a fifth of a "
            "wager takes some hundreds of rounds, and a twentieth some thousands",
            "stack games; insurance and side wagers; payments that move less than 1 % of the wagers: in fewer than "
            "1 of 100 hands, or a small part of each; they are breaches, and a matter of the dealer",
            "rounds that are void, could not be decided, or are known to lack a word of a device",
        ),
        cost="The decisions of a round looked up in exact play, some 10 us a box; four mixtures of three bets "
        "and up to 160 rounds, under 11 kB a table.",
        table=AtTable(state=State, closed=_closed, standing=_standing),
    )
)
