"""What every engine must answer to the console: each case asks, and reckons the answer from the ledger's own lines."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from dashboards.reader import cash, findings, revenue, rounds, search, tables
from dashboards.reader.newest import Wanted, newest_rounds
from processors.pipeline import TablePipeline
from processors.runtime.store.warehouse import Warehouse
from producers.log import EventLog
from tests.runtime.topics import ledger_of

NAMES = (
    "breach_masque_wrong",
    "breach_surrender_after_hit",
    "lawful_fortune_670a10",
    "irregular_two_gaming_days",
)
EARLY, LATE = dt.datetime(2010, 1, 1, tzinfo=dt.UTC), dt.datetime(2030, 1, 1, tzinfo=dt.UTC)
FIRST, LAST = dt.date(2010, 1, 1), dt.date(2030, 1, 1)


@dataclass(frozen=True)
class Facts:
    """Rounds, findings and events of the ledger as JSON has them, out of the pipeline alone."""

    rounds: list[dict[str, Any]]
    findings: list[dict[str, Any]]
    events: dict[str, list[dict[str, Any]]]


@cache
def ledger() -> EventLog:
    """Four tables, one with two gaming days, one of stacks."""
    return ledger_of(NAMES, 1500)


@cache
def facts() -> Facts:
    found = Facts([], [], {})
    for subject in ledger().subjects():
        pipeline = TablePipeline(subject)
        found.events[subject] = []
        for _, line in ledger().read_from(subject):
            outcome = pipeline.advance(line)
            event = msgspec.json.decode(line)
            found.events[subject].append(event)
            owner = {"at": event["time"], "dealer": pipeline.state.dealer or None}
            found.rounds.extend(msgspec.to_builtins(one) | owner for one in outcome.rounds)
            found.findings.extend(msgspec.to_builtins(one) | owner for one in outcome.findings)
    return found


def alerts_come_newest_first_and_page_without_a_gap(store: Warehouse) -> None:
    wanted = sorted(((one["at"], one["finding_id"]) for one in facts().findings), reverse=True)
    assert len(wanted) > 3
    shown: list[str] = []
    before = None
    while page := findings.alerts(EARLY, LATE, before=before, most=2).ask(store):
        shown += [one.finding_id for one in page]
        before = (page[-1].decided_at, page[-1].finding_id)
    assert shown == [finding_id for _, finding_id in wanted]


def alerts_are_chosen_by_severity_verdict_table_clause_and_check(store: Warehouse) -> None:
    every = facts().findings
    for one in every:
        choices: list[tuple[dict[str, Any], str, Any]] = [
            ({"severities": (one["severity"],)}, "severity", one["severity"]),
            ({"verdicts": (one["verdict"],)}, "verdict", one["verdict"]),
            ({"subject": one["subject"]}, "subject", one["subject"]),
            ({"check": one["check"]}, "check", one["check"]),
            *(({"clause": cite}, "cites", cite) for cite in one["cites"]),
        ]
        for chosen, field, value in choices:
            found = findings.alerts(EARLY, LATE, **chosen).ask(store)
            wanted = {
                f["finding_id"]
                for f in every
                if value == f[field] or (field == "cites" and value in f[field])
            }
            assert {f.finding_id for f in found} == wanted, chosen
    assert findings.alerts(EARLY, LATE, clause="no such clause').ask(store); --").ask(store) == []
    assert findings.alerts(LATE, LATE).ask(store) == []


def a_finding_and_those_of_a_round_are_found_by_their_key(store: Warehouse) -> None:
    for one in facts().findings:
        [found] = findings.finding(one["subject"], one["sequence"], one["finding_id"]).ask(store)
        assert (found.message, found.check_id, found.cites) == (
            one["message"],
            one["check"],
            tuple(one["cites"]),
        )
        assert msgspec.json.decode(found.record)["finding_id"] == one["finding_id"]
    with_findings = [one for one in facts().rounds if one["findings"]]
    for one in with_findings:
        found_here = findings.findings_between(
            one["subject"], one["first_sequence"], one["last_sequence"]
        ).ask(store)
        assert [f.finding_id for f in found_here if f.round == one["round"]] == list(one["findings"])
    assert with_findings


def a_hand_is_found_by_table_time_and_seat(store: Warehouse) -> None:
    for one in facts().rounds[::7]:
        events = facts().events[one["subject"]]
        inside = events[(one["first_sequence"] + one["last_sequence"]) // 2 - 1]
        time = dt.datetime.fromisoformat(inside["time"])
        [found] = rounds.round_at(one["subject"], time).ask(store)
        assert (found.round, found.first_sequence) == (one["round"], one["first_sequence"])
        hands = rounds.hands_at(one["subject"], time).ask(store)
        assert {h.hand: list(h.cards) for h in hands} == {
            n: list(h["cards"]) for n, h in one["hands"].items()
        }
        seat = next((int(name.partition(".")[0]) for name in one["hands"] if name[0].isdigit()), None)
        if seat is not None:
            seated = {h.hand for h in rounds.hands_at(one["subject"], time, seat).ask(store)}
            assert seated == {
                name for name in one["hands"] if name in ("D", str(seat)) or name.startswith(f"{seat}.")
            }
    assert rounds.round_at(facts().rounds[0]["subject"], EARLY).ask(store) == []


def stakes_and_events_of_a_round_are_its_own(store: Warehouse) -> None:
    for one in facts().rounds[::9]:
        stakes = rounds.stakes_of(one["subject"], one["round"], one["first_sequence"]).ask(store)
        assert [(s.seat, s.kind, s.staked_cents) for s in stakes] == [
            (s["seat"], s["kind"], s["staked_cents"]) for s in one["stakes"]
        ]
        lines = rounds.events_between(one["subject"], one["first_sequence"], one["last_sequence"]).ask(store)
        assert [msgspec.json.decode(e.line) for e in lines] == facts().events[one["subject"]][
            one["first_sequence"] - 1 : one["last_sequence"]
        ]
        [row] = rounds.round_numbered(one["subject"], one["round"]).ask(store)
        assert msgspec.json.decode(row.record)["head"] == one["head"]


def rounds_of_a_dealer_and_of_a_shoe_are_all_of_them(store: Warehouse) -> None:
    dealers = {one["dealer"] for one in facts().rounds if one["dealer"]}
    for dealer in dealers:
        found = rounds.rounds_of_dealer(dealer, EARLY, LATE).ask(store)
        wanted = [(one["subject"], one["round"]) for one in facts().rounds if one["dealer"] == dealer]
        assert sorted((r.subject, r.round) for r in found) == sorted(wanted)
    shoes = {(one["subject"], one["shoe"]) for one in facts().rounds}
    for subject, shoe in shoes:
        found = rounds.rounds_of_shoe(subject, shoe).ask(store)
        assert [r.round for r in found] == [
            one["round"] for one in facts().rounds if (one["subject"], one["shoe"]) == (subject, shoe)
        ]
    assert dealers
    assert len(shoes) > 3


def rounds_of_a_patron_are_those_in_which_the_patron_staked(store: Warehouse) -> None:
    wanted: dict[str, set[tuple[str, int, int]]] = defaultdict(set)
    for subject, events in facts().events.items():
        mine = {one["first_sequence"]: one for one in facts().rounds if one["subject"] == subject}
        sitting: dict[int, str] = {}
        for sequence, event in enumerate(events, 1):
            data, kind = event["data"], event["type"].removeprefix("catwalk.v1.")
            if sequence in mine:
                one = mine[sequence]
                staked = {stake["seat"] for stake in one["stakes"]}
                for seat in staked & sitting.keys():
                    wanted[sitting[seat]].add((subject, one["round"], seat))
                for wager in events[one["first_sequence"] - 1 : one["last_sequence"]]:
                    named = wager["data"].get("player")
                    if named and wager["type"].endswith("wager_placed") and wager["data"]["seat"] in staked:
                        wanted[named].add((subject, one["round"], wager["data"]["seat"]))
            if kind == "player_left":
                sitting.pop(data["seat"], None)
            elif "player" in data and data.get("seat"):
                sitting[data["seat"]] = data["player"]
    assert len(wanted) > 5
    for patron, places in wanted.items():
        found = rounds.rounds_of_patron(patron, EARLY, LATE).ask(store)
        assert {(r.subject, r.round, r.seat) for r in found} == places, patron
        for row in found:
            one = next(o for o in facts().rounds if (o["subject"], o["round"]) == (row.subject, row.round))
            laid = [s["staked_cents"] for s in one["stakes"] if s["seat"] == row.seat]
            assert (row.stakes, row.staked_cents) == (len(laid), sum(laid))
    assert rounds.rounds_of_patron("nobody", EARLY, LATE).ask(store) == []


def revenue_is_the_sum_of_the_stakes_by_day_table_and_kind(store: Warehouse) -> None:
    handle: Counter[tuple[str, str, str]] = Counter()
    win: Counter[tuple[str, str, str]] = Counter()
    signs = {"collect": 1, "pay": -1, "return": 0}
    for one in facts().rounds:
        for stake in one["stakes"]:
            place = (one["gaming_day"], one["subject"], stake["kind"])
            handle[place] += stake["staked_cents"]
            seen = stake["observed"]
            win[place] += signs[seen["outcome"]] * seen["cents"] if seen else 0
    every = revenue.Scope(first=FIRST, last=LAST)
    found = revenue.settled(every, ("gaming_day",)).ask(store)
    assert {(str(r.gaming_day), r.subject, r.kind): r.handle_cents for r in found} == dict(handle)
    assert {(str(r.gaming_day), r.subject, r.kind): r.win_cents for r in found} == {
        place: win[place] for place in handle
    }
    day, subject, _ = next(iter(handle))
    narrow = revenue.Scope(first=dt.date.fromisoformat(day), last=dt.date.fromisoformat(day), subject=subject)
    assert revenue.settled(narrow, ("gaming_day",)).ask(store) == [
        r for r in found if (str(r.gaming_day), r.subject) == (day, subject)
    ]
    behind = revenue.rounds_behind(every, ("main",)).ask(store)
    assert sum(one.handle_cents for r in behind for one in r.settled()) == sum(
        r.handle_cents for r in found if r.kind == "main"
    )
    assert sum(r.rounds for r in revenue.dealt(every).ask(store)) == len(
        [one for one in facts().rounds if one["gaming_day"]]
    )
    assert len({r.gaming_day for r in found}) > 1


def cash_of_a_gaming_day_is_what_its_slips_say(store: Warehouse) -> None:
    moved: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for subject, events in facts().events.items():
        day, taken = "", {}
        for event in events:
            data, kind = event["data"], event["type"].removeprefix("catwalk.v1.")
            day = data["gaming_day"] if kind == "gaming_day_started" else day
            if kind == "drop_box_removed":
                taken[data["box"]] = day
                moved[day, subject]["boxes"] += 1
            elif kind == "drop_counted":
                moved[taken[data["box"]], subject]["drop"] += data["currency_cents"]
            elif kind in ("fill_received", "credit_sent", "chips_bought"):
                moved[day, subject][kind] += data["cents"]
            elif kind == "inventory_counted":
                moved[day, subject][data["moment"]] += data["cents"]
    sheets = cash.accounts(FIRST, LAST).ask(store)
    for sheet in sheets:
        said = moved[str(sheet.gaming_day), sheet.subject]
        assert (sheet.opening_cents, sheet.closing_cents) == (said["opening"], said["closing"])
        assert (sheet.fill_cents, sheet.credit_cents) == (said["fill_received"], said["credit_sent"])
        assert (sheet.boxes, sheet.cash_cents) == (said["boxes"], said["chips_bought"])
        assert sheet.seconds >= 0
    assert len({sheet.gaming_day for sheet in sheets if sheet.subject == "FB-12"}) == 2
    for drop in cash.drops(FIRST, LAST).ask(store):
        assert drop.currency_cents == moved[str(drop.gaming_day), drop.subject]["drop"]
    for what, kind in (("fills", "fill_received"), ("credits", "credit_sent")):
        found = cash.slips(FIRST, LAST, what).ask(store)
        assert [one.total for one in found] == [len(found)] * len(found)
        assert sum(one.cents for one in found) == sum(said[kind] for said in moved.values())
        assert sum(msgspec.json.decode(one.line)["data"]["cents"] for one in found) == sum(
            one.cents for one in found
        )


def a_table_is_told_by_its_rounds_its_counts_and_its_shoes(store: Warehouse) -> None:
    names = [one.subject for one in tables.names(EARLY).ask(store)]
    assert names == sorted(facts().events)
    assert {one.subject for one in cash.configurations().ask(store)} == set(names)
    for subject, events in facts().events.items():
        mine = [one for one in facts().rounds if one["subject"] == subject]
        bars = tables.strip(subject).ask(store)
        assert [bar.net_cents for bar in reversed(bars)] == [one["net_cents"] for one in mine][
            -tables.STRIP :
        ]
        kinds = ("shoe_loaded", "inventory_counted", "decks_removed")
        at = {kind: [n for n, e in enumerate(events, 1) if e["type"].endswith(kind)] for kind in kinds}
        shoes = tables.shoes(subject).ask(store)
        assert [one.sequence for one in shoes if one.shoe][::-1] == at["shoe_loaded"][-len(shoes) :]
        assert [one.sequence for one in shoes if not one.shoe][::-1] == at["decks_removed"]
        counted = sorted(one.sequence for one in tables.counts(subject).ask(store))
        assert counted == at["inventory_counted"][-tables.COUNTS :]
        won = {row.bucket: row.net_cents for row in tables.won(subject, counted).ask(store)}
        since = sum(one["net_cents"] for one in mine if one["last_sequence"] > counted[-1])
        assert won.get(len(counted), 0) == since
        sold = sum(row.sold_cents for row in tables.moved(subject, counted).ask(store))
        assert sold == sum(
            e["data"]["cents"] for e in events[counted[0] :] if e["type"].endswith("chips_bought")
        )


def rounds_are_searched_by_what_is_known_and_listed_with_seats_and_results(store: Warehouse) -> None:
    span = search.span_of_rounds().ask(store)[0]
    assert span.rounds == len(facts().rounds)
    every: dict[str, Any] = {
        "since": span.first,
        "until": span.last,
        "without_tables": ("none",),
        "without_dealers": ("none",),
    }
    for one in facts().rounds[::11]:
        wanted = Wanted(**every, table=one["subject"], number=one["round"], dealer=one["dealer"])
        [row] = newest_rounds(store, wanted)
        assert row.key == (one["subject"], one["round"], one["first_sequence"])
        staked = search.staked_in([row]).ask(store)
        assert sum(seat.staked_cents for seat in staked) == sum(s["staked_cents"] for s in one["stakes"])
        assert {hand.hand for hand in search.results_in([row]).ask(store)} == set(one["hands"])
        [begun] = search.times_of(row.subject, [row.first_sequence]).ask(store)
        second = dt.timedelta(seconds=1)
        [at] = search.event_at(
            row.subject, row.first_sequence, row.last_sequence, begun.time, begun.time + second
        ).ask(store)
        assert at.sequence == row.first_sequence
        [before] = search.round_around(row.subject, row.last_sequence).ask(store)
        assert before == row
    for patron in ("P-0098", "P-7001"):
        found = {one.key for one in newest_rounds(store, Wanted(**every, patron=patron), most=200)}
        told = rounds.rounds_of_patron(patron, EARLY, LATE).ask(store)
        assert found == {(one.subject, one.round, one.first_sequence) for one in told}
        assert found
    assert {one.subject for one in search.tables().ask(store)} == set(ledger().subjects())


CASES: tuple[Callable[[Warehouse], None], ...] = (
    alerts_come_newest_first_and_page_without_a_gap,
    alerts_are_chosen_by_severity_verdict_table_clause_and_check,
    a_finding_and_those_of_a_round_are_found_by_their_key,
    a_hand_is_found_by_table_time_and_seat,
    stakes_and_events_of_a_round_are_its_own,
    rounds_of_a_dealer_and_of_a_shoe_are_all_of_them,
    rounds_of_a_patron_are_those_in_which_the_patron_staked,
    rounds_are_searched_by_what_is_known_and_listed_with_seats_and_results,
    revenue_is_the_sum_of_the_stakes_by_day_table_and_kind,
    cash_of_a_gaming_day_is_what_its_slips_say,
    a_table_is_told_by_its_rounds_its_counts_and_its_shoes,
)
