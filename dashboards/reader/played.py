"""What was played at one seat of a round and what was found there: keys of such rounds, as SQL.

The SQL is put together of constants; every value is a parameter. Each question that stands inside another one gives
keys of rounds, or keys and seats, so that a total, a stake and a patron are those of one seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from dashboards.reader.question import Parameter
from dashboards.reader.search import newest_of
from schemas.check_names import FORMER

KEY = "subject, round, first_sequence"
Moved = Literal["pay", "collect", "return"]
_Given = dict[str, Parameter]
_DEALER = "D"
SEAT_OF_HAND = "toUInt8OrZero(substring(toString(hand), 1, 1))"


class Played(Struct, frozen=True, kw_only=True):
    """What a seat had and what came of it; money in cents, `stake` the least and the most.

    `result` is that of one of its hands, `moved` what was seen to happen to its main wager.
    """

    seat: int | None = None
    total: int | None = None
    result: str | None = None
    stake: tuple[int, int] | None = None
    moved: Moved | None = None
    dealer_total: int | None = None


class FindingAsked(Struct, frozen=True, kw_only=True):
    """What is asked of a round's findings, among those that whoever asks may know of.

    `clause` is one cited or the beginning of one, up to a bracket: 672a.7 is 672a.7(o) too. `owed` and
    `overpaid` are the least and the most cents that went so, `money` those that went either way.
    """

    severity: str | None = None
    clause: str | None = None
    check: str | None = None
    owed: tuple[int, int] | None = None
    overpaid: tuple[int, int] | None = None
    money: tuple[int, int] | None = None
    verdicts: tuple[str, ...]
    only_with_money: bool = False
    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Looked:
    """Which rows are looked at: those of a `scope`, in every stored version, or as they stand (`newest`)."""

    scope: str
    newest: bool = False

    def rows(self, relation: str, terms: str = "") -> str:
        """What stands behind FROM."""
        asked = f" AND {terms}" if terms else ""
        if self.newest:
            return f"{newest_of(relation, self.scope)} AS r WHERE 1{asked}"
        return f"{relation} WHERE {self.scope}{asked}"


def stands_in(keys: str) -> str:
    """The condition that a round is one of those whose keys a question gives."""
    return f"({KEY}) IN ({keys})"


def of_seat(played: Played, looked: Looked, of_patron: str = "") -> tuple[list[str], _Given]:
    """Keys of rounds in which somebody played so at one seat: a round is meant that each of the questions gives.

    `of_patron` is SQL of a patron's keys and seats.
    """
    parts = [*_hands(played), *_stakes(played)]
    given: _Given = {
        name: value
        for name, value in (
            ("own", played.seat),
            ("total", played.total),
            ("result", played.result),
            ("moved", played.moved),
            ("against", played.dealer_total),
        )
        if value is not None
    }
    if played.stake is not None:
        given["least"], given["most_staked"] = played.stake
    inner = of_patron
    for place, (relation, seat, where) in enumerate(parts, 1):
        both = f" AND ({KEY}, {seat}) IN ({inner})" if inner else ""
        told = KEY if place == len(parts) else f"{KEY}, {seat}"
        inner = f"SELECT {told} FROM {looked.rows(relation, where + both)}"
    if not parts and of_patron:
        inner = f"SELECT {KEY} FROM ({of_patron})"
    asked = [inner] if inner else []
    if played.dealer_total is not None:
        dealers = looked.rows("hands", f"hand = '{_DEALER}' AND total = {{against:UInt16}}")
        asked.append(f"SELECT {KEY} FROM {dealers}")
    return asked, given


def _hands(played: Played) -> list[tuple[str, str, str]]:
    asked = [f"hand != '{_DEALER}'"]
    if played.total is not None:
        asked.append("total = {total:UInt16}")
    if played.result is not None:
        asked.append("result = {result:String}")
    if len(asked) == 1:
        return []
    if played.seat is not None:
        asked.append(f"{SEAT_OF_HAND} = {{own:UInt8}}")
    return [("hands", SEAT_OF_HAND, " AND ".join(asked))]


def _stakes(played: Played) -> list[tuple[str, str, str]]:
    asked: list[str] = []
    if played.stake is not None:
        asked.append("staked_cents BETWEEN {least:Int64} AND {most_staked:Int64} AND kind != 'lammer'")
    if played.moved is not None:
        asked.append("observed_outcome = {moved:String} AND kind = 'main'")
    in_hands = played.total is not None or played.result is not None
    if not asked and (played.seat is None or in_hands):
        return []
    if played.seat is not None:
        asked.append("seat = {own:UInt8}")
    return [("stakes", "seat", " AND ".join(asked))]


def of_findings(noted: FindingAsked, looked: Looked, moments: str) -> tuple[str, _Given]:
    """Keys of rounds of which one finding is such; `moments` says when findings were made."""
    asked = [moments, "verdict IN {verdicts:Array(String)}"]
    given: _Given = {"verdicts": noted.verdicts}
    if noted.severity is not None:
        asked.append("severity = {severity:String}")
        given["severity"] = noted.severity
    if noted.clause is not None:
        asked.append(
            "arrayExists(one -> one = {clause:String} OR startsWith(one, concat({clause:String}, '('))"
            " OR startsWith(one, concat({clause:String}, '#')), cites)"
        )
        given["clause"] = noted.clause
    if noted.check is not None:
        asked.append("check_id IN {checks:Array(String)}")
        given["checks"] = (noted.check, FORMER.get(noted.check, noted.check))
    ways = (("owed", "money_cents", noted.owed), ("overpaid", "-money_cents", noted.overpaid))
    for name, cents, sums in (*ways, ("money", "abs(money_cents)", noted.money)):
        if sums is not None:
            asked.append(f"{cents} BETWEEN {{{name}_least:Int64}} AND {{{name}_most:Int64}}")
            given |= {f"{name}_least": max(1, sums[0]), f"{name}_most": sums[1]}
    if noted.only_with_money:
        asked.append("money_cents != 0")
    if noted.without:
        asked.append("finding_id NOT IN {without_findings:Array(String)}")
        given["without_findings"] = noted.without
    known = f"SELECT finding_id FROM findings FINAL WHERE {' AND '.join(asked)}"
    each = f"SELECT {KEY}, arrayJoin(findings) AS one FROM {looked.rows('rounds', 'notEmpty(findings)')}"
    return f"SELECT {KEY} FROM ({each}) WHERE one IN ({known})", given
