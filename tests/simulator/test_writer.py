"""One table's stream: exact lines, chain, clock, determinism."""

import datetime as dt
import hashlib
import json
from pathlib import Path

import pytest

from producers.simulator.floor.decks.deck import PhysicalShoe, cut, fresh_cards, nonce_from, seal
from producers.simulator.floor.writer import TableWriter
from schemas.events import CardBurned, CardDrawn, HoleCardRead, RoundEnded, WagerPlaced
from schemas.payload import Payload

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
START = dt.datetime(2026, 3, 2, 15, tzinfo=dt.UTC)


def writer(seed: int = 1) -> TableWriter:
    return TableWriter("FB-12", property_name="Parkside", pit="2", start=START, seed=seed)


def test_a_line_is_written_as_the_published_streams_write_theirs() -> None:
    published = (EXAMPLES / "lawful_free_bet_672a.ndjson").read_bytes().splitlines()
    drawn = next(line for line in published if b"card_drawn" in line)
    table = writer()
    table.emit(RoundEnded())
    line = table.emit(CardDrawn(card="As", from_hand="shoe_side"))
    assert list(json.loads(line)) == list(json.loads(drawn))
    assert line.split(b'"time"')[0].replace(b"FB-12-2", b"") == drawn.split(b'"time"')[0].replace(
        b"FB-12-%d" % json.loads(drawn)["sequence"], b""
    )
    assert b" " not in line


def test_each_line_carries_the_hash_of_the_line_before() -> None:
    table = writer()
    first, second = table.emit(RoundEnded()), table.emit(RoundEnded())
    assert json.loads(first)["prevhash"] == "0" * 64
    assert json.loads(second)["prevhash"] == hashlib.sha256(first).hexdigest()
    assert (table.sequence, table.head) == (2, hashlib.sha256(second).hexdigest())


def test_the_clock_runs_by_small_steps_unless_told_otherwise() -> None:
    table = writer()
    table.emit(RoundEnded())
    assert dt.timedelta(0) < table.now - START < dt.timedelta(seconds=2)
    before = table.now
    line = table.emit(RoundEnded(), after=0.000_001)
    assert table.now - before == dt.timedelta(microseconds=1)
    assert json.loads(line)["time"] == table.now.isoformat(timespec="microseconds").replace("+00:00", "Z")
    table.pass_time(3600)
    assert table.now - before == dt.timedelta(hours=1, microseconds=1)


def test_a_whole_second_still_shows_microseconds() -> None:
    assert json.loads(writer().emit(RoundEnded(), after=0.0))["time"] == "2026-03-02T15:00:00.000000Z"


def test_a_start_in_the_property_s_time_zone_is_written_in_utc() -> None:
    start = dt.datetime(2026, 3, 2, 10, tzinfo=dt.timezone(dt.timedelta(hours=-5)))
    table = TableWriter("X", property_name="The Bay & Co.", pit="2", start=start, seed=1)
    line = json.loads(table.emit(RoundEnded(), after=0.0))
    assert line["time"] == "2026-03-02T15:00:00.000000Z"
    assert line["source"] == "pa/the-bay-co/pit-2/X/console"


@pytest.mark.parametrize(
    ("payload", "witness"),
    [
        (CardDrawn(card="As"), "shoe"),
        (WagerPlaced(seat=1, kind="main", cents=100), "layout"),
        (HoleCardRead(device="masque_reader", result="small"), "masque"),
        (HoleCardRead(device="card_reader", result="blackjack"), "reader"),
        (CardBurned(card="??", reason="load"), "console"),
    ],
)
def test_the_device_that_sees_an_event_is_its_witness(payload: Payload, witness: str) -> None:
    assert json.loads(writer().emit(payload))["source"].endswith(f"/FB-12/{witness}")
    assert json.loads(writer().emit(payload, device="camera"))["source"].endswith("/FB-12/camera")


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others() -> None:
    def lines(seed: int) -> list[bytes]:
        table = writer(seed)
        return [table.emit(RoundEnded()) for _ in range(5)]

    assert lines(1) == lines(1) != lines(2)


def test_lines_are_taken_once() -> None:
    table = writer()
    lines = [table.emit(RoundEnded()) for _ in range(3)]
    assert table.take() == lines
    assert table.take() == []


def test_watchers_hear_only_of_their_type_and_after_it_is_written() -> None:
    table, heard = writer(), []
    table.watch(CardDrawn, lambda event: heard.append((event.card, table.sequence)))
    table.emit(RoundEnded())
    table.emit(CardDrawn(card="As"))
    assert heard == [("As", 2)]


def test_a_fresh_deck_has_every_card_once_and_a_joker_if_asked() -> None:
    assert len(set(fresh_cards(1))) == len(fresh_cards(1)) == 52
    assert fresh_cards(6).count("As") == 6
    assert sorted(set(fresh_cards(1, joker=True)) - set(fresh_cards(1))) == ["Jo"]


def test_the_cover_card_is_due_when_only_the_cards_behind_it_are_left() -> None:
    shoe = PhysicalShoe()
    shoe.load("B1", fresh_cards(1), cards_below=50)
    assert (shoe.number, shoe.cover_due) == (1, False)
    drawn = [shoe.draw(), shoe.draw()]
    assert (shoe.cover_due, shoe.remaining) == (True, 50)
    shoe.cover_reached = True
    assert not shoe.cover_due
    shoe.to_rack(drawn)
    shoe.empty()
    assert sorted(shoe.take_rack()) == sorted(fresh_cards(1))
    with pytest.raises(IndexError):
        shoe.draw()


def test_a_cut_puts_the_cards_above_the_cover_card_at_the_bottom() -> None:
    assert cut(["a", "b", "c", "d"], 3) == ["d", "a", "b", "c"]


def test_a_seal_opens_with_card_and_nonce() -> None:
    nonce = nonce_from(writer().rng)
    assert seal("As", nonce) == hashlib.sha256(f"As|{nonce}".encode()).hexdigest()
    assert len(nonce) == 32
