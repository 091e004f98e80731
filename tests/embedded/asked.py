"""What every engine must answer to the console: each case asks, and reckons the answer from the ledger's own lines."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from dashboards.reader import cash, patterns, revenue, rounds, search, tables
from dashboards.reader.newest import WantedRounds, newest_rounds, seats_of
from dashboards.reader.played import FindingAsked, Played
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
SPAN: dict[str, Any] = {"since": EARLY, "until": LATE}
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


def findings_of_a_round_are_found_by_its_key(store: Warehouse) -> None:
    with_findings = [one for one in facts().rounds if one["findings"]]
    for one in with_findings:
        key = (one["subject"], one["round"], one["first_sequence"], one["last_sequence"])
        found = rounds.findings_of_round(*key).ask(store)
        records = [msgspec.json.decode(row.record) for row in found if row.sequence <= one["last_sequence"]]
        assert [record["finding_id"] for record in records if record.get("round") == one["round"]] == list(
            one["findings"]
        )
        for row, record in zip(found, map(msgspec.json.decode, (row.record for row in found)), strict=True):
            assert (row.finding_id, row.sequence) == (record["finding_id"], record["sequence"])
        said = {one["finding_id"]: one for one in facts().findings}
        for record in records:
            told = said[record["finding_id"]]
            assert (record["message"], record["check"], record["cites"]) == (
                told["message"],
                told["check"],
                list(told["cites"]),
            )
    assert with_findings


def events_of_a_round_are_its_own(store: Warehouse) -> None:
    for one in facts().rounds[::9]:
        lines = rounds.events_between(one["subject"], one["first_sequence"], one["last_sequence"]).ask(store)
        assert [msgspec.json.decode(e.line) for e in lines] == facts().events[one["subject"]][
            one["first_sequence"] - 1 : one["last_sequence"]
        ]
        [row] = rounds.round_numbered(one["subject"], one["round"]).ask(store)
        assert msgspec.json.decode(row.record)["head"] == one["head"]


def rounds_of_a_dealer_and_of_a_shoe_are_all_of_them(store: Warehouse) -> None:
    every = [(one["subject"], one["round"], one["dealer"], one["shoe"]) for one in facts().rounds]
    dealers = {dealer for _, _, dealer, _ in every if dealer}
    for dealer in dealers:
        found = newest_rounds(store, WantedRounds(**SPAN, dealer=dealer), most=200)
        assert {(r.subject, r.round) for r in found} == {one[:2] for one in every if one[2] == dealer}
    shoes = {(one[0], one[3]) for one in every}
    for subject, shoe in shoes:
        found = newest_rounds(store, WantedRounds(**SPAN, table=subject, shoe=shoe), most=200)
        assert [r.round for r in found][::-1] == [
            one[1] for one in every if (one[0], one[3]) == (subject, shoe)
        ]
    assert dealers
    assert len(shoes) > 3


@cache
def places_of_patrons() -> dict[str, set[tuple[str, int, int]]]:
    """Table, round and seat of each patron who staked."""
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
    return wanted


def rounds_of_a_patron_are_those_in_which_the_patron_staked(store: Warehouse) -> None:
    wanted = places_of_patrons()
    assert len(wanted) > 5
    for patron, places in wanted.items():
        found = newest_rounds(store, WantedRounds(**SPAN, patron=patron), most=200)
        assert {(r.subject, r.round) for r in found} == {place[:2] for place in places}, patron
        seated = {(one.subject, one.seat) for one in seats_of(WantedRounds(**SPAN, patron=patron)).ask(store)}
        assert {(subject, seat) for subject, _, seat in places} <= seated
        seats = search.staked_in(found).ask(store)
        for row in (row for row in seats if (row.subject, row.round, row.seat) in places):
            one = next(o for o in facts().rounds if (o["subject"], o["round"]) == (row.subject, row.round))
            assert row.staked_cents == sum(s["staked_cents"] for s in one["stakes"] if s["seat"] == row.seat)
    assert newest_rounds(store, WantedRounds(**SPAN, patron="nobody")) == []


def rounds_are_found_by_what_one_seat_had_and_what_was_found(store: Warehouse) -> None:
    """Totals, stake, result and seat are those of one seat; findings those that whoever asks may know of."""
    every, severity = facts().rounds, {one["finding_id"]: one for one in facts().findings}
    moved = Counter[str]()

    def keys(**asked: Any) -> set[tuple[str, int]]:
        found = newest_rounds(store, WantedRounds(**SPAN, **asked), most=200)
        return {(one.subject, one.round) for one in found}

    def due(fits: Callable[[dict[str, Any], int], bool]) -> set[tuple[str, int]]:
        return {
            (one["subject"], one["round"]) for one in every if any(fits(one, seat) for seat in range(1, 10))
        }

    def totals(one: dict[str, Any], seat: int) -> set[int]:
        mine = (hand for name, hand in one["hands"].items() if name.startswith(f"{seat}."))
        return {hand["total"] for hand in mine if hand.get("total") is not None}

    def stakes(one: dict[str, Any], seat: int) -> list[dict[str, Any]]:
        return [stake for stake in one["stakes"] if stake["seat"] == seat and stake["kind"] == "main"]

    for mine, theirs in ((20, 22), (20, 20), (18, 19), (17, 17)):
        found = keys(played=Played(total=mine, dealer_total=theirs))
        wanted = due(lambda one, seat: mine in totals(one, seat) and one["hands"]["D"].get("total") == theirs)  # noqa: B023
        assert found == wanted
        moved["against"] += len(wanted)
    for seat in (1, 3):
        wanted = due(lambda one, at: at == seat and 20 in totals(one, at))  # noqa: B023
        assert keys(seat=seat, played=Played(total=20)) == wanted
        moved["seat"] += len(wanted)
    for outcome in ("pay", "collect", "return"):

        def came(one: dict[str, Any], seat: int, outcome: str = outcome) -> bool:
            seen = {(stake["observed"] or {}).get("outcome") for stake in stakes(one, seat)}
            return 20 in totals(one, seat) and outcome in seen

        assert keys(played=Played(total=20, moved=outcome)) == due(came)
        moved[outcome] += len(due(came))
    amounts = Counter(
        stake["staked_cents"] for one in every for stake in one["stakes"] if stake["kind"] == "main"
    )
    cents = min(amounts, key=lambda one: (amounts[one], one))
    wanted = due(lambda one, seat: any(stake["staked_cents"] == cents for stake in stakes(one, seat)))
    assert keys(played=Played(stake=(cents, cents), moved=None)) >= wanted != set()
    for verdicts, level in ((("breached",), None), (("breached", "indeterminate"), "critical"), ((), None)):
        told = {
            (one["subject"], one["round"])
            for one in every
            if any(
                severity[name]["verdict"] in verdicts and level in (None, severity[name]["severity"])
                for name in one["findings"]
            )
        }
        assert keys(noted=FindingAsked(severity=level, verdicts=verdicts)) == told
        moved["found"] += len(told)
    clause = next(c for one in facts().findings if one["verdict"] == "breached" for c in one["cites"])
    bare = clause.split("#")[0]
    assert keys(noted=FindingAsked(clause=bare, verdicts=("breached",))) != set()
    assert keys(noted=FindingAsked(clause=bare[:-1], verdicts=("breached",))) == set()
    assert min(moved.values()) > 0, moved


def rounds_under_way_in_a_stretch_of_time_are_all_of_them(store: Warehouse) -> None:
    for one in facts().rounds[3::40]:
        begun = facts().events[one["subject"]][one["first_sequence"] - 1]["time"]
        start = dt.datetime.fromisoformat(begun) + dt.timedelta(seconds=1)
        end = start + dt.timedelta(seconds=1)
        under_way = search.under_way_at(store, end, dt.timedelta(hours=6))
        until = max([end, *(row.latest for row in under_way)])
        edges = tuple(row.key for row in under_way)
        wanted = WantedRounds(since=start, until=until, moments=((start, end),), edges=edges)
        assert one["round"] in {r.round for r in newest_rounds(store, wanted) if r.subject == one["subject"]}


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
    every = revenue.RevenueScope(first=FIRST, last=LAST)
    taken = revenue.takings(every, ("gaming_day",)).ask(store)
    found = [row for row in taken if row.kind]
    assert {(str(r.gaming_day), r.subject, r.kind): r.handle_cents for r in found} == dict(handle)
    assert {(str(r.gaming_day), r.subject, r.kind): r.win_cents for r in found} == {
        place: win[place] for place in handle
    }
    day, subject, _ = next(iter(handle))
    narrow = revenue.RevenueScope(
        first=dt.date.fromisoformat(day), last=dt.date.fromisoformat(day), subject=subject
    )
    assert revenue.takings(narrow, ("gaming_day",)).ask(store) == [
        r for r in taken if (str(r.gaming_day), r.subject) == (day, subject)
    ]
    behind = revenue.rounds_behind(every, ("main",)).ask(store)
    assert sum(one.handle_cents for r in behind for one in r.takings()) == sum(
        r.handle_cents for r in found if r.kind == "main"
    )
    assert sum(r.rounds for r in taken) == len([one for one in facts().rounds if one["gaming_day"]])
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
        assert tables.told_anew(subject, counted[0]).ask(store) == []
        sold = sum(row.sold_cents for row in tables.moved(subject, counted, ()).ask(store))
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
        wanted = WantedRounds(**every, table=one["subject"], number=one["round"], dealer=one["dealer"])
        [row] = newest_rounds(store, wanted)
        assert row.key == (one["subject"], one["round"], one["first_sequence"])
        staked = search.staked_in([row]).ask(store)
        assert sum(seat.staked_cents for seat in staked) == sum(s["staked_cents"] for s in one["stakes"])
        assert {hand.hand for hand in search.hands_in([row]).ask(store)} == set(one["hands"])
        [begun] = search.times_of(row.subject, [row.first_sequence]).ask(store)
        second = dt.timedelta(seconds=1)
        [at] = search.event_at(
            row.subject, row.first_sequence, row.last_sequence, begun.time, begun.time + second
        ).ask(store)
        assert at.sequence == row.first_sequence
        [before] = search.round_around(row.subject, row.last_sequence).ask(store)
        assert before == row
    assert {one.subject for one in search.tables().ask(store)} == set(ledger().subjects())


def tables_that_played_are_told_with_their_times_and_the_months(store: Warehouse) -> None:
    for hidden in ((), (ledger().subjects()[0],)):
        played: dict[str, list[str]] = {}
        for one in facts().rounds:
            if one["subject"] not in hidden:
                played.setdefault(one["subject"], []).append(one["at"][:19])
        found = {row.subject: (row.first, row.last) for row in patterns.tables_played(hidden).ask(store)}
        told = {table: tuple(f"{at:%Y-%m-%dT%H:%M:%S}" for at in times) for table, times in found.items()}
        assert told == {table: (min(times), max(times)) for table, times in played.items()} != {}
        months = [f"{row.month:%Y-%m}" for row in patterns.months_played(hidden).ask(store)]
        assert months == sorted({at[:7] for times in played.values() for at in times})


def lines_of_several_tables_behind_a_place_of_each_are_theirs_in_order(store: Warehouse) -> None:
    after = {subject: 20 * place for place, subject in enumerate(sorted(ledger().subjects()))}
    found = rounds.lines_behind(after, 100_000).ask(store)
    held = {subject: [line for _, line in ledger().read_from(subject)] for subject in after}
    assert [(one.subject, one.sequence, one.line.encode()) for one in found] == [
        (subject, number, line)
        for subject, place in after.items()
        for number, line in enumerate(held[subject], 1)
        if number > place
    ]
    assert rounds.unreadable_behind(after).ask(store) == []
    assert {one.subject for one in rounds.progress_of_some(list(after)).ask(store)} == set(after)


CASES: tuple[Callable[[Warehouse], None], ...] = (
    findings_of_a_round_are_found_by_its_key,
    events_of_a_round_are_its_own,
    rounds_of_a_dealer_and_of_a_shoe_are_all_of_them,
    rounds_of_a_patron_are_those_in_which_the_patron_staked,
    rounds_are_found_by_what_one_seat_had_and_what_was_found,
    rounds_under_way_in_a_stretch_of_time_are_all_of_them,
    rounds_are_searched_by_what_is_known_and_listed_with_seats_and_results,
    revenue_is_the_sum_of_the_stakes_by_day_table_and_kind,
    cash_of_a_gaming_day_is_what_its_slips_say,
    a_table_is_told_by_its_rounds_its_counts_and_its_shoes,
    tables_that_played_are_told_with_their_times_and_the_months,
    lines_of_several_tables_behind_a_place_of_each_are_theirs_in_order,
)
