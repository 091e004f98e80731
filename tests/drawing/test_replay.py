"""A round step by step: nothing too early, nothing lost, and what is wrong is where it is wrong."""

from __future__ import annotations

import json
import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboards.drawing.palette import LIGHT
from dashboards.replayer.admitting import Before, round_of
from dashboards.replayer.duties import Duty
from dashboards.replayer.picture import felt_now
from dashboards.replayer.replay import ReplayAsked, replay_round
from dashboards.replayer.sentences import sentence
from processors.core.folding.fold import fold
from processors.core.snapshots import snapshot
from processors.core.state import Table
from schemas import events as e
from schemas.events.codec import decode
from schemas.events.envelope import PAYLOADS
from tests.drawing.scenes import drawn, on_page, shown
from tests.drawing.streams import EXAMPLES, Event, chained, changed, findings, kind, lines, replayed, subject
from tests.sampling import one_in

STREAMS = sorted(path.stem for path in EXAMPLES.glob("*.ndjson"))
LAWFUL = [name for name in STREAMS if name.startswith("lawful_")]


def _rounds(stream: tuple[bytes, ...]) -> list[int]:
    return [json.loads(line)["data"]["round"] for line in stream if b"v1.round_started" in line]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] * (at % 4 > 0)) for at, name in enumerate(STREAMS)]
)
def test_each_step_draws_what_its_scene_holds_and_the_round_is_told_to_its_end(name: str) -> None:
    stream = lines(name)
    number = _rounds(stream)[-1]
    replay = replayed(stream, number)
    _, own = round_of(subject(stream), number, stream)
    assert [step.sequence for step in replay.steps] == [json.loads(line)["sequence"] for line in own]
    assert replay.ended
    for step in replay.steps:
        assert drawn(step.frame) == on_page(step.felt)
        assert step.sentence.endswith(".")


@pytest.mark.parametrize("name", one_in(2, LAWFUL))
def test_the_cards_add_up_at_every_step_of_a_lawful_round(name: str) -> None:
    stream = lines(name)
    for number in _rounds(stream)[:6]:
        for step in replayed(stream, number, ReplayAsked(frames=False)).steps:
            if step.count is not None:
                assert step.count.agrees, f"round {number}, {step.sequence}: {step.count}"


@pytest.mark.parametrize(("name", "number"), [("lawful_free_bet_590", 16), ("irregular_stacks_misdeal", 1)])
def test_cutting_the_record_off_changes_no_step_before(name: str, number: int) -> None:
    stream = lines(name)
    before, own = round_of(subject(stream), number, stream)
    whole = replay_round(before, own).steps
    for length in range(1, len(own), 7):
        assert replay_round(before, own[:length]).steps == whole[:length]


def _hole_named(event: Event, holes: list[str]) -> None:
    """Name a hole card where it is drawn and laid, which no record may do."""
    data = event["data"]
    if kind(event) == "card_drawn" and data["card"] == "??":
        data["card"] = holes[0]
    elif kind(event) == "card_placed" and data["hand"] == "D" and not data["face_up"]:
        data["card"] = holes.pop(0)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", one_in(3, ["lawful_free_bet_590", "lawful_free_bet_672a", "lawful_down_under_685a"])
)
def test_a_hole_card_that_the_record_names_too_early_is_shown_to_nobody_before_it_is_turned(
    name: str,
) -> None:
    stream = lines(name)
    holes = [json.loads(line)["data"]["card"] for line in stream if b"v1.hole_card_revealed" in line]
    leaking = changed(stream, lambda event: _hole_named(event, holes))
    assert not holes
    for number in _rounds(stream)[:8]:
        safe, leaked = replayed(stream, number), replayed(leaking, number)
        for one, other in zip(safe.steps, leaked.steps, strict=True):
            assert (one.frame, one.sentence) == (other.frame, other.sentence)
            if one.event == "hole_card_revealed":
                break
        else:
            pytest.fail("no hole card was revealed")


def test_who_may_see_hidden_cards_sees_them_dashed_and_named() -> None:
    stream = lines("lawful_free_bet_590")
    holes = [json.loads(line)["data"]["card"] for line in stream if b"v1.hole_card_revealed" in line]
    leaking = changed(stream, lambda event: _hole_named(event, holes))
    cleared = replayed(leaking, 1, ReplayAsked(cleared=True))
    laid = next(s for s in cleared.steps if s.event == "card_placed" and "face down" in s.sentence)
    assert "(3 of spades)" in laid.sentence
    assert laid.felt.dealer.hand.cards[1].name == "3s"
    assert "stroke-dasharray" in laid.frame


def test_stacks_lie_face_down_until_they_are_shown_although_the_record_names_them() -> None:
    stream = lines("lawful_fortune_670a10")
    dealt = iter(["As", "Kd", "2c", "3h", "4d", "5s", "9c"])

    def name(event: Event) -> None:
        if kind(event) == "stack_delivered":
            event["data"]["cards"] = [next(dealt, "Jo")] * len(event["data"]["cards"])
        elif kind(event) == "round_ended":
            for _ in dealt:
                pass

    leaked = replayed(changed(stream, name), 1)
    for step in leaked.steps:
        if step.event == "hand_revealed":
            break
        assert set(shown(step.felt)) <= {"back"}
        assert not any(word in step.sentence for word in ("spades", "hearts", "diamonds", "clubs", "joker"))


def test_a_finding_does_not_name_a_card_that_still_lies_face_down() -> None:
    stream = lines("lawful_free_bet_590")
    before, own = round_of(subject(stream), 1, stream)
    holes = ["3s"]
    leaking = changed(stream, lambda event: _hole_named(event, holes) if holes else None)
    before, own = round_of(subject(stream), 1, leaking)
    hole = next(json.loads(line)["sequence"] for line in own if b'"face_up":false' in line)
    finding = msgspec.structs.replace(
        findings(lines("breach_overpay"))[0], sequence=hole, message="Card 3s was there once too often."
    )
    step = next(s for s in replay_round(before, own, findings=[finding]).steps if s.sequence == hole)
    assert step.governing[0].message == "A hidden card was there once too often."
    assert "3s" not in step.frame


def test_an_overpayment_is_marked_at_its_step_its_hand_and_in_the_payout_check() -> None:
    replay = replayed(lines("breach_overpay"), 1)
    (mark,) = replay.mismatches
    step = replay.steps[mark.index]
    assert (step.event, step.hand, step.wrong) == ("wager_settled", "6.1", True)
    assert ">✕ paid 200,<" in step.frame
    assert ">due 100<" in step.frame
    assert "✕" not in replay.steps[mark.index - 1].frame
    assert step.governing[0].verdict == "breached"
    rows = {(row.hand, row.kind): row for row in replay.payouts}
    row = rows["6.1", "main"]
    assert (row.word, row.difference_cents, row.sequences) == ("differs", 10000, (step.sequence,))
    assert {one.word for key, one in rows.items() if key != ("6.1", "main")} == {"agrees"}


def test_cards_that_never_reach_the_rack_are_marked_and_the_first_difference_is_named() -> None:
    replay = replayed(lines("breach_not_racked"), 5)
    assert [row.place for row in replay.rack if row.first] == [0]
    last = replay.steps[-1]
    assert last.count is not None
    assert (last.count.table, last.count.agrees) == (2, True)  # the two cards of 6.1 still lie there
    assert [hand.name for seat in last.felt.seats for hand in seat.hands if hand.cards] == ["6.1"]
    assert replay.mismatches[-1].index == last.index


def test_phases_begin_in_the_order_of_play() -> None:
    replay = replayed(lines("lawful_free_bet_590"), 16, ReplayAsked(frames=False))
    assert [mark.word for mark in replay.phases] == ["Bets", "Deal", "Players", "Dealer", "Settle", "Rack"]
    assert [mark.index for mark in replay.phases] == sorted(mark.index for mark in replay.phases)


def test_clauses_that_govern_an_event_follow_what_was_found_there() -> None:
    duties = {"wager_settled": (Duty("settled.main", ("672a.7(o)",)), Duty("other", ("672a.1",)))}
    replay = replayed(lines("breach_overpay"), 1, ReplayAsked(duties=duties, frames=False))
    step = replay.steps[replay.mismatches[0].index]
    assert step.governing[0].verdict == "breached"
    assert {one.verdict for one in step.governing[1:]} == {"nothing found"}
    assert replay.steps[0].governing == ()


def test_video_links_carry_camera_and_time_quoted() -> None:
    stream = lines("lawful_free_bet_590")
    filmed = changed(stream, lambda event: event["data"].update(cameras=["C 1", "C&2"]) if "decks" in event["data"]
                     and kind(event) == "table_configured" else None)  # fmt: skip
    replay = replayed(filmed, 1, ReplayAsked(video="https://video.example/{camera}?at={time}", frames=False))
    first = replay.steps[0]
    assert first.videos[0] == ("C 1", "https://video.example/C%201?at=2015-06-01T10%3A03%3A43.066157Z")
    assert first.videos[1][1].startswith("https://video.example/C%262?at=")


def test_forty_frames_of_a_hand_with_splits_stay_below_300_kilobytes() -> None:
    for name, number in (("lawful_free_bet_590", 16), ("irregular_insurance_and_even_money", 13)):
        sizes = [len(step.frame.encode()) for step in replayed(lines(name), number).steps]
        assert 40 * sum(sizes) / len(sizes) < 300_000


def test_a_line_that_is_no_event_is_passed_over_and_the_rest_is_told() -> None:
    stream = lines("lawful_free_bet_590")
    before, own = round_of(subject(stream), 2, stream)
    whole = replay_round(before, own)
    torn = replay_round(before, [*own[:9], b'{"torn":', *own[9:]])
    assert [step.sequence for step in torn.steps] == [step.sequence for step in whole.steps]
    lost = replay_round(before, [*own[:9], *own[10:]])
    assert lost.ended
    assert len(lost.steps) == len(own) - 1


@pytest.mark.thorough
@given(st.randoms(use_true_random=False), st.sampled_from(STREAMS))
@settings(max_examples=settings().max_examples // 8)
def test_a_round_told_in_any_disorder_is_drawn_as_far_as_it_is_told(chance: random.Random, name: str) -> None:
    stream = lines(name)
    before, own = round_of(subject(stream), chance.choice(_rounds(stream)), stream)
    told = [json.loads(line) for line in own]
    for _ in range(3):
        one, other = chance.randrange(1, len(told)), chance.randrange(1, len(told))
        act = chance.choice(("lose", "double", "swap"))
        if act == "lose":
            del told[one]
        elif act == "double":
            told.insert(other, dict(told[one]))
        else:
            told[one], told[other] = told[other], told[one]
    mangled = chained(told, json.loads(own[0])["sequence"], json.loads(own[0])["prevhash"])
    replay = replay_round(before, mangled)
    assert len(replay.steps) == len(mangled)
    for step in replay.steps:
        assert drawn(step.frame) == on_page(step.felt)


def test_a_replay_that_begins_within_a_round_shows_the_cards_laid_before() -> None:
    stream = lines("lawful_free_bet_590")
    before, own = round_of(subject(stream), 1, stream)
    whole = replay_round(before, own)
    table = Table(subject=subject(stream))
    for line in stream:
        event = decode(line)
        table.chain.next_sequence, table.chain.head = event.sequence, event.prevhash
        if line == own[30]:
            break
        fold(table, event)
    part = replay_round(Before(snapshot(table)), own[30:])
    assert [step.frame for step in part.steps] == [step.frame for step in whole.steps[30:]]


def test_a_table_looked_at_now_shows_what_the_replay_shows_at_that_step() -> None:
    stream = lines("lawful_free_bet_590")
    _, own = round_of(subject(stream), 1, stream)
    whole = replayed(stream, 1)
    table = Table(subject=subject(stream))
    assert felt_now(table).phase == "closed"
    for line in stream[: stream.index(own[30]) + 1]:
        fold(table, decode(line))
    now, then = felt_now(table), whole.steps[30].felt
    assert (now.rack, now.shoe, now.count, now.dealer.hand.cards) == (
        then.rack,
        then.shoe,
        then.count,
        then.dealer.hand.cards,
    )
    assert [seat.bets for seat in now.seats] == [seat.bets for seat in then.seats]
    assert now.phase == whole.steps[30].phase


def test_a_round_that_is_not_there_is_named() -> None:
    stream = lines("lawful_free_bet_590")
    with pytest.raises(LookupError, match="no round 9999"):
        round_of(subject(stream), 9999, stream)


def test_the_print_theme_draws_the_same_cards_in_the_same_places() -> None:
    stream = lines("lawful_down_under_685a")
    for dark, light in zip(
        replayed(stream, 12).steps, replayed(stream, 12, ReplayAsked(palette=LIGHT)).steps, strict=True
    ):
        assert dark.felt == light.felt
        assert len(dark.frame) == len(light.frame)
        assert dark.frame != light.frame


def test_every_type_of_event_has_a_sentence() -> None:
    told = set()
    for name in STREAMS:
        for line in lines(name):
            data = decode(line).data
            if type(data) not in told:
                told.add(type(data))
                text = sentence(data)
                assert text.endswith(".")
                assert "_" not in text.replace(str(getattr(data, "reason", "")), "") or isinstance(
                    data, e.ApprovalRecorded
                )
    assert len(told) > len(PAYLOADS) / 2


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", one_in(3, ["irregular_continuous_shuffler_du", "irregular_shoe_runs_out", "lawful_free_bet_590"])
)
def test_no_step_counts_fewer_than_no_cards_in_a_place(name: str) -> None:
    stream = lines(name)
    numbers = [json.loads(line)["data"]["round"] for line in stream if b"v1.round_started" in line]
    counted = 0
    for number in numbers:
        for step in replayed(stream, number, ReplayAsked(frames=False)).steps:
            count = step.felt.count
            if count is not None:
                assert min(count.discard, count.table, count.burnt or 0, count.shoe) >= 0, (
                    number,
                    step.sequence,
                )
                counted += 1
    assert counted > 100
