"""A stream that was tampered with says where, and accuses nobody of what it did not see."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from deploy.audit.verification import verify_stream
from deploy.replay.run import replay
from deploy.replay.sources import StreamSource
from processors.core.state import Chain
from processors.pipeline import TablePipeline
from producers.feeds.lines import FeedLine
from schemas.events.codec import Malformed, decode
from schemas.rounds import RoundResult
from tests.pipeline.streams import RULESETS, Run, lines_of, run
from tests.sampling import one_in

Lines = tuple[bytes, ...]
Case = tuple[str, int, Lines, Run, str]  # edit, place, what stands there, what came of it, the table
EDITS = ("flipped", "deleted", "doubled", "swapped")
FIRST = 154  # two whole rounds and all that comes before them
PLACES = pytest.mark.parametrize("most", [2, pytest.param(24, marks=pytest.mark.soak)])  # and the last line
SAMPLED = [*RULESETS.values(), "irregular_shoe_runs_out", "irregular_continuous_shuffler_du"]
ACCUSING = ("breached", "interpretation", "suspected")


def _flip(line: bytes, chance: random.Random) -> Lines:
    """The line with one bit flipped; two lines where that made a line feed."""
    flipped = bytearray(line)
    flipped[chance.randrange(len(line))] ^= 1 << chance.randrange(8)
    return tuple(bytes(flipped).split(b"\n"))


def _edit(kind: str, lines: Lines, sequence: int) -> Lines | None:
    """What stands in the record from `sequence` on, after the edit; None where there is nothing to swap."""
    line, rest = lines[sequence - 1], lines[sequence:]
    match kind:
        case "flipped":
            return (*_flip(line, random.Random(sequence)), *rest)
        case "deleted":
            return rest
        case "doubled":
            return (line, line, *rest)
        case _:
            return (rest[0], line, *rest[1:]) if rest else None


def _subject(line: bytes) -> str:
    return str(json.loads(line)["subject"])


def _nobody_can_see(kind: str, edited: Lines, lines: Lines, sequence: int) -> bool:
    """The edits of the last line that leave a whole chain: it is gone, or is another event of its own making.

    No later record vouches for the last one; only a signed checkpoint does. A bit of it shows by itself when the
    line is no event any more, or is another table's, or no longer continues the chain.
    """
    if sequence < len(lines) or kind in ("doubled", "swapped"):
        return False
    if kind == "deleted":
        return True
    try:
        before, after = decode(lines[-1]), decode(edited[0])
    except Malformed:
        return False
    return (before.subject, before.sequence, before.prevhash) == (
        after.subject,
        after.sequence,
        after.prevhash,
    )


def _blamed(kind: str, edited: Lines, lines: Lines, sequence: int) -> int | None:
    """The first bad sequence of the table by the convention of `processors.core.chain`.

    The last line again is special: if its `prevhash` was altered nobody can tell it from an alteration of the
    record before, which is then the one named; if it now is another table's, this table's record just ends.
    """
    if sequence < len(lines) or kind != "flipped":
        return sequence
    try:
        before, after = decode(lines[-1]), decode(edited[0])
    except Malformed:
        return sequence
    if before.subject != after.subject:
        return None
    return sequence - 1 if before.prevhash != after.prevhash else sequence


def _edits(lines: Lines, sequences: Iterator[int] | range) -> Iterator[tuple[str, int, Lines]]:
    for sequence in sequences:
        for kind in EDITS:
            edited = _edit(kind, lines, sequence)
            if edited is not None:
                yield kind, sequence, edited


@cache
def _sampled(name: str, most: int) -> tuple[Case, ...]:
    chance = random.Random(name)
    length = len(lines_of(name))
    return tuple(_cases(name, sorted({*chance.sample(range(1, length), most), length})))


def _cases(name: str, sequences: list[int]) -> Iterator[Case]:
    """Each edit at each place with the run of it; what comes before the place is run once."""
    lines = lines_of(name)
    subject = _subject(lines[0])
    pipeline, done = TablePipeline(subject), Run()
    at = 1
    for sequence in sequences:
        for line in lines[at - 1 : sequence - 1]:
            done.take(pipeline.advance(line), line)
        at, state = sequence, pipeline.snapshot()
        for kind, _, edited in _edits(lines, range(sequence, sequence + 1)):
            begun = Run(rounds=list(done.rounds), findings=list(done.findings))
            yield kind, sequence, edited, begun.go_on(TablePipeline.restore(state), edited), subject


@PLACES
@pytest.mark.parametrize("name", one_in(3, SAMPLED))
def test_the_record_is_named_at_which_the_chain_was_broken(name: str, most: int) -> None:
    lines = lines_of(name)
    for kind, sequence, edited, seen, subject in _sampled(name, most):
        _assert_told(kind, sequence, edited, lines, seen, seen.tables[subject].table.chain)


def _assert_told(kind: str, sequence: int, edited: Lines, lines: Lines, seen: Run, chain: Chain) -> None:
    told = [finding for finding in seen.findings if finding.check.startswith("integrity.")]
    if _nobody_can_see(kind, edited, lines, sequence):
        assert told == []
        assert (chain.first_bad, chain.broken) == (None, False)
        return
    where = (kind, sequence, edited[0][:300])
    blamed = _blamed(kind, edited, lines, sequence)
    assert told, where
    assert chain.first_bad == blamed, where
    assert chain.broken is (blamed is not None), where


@PLACES
@pytest.mark.parametrize("name", one_in(3, SAMPLED))
def test_verify_names_the_same_record(name: str, most: int) -> None:
    lines = lines_of(name)
    for kind, sequence, edited, seen, subject in _sampled(name, most):
        whole = (line for line in (*lines[: sequence - 1], *edited) if line)
        proofs = verify_stream(name, [FeedLine(n, 0, line) for n, line in enumerate(whole, 1)], {})
        (proof,) = (proof for proof in proofs if proof.subject == subject)
        assert proof.first_bad_sequence == seen.tables[subject].table.chain.first_bad, (kind, sequence)


@PLACES
@pytest.mark.parametrize("name", one_in(3, SAMPLED))
def test_nobody_is_accused_of_what_was_not_seen(name: str, most: int) -> None:
    clean = {finding.finding_id for finding in run(_subject(lines_of(name)[0]), lines_of(name)).findings}
    for kind, sequence, edited, seen, _ in _sampled(name, most):
        for finding in seen.findings:
            if finding.verdict not in ACCUSING or finding.check.startswith("integrity."):
                continue
            assert finding.finding_id in clean or _decided_by_the_altered(kind, edited, finding.sequence), (
                kind,
                sequence,
                finding,
            )


def _decided_by_the_altered(kind: str, edited: Lines, decided: int) -> bool:
    """A flipped bit that makes another valid event is what the record says, until the next event denies it."""
    if kind != "flipped":
        return False
    try:
        return decode(edited[0]).sequence == decided
    except Malformed:
        return False


@PLACES
@pytest.mark.parametrize("name", one_in(3, SAMPLED))
def test_the_round_that_was_tampered_with_is_indeterminate_and_the_others_stay_as_they_were(
    name: str, most: int
) -> None:
    lines = lines_of(name)
    clean = {result.round: result for result in run(_subject(lines[0]), lines).rounds}
    for kind, sequence, edited, seen, subject in _sampled(name, most):
        if _nobody_can_see(kind, edited, lines, sequence):
            continue
        rounds = {result.round: result for result in seen.rounds if result.subject == subject}
        assert len(rounds) == len(seen.rounds), (kind, sequence)
        touched = {sequence, sequence + 1} if kind == "swapped" else {sequence}
        for number, result in clean.items():
            where = (kind, sequence, number, edited[0][:300])
            inside = {at for at in touched if result.first_sequence <= at <= result.last_sequence}
            if inside and kind != "doubled":
                _assert_not_vouched_for(result, rounds.get(number), inside, where)
            elif result.last_sequence < sequence or kind == "doubled":
                assert _core(rounds[number]) == _core(result), where


def _assert_not_vouched_for(
    clean: RoundResult, result: RoundResult | None, inside: set[int], where: object
) -> None:
    """The round is told, but not as consistent; only its very last or first event tells nothing of it."""
    assert result is not None, where
    if inside - {clean.first_sequence, clean.last_sequence}:
        assert result.status in ("indeterminate", "breached"), where
        assert result.missing, where


def _core(result: RoundResult) -> object:
    return (result.status, result.hands, result.stakes, result.rack, result.net_cents, result.missing)


@pytest.mark.parametrize("each", [9, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("kind", EDITS)
def test_every_line_of_a_stream_is_guarded_and_the_summary_names_the_first_bad_one(
    kind: str, each: int, tmp_path: Path
) -> None:
    """In `make test` one line in nine, the first and the last among them."""
    lines = lines_of(RULESETS["free_bet_672a"])[:FIRST]
    sources, cases = [], []
    for _, sequence, edited in (e for e in _edits(lines, range(1, FIRST + 1, each)) if e[0] == kind):
        path = tmp_path / f"{sequence:04}.ndjson"
        path.write_bytes(b"\n".join((*lines[: sequence - 1], *edited, b"")))
        sources.append(StreamSource(path.stem, path))
        cases.append((sequence, edited))
    replay(sources, tmp_path / "out", patterns=False)  # copies of one stream are no tables
    summaries = json.loads((tmp_path / "out" / "summary.json").read_text("utf-8"))["files"]
    findings = [json.loads(line) for line in (tmp_path / "out" / "findings.ndjson").read_bytes().splitlines()]
    for sequence, edited in cases:
        stem = f"{sequence:04}"
        (own,) = (s for s in summaries if s["file"] == stem and s["subject"] == _subject(lines[0]))
        told = {f["cites"][0] for f in findings if f["file"] == stem and f["check"].startswith("integrity.")}
        unseen = _nobody_can_see(kind, edited, lines, sequence)
        blamed = None if unseen else _blamed(kind, edited, lines, sequence)
        assert (own["first_bad_sequence"], own["chain"]) == (blamed, "broken" if blamed else "intact"), stem
        assert bool(told) is not unseen, stem
        accused = [f for f in findings if f["file"] == stem and f["verdict"] in ACCUSING]
        assert all(
            f["check"].startswith("integrity.") or _decided_by_the_altered(kind, edited, f["sequence"])
            for f in accused
        ), accused


CITED = {
    "deleted": {"integrity.gap"},
    "doubled": {"integrity.order"},
    "swapped": {"integrity.gap", "integrity.order"},
}


@PLACES
@pytest.mark.parametrize("name", one_in(3, SAMPLED))
def test_what_was_done_to_the_record_is_told_by_its_name(name: str, most: int) -> None:
    length = len(lines_of(name))
    for kind, sequence, _, seen, _ in _sampled(name, most):
        if kind in CITED and (kind, sequence) != ("deleted", length):
            told = {
                cite for finding in seen.findings if finding.verdict == "breached" for cite in finding.cites
            }
            assert told == CITED[kind], (kind, sequence)


def test_the_third_copy_of_a_line_is_no_further_finding() -> None:
    lines = lines_of(RULESETS["free_bet_672a"])[:200]
    seen = run("FB-12", (*lines[:90], *[lines[89]] * 4, *lines[90:]))
    assert [finding.check for finding in seen.findings] == ["integrity.duplicate"]
