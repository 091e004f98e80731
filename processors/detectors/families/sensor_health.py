"""Devices that fail more often than devices in order do: words missing, faces not read, words out of time, silences.

Beside `integrity.device`, which names a stretch of bad words as soon as there are three in a hundred: this one holds
all that a table's devices said against their honest base, and says how sure it is.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import exp, log1p
from operator import itemgetter
from typing import Any

from msgspec import Struct, field

from processors.core.state import Round
from processors.core.witnesses import Witness
from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.mixture import (
    Mixture,
    fresh,
    heaviest,
    how_often,
    left,
    since_heaviest,
    weigh,
    weighed,
)
from processors.detectors.sensing import silences
from processors.detectors.sensing.kinds import KINDS, LossyRound
from processors.detectors.shapes import Alarm, Closed, EvidenceStanding
from processors.detectors.weighty import WeightyRound, events_of, heaviest_since, keep, rows_of
from schemas import events as e
from schemas.amounts import verb
from schemas.values import DEALER, UNKNOWN

HONEST = 1 / 200
"""Null: the chance that a card is missing or unread in a device's report, given all before it, is at most this."""
ALTERNATIVES = (0.02, 0.06, 0.3)
MOST = 3  # of a round's lost words of one kind that count: a device that dies for a moment is one fault, not twenty
IN_STEP = dt.timedelta(seconds=0.5)  # by as much the clocks of two devices may differ
APART = dt.timedelta(seconds=2)  # words of two devices may stand in either order by as much
_STRETCH = 16  # rounds: a device may begin to fail with any such stretch

SILENCE = 0.09 / len(silences.DEVICES)
"""The share of the level of each device's silences; with those of `KINDS` they sum to 1."""
SHOWN = ("readings", "wagers", "decisions", "shoe_faces", "layout_faces", "rack_faces")
"""Kinds of words that not every table has: they are due once the table has shown that it has them."""
_SAID_BY: dict[str, Witness] = {
    "draws": "shoe",
    "placements": "placements",
    "racked": "rack",
    "readings": "reader",
    "wagers": "wagers",
    "decisions": "console",
}
"""Who owes the words of a kind."""
VARIANTS = ("gaps", "unreadable", "skew", "silence")
_RATIOS = tuple(p / HONEST for p in ALTERNATIVES)
_LOG_NOT = tuple(log1p(-p) - log1p(-HONEST) for p in ALTERNATIVES)


class Tally(Struct):
    """What is held of one kind: the evidence, and the rounds that lost some words and weigh most.

    Beside the evidence there are counted words due and lost, and the table's rounds up to the last that lost some.
    `well` rounds in a row, with `good` words, lost none: they are weighed together.
    """

    mixture: Mixture
    well: int = 0
    good: int = 0
    rounds: list[LossyRound] = field(default_factory=list)


class State(Struct):
    """One table's devices, by kind of failure, and the kinds of words that the table has shown that it has."""

    tallies: dict[str, Tally] = field(default_factory=dict)
    shown: list[str] = field(default_factory=list)
    silences: silences.SilencesOfTable = field(default_factory=silences.SilencesOfTable)


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    if not closed.ended:
        return
    unheard = closed.round.unheard
    place = closed.table.subject, closed.round.number, closed.sequence
    for kind, (due, lost) in counted(closed.round).items():
        if unheard and _SAID_BY.get(kind) in unheard:
            continue  # a device that is dead loses no single words: its silences are weighed below
        if kind in SHOWN and kind not in state.shown:
            if lost == due:
                continue
            state.shown.append(kind)
        if due:
            tally = state.tallies.get(kind)
            if tally is None:
                tally = state.tallies[kind] = Tally(fresh(len(ALTERNATIVES)))
            if not lost and tally.well < _STRETCH - 1 - tally.mixture.rounds % _STRETCH:
                tally.well += 1
                tally.good += due
                continue
            evidence = _count(tally, kind, due, lost, (*place, state.silences.played + 1)) * KINDS[kind].share
            if evidence >= 1 / LEVEL:
                yield _alarm(kind, tally, closed, evidence)
    for name, e_value in silences.take(state.silences, unheard, place):
        if e_value * SILENCE >= 1 / LEVEL:
            yield _silence_alarm(name, state.silences, closed, e_value * SILENCE)


def _count(tally: Tally, kind: str, due: int, lost: int, place: tuple[str, int, int, int]) -> float:
    """Take a round; the evidence after one that lost words, and else 0: it has not grown.

    place: its table, its number, the event that closed it, and the table's rounds up to it.
    """
    if not lost:
        tally.well += 1
        tally.good += due
        if tally.well >= left(tally.mixture, _STRETCH):
            _settle(tally)
        return 0.0
    _settle(tally)
    counts = min(lost, MOST)
    good = _good(max(0, due - lost))
    factors = [ratio**counts * factor for ratio, factor in zip(_RATIOS, good, strict=True)]
    played = place[-1] - (tally.mixture.counted[2] if tally.mixture.counted else 0)
    value, weight = weighed(tally.mixture, factors, _STRETCH, 1, (due, lost, played))
    if weight > 0:
        keep(tally.rounds, LossyRound(*place, weight, kind=kind, lost=lost))
    return value


def _settle(tally: Tally) -> None:
    if tally.well:
        weigh(tally.mixture, _good(tally.good), _STRETCH, tally.well, (tally.good, 0, 0))
        tally.well = tally.good = 0


@lru_cache(maxsize=4096)
def _good(words: int) -> tuple[float, ...]:
    """The likelihood ratios of so many words that came."""
    return tuple(exp(words * ln) for ln in _LOG_NOT)


def _alarm(kind: str, tally: Tally, closed: Closed, evidence: float) -> Alarm:
    of, since = KINDS[kind], heaviest(tally.mixture)
    due, lost, played = since.counted
    most = heaviest_since(tally.rounds, tally.mixture.counted[2] - played)
    allowed = due * HONEST
    said = f"{since.part(lost, of.noun, due)} {of.which}".rstrip()
    return Alarm(
        variant=of.variant,
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=events_of(most, closed.table.subject),
        expected={"at_most_of_200": 1, "words_due": due, "lost_by_chance": round(allowed, 1)},
        observed={
            "words": f"{of.noun}s {of.which}".rstrip(),
            "words_lost": lost,
            "rounds": rows_of(most),
        },
        message=f"{said[:1].upper()}{said[1:]} {verb(lost, 'was')} {of.failed}, lately far more than 1 in 200 "
        f"(chance allows {allowed:.1f}{'' if since.later else ' in all'}): a device of the table needs attention.",
    )


def _silence_alarm(name: str, table: silences.SilencesOfTable, closed: Closed, evidence: float) -> Alarm:
    one = table.devices[name]
    since = heaviest(one.mixture)
    falls, silent = since.counted
    most = since_heaviest(one.mixture, one.rounds)
    return Alarm(
        variant="silence",
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=events_of(most, closed.table.subject),
        expected={"falls_silent_in_at_most": "1 round in 1,000", "then_stays_so_in_at_most": "3 rounds in 4"},
        observed={
            "device": name,
            "fell_silent": falls,
            "silent_rounds": silent,
            "of_rounds": since.rounds,
            "rounds": rows_of(most),
        },
        message=f"The {silences.NAMED_NOTHING[name]} for a while in {since.part(silent, 'round')}, having fallen "
        f"silent {how_often(max(1, falls))}: more often, or for longer, than a device does that falls silent in 1 "
        "round of 1,000. It needs attention.",
    )


def counted(round_: Round) -> dict[str, tuple[int, int]]:
    """Of each kind of failure: the words due in a round by what other devices show, and those that failed.

    A word that fell silent together with all that could show it is not due: nobody knows of it.
    """
    drawn = placed = sealed = shoe_unread = layout_faces = layout_unread = 0
    racked = rack_faces = rack_unread = turns = late = 0
    times: dict[int, dt.datetime] = {}
    source, before = "", None
    reading: dt.datetime | None = None
    read = read_late = 0
    for one in round_.log:
        time = one.time
        if reading is not None:
            read, read_late = 1, int(read_late or reading - time > APART)
            reading = None
        data = one.data
        kind = type(data)
        if kind in _COUNTED:
            if kind is e.CardPlaced:
                placed += 1
                if data.face_up:
                    layout_faces += 1
                    layout_unread += data.card == UNKNOWN
                times[one.sequence] = time
            elif kind is e.CardDrawn:
                drawn += 1
                if data.seal:
                    sealed += 1
                else:
                    shoe_unread += data.card == UNKNOWN
                times[one.sequence] = time
            elif kind is e.CardsRacked:
                racked += len(data.cards)
                if data.reason in _FACE_UP:
                    rack_faces += len(data.cards)
                    rack_unread += data.cards.count(UNKNOWN)
            elif not read and before is not None:
                # Whether it stands in time is told by the words before and after it.
                reading, read_late = time, int(before - time > APART)
        if one.source != source:
            if before is not None:
                turns += 1
                late += time < before and before - time > APART
            source = one.source
        before = time
    return {
        "draws": (placed, max(0, placed - drawn)),
        "placements": (drawn, max(0, drawn - placed - _not_to_be_laid(round_)) if drawn > placed else 0),
        "racked": _racked(round_, racked),
        "readings": _readings(round_),
        "wagers": _wagers(round_),
        "decisions": _decisions(round_),
        "shoe_faces": (drawn - sealed, shoe_unread),
        "layout_faces": (layout_faces, layout_unread),
        "rack_faces": (rack_faces, rack_unread),
        "clocks": _clocks(round_, times),
        "late": (turns, late),
        "reading_times": (read, read_late) if read and round_.reader is not None else (0, 0),
    }


def _readings(round_: Round) -> tuple[int, int]:
    """The reading of the hole card, where an ace or a ten-value card was up and the hole card was shown."""
    dealer = round_.hands.get(DEALER)
    if round_.hole_revealed is None or dealer is None or len(dealer.cards) < 2:
        return 0, 0
    up = dealer.cards[0 if round_.hole_index else 1]
    return (1, int(round_.reader is None)) if up[0] in _TENS_AND_ACES else (0, 0)


def _wagers(round_: Round) -> tuple[int, int]:
    """Seats that were dealt in, and those of which no main wager was reported; stacks go to empty positions too."""
    dealt = {hand.seat for name, hand in round_.hands.items() if name.endswith(".1") and hand.cards}
    staked = {stake.seat for stake in round_.stakes.values() if stake.kind == "main" and stake.cents}
    return len(dealt), len(dealt - staked)


def _decisions(round_: Round) -> tuple[int, int]:
    """Cards that players asked for, and those without a decision: of hands that were not split."""
    due = lost = 0
    for name, hand in round_.hands.items():
        more = len(hand.cards) - 2
        if more > 0 and name.endswith(".1") and hand.split_at is None:
            asked = sum(kind in ("hit", "double") for kind, _ in hand.decisions)
            due += more
            lost += max(0, more - asked)
    return due, lost


def _clocks(round_: Round, times: dict[int, dt.datetime]) -> tuple[int, int]:
    """Draws with their placements: a card is laid after it was drawn, and before the next one is drawn."""
    due = wrong = 0
    laid: dt.datetime | None = None
    for placement, draw in sorted(round_.draws.items(), key=itemgetter(1)):
        at, drawn = times.get(placement), times.get(draw)
        if at is None or drawn is None:
            laid = None
            continue
        due += 1
        # A difference of times costs more than a comparison, and nearly all stand in order.
        wrong += (at < drawn and drawn - at > IN_STEP) or (
            laid is not None and drawn < laid and laid - drawn > IN_STEP
        )
        laid = at
    return due, wrong


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


_COUNTED: frozenset[type[Any]] = frozenset((e.CardPlaced, e.CardDrawn, e.CardsRacked, e.HoleCardRead))
"""The events whose words `counted` looks at."""
_FACE_UP = ("settled", "bust", "blackjack", "surrender")
_OF_HANDS = (*_FACE_UP, "void")
_TENS_AND_ACES = frozenset("TJQKA")


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    """By variant the highest over kinds and devices, with the rounds of the one whose evidence was the highest."""
    found: dict[str, list[tuple[float, float, int, Sequence[WeightyRound]]]] = {}
    for kind, tally in state.tallies.items():
        of, mixture = KINDS[kind], tally.mixture
        value = mixture.value(_good(tally.good))
        highest = max(mixture.highest, value)
        told = value * of.share, highest * of.share, mixture.rounds + tally.well, tally.rounds
        found.setdefault(of.variant, []).append(told)
    for one in state.silences.devices.values():
        if one.mixture.counted:  # it was ever silent
            value, highest = one.mixture.value() * SILENCE, one.mixture.highest * SILENCE
            found.setdefault("silence", []).append((value, highest, state.silences.played, one.rounds))
    for variant in VARIANTS:
        if variant in found:
            now, highests, rounds, _ = zip(*found[variant], strict=True)
            yield EvidenceStanding(
                variant=variant,
                about={"table": subject},
                e_value=max(now),
                highest=max(highests),
                rounds=max(rounds),
                weighty=tuple(max(found[variant], key=itemgetter(1))[3]),
                mark=state.silences.played,
            )


register(
    Family(
        name="sensor_health",
        variants=VARIANTS,
        about=("table",),
        null="each word of a device is missing, unread or out of time with a chance of at most 1 in 200; a device "
        "falls silent in at most 1 of 1,000 rounds, and then stays so from round to round with a chance of at most 3/4",
        statistic="Words due and lost in each round, by device and kind of failure: draws, placements, racked cards, "
        "readings, wagers and decisions missing beside another device's word of them; faces not read; cards laid "
        "before they were drawn, by clocks more than half a second apart; words that come more than 2 seconds late. At "
        "most three lost words of a kind count in a round. And rounds in which a device fell silent, and stayed so.",
        bound="Likelihood ratios against three rates, from the beginning and from any stretch of 16 rounds (Ville). "
        "The twelve kinds have 91/100 of the level, the silences of the six devices 9/100.",
        innocent=(
            "a device that was cleaned, moved or replaced",
            "a layout lit from the side, or worn cards",
            "a network that is down for a while",
        ),
        blind=(
            "one silence of some fifty rounds or fewer: that is an integrity finding of its own",
            "a console that ends no round: there is no round then",
            "words of which no other device shows that they were due: steps of the console, a recorder that is away",
            "a clock of shoe or layout that is less than half a second off, or that of console, reader or rack, off by "
            "less than 2 seconds: people key what they see before or after it happens, so order tells nothing there",
            "misread cards: they contradict another device and are integrity findings",
        ),
        cost="One pass over the events of a round; eighteen mixtures of three rates, under 35 kB a table.",
        table=AtTable(state=State, closed=_closed, standing=_standing),
    )
)
