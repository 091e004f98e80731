"""What findings state of the money of a stake: a stake alone does not tell an unpaid stake from an unseen one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import UNSET, Struct

from processors.games.named_stakes import HALVES_CHECK, LAMMERS_OFF_CHECK
from schemas.findings import Finding

HALF: Final = "whether the other half of the surrendered wager was given back later"
GIVEN_BACK: Final = "whether the stake, which was to go back, was given back after the round"
ANOTHER_BREACH: Final = "whether the stake stood so because of another breach"
NOT_DECIDED: Final = "how the stake was decided: the round ended before that"


class StatedMoney(Struct, frozen=True, kw_only=True):
    """What a finding, by its id, says of the money of a stake: what is owed, or what is missing to say it.

    `owed_cents` is the patron's view, - was paid too much; None where the finding does not decide it.
    """

    finding: str
    owed_cents: int | None = None
    missing: tuple[str, ...] = ()


def stated_of(mine: Sequence[Finding], seen: bool, due_cents: int | None) -> StatedMoney | None:
    """What the findings about a stake, in order, state of its money; None where they state nothing.

    `seen`: whether a settlement of it was seen. `due_cents`: what it is due to the patron, None where that is unknown.
    """
    own = [one for one in mine if one.check != HALVES_CHECK]
    stating = [one for one in own if one.money_cents]
    if stating:
        return StatedMoney(finding=stating[-1].finding_id, owed_cents=stating[-1].money_cents)
    halves = [one for one in mine if one.money_cents]
    if halves:
        return StatedMoney(finding=halves[-1].finding_id, missing=(HALF,))
    if not own or seen:
        return None  # a finding without money says nothing against what was seen to move
    last = own[-1]
    if last.check == LAMMERS_OFF_CHECK and last.verdict == "breached" and due_cents == 0:
        return StatedMoney(finding=last.finding_id, owed_cents=0)
    return StatedMoney(finding=last.finding_id, missing=_missing(last))


def _missing(finding: Finding) -> tuple[str, ...]:
    if finding.missing is not UNSET:
        return finding.missing
    if finding.because_of is not UNSET:
        return (ANOTHER_BREACH,)
    due = finding.expected if isinstance(finding.expected, dict) else {}
    if due.get("outcome") == "return":
        return (GIVEN_BACK,)
    return (NOT_DECIDED,) if "wait_for" in due else ()
