"""Findings that rest on a missing word alone, and wait until the device that owes it speaks again.

A device that speaks again after one missing word was not dead: the finding stands (A69). One that missed several in a
row may have been dead, so that a breach is in doubt, and what follows from it is not said. One that is found silent has
its own finding, which covers all of them (A66).
"""

from __future__ import annotations

import datetime as dt

import msgspec
from msgspec import UNSET

from processors.core import health
from processors.core.state import Round, Table
from processors.core.witnesses import Awaited, Witness
from schemas import events as e
from schemas.findings import Finding

SPEAKS: dict[type, Witness] = {
    e.CardPlaced: "placements",
    e.StackDelivered: "placements",
    e.CardDrawn: "shoe",
    e.StackDispensed: "shoe",
    e.StubRemoved: "shoe",
    e.ShoeEmptied: "shoe",
    e.HoleCardRead: "reader",
    e.WagerPlaced: "wagers",
    e.CardsRacked: "rack",
    **dict.fromkeys(
        (
            e.RoundStarted, e.BettingClosed, e.SystemWagersLocked, e.SystemWagersCounted, e.ChipsToInventory,
            e.StartingPositionSet, e.InsuranceOffered, e.EvenMoneyOffered, e.EvenMoneyTaken, e.DealerHandPositioned,
            e.PlayerDecision, e.PlayerRequest, e.BlackjackAnnounced, e.LammerPlaced, e.LammerCollected, e.CardExposed,
            e.CardRefused, e.CardsTucked, e.HandVoided, e.HandContinued, e.DealerTotalAnnounced, e.HandRevealed,
            e.WagerSettled, e.StubCounted, e.MisdealDetermined, e.RoundVoided, e.RoundEnded, e.TableClosed,
        ),
        "console",
    ),
}  # fmt: skip
"""By type of event, the device that is not dead if it comes."""
_SEVERAL = 2  # lost in a row may be the first of a silence
OUT_OF_ORDER = "the words of a device that came late, in their order"
_WORDS: dict[Witness, str] = {"reader": "the reading of the hole card"}


def missing_word(witness: Witness) -> str:
    """What a round lacks whose breach waits for the witness."""
    return _WORDS.get(witness, f"a word of the {health.NAMES[witness][0]}")


def told(
    table: Table,
    kind: type,
    round_: Round | None = None,
    time: dt.datetime | None = None,
    *,
    over: bool = False,
) -> tuple[Finding, ...]:
    """What no longer waits after an event of this type and time in a round, or as the stream is `over`."""
    found: list[Finding] = []
    for witness, waiting in list(table.awaited.items()):
        said: list[Awaited] = []
        if witness in table.silent:
            del table.awaited[witness]
        elif over or SPEAKS.get(kind) == witness:
            del table.awaited[witness]
            said = _decided(witness, [_late(one, round_, time) for one in waiting])
        elif kind is e.RoundEnded and witness == "shoe" and sum(one.lost_word for one in waiting) < _SEVERAL:
            # What contradicts the shoe's count is of this round.
            said = [one for one in waiting if not one.rests_on_it]
            waiting[:] = [one for one in waiting if one.rests_on_it]
            if not waiting:
                del table.awaited[witness]
        _note(round_, witness, said)
        found += [one.finding for one in said]
    return tuple(found)


def _late(one: Awaited, round_: Round | None, time: dt.datetime | None) -> Awaited:
    """What was found, in doubt if this is its missing word, which the device said before it showed to be missing."""
    number = round_.number if round_ is not None else None
    if time is None or one.shown is None or time >= one.shown or one.finding.round != number:
        return one
    return _in_doubt(one, OUT_OF_ORDER)


def _in_doubt(one: Awaited, missing: str) -> Awaited:
    finding = msgspec.structs.replace(one.finding, verdict="indeterminate", money_cents=0, missing=(missing,))
    return msgspec.structs.replace(one, finding=finding)


def _decided(witness: Witness, waiting: list[Awaited]) -> list[Awaited]:
    """One missing word stands for itself (A69); of several in a row it is in doubt whether the device was dead."""
    if len({one.finding.round for one in waiting if one.rests_on_it}) < _SEVERAL:
        return [one for one in waiting if witness != "reader" or one.finding.because_of is UNSET]
    return [
        _in_doubt(one, missing_word(witness)) if one.rests_on_it else one
        for one in waiting
        if not one.rests_on_it or one.finding.because_of is UNSET
    ]


def _note(round_: Round | None, witness: Witness, found: list[Awaited]) -> None:
    """Let the round bear those that are its own; the word for which they waited is missing no more."""
    if round_ is None:
        return
    for one in found:
        finding = one.finding
        if finding.round != round_.number:
            continue
        round_.findings.append(finding.finding_id)
        if one.rests_on_it and missing_word(witness) in round_.missing:
            round_.missing.remove(missing_word(witness))
        if finding.missing:
            round_.missing.extend(finding.missing)
        if finding.verdict == "breached" and not one.lost_word:
            round_.charges += 1
