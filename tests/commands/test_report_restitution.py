"""`catwalk report restitution`: who must be paid back, held against errors that were planted."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from contextlib import closing
from pathlib import Path
from typing import Any

import openpyxl
import pypdf
import pytest

from dashboards.desk.desk import Desk
from dashboards.ledger import dispute_acts as acts
from dashboards.wording.money import dollars
from deploy.configured.desk_ledger import SqliteDeskLog
from producers.simulator.floor.setup import usual_setup
from tests.commands.run import Catwalk, catwalk
from tests.console.books import simulated
from tests.console.test_revenue_luck import books
from tests.embedded.ledgers import lines_of
from tests.mutations.rechain import rechained

__all__ = ["catwalk"]  # a fixture
OVERPAID, SUBJECT = "breach_overpay", "FB-12"
STACKS = "lawful_fortune_670a10"
SPOILT = "FB-1"  # one settlement of six is wrong, and what was done to it is known


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    return tmp_path


def record(catwalk: Catwalk, floor: Path, **streams: Any) -> None:
    for name, lines in streams.items():
        (floor / f"{name}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
        assert catwalk("record", floor / f"{name}.ndjson").status == 0


def test_restitution_of_a_finding_and_of_its_shoe(floor: Path, catwalk: Catwalk) -> None:
    record(catwalk, floor, overpaid=lines_of(OVERPAID))
    assert catwalk("export", "--out", "out").status == 0
    findings = map(json.loads, (floor / "out" / "findings.ndjson").read_text().splitlines())
    (finding,) = (one for one in findings if one["money_cents"])
    told = catwalk("report", "restitution", "--finding", finding["finding_id"]).json
    (line,) = told["lines"]
    assert (line["subject"], line["round"]) == (SUBJECT, finding["round"])
    assert line["owed"] == line["due"] - line["paid"] == finding["money_cents"] < 0
    assert (told["owed_total"], told["overpaid_total"]) == (0, -finding["money_cents"])
    assert (told["rounds"], told["patrons"], told["undecided"]) == (1, 1, [])
    of_shoe = ("report", "restitution", "--subject", SUBJECT, "--shoe", 1)
    shoe = catwalk(*of_shoe).json
    stakes = [json.loads(line) for line in (floor / "out" / "rounds.ndjson").read_text().splitlines()]
    assert len(shoe["lines"]) + len(shoe["undecided"]) == sum(len(one["stakes"]) for one in stakes)
    assert (shoe["owed_total"], shoe["overpaid_total"]) == (0, -finding["money_cents"])
    assert sum(one["owed_if_void"] for one in shoe["lines"]) == -sum(one["net_cents"] for one in stakes)
    assert_files_say_the_same(catwalk, floor, of_shoe, shoe)


def assert_files_say_the_same(
    catwalk: Catwalk, floor: Path, asked: tuple[Any, ...], told: dict[str, Any]
) -> None:
    rows = list(csv.DictReader(io.StringIO(catwalk(*asked, "--format", "csv").out)))
    owed = [f"{line['owed'] / 100:.2f}" for line in told["lines"]]
    sums = [told["owed_total"], -told["overpaid_total"], told["owed_total"] - told["overpaid_total"]]
    assert [row["owed"] for row in rows] == [*owed, *(f"{one / 100:.2f}" for one in sums)]
    void = [line["owed_if_void"] for line in told["lines"]]
    voids = [sum(max(one, 0) for one in void), sum(min(one, 0) for one in void), sum(void)]
    assert [row["owed_if_void"] for row in rows[-3:]] == [f"{one / 100:.2f}" for one in voids]
    moment = dt.datetime.fromisoformat(rows[0]["time"])
    assert moment.utcoffset() == dt.timedelta(hours=-5), "the property's clock, with its offset"
    assert moment == dt.datetime.fromisoformat(told["lines"][0]["time"]).replace(microsecond=0)
    assert catwalk(*asked, "--format", "xlsx", "--out", "back.xlsx").status == 0
    sheet = openpyxl.load_workbook(floor / "back.xlsx", data_only=True)["restitution"]
    heads, *cells = map(list[Any], sheet.iter_rows(values_only=True))
    for name, three in (("owed", sums), ("owed_if_void", voids)):
        column = heads.index(name)
        assert [round(row[column] * 100) for row in cells[:-3]] == [line[name] for line in told["lines"]]
        assert [round(row[column] * 100) for row in cells[-3:]] == three
    assert catwalk(*asked, "--format", "pdf", "--out", "back.pdf").status == 0
    paper = pypdf.PdfReader(floor / "back.pdf").pages[0].extract_text()
    assert "Restitution" in paper
    assert "America/New_York" in paper
    for to_patrons, to_house, together in (sums, voids):
        assert f"{dollars(to_patrons)} {dollars(-to_house)} {dollars(together)}" in paper


def test_what_the_shoes_of_a_table_owe_is_what_was_done_to_its_settlements(
    floor: Path, catwalk: Catwalk
) -> None:
    streams, errors = books()
    record(catwalk, floor, spoilt=streams[SPOILT])
    planted = sum(cents for (subject, _, _), cents in errors.items() if subject == SPOILT)
    shoes = {json.loads(line)["data"].get("shoe") for line in streams[SPOILT] if b"shoe_loaded" in line}
    told = [
        catwalk("report", "restitution", "--subject", SPOILT, "--shoe", shoe).json for shoe in sorted(shoes)
    ]
    assert sum(one["owed_total"] - one["overpaid_total"] for one in told) == planted
    assert all(one["owed_total"] > 0 < one["overpaid_total"] for one in told)
    owed = [line for one in told for line in one["lines"] if line["owed"]]
    days = sorted(
        {json.loads(line)["data"]["gaming_day"] for line in streams[SPOILT] if b'"gaming_day"' in line}
    )
    by_day = [catwalk("report", "restitution", "--day", day).json for day in days]
    assert sorted(map(str, owed)) == sorted(str(line) for one in by_day for line in one["lines"])
    to_date = catwalk("report", "restitution", "--day", days[-1], "--period", "ytd").json
    assert to_date["lines"] == [line for one in by_day for line in one["lines"]]
    revenue = catwalk("report", "revenue", "--day", days[-1], "--period", "ytd").json["total"]
    assert to_date["owed_total"] == revenue["all_errors_for_house"]
    assert to_date["overpaid_total"] == -revenue["all_errors_for_patron"]


def test_a_stake_that_was_never_settled_is_owed_as_its_finding_says(floor: Path, catwalk: Catwalk) -> None:
    unsettled = [
        line for line in lines_of(OVERPAID) if b"wager_settled" not in line or b'"seat":6' not in line
    ]
    record(catwalk, floor, unsettled=rechained(map(json.loads, unsettled)), stacks=lines_of(STACKS))
    assert catwalk("export", "--out", "out").status == 0
    findings = [json.loads(line) for line in (floor / "out" / "findings.ndjson").read_text().splitlines()]
    never = {one["finding_id"]: one["money_cents"] for one in findings if one.get("seat") == 6}
    day = json.loads(lines_of(OVERPAID)[1])["time"][:10]
    told = catwalk("report", "restitution", "--day", day).json
    assert never
    assert {one["finding"]: one["owed"] for one in told["lines"] if one["seat"] == 6} == never
    assert {one["subject"] for one in told["lines"]} == {SUBJECT}
    assert not told["undecided"], "a game whose dues are not known hides it not"


def test_what_a_dispute_of_the_desk_settled_is_no_longer_owed(floor: Path, catwalk: Catwalk) -> None:
    record(catwalk, floor, overpaid=lines_of(OVERPAID))
    day = json.loads(lines_of(OVERPAID)[1])["time"][:10]
    asked = ("report", "restitution", "--day", day)
    (line,) = catwalk(*asked).json["lines"]
    assert (line["settled"], line["to_pay"], line["disputes"]) == (0, line["owed"], [])
    with closing(SqliteDeskLog(floor / "data" / "desk.db")) as log:
        desk = Desk(log, lambda: dt.datetime(2026, 3, 9, 15, tzinfo=dt.UTC))

        def make(name: str, at: dt.datetime) -> acts.DisputeOpened:
            return acts.DisputeOpened(
                dispute=name,
                subject=SUBJECT,
                round=line["round"],
                first_sequence=line["first_sequence"],
                seat=line["seat"],
                claim="paid too much",
                claimed_cents=0,
                review=acts.Review(),
                due=at + dt.timedelta(days=30),
                two_from_cents=100_000,
            )

        opened = desk.open_dispute(make, "ann")
        desk.act_on_dispute(
            acts.DisputeDecided(
                dispute=opened.id,
                version=1,
                ruling="for the house",
                amount_cents=line["owed"],
                reason="given back",
            ),
            "ann",
        )
    told = catwalk(*asked).json
    (after,) = told["lines"]
    assert (after["owed"], after["settled"], after["to_pay"]) == (line["owed"], line["owed"], 0)
    (ruled,) = after["disputes"]
    assert (ruled["dispute"], ruled["by"], ruled["amount"]) == (opened.id, "ann", line["owed"])
    assert told["overpaid_total"] == -line["owed"], "the record says what it said"
    rows = list(csv.DictReader(io.StringIO(catwalk(*asked, "--format", "csv").out)))
    assert rows[0]["disputes"].startswith(f"{opened.id}: for the house, ")
    assert rows[0]["disputes"].endswith("2026-03-09 11:00 by ann")


def test_money_for_a_seat_without_a_stake_is_told_of_the_day_of_its_round(
    floor: Path, catwalk: Catwalk
) -> None:
    record(catwalk, floor, overpaid=lines_of(OVERPAID))
    day = json.loads(lines_of(OVERPAID)[1])["time"][:10]
    asked = ("report", "restitution", "--day", day)
    before = catwalk(*asked).json
    (line,) = before["lines"]
    with closing(SqliteDeskLog(floor / "data" / "desk.db")) as log:
        desk = Desk(log, lambda: dt.datetime(2026, 3, 9, 15, tzinfo=dt.UTC))

        def make(name: str, at: dt.datetime) -> acts.DisputeOpened:
            return acts.DisputeOpened(
                dispute=name, subject=SUBJECT, round=line["round"], first_sequence=line["first_sequence"], seat=7,
                hand="7.4", claim="my bet was never recorded", claimed_cents=5_000, review=acts.Review(),
                due=at + dt.timedelta(days=30), two_from_cents=100_000,
            )  # fmt: skip

        opened = desk.open_dispute(make, "ann")
        decision = acts.DisputeDecided(
            dispute=opened.id,
            version=1,
            ruling="for the patron",
            amount_cents=5_000,
            reason="seen",
            beyond_cents=5_000,
        )
        desk.act_on_dispute(decision, "ann")
    told = catwalk(*asked).json
    (apart,) = told["without_stake"]
    assert (apart["owed"], apart["decided"], apart["without_stake"]) == (0, 5_000, 5_000)
    assert (apart["gaming_day"], apart["hand"], apart["why"]) == (day, "7.4", "no stake on record")
    assert [(by["dispute"], by["by"]) for by in apart["disputes"]] == [(opened.id, "ann")]
    assert (told["without_stake_total"], told["paid_total"], told["returned_total"]) == (5_000, 5_000, 0)
    assert told["lines"] == before["lines"]
    assert opened.id in catwalk(*asked, "--format", "csv").out
    assert not catwalk("report", "restitution", "--day", "2026-03-09").json["without_stake"]


def test_a_reading_is_decided_where_the_cards_decide_it_and_not_where_the_dealer_drew_by_another(
    floor: Path, catwalk: Catwalk
) -> None:
    setup = usual_setup("down_under_685a", "DU-2", decks=8, open_hours=0.5, pit="2", number=3)
    lines = simulated(setup, 200)
    record(catwalk, floor, down=lines)
    aces = rounds_with_two_aces(lines)
    told = catwalk("report", "restitution", "--reading", "A1=conventional").json
    assert told["readings"] == {"A1": "conventional"}
    assert aces
    assert {one["round"] for one in told["undecided"]} <= aces
    assert told["undecided"]
    assert all("draw" in one["missing"][0] for one in told["undecided"])
    best = catwalk("report", "restitution", "--reading", "A12=best").json
    assert {line["kind"] for line in best["lines"]} == {"match_dealer"}
    assert all(0 < line["due"] < line["paid"] for line in best["lines"])
    assert best["overpaid_total"] == sum(line["paid"] - line["due"] for line in best["lines"]) > 0


def test_what_other_readings_change_is_told_by_day_and_sums_to_the_stakes(
    floor: Path, catwalk: Catwalk
) -> None:
    setup = usual_setup("down_under_685a", "DU-2", decks=8, open_hours=0.5, pit="2", number=3)
    record(catwalk, floor, down=simulated(setup, 200))
    best = catwalk("report", "restitution", "--reading", "A12=best").json
    told = catwalk("report", "readings", "--day", "2026-03-31", "--period", "mtd").json
    assert (told["first"], told["last"], told["rounds"]) == ("2026-03-01", "2026-03-31", 200)
    [line] = [line for line in told["readings"] if (line["place"], line["policy"]) == ("A12", "best")]
    assert line["to_house"] == best["overpaid_total"] > 0 == line["to_patrons"]
    assert (line["rounds"], line["stakes"]) == (best["rounds"], len(best["lines"]))
    asked = ("report", "readings", "--day", "2026-03-31", "--period", "mtd", "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(catwalk(*asked).out)))
    assert [row["to_house"] for row in rows if row["place"] == "A12"] == [f"{line['to_house'] / 100:.2f}"]
    none = catwalk("report", "readings", "--day", "2020-01-01").json
    assert (none["rounds"], none["readings"]) == (0, [])


def rounds_with_two_aces(lines: list[bytes]) -> set[int]:
    """Rounds whose dealer showed two aces, and no third card, by the lines alone."""
    number, cards, found = 0, list[str](), set[int]()
    for event in map(json.loads, lines):
        kind, data = event["type"].removeprefix("catwalk.v1."), event["data"]
        if kind == "round_started":
            number, cards = data["round"], []
        elif kind == "round_ended":
            if len(cards) == 2 and all(card.startswith("A") for card in cards):
                found.add(number)
        elif kind == "hole_card_revealed" or (
            kind == "card_placed" and data["hand"] == "D" and data["face_up"]
        ):
            cards.append(data["card"])
    return found


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("--finding", "none"),
        ("--subject", "FB-12"),
        ("--subject", "FB-12", "--shoe", "99"),
        ("--period", "mtd"),
        ("--finding", "x", "--day", "2026-03-02"),
        ("--day", "yesterday"),
        ("--finding", "x", "--reading", "A1=literal"),
        ("--reading", "A1"),
        ("--reading", "A1=sideways"),
        ("--reading", "A1=literal", "--format", "pdf"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_one_line(
    arguments: tuple[str, ...], floor: Path, catwalk: Catwalk
) -> None:
    record(catwalk, floor, overpaid=lines_of(OVERPAID)[:60])
    told = catwalk("report", "restitution", *arguments)
    assert (told.status, told.out) == (2, "")
    assert told.err.count("\n") == 1
