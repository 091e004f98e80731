"""A fold that is stopped and goes on from its state, wherever it is stopped, says what one that never stopped says."""

import msgspec
import pytest

from processors.pipeline import Outcome, TablePipeline
from tests.noise.tables import MIXED, Dealt, breached, noisy

RATE = 0.1
STOPPED_EVERY = 9  # events
DEALT = breached()
LATE_DRAW = next(
    one for one in DEALT if one.name == "cover_card_too_deep"
)  # of a hole card that was revealed before
_ENCODE = msgspec.json.Encoder().encode


def said(outcome: Outcome) -> bytes:
    return _ENCODE((outcome.rounds, outcome.findings))


@pytest.mark.parametrize("kind", ["late", MIXED])
@pytest.mark.parametrize("dealt", [*DEALT[::12], LATE_DRAW], ids=lambda one: one.name)
def test_a_fold_goes_on_from_its_state_as_if_it_had_never_stopped(dealt: Dealt, kind: str) -> None:
    lines = [entry.line for entry in noisy(dealt, kind, RATE) if entry.line]
    whole, stopped = TablePipeline(dealt.subject), TablePipeline(dealt.subject)
    for number, line in enumerate(lines, 1):
        assert said(stopped.advance(line)) == said(whole.advance(line)), number
        if number % STOPPED_EVERY == 0:
            stopped = TablePipeline.restore(stopped.snapshot())
    assert said(stopped.finish()) == said(whole.finish())
