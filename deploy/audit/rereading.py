"""What another reading of the text would have owed: the stored events folded again, by it and as declared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from dashboards.reader import restitution as asked
from dashboards.reader.question import Reader
from dashboards.reader.restitution import ClaimRow, RoundSpan, StakePlace
from dashboards.replayer.readings_port import Before, Rival, RivalDue, RivalDues
from dashboards.replayer.stated import StatedMoney
from dashboards.restitution.claims import Restitution, place_of, restitution
from dashboards.restitution.told import said_of
from deploy.audit.reread_table import RereadTable

AT_ONCE: Final = 20_000  # events asked for at a time
Advance = Callable[[int], object]


def reread(reader: Reader, readings: Mapping[str, str], advance: Advance = lambda _: None) -> Restitution:
    """The stakes that these readings settle otherwise than those in force at their tables.

    What a stake is due is what the readings say; the lines are of stakes whose due they change, also where nothing
    would be owed. A stake that they change and of which they, or the record, cannot say everything is undecided.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    rows: list[ClaimRow] = []
    said: dict[StakePlace, StatedMoney] = {}
    due: dict[StakePlace, int | None] = {}
    for one in asked.subjects().ask(reader):
        changed = {change.stake: change for change in _changed(reader, one.subject, readings)}
        if changed:
            firsts = sorted({first for _, first, _ in changed})
            every = asked.of_rounds(one.subject, firsts).ask(reader)
            said |= said_of(reader, every)
            told = [row for row in every if place_of(row) in changed]
            rows += (replace(row, missing=changed[place_of(row)].missing or row.missing) for row in told)
            due |= {stake: change.now for stake, change in changed.items()}
        advance(1)
    cause = "reading " + ", ".join(f"{place}={policy}" for place, policy in readings.items())
    return restitution(
        cause, rows, lambda row: due[place_of(row)], every_stake=True, readings=readings, said=said
    )


def reread_rounds(
    reader: Reader, spans: Iterable[RoundSpan], before: Before, rivals: Iterable[Rival]
) -> RivalDues:
    """The stakes of these rounds whose due each of the rivals changes, table by table from the first of the rounds.

    Each table is folded once for all rivals.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    wanted, rivals = sorted(spans, key=lambda one: (one.subject, one.first_sequence)), tuple(rivals)
    found: dict[Rival, list[RivalDue]] = {rival: [] for rival in rivals}
    for subject, group in groupby(wanted, lambda one: one.subject):
        of_table = tuple(group)
        first, last = of_table[0].first_sequence, max(one.last_sequence for one in of_table)
        table = RereadTable(subject, [dict([rival]) for rival in rivals])
        table.go_on(before(subject, first))
        _fold(reader, table, first - 1, last)
        firsts = {one.first_sequence for one in of_table}
        for rival, changes in zip(rivals, table.changes, strict=True):
            found[rival] += [one for one in changes if one.stake[1] in firsts]
    return {rival: tuple(changes) for rival, changes in found.items()}


def _changed(reader: Reader, subject: str, readings: Mapping[str, str]) -> list[RivalDue]:
    table = RereadTable(subject, [readings])
    _fold(reader, table, 0, None)
    return table.changes[0]


def _fold(reader: Reader, table: RereadTable, after: int, last: int | None) -> None:
    """Fold the events behind one and up to another, or all of them, and close what is open then."""
    subject = table.state.subject
    while lines := asked.events(subject, after, AT_ONCE).ask(reader):
        for one in lines:
            if last is not None and one.sequence > last:
                break
            table.advance(one.line.encode())
        after = lines[-1].sequence
        if last is not None and after >= last:
            break
    table.finish()
