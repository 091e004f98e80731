"""Reports as PDF: the record and nothing else, the same bytes each time, for the archive and for every reader."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import unicodedata
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dashboards.drawing.cards import spoken
from dashboards.drawing.rack import RackRow
from dashboards.drawing.scene import Bet, Card, DrawnHand, DrawnSeat
from dashboards.replayer.admitting import round_of
from dashboards.replayer.duties import Duty
from dashboards.replayer.replay import Replay, ReplayAsked, replay_round
from dashboards.reports.claims import held_against, step_in_dispute
from dashboards.reports.dispute_report import answer_of
from dashboards.reports.evidence import evidence_of
from dashboards.reports.hand_report import HandContent, hand_content, hand_report
from dashboards.reports.round_facts import RoundSource, facts_of
from dashboards.reports.scripts.printing import printed
from dashboards.reports.typesetting import typeset
from dashboards.reports.wording import dollars, signed
from dashboards.wording.standing import Standing
from deploy.cli.main import COMMANDS
from schemas.events.codec import record_hash
from tests.drawing.streams import Event, changed, findings, kind, lines, subject
from tests.law.script import play

ROOT = Path(__file__).resolve().parents[2]
OVERPAID = "breach_dealer22_paid"
# Letters, marks and joiners of the scripts of India, of Hebrew, Arabic, Thai, Chinese and Korean, in any order.
SCRIPTS = st.sampled_from(
    [chr(code) for block in ((0x300, 0x370), (0x590, 0xE80), (0x1100, 0x1200)) for code in range(*block)]
    + list("\u200c\u200d\u3000\u4e2d\uac00\n a")
)
DUTIES = {"wager_settled": (Duty("settlement.stake", ("672a.7(n)(1)#1",)),)}


def told(name: str, number: int, stream: tuple[bytes, ...] | None = None) -> tuple[Replay, RoundSource]:
    """A round of an example, and what its report is made of."""
    stream = stream or lines(name)
    before, own = round_of(subject(stream), number, stream)
    found = [one for one in findings(stream) if one.round == number]
    replay = replay_round(before, own, findings=found, asked=ReplayAsked(duties=DUTIES, frames=False))
    return replay, RoundSource(before, tuple(own), found)


def rounds(stream: tuple[bytes, ...]) -> list[int]:
    return [json.loads(line)["data"]["round"] for line in stream if b"v1.round_started" in line]


def content(name: str, number: int) -> HandContent:
    return hand_content(*told(name, number))


@pytest.mark.parametrize(
    "name",
    [
        OVERPAID,
        "lawful_fortune_670a10",
        "irregular_stacks_misdeal",
        "irregular_shoe_runs_out",
        "lawful_down_under_685a",
    ],
)
def test_a_round_of_every_game_is_a_pdf_for_the_archive_and_for_screen_readers(name: str) -> None:
    report = hand_report(*told(name, rounds(lines(name))[-1]))
    assert report.startswith(b"%PDF-1.7")
    for mark in (b"<pdfaid:part>2<", b"<pdfaid:conformance>A<", b"<pdfuaid:part>1<", b"/MarkInfo"):
        assert mark in report, mark


def test_a_round_of_which_half_is_known_is_printed_at_every_event() -> None:
    """A hand called dead before it had a card; the round breaks off behind each event; once the record has a gap."""
    steps = [
        "wager 3", "wager 5", "deal 3:Ts9d D:7cKh", "hand_voided hand=5.1 reason=missed", "return 5", "stand 3",
        "dealer", "pay 3", "rack_all", "end",
    ]  # fmt: skip
    for gap in ([], ["gap"]):
        played = tuple(play([*steps[:4], *gap, *steps[4:]], "free_bet_672a", {}).lines)
        first = max(at for at, line in enumerate(played) if b"v1.round_started" in line)
        for end in range(first + 1, len(played) + 1):
            page = hand_content(*told("", rounds(played)[-1], played[:end]))
            assert page.steps
        (dead,) = [hand for hand in page.hands if hand.name == "Hand 5.1"]
        assert (dead.words, dead.result) == ("no cards", "called dead")
        assert hand_report(*told("", rounds(played)[-1], played)).startswith(b"%PDF-1.7")


def test_the_same_record_is_the_same_bytes_in_another_process_folder_and_time_zone(tmp_path: Path) -> None:
    here = hashlib.sha256(hand_report(*told(OVERPAID, 12))).hexdigest()
    code = (
        "import hashlib; from tests.console.test_reports import *;"
        "print(hashlib.sha256(hand_report(*told(OVERPAID, 12))).hexdigest())"
    )
    given = {**os.environ, "PYTHONPATH": str(ROOT), "TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=given, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == here


def test_the_time_of_a_report_is_that_of_the_record() -> None:
    replay, source = told(OVERPAID, 12)
    at = replay.steps[-1].time
    assert f"D:{at:%Y%m%d%H%M%S}".encode() in hand_report(replay, source)


def test_every_card_stake_step_and_record_is_in_the_report() -> None:
    replay, source = told(OVERPAID, 12)
    page = hand_content(replay, source)
    assert replay.result is not None
    assert [row.sequence for row in page.steps] == [step.sequence for step in replay.steps]
    assert [row.sentence for row in page.steps] == [step.sentence for step in replay.steps]
    dealt = Counter(spoken(card) for hand in replay.result.hands.values() for card in hand.cards)
    assert Counter(card for row in page.hands for card in row.words.split(", ")) == dealt
    assert len(page.payouts) == len(replay.payouts)
    (wrong,) = [row for row in page.payouts if row.wrong]
    assert (wrong.seat, wrong.due, wrong.paid, wrong.difference) == (
        "6",
        "returned",
        "paid $100.00",
        "overpaid $100.00",
    )
    assert ["".join(row.hash) for row in page.proving.records] == [record_hash(line) for line in source.lines]
    cited = {clause.id for clause in page.clauses}
    assert {clause for one in source.findings for clause in one.cites} <= cited


def test_the_heads_are_those_of_the_chain_and_a_record_that_was_changed_is_named() -> None:
    stream = lines(OVERPAID)
    _, own = round_of(subject(stream), 12, stream)
    place = stream.index(own[0])
    whole = evidence_of(own)
    assert whole.whole
    assert (whole.before, whole.after) == (record_hash(stream[place - 1]), record_hash(own[-1]))
    forged = [
        line.replace(b'"cents":10000', b'"cents":10001') if b"wager_settled" in line else line for line in own
    ]
    assert forged != own
    broken = evidence_of(forged)
    assert not broken.whole
    missing = evidence_of([*own[:5], *own[6:]])
    assert [one.follows for one in missing.records].index(False) == 5
    strange = evidence_of([*own[:5], b"no event", *own[5:]])
    assert [one.follows for one in strange.records].count(False) == 1


def test_a_line_that_is_no_event_but_stands_in_the_chain_breaks_nothing_behind_it() -> None:
    _, own = round_of(subject(lines(OVERPAID)), 12, lines(OVERPAID))
    odd = b'{"not":"an event"}'
    after = json.loads(own[5])
    behind = msgspec.json.encode(after | {"prevhash": record_hash(odd), "sequence": after["sequence"] + 1})
    follows = [one.follows for one in evidence_of([*own[:5], odd, behind]).records]
    assert follows == [True] * 5 + [False, True]


def test_the_commands_that_a_report_names_are_commands_with_these_options() -> None:
    named = [command.split() for command, _ in content(OVERPAID, 12).proving.commands]
    catwalk = [words for words in named if words[0] == "catwalk"]
    assert len(catwalk) >= 3
    for _, name, *words in catwalk:
        known = {option for parameter in COMMANDS[name].load().params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= known, name
    evidence = "evidence" in COMMANDS
    assert evidence == any(words[1] == "evidence" for words in catwalk), "a report names each way of proof"


def test_the_printed_hash_of_an_event_is_what_the_printed_command_gives(tmp_path: Path) -> None:
    page = content(OVERPAID, 12)
    stream = tmp_path / "STREAM.ndjson"
    stream.write_bytes(b"\n".join(lines(OVERPAID)) + b"\n")
    command = next(one for one, _ in page.proving.commands if one.startswith("sed"))
    ran = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert ran.stdout.split()[0] == "".join(page.proving.records[0].hash)


def test_another_reading_that_would_decide_a_stake_otherwise_is_told() -> None:
    rivals = content("lawful_free_bet_590", 10).rivals
    assert [(one.place, one.here, one.there) for one in rivals] == [("A5", "collect", "return")]
    assert rivals[0].changes == ("Seat 1, Main of hand 1.1: returned instead of lost $25.00",)
    before, own = round_of(subject(lines("lawful_free_bet_590")), 10, lines("lawful_free_bet_590"))
    chosen = RoundSource(before, tuple(own), readings={"A5": "return"})
    assert [(one.here, one.there) for one in facts_of(chosen).rivals] == [("return", "collect")]


def _hole_named(event: Event, holes: list[str]) -> None:
    data = event["data"]
    if kind(event) == "card_drawn" and data["card"] == "??":
        data["card"] = holes[0]
    elif kind(event) == "card_placed" and data["hand"] == "D" and not data["face_up"]:
        data["card"] = holes.pop(0)


def test_a_round_that_is_not_over_shows_no_hidden_card_though_the_record_names_it() -> None:
    stream = lines("lawful_free_bet_672a")
    holes = [json.loads(line)["data"]["card"] for line in stream if b"v1.hole_card_revealed" in line]
    named = changed(stream, lambda event: _hole_named(event, holes))
    for number in rounds(stream):
        before, own = round_of(subject(named), number, named)
        reveal = next(place for place, line in enumerate(own) if b"v1.hole_card_revealed" in line)
        hidden = json.loads(own[reveal])["data"]["card"]
        # Drawn and laid, and nobody else has its like: its name in the report would be a card shown too early.
        if sum(f'"card":"{hidden}"'.encode() in line for line in own[:reveal]) == 2:
            break
    source = RoundSource(before, tuple(own[:reveal]))
    replay = replay_round(source.before, source.lines, asked=ReplayAsked(frames=False))
    page = msgspec.json.encode(hand_content(replay, source)).decode()
    assert "not ended where the record ends" in page
    assert spoken(hidden) not in page
    assert f"#cw-{hidden}" not in page


@given(st.text(max_size=100) | st.text(SCRIPTS, max_size=100))
@settings(max_examples=20, deadline=None)
def test_whatever_a_patron_says_is_printed_and_nothing_of_it_is_lost(words: str) -> None:
    replay, source = told(OVERPAID, 12)
    page = replace_words(hand_content(replay, source), words)
    assert typeset("hand.typ", page, replay.steps[-1].time).startswith(b"%PDF")
    shown = printed(words)
    assert all(one in shown or f"[U+{ord(one):04X}]" in shown for one in unicodedata.normalize("NFC", words))


def replace_words(page: HandContent, words: str) -> HandContent:
    """A short report that says these words wherever people's words stand."""
    few = replace(page, pictures=(), rack=(), hands=(), steps=(), governed=(), missing=(words,))
    facts = tuple((name, words) for name, _ in page.facts)
    found = tuple(replace(one, message=words, id=words, check=words) for one in page.found)
    proof = replace(page.proving, records=page.proving.records[:1])
    return replace(few, title=f"T {words}", facts=facts, found=found, proving=proof)


@pytest.mark.parametrize(
    "text", ["\x00", "\x07", "\u202e", "\u200b", "\ue000", "\U0001f600", "\ud800", "\u00ad"]
)
def test_what_has_no_glyph_or_turns_the_writing_is_told_by_its_code(text: str) -> None:
    assert printed(f"a{text}b") == f"a[U+{ord(text):04X}]b"


def test_twenty_cards_seven_seats_and_unknown_cards_fit_on_the_pages() -> None:
    replay, source = told("irregular_splits_at_settlement", 5)
    assert replay.result is not None
    cards = ("As", "2c", "??", "Td") * 5
    longest = next(iter(replay.result.hands.values()))
    hands = {f"{seat}.{n}": replace(longest, cards=cards) for seat in range(1, 8) for n in range(1, 5)}
    rack = tuple(
        RackRow(
            place, Card(cards[place % 20]), Card(cards[(place + place // 31) % 20]), "1.1", first=place == 31
        )
        for place in range(120)
    )
    hand = DrawnHand(
        "1.1", tuple(Card(name) for name in cards), "21", "stands", (Bet("main", 2500, -2500, 2500),)
    )
    seats = tuple(
        DrawnSeat(number, f"P-{number}", (hand, replace(hand, name=f"{number}.2"))) for number in range(1, 8)
    )
    steps = tuple(replace(step, felt=replace(step.felt, seats=seats)) for step in replay.steps)
    full = replace(replay, result=replace(replay.result, hands=hands), rack=rack, steps=steps)
    page = hand_content(full, source)
    assert len(page.hands) == 28
    assert len(page.rack) == 5
    assert hand_report(full, source).startswith(b"%PDF")


def test_a_round_without_an_event_has_no_report() -> None:
    replay, source = told(OVERPAID, 12)
    with pytest.raises(ValueError, match="holds no event"):
        hand_report(replace(replay, steps=()), source)


def test_a_claim_is_held_against_the_stakes_of_its_seat_and_hand() -> None:
    replay, _ = told(OVERPAID, 12)
    held = held_against(replay, 6)
    assert (held.staked_cents, held.due_cents, held.moved_cents, held.owed_cents) == (
        10_500,
        10_000,
        20_000,
        -10_000,
    )
    unsettled = Standing(owed=held.owed_cents)
    said = "By the record the patron was paid $100.00 more than was due; $100.00 is still to come back."
    assert answer_of(held, unsettled) == said
    others = held_against(replay, 1)
    assert others.owed_cents == 0
    assert (
        answer_of(held_against(replay, 2), unsettled)
        == "The record holds no stake of this seat in this round."
    )
    assert len(held_against(replay, None).rows) == len(replay.payouts)
    step = step_in_dispute(replay, 6, None, None)
    assert step is not None
    assert (step.sequence, step.wrong) == (682, True)


@given(st.integers(-(10**12), 10**12))
def test_money_is_written_without_losing_a_cent(cents: int) -> None:
    text = signed(cents)
    assert int(text.strip("+−$").replace(",", "").replace("$", "").replace(".", "")) == abs(cents)
    assert text.startswith("−") == (cents < 0)
    assert dollars(None) == "not known"
