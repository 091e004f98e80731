"""Tables: the cards of a shoe by count and, for who may know, by rank and suit; rounds, chip tray, who sees what."""

import datetime as dt
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.folding.states import Now, States
from dashboards.ledger.acts import Withheld
from dashboards.tables.composition import Composition, composition_of, count_of
from dashboards.tables.floor import floor_lines
from dashboards.tables.tray import tray_of
from dashboards.web.console import Console
from dashboards.web.gate import REFRESH_HEADER
from dashboards.wording.money import dollars
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.core.chain import admit
from processors.core.facts_decks import Batch, Shoe
from processors.core.folding.fold import fold
from processors.core.state import Table
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.warehouse import Warehouse
from producers.memory_log import MemoryLog
from producers.simulator.floor.setup import usual_setup
from schemas.events.codec import decode, record_hash
from tests.commands.test_report_corrections import ANEW, BASE
from tests.console.books import NEVER_CLOSED, SETUPS, simulated, store_of
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import T0, a_finding, a_raise
from tests.console.test_sign_in import accesses
from tests.embedded.ledgers import append, lines_of, new_store, subject_of
from tests.mutations.rechain import rechained

SignedIn = Callable[[str], Browser]
LIVE, SHUT, BROKEN, ANEW_DAY = "LV-7", "C4-3", subject_of(NEVER_CLOSED), SETUPS[0].subject
(_closing_twice, _), (_fill, _) = ANEW["the closing count, twice"], ANEW["a fill, at once"]
REASON = "patron at seat 3 disputes the count"
GRID = 'class="cards"'


def of_a_round_under_way(lines: list[bytes]) -> list[bytes]:
    """The lines up to the moment at which the hole card of the last round but one lies face down."""
    ends = [place for place, line in enumerate(lines) if b"hole_card_revealed" in line]
    return lines[: ends[-2]]


@pytest.fixture(scope="module")
def held() -> dict[str, list[bytes]]:
    live = usual_setup("free_bet_672a", LIVE, decks=6, open_hours=1.2, number=1)
    shut = usual_setup("manual_shoe_657a8", SHUT, open_hours=0.4, number=3)
    return {
        LIVE: of_a_round_under_way(simulated(live, 70)),
        SHUT: simulated(shut),
        BROKEN: lines_of(NEVER_CLOSED),
        ANEW_DAY: list(rechained(_closing_twice(_fill(BASE)))),
    }


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory, held: dict[str, list[bytes]]) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("tables"), held) as opened:
        yield opened


def table_behind(lines: list[bytes], subject: str) -> Table:
    table = Table(subject=subject)
    for line in lines:
        event = decode(line, table.chain.head, subject)
        assert admit(table.chain, event, record_hash(line), table.blind)[0]
        fold(table, event)
    return table


def cells(made: Composition) -> dict[str, int]:
    return {cell.card: cell.seen for _, row in made.rows for cell in row if cell.seen}


def test_a_card_counts_as_seen_from_when_it_lies_open_and_never_before(held: dict[str, list[bytes]]) -> None:
    table, seen, hidden = Table(subject=LIVE), Counter[str](), 0
    for line in held[LIVE]:
        event = json.loads(line)
        kind, data = event["type"].removeprefix("catwalk.v1."), event["data"]
        fold_one(table, line)
        match kind:
            case "shoe_loaded":
                seen.clear()
            case "card_placed" if data["face_up"]:
                seen[data["card"]] += 1
            case "hole_card_revealed" | "card_burned":
                seen[data["card"]] += 1
            case "shoe_emptied":
                seen.update(data["cards"])
        seen.pop("??", None)
        made = composition_of(table)
        if made is not None:
            assert cells(made) == dict(seen), (event["sequence"], kind)
            left = sum(cell.left for _, row in made.rows for cell in row)
            assert left == table.shoe.remaining + made.unknown
            hidden += kind == "card_placed" and not data["face_up"]
    assert hidden > 50


def fold_one(table: Table, line: bytes) -> None:
    event = decode(line, table.chain.head, table.subject)
    admit(table.chain, event, record_hash(line), table.blind)
    fold(table, event)


@pytest.mark.parametrize("name", ["lawful_free_bet_672a_batch", "irregular_continuous_shuffler_du",
                                  "irregular_shoe_runs_out", "lawful_manual_shoe_657a8"])  # fmt: skip
def test_shoe_table_discard_and_burn_are_the_batch_after_every_round(name: str) -> None:
    table, looked = Table(subject=subject_of(name)), 0
    for line in lines_of(name):
        event = json.loads(line)
        fold_one(table, line)
        if event["type"].endswith("round_ended"):
            count = count_of(table)
            assert count is not None
            assert min(count.shoe, count.table, count.discard, count.burnt or 0) >= 0, event["sequence"]
            assert count.total == count.batch, event["sequence"]
            looked += 1
    assert looked > 5


def test_an_extra_card_is_marked_at_once_and_a_short_one_when_the_whole_shoe_was_seen() -> None:
    shoe = Shoe(number=1, batch="B1", loaded=52, remaining=40, emptied=False, out={"As": 2, "Kd": 1})
    table = Table(subject="T-1", batches={"B1": Batch("B1", 1, 52, 1)}, shoe=shoe)
    made = composition_of(table)
    assert made is not None
    assert [(cell.card, cell.mark) for cell in made.faults] == [("As", "extra")]
    everything = {rank + suit: 1 for rank in "A23456789TJQK" for suit in "cdhs"}
    shoe.out, shoe.remaining, shoe.emptied = everything | {"As": 2, "Kd": 0}, 0, True
    made = composition_of(table)
    assert made is not None
    assert {cell.card: cell.mark for cell in made.faults} == {"As": "extra", "Kd": "short"}


def test_the_list_says_of_each_table_what_it_does(signed_in: SignedIn) -> None:
    text = signed_in("hale").get("/tables?view=list").text
    rows = {re.findall(r">([^<>]+)</a></th>", row)[0]: row for row in text.split("<tr class")[1:]}
    assert set(rows) == {LIVE, SHUT, BROKEN, ANEW_DAY}
    assert "in a round" in rows[LIVE]
    assert "closed" in rows[SHUT]
    assert "Free Bet Blackjack" in rows[LIVE]
    assert "complete" in rows[LIVE]


@pytest.mark.parametrize("user", ["fay", "hale"])
@pytest.mark.parametrize("headers", [{}, {REFRESH_HEADER: "1"}])
def test_who_may_not_know_what_is_left_in_a_live_shoe_reads_counts_and_no_rank(
    user: str, headers: dict[str, str], signed_in: SignedIn, store: Warehouse
) -> None:
    browser = signed_in(user)
    for path in (f"/tables/{LIVE}", "/tables", f"/tables/{LIVE}?at={loaded_at(store)}"):
        text = browser.get(path, headers=headers).text
        assert GRID not in text
        assert not re.search(r"\b[2-9TJQKA][cdhs]\b", re.sub(r"<[^>]+>", " ", text))
    assert "sealed while the shoe is dealt from" in browser.get(f"/tables/{LIVE}", headers=headers).text
    assert "% dealt" in browser.get(f"/tables/{LIVE}", headers=headers).text


def loaded_at(store: Warehouse) -> int:
    (row,) = store.query(
        f"SELECT max(sequence) FROM events WHERE subject = '{LIVE}' AND type = 'shoe_loaded'"
    )
    return int(row[0])


def test_a_role_that_may_know_sees_what_is_left_and_that_is_kept_once_a_minute(
    signed_in: SignedIn, log: SqliteDeskLog, clock: Clock, held: dict[str, list[bytes]]
) -> None:
    otto = signed_in("otto")
    text = otto.get(f"/tables/{LIVE}").text
    assert GRID in text
    for _ in range(3):
        clock.forward(2)
        assert GRID in otto.get(f"/tables/{LIVE}", headers={REFRESH_HEADER: "1"}).text
    looks = [a.object for actor, a in accesses(log) if actor == "otto" and a.what == "record"]
    shoe = table_behind(held[LIVE], LIVE).shoe.number
    assert looks == [f"live composition of {LIVE}, shoe {shoe}"]
    clock.forward(60)
    otto.get(f"/tables/{LIVE}", headers={REFRESH_HEADER: "1"})
    assert len([a for actor, a in accesses(log) if actor == "otto" and a.what == "record"]) == 2


def test_broken_glass_shows_the_shoe_for_a_quarter_of_an_hour_to_who_broke_it_and_why_is_kept(
    signed_in: SignedIn, log: SqliteDeskLog, clock: Clock, accounts: Accounts
) -> None:
    hale, ito = signed_in("hale"), signed_in("ito")
    form = {"csrf": hale.headers["x-csrf-token"], "reason": REASON}
    answer = hale.post(f"/tables/{LIVE}/open", data=form, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/tables/{LIVE}#shoe")
    text = hale.get(f"/tables/{LIVE}").text
    assert GRID in text
    assert REASON in text
    assert GRID not in hale.get(f"/tables/{BROKEN}").text
    assert GRID not in ito.get(f"/tables/{LIVE}").text
    assert f"live composition of {LIVE}" in " ".join(a.object for _, a in accesses(log))
    clock.forward(15 * 60)
    assert GRID not in hale.get(f"/tables/{LIVE}").text


def test_without_a_reason_the_glass_stays_whole_and_the_floor_is_not_offered_to_break_it(
    signed_in: SignedIn,
) -> None:
    hale, fay = signed_in("hale"), signed_in("fay")
    token = {"csrf": hale.headers["x-csrf-token"]}
    short = hale.post(f"/tables/{LIVE}/open", data=token | {"reason": "because"}, follow_redirects=False)
    assert short.status_code == 422
    assert "Say why" in short.text
    assert "Break the glass" not in fay.get(f"/tables/{LIVE}").text
    assert GRID not in hale.get(f"/tables/{LIVE}").text


def test_a_shoe_that_is_over_is_no_secret_to_who_reads_tables(
    signed_in: SignedIn, held: dict[str, list[bytes]]
) -> None:
    fay = signed_in("fay")
    loads = [e["sequence"] for e in map(json.loads, held[SHUT]) if e["type"].endswith("shoe_loaded")]
    for at in loads[-6:]:  # the last of each day too, whose decks have left the table
        text = fay.get(f"/tables/{SHUT}?at={at}").text
        assert GRID in text
        assert "the shoe is over" in text
        assert f"?at={at}#shoe" in text
    assert fay.get(f"/tables/{SHUT}?at={loads[-2] + 1}").status_code == 404


def test_the_chip_tray_holds_what_the_ledger_says_at_every_count_and_now(
    store: Warehouse, held: dict[str, list[bytes]]
) -> None:
    for subject in (LIVE, SHUT):
        tray = tray_of(store, table_behind(held[subject], subject))
        assert tray is not None
        assert all(one.difference in (0, None) for one in tray.counted)
        assert tray.expected_cents == recounted_tray(held[subject])
        assert len(tray.counted) > (subject == SHUT)


def test_a_count_and_a_fill_that_were_told_anew_are_replaced_and_said_to_be(
    store: Warehouse, signed_in: SignedIn, held: dict[str, list[bytes]]
) -> None:
    tray = tray_of(store, table_behind(held[ANEW_DAY], ANEW_DAY))
    assert tray is not None
    assert [one.replaced for one in tray.counted] == [False, True, True, False]
    assert [one.difference for one in tray.counted] == [0, None, None, None]
    assert tray.expected_cents == recounted_tray(list(rechained(BASE)))
    assert signed_in("otto").get(f"/tables/{ANEW_DAY}").text.count("counted anew") == 2


def recounted_tray(lines: list[bytes]) -> int:
    tray = 0
    for event in map(json.loads, lines):
        kind, data = event["type"].removeprefix("catwalk.v1."), event["data"]
        match kind:
            case "inventory_counted":
                tray = data["cents"]
            case "fill_received":
                tray += data["cents"]
            case "credit_sent" | "chips_bought" | "cash_converted":
                tray -= data["cents"]
            case "wager_settled":
                tray += {"collect": 1, "pay": -1, "return": 0}[data["outcome"]] * data["cents"]
    return tray


def test_rounds_stand_as_bars_that_lead_to_their_replay_and_breaches_are_marked(signed_in: SignedIn) -> None:
    text = signed_in("hale").get(f"/tables/{BROKEN}").text
    bars = re.findall(r'<li><a id="round-\d+" href="/hands/[^"]+/(\d+)\?first=\d+"(.*?)</li>', text, re.S)
    assert [int(number) for number, _ in bars] == list(range(1, len(bars) + 1))
    assert sum("✕" in bar for _, bar in bars) >= 1
    assert 'class="unseen">Round 1,' in text


def test_a_round_that_goes_on_leads_to_its_replay(signed_in: SignedIn, held: dict[str, list[bytes]]) -> None:
    hale = signed_in("hale")
    (led,) = re.findall(r'id="going-on" href="([^"]+)"', hale.get(f"/tables/{LIVE}").text)
    begun = [event for event in map(json.loads, held[LIVE]) if event["type"].endswith("round_started")][-1]
    assert led == f"/hands/{LIVE}/{begun['data']['round']}?first={begun['sequence']}"
    assert hale.get(led).status_code == 200
    assert 'id="going-on"' not in hale.get(f"/tables/{SHUT}").text


def test_the_list_follows_the_tables_and_folds_only_those_that_moved(
    held: dict[str, list[bytes]], monkeypatch: pytest.MonkeyPatch
) -> None:
    log, store, lines, now = MemoryLog(), new_store(), held[LIVE], T0
    ends = [place for place, line in enumerate(lines, 1) if b"round_ended" in line]
    append(log, LIVE, lines[: ends[3]])
    append(log, SHUT, held[SHUT])
    folding, states = EmbeddedFold(log, store), States(store)
    folding.catch_up()
    assert [line.round for line in floor_lines(store, states, now)] == [26, 4]
    append(log, LIVE, lines[ends[3] : ends[5]])
    folding.catch_up()
    asked: list[list[str]] = []
    usual = States.now_of

    def noted(self: States, subjects: Collection[str]) -> dict[str, Now]:
        asked.append(list(subjects))
        return usual(self, subjects)

    monkeypatch.setattr(States, "now_of", noted)
    assert [line.round for line in floor_lines(store, states, now)] == [26, 4]  # kept for a moment
    now += dt.timedelta(minutes=1)
    assert [line.round for line in floor_lines(store, states, now)] == [26, 6]
    assert asked == [[LIVE]]


def test_a_look_is_kept_and_its_renewals_are_not_whatever_the_browser_says(
    signed_in: SignedIn, log: SqliteDeskLog, clock: Clock, store: Warehouse
) -> None:
    fay, at = signed_in("fay"), loaded_at(store)
    for headers in ({REFRESH_HEADER: "1"}, {}, {REFRESH_HEADER: "1"}):
        for path in (f"/tables/{LIVE}", f"/tables/{LIVE}?at={at}", "/tables"):
            assert fay.get(path, headers=headers).status_code == 200
    once = [f"table {LIVE}", f"table {LIVE}, shoe loaded at event {at}", "tables"]
    assert [a.object for actor, a in accesses(log) if actor == "fay" and a.what == "page"] == once
    clock.forward(5 * 60)
    fay.get(f"/tables/{LIVE}", headers={REFRESH_HEADER: "1"})
    looks = [a.object for actor, a in accesses(log) if actor == "fay" and a.what == "page"]
    assert looks == [*once, f"table {LIVE}"]


def test_a_table_that_is_not_there_is_kept_as_refused_alone(signed_in: SignedIn, log: SqliteDeskLog) -> None:
    signed_in("fay").get("/tables/NO-1")
    looks = [a for actor, a in accesses(log) if actor == "fay" and "NO-1" in a.object]
    assert [one.granted for one in looks] == [False]


def test_a_table_that_is_withheld_is_not_there(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    console.desk.note(Withheld(user="hale", kind="table", value=LIVE, reason="his sister deals there"), "ann")
    assert LIVE not in hale.get("/tables").text
    unknown, withheld = hale.get("/tables/NO-1"), hale.get(f"/tables/{LIVE}")
    assert unknown.status_code == withheld.status_code == 404
    assert unknown.text.replace("NO-1", "T") == withheld.text.replace(LIVE, "T")
    form = {"csrf": hale.headers["x-csrf-token"], "reason": REASON}
    assert hale.post(f"/tables/{LIVE}/open", data=form).status_code == 404
    assert not accesses(log)[-1][1].granted


def test_a_dealer_who_is_withheld_is_not_named_and_their_rounds_are_not_there(
    signed_in: SignedIn, console: Console, held: dict[str, list[bytes]]
) -> None:
    dealer = table_behind(held[LIVE], LIVE).dealer
    hale = signed_in("hale")
    assert dealer in hale.get(f"/tables/{LIVE}").text
    before = hale.get(f"/tables/{LIVE}").text.count('id="round-')
    console.desk.note(Withheld(user="hale", kind="dealer", value=dealer, reason="related"), "ann")
    text = hale.get(f"/tables/{LIVE}").text
    assert dealer not in text
    assert dealer not in hale.get("/tables").text
    assert text.count('id="round-') < before


def test_the_tray_says_what_it_should_hold(signed_in: SignedIn, held: dict[str, list[bytes]]) -> None:
    text = signed_in("hale").get(f"/tables/{LIVE}").text
    assert f"expected now <b>{dollars(recounted_tray(held[LIVE]))}</b>" in text


def test_the_count_of_alerts_is_what_its_link_shows(signed_in: SignedIn, console: Console) -> None:
    raised = [
        a_finding(n, subject=subject) for n, subject in ((1, SHUT), (2, SHUT), (3, f"{SHUT}0"), (4, SHUT))
    ]
    console.desk.raise_alerts([a_raise(one) for one in raised])
    hale = signed_in("hale")
    shelf = {"act": "shelved", "reason": "drill", "minutes": 30, "version": 1}
    assert hale.post(f"/api/alerts/{raised[3].finding_id}/acts", json=shelf).status_code == 200
    for path in ("/tables?view=list", f"/tables/{SHUT}"):
        led = re.search(r'href="(/\?q=[^"]+)">(\d+)</a>', hale.get(path).text)
        assert led is not None
        rows = re.findall(r'<td class="c-table"[^>]*>([^<]+)<', hale.get(led[1]).text)
        folded = hale.get(led[1]).text.count('<a href="/alerts/')
        assert (set(rows), folded) == ({SHUT}, int(led[2])) == ({SHUT}, 2)
