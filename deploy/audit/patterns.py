"""What the detectors hold of whom after a replay: the evidence about everybody, also where it is no alarm."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from dashboards.suspicions.curve import odds
from dashboards.suspicions.suspicions import evidence_of
from deploy.errors import UserError
from deploy.replay.run import replay
from deploy.replay.sources import StreamSource
from processors.detectors.shapes import About, CheckedStanding
from processors.detectors.suspicion import is_unread
from schemas.findings import Finding

KINDS: Final = ("dealer", "player", "table", "shoe")
_FINDING = msgspec.json.Decoder(Finding).decode


class Raised(Struct, frozen=True, kw_only=True):
    """Where an alarm rose: table, round and event, the evidence then, and the finding that says it."""

    subject: str
    round: int | None
    sequence: int
    e_value: float
    finding_id: str


class Row(Struct, frozen=True, kw_only=True):
    """The evidence of one check about somebody: now, at its highest, and the rounds it rests on.

    `rounds` is None where the detectors hold nothing of it any more, `alarm` where there was none. Where not all
    evidence of a family could be read, a row of the family names nobody, and `e_value` and `highest` are None.
    """

    check: str
    about: About
    e_value: float | None
    highest: float | None
    alarm_at: float
    rounds: int | None
    alarm: Raised | None


def survey(
    sources: list[StreamSource], *, jobs: int = 1, advance: Callable[[int], None] = lambda _lines: None
) -> list[Row]:
    """The evidence about everybody in these streams: families not read to their end, alarms, then by evidence now."""
    standings: list[CheckedStanding] = []
    with tempfile.TemporaryDirectory() as folder:
        replay(sources, Path(folder), jobs=jobs, proofs=False, standings=standings, advance=advance)
        raised = _raised(Path(folder) / "findings.ndjson")
    rows = [_row(one, raised) for one in standings if not is_unread(one)]
    # An alarm about a shoe that is long gone has no standing any more.
    shown = {_key(row.check, row.about) for row in rows}
    rows += [_gone(finding) for key, finding in raised.items() if key not in shown]
    unread = {one.check: _unread(one) for one in standings if is_unread(one)}
    return sorted([*unread.values(), *rows], key=_order)


def about(text: str) -> dict[str, str]:
    """The words of `--about`: `dealer=D-1`, `player=P-1`, `table=S` or `shoe=S/3`, as what a row must name.

    Raises:
        UserError: it is none of these.
    """
    kind, equals, value = text.partition("=")
    table, slash, shoe = value.rpartition("/")
    if kind not in KINDS or not equals or not value or (kind == "shoe" and not (slash and shoe.isdigit())):
        remedy = "write dealer=D-1, player=P-1, table=S or shoe=S/3"
        raise UserError(f"--about {text}", "it names nobody", remedy)
    return {"table": table, "shoe": shoe} if kind == "shoe" else {kind: value}


def names(row: Row, wanted: Mapping[str, str]) -> bool:
    """Whether a row is about whom or what is wanted, or could be: of a family that was not read to its end."""
    return row.e_value is None or all(str(row.about.get(kind, "")) == value for kind, value in wanted.items())


def _raised(path: Path) -> dict[tuple[str, str], Finding]:
    found = {}
    with path.open("rb") as lines:
        for line in lines:
            if b'"suspected"' in line:
                finding = _FINDING(line)
                if finding.verdict == "suspected" and isinstance(finding.about, dict):
                    found[_key(finding.check, finding.about)] = finding
    return found


def _row(one: CheckedStanding, raised: Mapping[tuple[str, str], Finding]) -> Row:
    finding = raised.get(_key(one.check, one.about))
    return Row(
        check=one.check,
        about=one.about,
        e_value=one.e_value,
        highest=one.highest,
        alarm_at=one.alarm_at,
        rounds=one.rounds,
        alarm=_place(finding) if finding is not None else None,
    )


def _unread(one: CheckedStanding) -> Row:
    return Row(
        check=one.check,
        about={},
        e_value=None,
        highest=None,
        alarm_at=one.alarm_at,
        rounds=None,
        alarm=None,
    )


def _order(row: Row) -> tuple[bool, bool, float, str, str]:
    known = row.e_value is not None
    return known, row.alarm is None, -(row.e_value or 0.0), row.check, _named(row.about)


def _gone(finding: Finding) -> Row:
    named = finding.about if isinstance(finding.about, dict) else {}
    e_value = evidence_of(finding) or 1.0
    level = finding.bound.get("false_alarm", 1.0) if isinstance(finding.bound, dict) else 1.0
    return Row(
        check=finding.check,
        about=named,
        e_value=e_value,
        highest=e_value,
        alarm_at=float(f"{1 / level:.6g}"),
        rounds=None,
        alarm=_place(finding),
    )


def _place(finding: Finding) -> Raised:
    return Raised(
        subject=finding.subject,
        round=finding.round,
        sequence=finding.sequence,
        e_value=evidence_of(finding) or 1.0,
        finding_id=finding.finding_id,
    )


def _key(check: str, named: About) -> tuple[str, str]:
    return check, _named(named)


def _named(named: About) -> str:
    return " ".join(f"{kind}={named[kind]}" for kind in KINDS if kind in named)


def as_table(rows: list[Row]) -> str:
    """The rows for a person."""
    cells = [("check", "about", "evidence", "highest", "rounds", "alarm")]
    for row in rows:
        alarm = "none"
        if row.alarm is not None:
            alarm = f"{row.alarm.subject}, round {row.alarm.round}"
        elif row.e_value is None:
            alarm = "not all evidence of this family could be read"
        evidence, highest = ("-" if one is None else odds(one) for one in (row.e_value, row.highest))
        rounds = f"{row.rounds:,}" if row.rounds is not None else "-"
        cells.append((row.check, _named(row.about), evidence, highest, rounds, alarm))
    wide = [max(len(line[column]) for line in cells) for column in range(6)]
    shown = []
    for line in cells:
        left = [f"{line[column]:<{wide[column]}}" for column in (0, 1)]
        right = [f"{line[column]:>{wide[column]}}" for column in (2, 3, 4)]
        shown.append("  ".join([*left, *right, line[5]]).rstrip())
    return "\n".join(shown)
