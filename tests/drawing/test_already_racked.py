"""A breach that is found when the cards lie in the rack shows the hand as it was settled, and says so."""

from __future__ import annotations

from dashboards.drawing.palette import DARK
from dashboards.drawing.part import draw_part
from dashboards.replayer.picture import IN_RACK, shows_racked
from dashboards.replayer.replay import Replay
from tests.drawing.streams import replayed
from tests.law.script import play

# Seat 3 loses, and nobody takes its stake: that is found when the round is over.
UNSETTLED = [
    "wager 3", "wager 5", "deal 3:8s8d 5:Tc9c D:Tc7h", "stand 3.1", "stand 5.1", "dealer",
    "settle 5 main 5.1 pay 2500", "rack_all", "end",
]  # fmt: skip


def round_of(steps: list[str]) -> Replay:
    return replayed(tuple(play(steps, "free_bet_672a", {}).lines), 1)


def test_the_hand_of_a_breach_after_the_rack_lies_as_it_was_settled_and_no_other_does() -> None:
    replay = round_of(UNSETTLED)
    end = replay.steps[-1]
    assert (end.event, end.wrong) == ("round_ended", True)
    hands = {hand.name: hand for seat in end.felt.seats for hand in seat.hands}
    settled = next(step for step in replay.steps if step.event == "wager_settled")
    before = {hand.name: hand for seat in settled.felt.seats for hand in seat.hands}
    assert hands["3.1"].cards == before["3.1"].cards != ()
    assert hands["3.1"].state == f"stands · {IN_RACK}"
    assert end.felt.dealer.hand.cards == settled.felt.dealer.hand.cards != ()
    assert IN_RACK in end.felt.dealer.words
    assert (hands["5.1"].cards, hands["5.1"].state) == ((), "stands · racked")
    assert shows_racked(end.felt)
    assert IN_RACK.split()[0] in draw_part(end.felt, 3, DARK)
    assert end.count == replay.steps[-2].count, "the count of the cards is of where they lie"


def test_a_step_without_a_breach_shows_where_the_cards_lie() -> None:
    replay = round_of(UNSETTLED)
    racked = replay.steps[-2]
    assert (racked.event, racked.wrong) == ("cards_racked", False)
    assert not shows_racked(racked.felt)
    assert all(hand.cards == () for seat in racked.felt.seats for hand in seat.hands)
    right = round_of([*UNSETTLED[:7], "settle 3 main 3.1 collect 2500", *UNSETTLED[7:]])
    assert not any(shows_racked(step.felt) for step in right.steps)
