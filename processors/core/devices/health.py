"""How well each device says what it witnesses: words due, words lost, and stretches in which too many are lost (A66).

A word that a device owed and did not say is lost (the others show that it was due), a face that it could not read is
lost too, and so is a word that came late or by a wrong clock. Three lost of the last hundred due begin a stretch
(`thresholds.LIMIT`). A device that loses five of a hundred is named within a hundred and fifty words. A silence
(`silence`) begins a stretch as well. A stretch is one finding, and its end another one without accusation; what is lost
in between is counted, and not told singly.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from processors.core.anomaly import Anomaly
from processors.core.devices.thresholds import (
    AFTER_LOSSES,
    AFTER_RELAPSE,
    AFTER_SILENCE,
    APART,
    BROKE_TOGETHER,
    LIMIT,
    PARTNERS,
    WATCHED,
    WINDOW,
)
from processors.core.state import Round, Table
from processors.core.witnesses import FailingStretch, Witness, WordTally
from schemas.amounts import amount
from schemas.findings import finding_id

CHECK = "integrity.device"
FACES = "faces"
_CLOCK = "clock:"
_LAYOUT: tuple[Witness, ...] = ("placements", "wagers", "rack")

NAMES: dict[str, tuple[str, str]] = {
    "placements": ("layout", "cards laid"),
    "wagers": ("layout", "wagers"),
    "rack": ("discard rack", "hands racked"),
    "shoe": ("shoe", "cards drawn"),
    "reader": ("card reader", "readings"),
    "console": ("console", "steps and decisions"),
    FACES: ("reading of cards", "faces of cards"),
}
"""Of each tally: the device, and what it counts."""
_WORDS: dict[Witness, str] = {"reader": "the reading of the hole card"}


def heard(table: Table, what: str, sequence: int) -> tuple[Anomaly, ...]:
    """Count a word that came; the end of the stretch, once enough have come in a row."""
    tally = table.health.get(what)
    if tally is None:
        tally = table.health[what] = WordTally()
    tally.due += 1
    if tally.stretch is None or what in table.silent:
        return ()
    return _ends(what, tally, sequence)


def lost(table: Table, what: str, event: int, sequence: int, of: str = "") -> tuple[Anomaly, ...]:
    """Count a word that did not come, due at `event`; the stretch that begins by it, if one does.

    `of` is what else takes part in the loss: for a clock the device by whose time it is off.
    """
    tally = table.health.setdefault(what, WordTally())
    tally.due += 1
    return _lose(table, what, tally, event, sequence, of)


def lost_in_a_row(table: Table, what: str, events: Sequence[int], sequence: int) -> tuple[Anomaly, ...]:
    """Count words lost one after another, due at these events; the stretch that begins by them, if one does.

    Enough of them are a device that was dead, whose stretch is over as soon as that of one found silent.
    """
    found: tuple[Anomaly, ...] = ()
    for event in events:
        found += lost(table, what, event, sequence)
    tally = table.health[what]
    if found and len(events) >= LIMIT and tally.stretch is not None:
        tally.stretch.calm = _calm(tally)
    return found


def _lose(
    table: Table, what: str, tally: WordTally, event: int, sequence: int, of: str
) -> tuple[Anomaly, ...]:
    window = WINDOW * PARTNERS if what.startswith(_CLOCK) else WINDOW
    tally.lost = [one for one in tally.lost if one[0] > tally.due - window]
    tally.lost.append((tally.due, event, of))
    tally.last = tally.due
    if tally.stretch is not None:
        covered(table, what, apart=True)
        return ()
    events = tuple(dict.fromkeys(one[1] for one in tally.lost)) if of else tuple(one[1] for one in tally.lost)
    if len(events) < LIMIT or (of and len({one[2] for one in tally.lost}) < PARTNERS):
        return ()
    beside = fell_with(table, what, events[0])
    begin(table, what, events[0], finding_id(table.subject, CHECK, sequence, _base(what)), beside, apart=True)
    covered(table, what, len(events) - 1, apart=True)
    return () if beside else (_lossy(what, tally, events),)


def fell_with(table: Table, witness: str, since: int | None = None) -> str:
    """The finding about another part of the same device that fell silent just before, if one did: one thing broke.

    With `since`, the event of this part's first lost word, also about a part that had begun to lose words by then.
    """
    for other in parts(witness):
        stretch = _stretch(table, other)
        if stretch is None:
            continue
        broken = other in table.silent or (since is not None and stretch.since <= since)
        if broken and stretch.rounds <= BROKE_TOGETHER:
            return stretch.about
    return ""


def missing_word(witness: Witness) -> str:
    """What a round lacks whose breach waits for the witness."""
    return _WORDS.get(witness, f"a word of the {NAMES[witness][0]}")


def silent(table: Table, witness: Witness) -> bool:
    """Whether the witness is silent, or fell silent just now with another part of its device."""
    return witness in table.silent or bool(fell_with(table, witness))


def parts(witness: str) -> tuple[Witness, ...]:
    """The other parts of the same device."""
    return tuple(one for one in _LAYOUT if one != witness) if witness in _LAYOUT else ()


def part_unheard(table: Table, witness: Witness, round_: Round) -> bool:
    """Whether another part of the same device fell silent in a round just now, or came back in it."""
    unheard = [one for one in parts(witness) if one in round_.unheard]
    return any(one not in table.silent for one in unheard) or silent(table, witness)


def _stretch(table: Table, what: str) -> FailingStretch | None:
    """The stretch of the device that goes on, if one does."""
    tally = table.health.get(what)
    return tally.stretch if tally is not None else None


def covers(table: Table, what: str) -> bool:
    """Whether a stretch of the device covers what it loses."""
    return _stretch(table, what) is not None


def finding_about(table: Table, what: str) -> str:
    """The id of the finding that covers what the device loses; empty if none does."""
    stretch = _stretch(table, what)
    return stretch.about if stretch is not None else ""


def begin(table: Table, what: str, since: int, finding: str, beside: str = "", *, apart: bool) -> bool:
    """Begin a stretch, unless one goes on; `apart`: the words were lost one by one, and not in a row.

    `beside` is the finding about the part of the same device that fell silent before.
    """
    tally = table.health.setdefault(what, WordTally())
    tally.last = tally.due
    if tally.stretch is not None:
        return False
    tally.stretch = FailingStretch(since, finding, AFTER_LOSSES if apart else _calm(tally), beside)
    covered(table, what, apart=False)
    return True


def _calm(tally: WordTally) -> int:
    """The words in a row that end a stretch in which a device was dead."""
    again = tally.closed and tally.due - tally.closed < WINDOW
    return AFTER_RELAPSE if again else AFTER_SILENCE


def covered(table: Table, what: str, words: int = 1, *, apart: bool = False) -> None:
    """Count a word that was lost within the stretch of its device, and the round that lacks it."""
    tally = table.health[what]
    stretch = tally.stretch
    if stretch is None:
        return
    tally.last = tally.due
    stretch.words += words
    if apart and what not in table.silent:
        stretch.calm = AFTER_LOSSES
    if table.round is not None and stretch.round != table.last_round:
        stretch.round = table.last_round
        stretch.rounds += 1


def lacks_already(table: Table, what: str) -> bool:
    """Whether the round under way is counted already as one that lacks a word of the device."""
    stretch = _stretch(table, what)
    return stretch is not None and stretch.round == table.last_round


def covers_rounds(table: Table, what: str, rounds: int) -> None:
    """Count rounds before the one under way, each of which lacks a word."""
    stretch = _stretch(table, what)
    if stretch is not None:
        stretch.rounds += rounds


def out_of_time(table: Table, time: dt.datetime, source: str, sequence: int) -> tuple[Anomaly, ...]:
    """Count a word that is earlier by its device's clock than the words of others before it, by more than two seconds.

    One other device that is ahead is as likely wrong as this one, so both count; over several the same one remains.
    """
    found: tuple[Anomaly, ...] = ()
    if sequence - table.out_of_time > WATCHED and table.out_of_time:
        table.out_of_time = 0
    for other, clock in table.clocks.items():
        if other != source and clock.last - time > APART:
            table.out_of_time = sequence
            for one, of in ((source, other), (other, source)):
                found += _untimely(table, _device(one), _device(of), sequence)
    return found


def _untimely(table: Table, device: str, of: str, sequence: int) -> tuple[Anomaly, ...]:
    tally = table.health.setdefault(_CLOCK + device, WordTally())
    tally.due = table.chain.records // PARTNERS  # of a table's words one device says about half
    return _lose(table, _CLOCK + device, tally, sequence, sequence, of)


def rest(table: Table, sequence: int) -> tuple[Anomaly, ...]:
    """At the end of a round: the ends of stretches whose clocks have kept time for long enough."""
    found: tuple[Anomaly, ...] = ()
    for what, tally in table.health.items():
        if tally.stretch is not None and what.startswith(_CLOCK):
            tally.due = table.chain.records // PARTNERS
            found += _ends(what, tally, sequence)
    return found


def _ends(what: str, tally: WordTally, sequence: int) -> tuple[Anomaly, ...]:
    stretch = tally.stretch
    if stretch is None or tally.due - tally.last < stretch.calm:
        return ()
    tally.stretch, tally.closed, tally.lost = None, tally.due, []
    if stretch.beside:  # the end of what broke as a whole is said once
        return ()
    device, words = named(what)
    rounds = amount(stretch.rounds, "round")
    message = (
        f"The {device} reports {words} again"
        if not what.startswith(_CLOCK)
        else f"The {device} keeps time again with the other devices"
    )
    return (
        Anomaly(
            check=CHECK,
            message=f"{message}: what began at event {stretch.since} is over, after {rounds} with lost words.",
            sequences=(stretch.since,),
            expected=None,
            observed={
                "device": device,
                "words": words,
                "since": stretch.since,
                "until": sequence,
                "words_lost": stretch.words,
                "rounds": stretch.rounds,
            },
            verdict="indeterminate",
            severity="info",
            because_of=stretch.finding_id,
            discriminator=f"{_base(what)}:over",
        ),
    )


def _lossy(what: str, tally: WordTally, events: tuple[int, ...]) -> Anomaly:
    device, words = named(what)
    count = len(events)
    observed = {"device": device, "words": words, "since": events[0], "words_lost": count}
    if what.startswith(_CLOCK):
        message = (
            f"Words of the {device} come late or by a wrong clock since event {events[0]}: {count} of them stand more "
            "than 2 seconds apart from the words of other devices around them."
        )
        expected = {"apart_at_most_seconds": 2}
    else:
        how = "could not be read" if what == FACES else "were not reported"
        due = min(tally.due, WINDOW)
        message = (
            f"The {device} is unreliable since event {events[0]}: {count} of the last {due} {words} {how}. "
            "Further ones are counted here and not told one by one."
        )
        expected = {"lost_of_100": LIMIT - 1}
    return Anomaly(
        check=CHECK,
        message=message,
        sequences=events,
        expected=expected,
        observed=observed,
        # What was not read makes things undecided and contradicts nothing.
        verdict="indeterminate" if what == FACES else "breached",
        missing=("the faces of cards that were not read",) if what == FACES else (),
        severity="major",
        discriminator=_base(what),
    )


def named(what: str) -> tuple[str, str]:
    """The device that a tally is about, and what it counts."""
    return NAMES.get(what) or (what.removeprefix(_CLOCK), "words in time")


def _base(what: str) -> str:
    return f"{what}:lost"


def _device(source: str) -> str:
    return source.rpartition("/")[2]
