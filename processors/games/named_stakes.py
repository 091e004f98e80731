"""The stake that a finding about money is of: the finding's id is made of the stake's name, and fits no other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from processors.core.state import hand_named, stake_key
from schemas.check_names import FORMER
from schemas.findings import Finding, finding_id

# A seat and its hand: nobody says which of a hand's lammers was paid.
LAMMERS_OF_A_HAND: Final = "{}:lammer:{}"
HALVES_OF_A_HAND: Final = "halves:{}"  # a hand that was surrendered
HALVES_CHECK: Final = "settlement.surrender_halves"
LAMMERS_OFF_CHECK: Final = "settlement.lammers_off"


def _lammers(seat: int, kind: str, hand: str | None) -> str:
    return LAMMERS_OF_A_HAND.format(seat, hand) if kind == "lammer" else ""


def _stake(seat: int, kind: str, hand: str | None) -> str:
    return stake_key(seat, kind, hand) if kind != "lammer" else ""


def _halves(seat: int, kind: str, hand: str | None) -> str:
    return HALVES_OF_A_HAND.format(hand_named(seat, hand)) if kind == "main" else ""


MONEY_CHECKS: Final[Mapping[str, Callable[[int, str, str | None], str]]] = MappingProxyType(
    {
        "settlement.stake": _stake,
        "settlement.complete": _stake,
        "settlement.lammer": _lammers,
        LAMMERS_OFF_CHECK: _lammers,
        "stacks.void_round_returns": _stake,
        HALVES_CHECK: _halves,
    }
)
"""The checks whose findings state money, and what each calls a stake (seat, kind, hand); empty: none of its."""


def is_of(finding: Finding, seat: int, kind: str, hand: str | None) -> bool:
    """Whether a finding about money is of this stake of its round; of the lammers of a hand it is of each."""
    named = MONEY_CHECKS.get(finding.check)
    name = named(seat, kind, hand) if named is not None else ""
    formerly = FORMER.get(finding.check, finding.check)
    return bool(name) and finding.finding_id == finding_id(finding.subject, formerly, finding.sequence, name)
