"""The recorder away over some acts in a row, told from a pause of the table by the words that the record lacks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import pairwise

import pytest

from producers.simulator.noise.words import Entry, Word, recorded, words
from tests.noise import tables
from tests.noise.judged import Judged

TABLES, ROUNDS = 15, 25
PAUSED = timedelta(seconds=4)  # beside what the lost words took
Sort = tuple[str, str]
OPENED: list[Sort] = [("hand_revealed", "")] * 2
SHUFFLED: list[Sort] = [
    (kind, "")
    for kind in ("shoe_emptied", "cards_stacked", "shuffler_unloaded", "cards_stacked", "shuffler_loaded")
]


@pytest.fixture(scope="module")
def lawful() -> list[tables.Dealt]:
    return tables.lawful(TABLES, ROUNDS)


def _is(word: Word, sort: Sort) -> bool:
    kind, which = sort
    data = word.event["data"]
    return word.kind == kind and which in ("", data.get("kind"), data.get("reason"), data.get("hand"))


def _of_one_seat(lammer: Word, paid: Word) -> bool:
    """Whether the lammer lies at the seat that is paid: neither done is one omission (A69)."""
    return lammer.kind == "lammer_collected" and lammer.event["data"]["hand"].startswith(
        str(paid.event["data"]["seat"])
    )


def _away_over(said: Sequence[Word], first: int, count: int) -> Iterator[Entry]:
    """The words in the record but for some in a row, after which the table pauses."""
    after = [word.says("pause", time=(word.time + PAUSED).isoformat()) for word in said[first + count :]]
    lost = [word.met("recorder", lost=True) for word in said[first : first + count]]
    return recorded(iter([*said[:first], *lost, *after]))


@pytest.mark.parametrize(
    "acts",
    [
        pytest.param([("wager_settled", "insurance"), ("player_decision", "")], id="insurance taken, first decision"),
        pytest.param([("lammer_collected", ""), ("wager_settled", "main")], id="lammer taken, wager settled"),
        pytest.param([("stub_removed", ""), ("stub_counted", ""), ("cards_racked", "stub"), *OPENED],
                     id="stub out, counted and racked, two hands laid open"),
        pytest.param([("stub_counted", ""), ("cards_racked", "stub"), *OPENED],
                     id="stub counted and racked, two hands laid open"),
        pytest.param([("system_wagers_counted", ""), ("chips_to_inventory", "")], id="chips counted and put away"),
        pytest.param(SHUFFLED, id="batches changed places"),
        pytest.param([*SHUFFLED, ("shuffle_started", "")], id="batches changed places, shuffle begun"),
    ],
)  # fmt: skip
def test_the_recorder_away_over_these_acts_accuses_nobody(
    lawful: list[tables.Dealt], acts: list[Sort]
) -> None:
    tried = 0
    for dealt in lawful:
        said = list(words(iter(dealt.lines)))
        starts = range(len(said) - len(acts))
        places = [at for at in starts if all(map(_is, said[at : at + len(acts)], acts))]
        for at in [at for at in places if not _of_one_seat(said[at], said[at + 1])][:2]:
            tried += 1
            judged = Judged(dealt, _away_over(said, at, len(acts)))
            assert [(one.check, one.message) for one in judged.accusations()] == []
    assert tried


@pytest.mark.parametrize("hidden", [1, 2])
def test_loads_that_are_not_on_record_leave_later_loads_in_turn(hidden: int) -> None:
    """The recorder is away from the middle of a round to the middle of one after the next load, or the one after."""
    tried = 0
    for dealt in tables.lawful(10, 45, ("free_bet_590",)):
        said = list(words(iter(dealt.lines)))
        loads = [at for at, word in enumerate(said) if word.kind == "shoe_loaded"]
        if not any(word.kind == "shuffler_loaded" for word in said) or len(loads) < hidden + 3:
            continue
        tried += 1
        first = loads[1] - 30
        judged = Judged(dealt, _away_over(said, first, loads[hidden] + 40 - first))
        assert [one.message for one in judged.accusations() if one.check.startswith("shoe.")] == []
    assert tried


def test_a_single_one_of_the_words_is_missed_though_the_table_pauses(lawful: list[tables.Dealt]) -> None:
    missed = set()
    for dealt in lawful:
        said = list(words(iter(dealt.lines)))
        for kind in ("stub_counted", "lammer_collected"):
            for at, word in enumerate(said):
                if word.kind == kind:
                    judged = Judged(dealt, _away_over(said, at, 1))
                    missed |= {one.check for one in judged.findings if one.verdict == "breached"}
                    break
    assert {"stub.counted", "settlement.lammers_off"} <= missed


def test_a_round_that_takes_over_the_next_one_accuses_nobody() -> None:
    """The recorder is away from a round's hole card up to the next round's, with as many cards of each."""
    tried = 0
    for dealt in tables.lawful(40, 15, ("free_bet_672a", "down_under_685a")):
        said = list(words(iter(dealt.lines)))
        holes = [
            at for at, word in enumerate(said) if word.kind == "card_drawn" and word.event["data"].get("seal")
        ]
        for one, other in pairwise(holes):
            between = said[one:other]
            if said[one].round is None or said[other].round != (said[one].round or 0) + 1:
                continue
            if any(word.kind in ("shoe_loaded", "player_arrived", "player_left") for word in between):
                continue
            tried += 1
            judged = Judged(dealt, _away_over(said, one, other - one))
            assert [one.message for one in judged.accusations() if one.check == "rack.hand"] == []
            break
    assert tried
