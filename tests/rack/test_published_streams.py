"""Racks of the published streams, dealt by somebody else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rack.asking import ask
from tests.rack.small_problems import RULESETS
from tests.rack.streams import StreamRound, rounds

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def _regular(path: Path) -> list[StreamRound]:
    return [played for played in rounds(path) if played.table["ruleset"] in RULESETS and not played.odd]


LAWFUL = [path for path in sorted(EXAMPLES.glob("lawful_*.ndjson")) if _regular(path)]


@pytest.mark.parametrize("path", LAWFUL, ids=lambda path: path.stem)
def test_every_round_is_among_the_reconstructions_of_its_rack(path: Path) -> None:
    unique = 0
    played_rounds = _regular(path)
    for played in played_rounds:
        seats = sorted(played.seats)
        answer = ask(played.problem(seats=seats))
        assert played.truth() in [row.hands for row in answer.reconstructions], played.number
        whole = ask(played.problem(seats=seats, drawn=played.drawn, surrendered=played.surrendered))
        assert played.truth() in [row.hands for row in whole.reconstructions], played.number
        unique += whole.unique is True
    assert unique >= 0.95 * len(played_rounds)


def test_there_are_streams_of_all_three_games() -> None:
    assert {_regular(path)[0].table["ruleset"] for path in LAWFUL} == set(RULESETS)


def test_a_hand_racked_for_another_shows_against_the_draw_order() -> None:
    [played] = [r for r in rounds(EXAMPLES / "breach_not_racked.ndjson") if len(r.rack) != len(r.drawn)]
    answer = ask(played.problem(seats=sorted(played.seats), drawn=played.drawn))
    assert answer.count == 0
    assert answer.nearest
    assert answer.nearest.deviations[0].provision == "672a.7(s)"
    assert f"the shoe gave {len(played.drawn)} cards, the rack holds {len(played.rack)}" in answer.message
