"""Devices that fail more often than devices in order do: words missing, faces not read, words out of time.

Beside `integrity.device`, which names a stretch of bad words as soon as there are three in a hundred: this one holds
all that a table's devices said against their honest base, and says how sure it is.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from math import exp, log1p

from msgspec import Struct, field

from processors.core.state import Logged, Round
from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.mixture import Mixture, fresh, left, weigh
from processors.detectors.shapes import Alarm, Closed, Standing
from schemas import events as e
from schemas.values import UNKNOWN

HONEST = 1 / 200
"""Null: the chance that a card is missing or unread in a device's report, given all before it, is at most this."""
ALTERNATIVES = (0.015, 0.04, 0.12, 0.4)
MOST = 3  # of a round's lost words of one kind that count: a device that dies for a moment is one fault, not twenty
APART = dt.timedelta(seconds=1)  # words of two devices may stand in either order by as much
_STRETCH = 8  # rounds: a device may begin to fail with any such stretch
_KEPT = 20  # rounds told as evidence


class Kind(Struct, frozen=True):
    """One way in which a device fails: the check's variant, its share of the level, and the words for it."""

    variant: str
    share: float
    words: str
    failed: str


KINDS = {
    "draws": Kind("gaps", 0.2, "cards drawn", "missing from the shoe's report"),
    "placements": Kind("gaps", 0.2, "cards laid", "missing from the layout's report"),
    "racked": Kind("gaps", 0.1, "cards racked", "missing from the rack's report"),
    "shoe_faces": Kind("unreadable", 0.15, "cards drawn", "not read by the shoe"),
    "layout_faces": Kind("unreadable", 0.15, "cards laid face up", "not read by the layout"),
    "rack_faces": Kind("unreadable", 0.1, "cards racked", "not read by the rack"),
    "clocks": Kind("skew", 0.1, "words of devices", "more than a second out of time"),
}
FACES = ("shoe_faces", "layout_faces", "rack_faces")
VARIANTS = ("gaps", "unreadable", "skew")
_RATIOS = tuple(p / HONEST for p in ALTERNATIVES)
_LOG_NOT = tuple(log1p(-p) - log1p(-HONEST) for p in ALTERNATIVES)


class Tally(Struct):
    """What is held of one kind: words due and lost, the evidence, and the latest rounds that lost some.

    `well` rounds in a row, with `good` words, lost none: they are weighed together.
    """

    mixture: Mixture
    due: int = 0
    lost: int = 0
    well: int = 0
    good: int = 0
    rounds: list[tuple[int, int, int]] = field(default_factory=list)  # round, its first event, words lost


class State(Struct):
    """One table's devices, by kind of failure, and those that have shown that they read faces: others never do."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    readers: list[str] = field(default_factory=list)


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    if not closed.ended:
        return
    for kind, (due, lost) in counted(closed.round).items():
        if kind in FACES and kind not in state.readers:
            if lost == due:
                continue
            state.readers.append(kind)
        if due:
            tally = state.tallies.get(kind)
            if tally is None:
                tally = state.tallies[kind] = Tally(fresh(len(ALTERNATIVES)))
            evidence = _count(tally, due, lost, closed.round) * KINDS[kind].share
            if evidence >= 1 / LEVEL:
                yield _alarm(kind, tally, closed, evidence)


def _count(tally: Tally, due: int, lost: int, round_: Round) -> float:
    """Take a round; the evidence after one that lost words, and else 0: it has not grown."""
    tally.due += due
    if not lost:
        tally.well += 1
        tally.good += due
        if tally.well >= left(tally.mixture, _STRETCH):
            _settle(tally)
        return 0.0
    _settle(tally)
    tally.lost += lost
    tally.rounds = [*tally.rounds[1 - _KEPT :], (round_.number, round_.first_sequence, lost)]
    counts = min(lost, MOST)
    good = _good(max(0, due - lost))
    factors = [ratio**counts * factor for ratio, factor in zip(_RATIOS, good, strict=True)]
    return weigh(tally.mixture, factors, _STRETCH)


def _settle(tally: Tally) -> None:
    if tally.well:
        weigh(tally.mixture, _good(tally.good), _STRETCH, tally.well)
        tally.well = tally.good = 0


def _good(words: int) -> list[float]:
    """The likelihood ratios of so many words that came."""
    return [exp(words * ln) for ln in _LOG_NOT]


def _alarm(kind: str, tally: Tally, closed: Closed, evidence: float) -> Alarm:
    of = KINDS[kind]
    allowed = tally.due * HONEST
    return Alarm(
        variant=of.variant,
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=tuple(first for _, first, _ in tally.rounds),
        expected={"at_most_of_200": 1, "words_due": tally.due, "lost_by_chance": round(allowed, 1)},
        observed={
            "words": of.words,
            "words_lost": tally.lost,
            "rounds": [{"round": number, "words_lost": lost} for number, _, lost in tally.rounds],
        },
        message=f"{tally.lost} of {tally.due} {of.words} were {of.failed}, lately far more than 1 in 200 (chance "
        f"allows {allowed:.1f} in all): a device of the table needs attention.",
    )


def counted(round_: Round) -> dict[str, tuple[int, int]]:
    """Of each kind of failure: the words due in a round by what other devices show, and those that failed.

    A word that fell silent together with all that could show it is not due: nobody knows of it.
    """
    drawn = placed = shoe_unread = layout_faces = layout_unread = racked = rack_faces = rack_unread = 0
    turns = late = sealed = 0
    before: Logged | None = None
    for one in round_.log:
        data = one.data
        kind = type(data)
        if kind is e.CardDrawn:
            drawn += 1
            sealed += bool(data.seal)
            shoe_unread += data.card == UNKNOWN and not data.seal
        elif kind is e.CardPlaced:
            placed += 1
            if data.face_up:
                layout_faces += 1
                layout_unread += data.card == UNKNOWN
        elif kind is e.CardsRacked:
            racked += len(data.cards)
            if data.reason in _FACE_UP:
                rack_faces += len(data.cards)
                rack_unread += data.cards.count(UNKNOWN)
        if before is not None and one.source != before.source:
            turns += 1
            late += before.time - one.time > APART
        before = one
    return {
        "draws": (placed, max(0, placed - drawn)) if placed else (0, 0),
        "placements": (drawn, max(0, drawn - placed - _not_to_be_laid(round_))) if drawn else (0, 0),
        "racked": _racked(round_, racked),
        "shoe_faces": (drawn - sealed, shoe_unread),
        "layout_faces": (layout_faces, layout_unread),
        "rack_faces": (rack_faces, rack_unread),
        "clocks": (turns, late),
    }


def _not_to_be_laid(round_: Round) -> int:
    """Cards that left the shoe and went to no hand: burnt, exposed and racked, or drawn in error."""
    apart = len(round_.told(e.CardBurned, e.CardExposed))
    return apart + sum(len(entry.cards) for entry in round_.racked if entry.reason not in _OF_HANDS)


def _racked(round_: Round, racked: int) -> tuple[int, int]:
    """Cards of hands that are due in the rack once the round is over, and how many of them it did not report."""
    if round_.reloads or round_.voided is not None:
        return 0, 0
    due = sum(len(hand.cards) for hand in round_.hands.values())
    return due, max(0, due - racked)


_FACE_UP = ("settled", "bust", "blackjack", "surrender")
_OF_HANDS = (*_FACE_UP, "void")


def _standing(state: State, subject: str) -> Iterator[Standing]:
    for variant in VARIANTS:
        held = [
            (tally, KINDS[kind].share)
            for kind, tally in state.tallies.items()
            if KINDS[kind].variant == variant
        ]
        if held:
            yield Standing(
                variant=variant,
                about={"table": subject},
                e_value=max(tally.mixture.value(_good(tally.good)) * share for tally, share in held),
                highest=max(tally.mixture.highest * share for tally, share in held),
                rounds=max(tally.mixture.rounds + tally.well for tally, _ in held),
            )


register(
    Family(
        name="sensor_health",
        variants=VARIANTS,
        about=("table",),
        null="each word of a device is missing, unread or out of time with a chance of at most 1 in 200",
        statistic="Words due and lost in each round, by device and kind of failure: draws, placements and racked cards "
        "missing beside another device's word of them; faces not read; words more than a second earlier than the "
        "word of another device before them. At most three lost words of a kind count in a round.",
        bound="Likelihood ratios against four rates, from the beginning and from any stretch of eight rounds (Ville). "
        "The seven kinds share the level.",
        innocent=(
            "a device that was cleaned, moved or replaced",
            "a layout lit from the side, or worn cards",
            "a network that is down for a while",
        ),
        blind=(
            "words of which no other device shows that they were due: wagers, decisions, a recorder that is away",
            "a clock that is less than a second off, or off together with all others",
            "misread cards: they contradict another device and are integrity findings",
        ),
        cost="One pass over the events of a round; seven mixtures of four rates, some 2 kB a table.",
        table=AtTable(state=State, closed=_closed, standing=_standing),
    )
)
