"""What a round says of its findings is what is told of the round, whatever the sensors miss."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from processors.law.finding.finding import OF_THE_RECORD
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from schemas.rounds import RoundResult
from tests.noise.tables import MIXED, Dealt, breached, noisy

DEALT = breached()
HARD = ("bet_pressed", "push22_returned", "blackjack_left_lying", "match_wrong_odds")
"""Tables at which a round that was kept open is found in breach, and findings are taken back."""
TABLES = [one for one in DEALT if one.name in HARD] + DEALT[::9]
DOUBTED = [
    one for one in DEALT if one.name in ("push22_other_paytable", "wrong_deal_order", "hole_shown_early")
]
READ = [
    one
    for one in DEALT
    if one.name in ("push_paid", "loser_returned", "winner_collected", "insurance_not_paid")
]
"""Tables at which money moves wrongly in rounds whose reading is missing."""


def _rounds(dealt: Dealt, rate: float) -> Iterator[tuple[RoundResult, dict[str, Finding], set[str]]]:
    """Each round, all findings told by then, and the ids of its own told before the event that reports it."""
    pipeline = TablePipeline(dealt.subject, proofs=False, detect=False)
    told: dict[str, Finding] = {}
    lines = [entry.line for entry in noisy(dealt, MIXED, rate) if entry.line is not None]
    for line in (*lines, None):
        outcome = pipeline.finish() if line is None else pipeline.advance(line)
        before = list(told.values())
        told |= {one.finding_id: one for one in outcome.findings}
        for result in outcome.rounds:
            own = {
                one.finding_id
                for one in before
                if one.round == result.round and one.sequence >= result.first_sequence
            }
            yield result, told, own


@pytest.mark.parametrize("rate", [0.1, 0.2])
@pytest.mark.parametrize("dealt", TABLES, ids=lambda one: one.name)
def test_a_round_names_the_findings_that_are_told_of_it_and_no_others(dealt: Dealt, rate: float) -> None:
    for result, told, own in _rounds(dealt, rate):
        assert own <= {*result.findings} <= told.keys(), result.round


@pytest.mark.parametrize("rate", [0.1, 0.2])
@pytest.mark.parametrize("dealt", TABLES, ids=lambda one: one.name)
def test_a_round_is_breached_just_where_a_breach_of_it_is_told(dealt: Dealt, rate: float) -> None:
    for result, told, _ in _rounds(dealt, rate):
        listed = [told[name] for name in result.findings if name in told]
        breaches = [one for one in listed if one.round == result.round and _is_against_it(one)]
        assert (result.status == "breached") == bool(breaches), result.round


@pytest.mark.parametrize("dealt", DOUBTED, ids=lambda one: one.name)
def test_a_doubt_names_the_word_that_is_missing_or_the_finding_from_which_it_follows(dealt: Dealt) -> None:
    told = {name: one for _, so_far, _ in _rounds(dealt, 0.02) for name, one in so_far.items()}
    duties = [one for one in told.values() if not one.check.startswith("integrity.")]
    doubts = [one for one in duties if one.verdict == "indeterminate"]
    assert doubts
    assert [one for one in doubts if not (one.missing or one.because_of)] == []


@pytest.mark.parametrize("kind", [MIXED, "late", "silent_reader", "late+silent_reader"])
@pytest.mark.parametrize("dealt", [*TABLES, *READ], ids=lambda one: one.name)
def test_a_finding_points_to_findings_that_are_told(dealt: Dealt, kind: str) -> None:
    pipeline = TablePipeline(dealt.subject, proofs=False, detect=False)
    lines = [entry.line for entry in noisy(dealt, kind, 0.1) if entry.line is not None]
    said = [one for line in lines for one in pipeline.advance(line).findings]
    told = {one.finding_id: one for one in (*said, *pipeline.finish().findings)}
    assert [one for one in told.values() if one.because_of and one.because_of not in told] == []


def _is_against_it(finding: Finding) -> bool:
    """Whether a finding says something against the round: a lost word of a device, and the record, say nothing."""
    lost_word = finding.check == "integrity.witness" and finding.severity != "critical"
    return finding.verdict == "breached" and finding.check not in OF_THE_RECORD and not lost_word
