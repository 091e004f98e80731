"""A suspicion out of its finding: whom and which rounds it names, and how its evidence grew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

import msgspec
from msgspec import Struct

from dashboards.reader.patterns import SuspicionRow
from dashboards.reader.question import Reader
from dashboards.reader.search import round_around
from dashboards.suspicions.curve import unit_of
from dashboards.suspicions.families import PatternFamily
from dashboards.suspicions.words_of_rounds import figure_of, named_as, said_of_round
from schemas.findings import Finding

MOST_ROUNDS = 10
_KINDS = ("dealer", "player", "table", "shoe")
_NAMED = (
    "rounds",
    "counts",
    "weightiest",
)  # rounds one by one in some families, `rounds` their number in others
_EARLIER: Final = "latest"
"""Under this name suspicions of earlier releases list rounds that are not shown."""
_WEIGHS: Final = {"factor", "true_count"}
"""Where rows of rounds say why these weigh, the weightiest stands first."""
_read = msgspec.json.Decoder(Finding).decode


class Weighty(Struct, frozen=True):
    """One round that weighs much: its address in the replayer, and what the detector says of it.

    What came before the first round of a table (`round` is 0) is no hand, and has no address. `event` is the event that
    the detector names, 0 where it names none.
    """

    table: str
    round: int
    path: str
    words: str
    event: int = 0

    @property
    def called(self) -> str:
        """The table, and where in its record."""
        if not self.round:
            return f"{self.table} before the first round"
        return f"{self.table} round {self.round}{', or after it' if self.event else ''}"


class Suspicion(Struct, frozen=True, kw_only=True):
    """One suspicion; `family` is None where this release does not know it."""

    row: SuspicionRow
    finding: Finding
    family: PatternFamily | None
    title: str
    whom: tuple[tuple[str, str], ...]
    evidence: float
    path: str

    @property
    def unit(self) -> str:
        """What its course counts."""
        return self.unit_for(2)

    def unit_for(self, number: int) -> str:
        """The same beside a number."""
        return unit_of(self.finding.check.split(".")[1], dict(self.whom), number)


def suspicion_of(row: SuspicionRow, families: Mapping[str, PatternFamily]) -> Suspicion:
    """A row of the store as a suspicion."""
    finding = _read(row.record)
    name, variant, about = of_which(finding)
    family = families.get(name)
    title = name.replace("_", " ").capitalize() + (f": {variant}" if variant else "")
    return Suspicion(
        row=row,
        finding=finding,
        family=family,
        title=title,
        whom=tuple((kind, str(about[kind])) for kind in _KINDS if kind in about),
        evidence=evidence_of(finding) or 1.0,
        path=f"/patterns/{quote(finding.finding_id, safe='')}",
    )


def of_which(finding: Finding) -> tuple[str, str, dict[str, str | int]]:
    """The family, the variant in words and whom it is about: those of the standing that a suspicion was raised of."""
    _, family, *variant = finding.check.split(".")
    about = finding.about if isinstance(finding.about, dict) else {}
    return family, variant[0].replace("_", " ") if variant else "", about


def evidence_of(finding: Finding) -> float:
    """The evidence with which a suspicion was raised; 0 where it says none."""
    return float(finding.e_value) if isinstance(finding.e_value, float | int) else 0.0


def course_of(finding: Finding) -> tuple[tuple[int, float], ...]:
    """Steps and evidence, as the detectors noted them; empty where they noted none, or an older release did not."""
    told = finding.observed.get("evidence", ()) if isinstance(finding.observed, dict) else ()
    try:
        points = msgspec.convert(told, tuple[tuple[int, float], ...], strict=False)
    except msgspec.ValidationError:
        return ()
    return points if points and points[-1][0] else ()


def figures_of(value: Any) -> tuple[tuple[str, str], ...]:
    """What was expected or observed, but for rounds and the course, as names and figures."""
    if not isinstance(value, dict):
        return () if value is None else (("", str(value)),)
    return tuple(
        (named_as(name), figure_of(name, each))
        for name, each in value.items()
        if name != "evidence" and not (name in (*_NAMED, _EARLIER) and isinstance(each, list | tuple))
    )


def weighty_rounds(records: Reader, finding: Finding) -> tuple[Weighty, ...]:
    """The rounds that the detector names, else those of the events on which the suspicion rests; at most ten.

    The weightiest come first where the detector lists them so; elsewhere those with most money, where it says of each
    round how much money it moved.

    Raises:
        Exception: the store does not answer.
    """
    found: dict[tuple[str, int, int], Weighty] = {}
    for one in _first_shown(finding):
        table, number, event = str(one.get("table", finding.subject)), one.get("round"), one.get("event", 0)
        if isinstance(number, int) and (table, number, event) not in found:
            rest = ((name, each) for name, each in one.items() if name not in ("table", "round"))
            words = ", ".join(filter(None, (said_of_round(finding.check, name, each) for name, each in rest)))
            path = _replayer(table, number) if number else ""
            found[table, number, event] = Weighty(table, number, path, words, event)
    if not found:
        for sequence in finding.sequences[-MOST_ROUNDS:]:
            for row in round_around(finding.subject, sequence).ask(records):
                path = f"{_replayer(row.subject, row.round)}?first={row.first_sequence}&at={sequence}"
                found[row.subject, row.round, 0] = Weighty(row.subject, row.round, path, f"event {sequence}")
    return tuple(found.values())[-MOST_ROUNDS:]


def rests_on(finding: Finding, table: str, number: int, stretch: tuple[int, int]) -> bool:
    """Whether a suspicion names this round of a table among those that weigh, or an event of its stretch."""
    first, last = stretch
    return (table, number) in rounds_of(finding) or (
        finding.subject == table and any(first <= one <= last for one in finding.sequences)
    )


def rounds_of(finding: Finding) -> frozenset[tuple[str, int]]:
    """The rounds that a suspicion names among those that weigh: their tables and numbers."""
    named = ((one.get("table", finding.subject), one.get("round")) for one in _rounds_named(finding))
    return frozenset((str(table), number) for table, number in named if isinstance(number, int))


def tables_of(finding: Finding) -> frozenset[str]:
    """The table at which a suspicion was raised, and those of the rounds that it names."""
    return frozenset((finding.subject, *(table for table, _ in rounds_of(finding))))


def _rounds_named(finding: Finding) -> Sequence[dict[str, Any]]:
    if not isinstance(finding.observed, dict):
        return ()
    lists = [told for name in _NAMED if isinstance(told := finding.observed.get(name), list | tuple) and told]
    return [one if isinstance(one, dict) else {"round": one} for one in lists[0]] if lists else ()


def _first_shown(finding: Finding) -> Sequence[dict[str, Any]]:
    """At most ten of the named rounds; if each has an amount, the largest come first."""
    rounds = _rounds_named(finding)
    moved = [[cents for name, cents in one.items() if name.endswith("cents")] for one in rounds]
    by_weight = all(_WEIGHS & one.keys() for one in rounds)
    if by_weight or not all(len(cents) == 1 and isinstance(cents[0], int) for cents in moved):
        return rounds[:MOST_ROUNDS] if by_weight else rounds[-MOST_ROUNDS:]
    return [rounds[at] for at in sorted(range(len(rounds)), key=lambda at: -abs(moved[at][0]))][:MOST_ROUNDS]


def _replayer(table: str, number: int) -> str:
    return f"/hands/{quote(table, safe='')}/{number}"
