"""A lost word of a device: a replayed hand, a stored state and a report show the table that was judged."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from dashboards.drawing.felt import described
from dashboards.drawing.scene import Card, DrawnHand
from dashboards.folding.states import States
from dashboards.hands.hand import stored_round
from dashboards.replayer.admitting import round_of
from dashboards.replayer.replay import Replay, ReplayAsked, ReplayStep, replay_round
from dashboards.replayer.rows import felt_rows
from processors.core.state import Round
from processors.pipeline import TablePipeline
from schemas.rounds import RoundResult
from tests.hands.stored import Recorded, unlaid
from tests.mutations.rechain import Event, dropped, kind, load, rechained
from tests.pipeline.test_lost_words import EACH, STREAMS, places_of_cards

Lines = tuple[bytes, ...]


def thinned(events: list[Event]) -> Lines:
    """The stream without every seventh placement."""
    return tuple(rechained(dropped(events, *places_of_cards(events)[::EACH])))


def judged(lines: Lines, subject: str) -> Iterator[tuple[int, Round | None, tuple[RoundResult, ...]]]:
    """Behind each line the round under way, and the rounds that the line decided, as the pipeline has them."""
    pipeline = TablePipeline(subject, proofs=False, detect=False)
    for at, line in enumerate(lines):
        rounds = pipeline.advance(line).rounds
        yield at, pipeline.state.round, rounds


def hands_of(round_: Round) -> dict[str, int]:
    """How many cards lie with each hand."""
    return {
        hand.name: len(hand.cards) for hand in round_.hands.values() if hand.racked is None and hand.cards
    }


def drawn_in(step: ReplayStep) -> dict[str, int]:
    """How many cards are drawn with each hand."""
    return {hand.name: len(hand.cards) for hand in hands_in(step) if hand.cards}


@pytest.mark.parametrize("name", STREAMS)
def test_every_step_of_a_replay_shows_the_table_that_the_pipeline_judged(name: str) -> None:
    events = load(name)
    subject, lines = str(events[0]["subject"]), thinned(events)
    seen: dict[int, dict[str, int]] = {}
    ended: list[RoundResult] = []
    for at, round_, rounds in judged(lines, subject):
        if round_ is not None:
            seen[at + 1] = hands_of(round_)
        ended += rounds
    assert sum(bool(one.inferred) for one in ended) > 4
    for judged_round in ended:
        replay = replayed(lines, subject, judged_round.round)
        steps = [step for step in replay.steps if step.event != "round_ended"]
        assert {step.sequence: drawn_in(step) for step in steps} == {
            step.sequence: seen[step.sequence] for step in steps
        }
        told = replay.result
        assert told is not None
        for part in ("hands", "inferred", "words_missing"):
            assert getattr(told, part) == getattr(judged_round, part), (judged_round.round, part)
        # A picture of a hand says nothing of what its decisions were worth.
        assert told.stakes == tuple(replace(stake, play=UNSET) for stake in judged_round.stakes)


def replayed(lines: Lines, subject: str, number: int) -> Replay:
    before, own = round_of(subject, number, lines)
    return replay_round(before, own, asked=ReplayAsked(frames=False))


@pytest.mark.parametrize("name", STREAMS[:1])
def test_a_stored_state_and_a_stored_round_have_the_inferred_cards_as_well(name: str) -> None:
    events = load(name)
    subject, lines = str(events[0]["subject"]), thinned(events)
    held = Recorded(lines, subject)
    states = States(held.store)
    for at, round_, rounds in judged(lines, subject):
        for one in rounds:
            stored = stored_round(held.store, states, subject, one.round)
            assert stored.result is not None
            assert (stored.result.inferred, stored.result.words_missing) == (one.inferred, one.words_missing)
        if round_ is not None and round_.inferred and at % 5 == 0:
            kept = states.before(subject, at + 2).table().round
            assert kept is not None
            assert kept.hands == round_.hands


def test_an_inferred_card_is_marked_with_its_reason_until_another_device_shows_it() -> None:
    lines, hand, _, drawn, racked = unlaid(STREAMS[0], "BJ-31")
    replay = replayed(lines, "BJ-31", 1)
    marked = [step for step in replay.steps if any(card.why for card in cards_in(step, hand))]
    assert len(marked) > 3
    why = (
        f"(place inferred: drawn at event {drawn}, not reported laid down; by the order of play it lies here)"
    )
    for step in marked:
        assert why in described(step.felt)
        assert any(why in row.cards for row in felt_rows(step.felt))
        assert "?" not in next(one.total for one in hands_in(step) if one.name == hand)
    (one,) = [card for card in replay.cards if card.by.known]
    assert (one.hand, one.by.shoe, one.by.layout, one.by.rack) == (hand, drawn, None, racked)
    assert (one.by.known, one.card.why) == ("seen by rack", "")
    whole = [card.by for card in replay.cards if not card.by.known]
    assert all(by.shoe and by.layout and by.rack and by.shoe < by.layout < by.rack for by in whole)


def hands_in(step: ReplayStep) -> list[DrawnHand]:
    return [step.felt.dealer.hand, *(hand for seat in step.felt.seats for hand in seat.hands)]


def cards_in(step: ReplayStep, hand: str) -> tuple[Card, ...]:
    return next((one.cards for one in hands_in(step) if one.name == hand), ())


def test_a_lost_placement_of_the_hole_card_names_no_card_before_it_is_turned() -> None:
    events = load(STREAMS[0])
    at = next(
        one
        for one in places_of_cards(events)
        if events[one]["data"]["hand"] == "D" and not events[one]["data"]["face_up"]
    )
    lines = tuple(rechained(dropped(events, at)))
    replay = replayed(lines, str(events[0]["subject"]), 1)
    turned = next(step.index for step in replay.steps if step.event == "hole_card_revealed")
    marked = [step for step in replay.steps[:turned] if any(card.why for card in cards_in(step, "D"))]
    assert marked
    for step in marked:
        (hole,) = [card for card in cards_in(step, "D") if card.why]
        assert (hole.face_up, hole.name) == (False, "")
        assert "a card face down (place inferred" in described(step.felt)
    assert kind(events[at - 1]) == "card_drawn"
