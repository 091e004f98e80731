"""From an alarm of a family to the finding that people read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from processors.detectors.curve import Curve, line_of
from processors.detectors.family import LEVEL, Family
from processors.detectors.shapes import About, Alarm, CheckedStanding, EvidenceStanding
from schemas.findings import Finding, finding_id

MOST_SEQUENCES = 60
_LARGEST = 1e300


def check_of(family: Family, variant: str) -> str:
    """The check's id in findings: `pattern.<family>` or `pattern.<family>.<variant>`."""
    return f"pattern.{family.name}.{variant}" if variant else f"pattern.{family.name}"


def family_of(check: str) -> str:
    """The name of the family of a suspicion's check."""
    return check.split(".")[1]


def variant_of(check: str) -> str:
    """The variant of a suspicion's check; empty where its family has but one."""
    return "".join(check.split(".", 2)[2:])


def mark_of(variant: str, about: About) -> str:
    """What tells the suspicions of one family apart."""
    return "|".join((variant, *(f"{kind}:{about[kind]}" for kind in sorted(about))))


def rounded(e_value: float) -> float:
    """An e-value as it is told: six digits, and finite."""
    return float(f"{max(1.0, min(e_value, _LARGEST)):.6g}")


def held(family: Family, standing: EvidenceStanding, raised: list[str]) -> CheckedStanding:
    """A standing as it is shown; `raised` are the marks of the alarms there were."""
    return CheckedStanding(
        check=check_of(family, standing.variant),
        about=standing.about,
        e_value=float(f"{standing.e_value:.6g}"),
        highest=float(f"{standing.highest:.6g}"),
        alarm_at=float(f"{1 / LEVEL:.6g}"),
        rounds=standing.rounds,
        raised=mark_of(standing.variant, standing.about) in raised,
        due=standing.due,
        weighty=tuple(standing.weighty),
        mark=standing.mark,
    )


def all_held(
    family: Family, tell: Callable[[], Iterable[EvidenceStanding]], raised: list[str]
) -> tuple[CheckedStanding, ...]:
    """What a family tells of its evidence; a single standing that `is_unread` where a defect keeps it from telling."""
    try:
        return tuple(held(family, one, raised) for one in tell())
    except Exception:  # a family that cannot say how it stands must not hide the others' evidence
        return (unread(family),)


def unread(family: Family) -> CheckedStanding:
    """What stands for the evidence of a family that could not be read: it names nobody."""
    return CheckedStanding(
        check=check_of(family, ""),
        about={},
        e_value=0.0,
        highest=0.0,
        alarm_at=1 / LEVEL,
        rounds=0,
        raised=False,
        due=False,
    )


def is_unread(standing: CheckedStanding) -> bool:
    """Whether a standing says that its family's evidence could not be read; every other standing names somebody."""
    return not standing.about


def standing_for(finding: Finding, standings: Iterable[CheckedStanding]) -> CheckedStanding | None:
    """The standing of what a suspicion says; None where it is not among these."""
    mine = (one for one in standings if (one.check, one.about) == (finding.check, finding.about))
    return max(mine, key=lambda one: one.highest, default=None)


def suspicion(
    family: Family, alarm: Alarm, curve: Curve, subject: str, round_: int, sequence: int
) -> Finding:
    """The finding that says an alarm, at the table, round and event where it rose.

    What was observed says under `evidence` how the evidence grew: after so many rounds (notes about people) so much.
    """
    check = check_of(family, alarm.variant)
    bound: dict[str, Any] = {"false_alarm": LEVEL, "per": "stream", "null": family.null}
    observed = alarm.observed
    if isinstance(observed, dict):
        line = line_of(alarm.variant, alarm.about)
        observed = {**observed, "evidence": curve.of(line, rounded(alarm.e_value))}
    return Finding(
        finding_id=finding_id(subject, check, sequence, mark_of("", alarm.about)),
        check=check,
        cites=(),
        verdict="suspected",
        severity="major",
        subject=subject,
        round=round_,
        sequence=sequence,
        sequences=tuple(sorted({*alarm.sequences[-MOST_SEQUENCES:], sequence})),
        expected=alarm.expected,
        observed=observed,
        money_cents=0,
        message=alarm.message,
        about=alarm.about,
        e_value=rounded(alarm.e_value),
        bound=bound,
    )


def broken_down(family: Family, error: Exception, subject: str, round_: int, sequence: int) -> Finding:
    """What is said of a family that failed by a defect of its own: it accuses nobody, and begins anew."""
    check = check_of(family, "")
    return Finding(
        finding_id=finding_id(subject, check, sequence, "broken down"),
        check=check,
        cites=(),
        verdict="indeterminate",
        severity="minor",
        subject=subject,
        round=round_,
        sequence=sequence,
        sequences=(sequence,),
        expected=None,
        observed=None,
        money_cents=0,
        message=f"Detector {family.name} could not judge this event: a defect of the detector, not of the table; "
        "what it held is lost.",
        missing=(f"a working detector ({type(error).__name__}: {error})",),
    )
