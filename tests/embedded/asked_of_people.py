"""What every engine must answer about dealers, patrons and tables: reckoned from the ledger's own lines."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import pairwise
from statistics import median
from typing import Any

from dashboards.reader import people
from dashboards.reader.newest import SeatRow
from processors.runtime.store.warehouse import Warehouse
from tests.embedded.asked import EARLY, LATE, facts, places_of_patrons

VERDICTS = ("breached", "indeterminate", "interpretation")
_SIGNS = {"pay": 1, "collect": -1, "return": 0}


def scope(kind: people.Kind, name: str, tables: Iterable[str], **more: Any) -> people.PeopleScope:
    return people.PeopleScope(kind=kind, name=name, since=EARLY, until=LATE, tables=tuple(tables), **more)


def summed(stakes: Iterable[dict[str, Any]]) -> Counter[str]:
    """Stakes, and errors by direction."""
    found: Counter[str] = Counter()
    for stake in stakes:
        found["stakes"] += stake["kind"] != "lammer"
        found["hands"] += stake["kind"] in ("main", "split")
        seen, due = (
            one and _SIGNS[one["outcome"]] * one["cents"] for one in (stake["observed"], stake["expected"])
        )
        found["won_cents"] += seen or 0
        if seen is None or due is None:
            continue
        found["judged"] += 1
        way = "overpaid" if seen > due else "owed" if seen < due else "right"
        found[way] += 1
        found[f"{way}_cents"] += abs(seen - due)
    return found


def agree(row: people.FiguresRow, rounds: list[dict[str, Any]], stakes: list[dict[str, Any]]) -> None:
    told = summed(stakes)
    assert row.rounds == len(rounds)
    for status in ("breached", "indeterminate", "void"):
        assert getattr(row, status) == sum(one["status"] == status for one in rounds), status
    for name in (
        "stakes",
        "hands",
        "won_cents",
        "judged",
        "overpaid",
        "overpaid_cents",
        "owed",
        "owed_cents",
    ):
        assert getattr(row, name) == told[name], name


def what_a_dealers_rounds_come_to_is_summed_by_day_and_by_dealer(store: Warehouse) -> None:
    by_dealer: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in facts().rounds:
        by_dealer[one["dealer"] or ""].append(one)
    errors = 0
    for dealer in filter(None, by_dealer):
        at = [row.subject for row in people.tables_of_dealer(dealer, EARLY, LATE).ask(store)]
        assert set(at) == {one["subject"] for one in by_dealer[dealer]}
        of = scope("dealer", dealer, at)
        days = people.figures(of, "day").ask(store)
        for row in days:
            mine = [one for one in by_dealer[dealer] if one["gaming_day"] == (row.day and str(row.day))]
            agree(row, mine, [stake for one in mine for stake in one["stakes"]])
            errors += row.overpaid + row.owed
        assert sum(row.rounds for row in days) == len(by_dealer[dealer])
        all_there = {row.who: row for row in people.figures(of, "dealer").ask(store)}
        assert all_there[dealer].rounds == len(by_dealer[dealer])
        assert set(all_there) == {one["dealer"] or "" for one in facts().rounds if one["subject"] in at}
    assert errors
    assert people.ever_dealt("nobody").ask(store) == []
    assert people.ever_dealt(max(by_dealer)).ask(store)


def a_tables_pace_is_the_median_between_rounds_of_one_dealer_and_shoe(store: Warehouse) -> None:
    subjects = sorted({one["subject"] for one in facts().rounds})
    for subject in subjects:
        mine = [one for one in facts().rounds if one["subject"] == subject]
        gaps = [
            (dt.datetime.fromisoformat(b["at"]) - dt.datetime.fromisoformat(a["at"])) // dt.timedelta(milliseconds=1)
            for a, b in pairwise(mine)
            if (a["shoe"], a["dealer"], a["round"] + 1) == (b["shoe"], b["dealer"], b["round"])
        ]  # fmt: skip
        [row] = people.figures(scope("table", subject, [subject]), "table").ask(store)
        assert row.paces == len(gaps)
        assert not gaps or abs(row.pace_ms - median(gaps)) <= max(gaps) - min(gaps)
        assert not gaps or min(gaps) <= row.pace_ms <= max(gaps)
        agree(row, mine, [stake for one in mine for stake in one["stakes"]])
        alike = [one.subject for one in people.tables_alike(subject, EARLY, LATE).ask(store)]
        assert alike[0] == subject
    assert len(subjects) > 2


def what_a_patrons_hands_come_to_is_of_the_patrons_seats_alone(store: Warehouse) -> None:
    rounds = {(one["subject"], one["round"]): one for one in facts().rounds}
    others = 0
    for patron, places in places_of_patrons().items():
        of = patron_scope(patron, places)
        [row] = people.figures(of, "nobody").ask(store)
        mine = [rounds[key] for key in sorted({place[:2] for place in places})]
        stakes = [(one, stake) for one in mine for stake in one["stakes"]]
        own = [s for one, s in stakes if (one["subject"], one["round"], s["seat"]) in places]
        agree(row, mine, own)
        assert sum(day.stakes for day in people.figures(of, "day").ask(store)) == row.stakes
        rest = summed(s for one, s in stakes if (one["subject"], one["round"], s["seat"]) not in places)
        beside = people.others_at_table(of).ask(store)
        assert sum(one.stakes for one in beside) == rest["stakes"]
        others += rest["stakes"]
        place = min(places)
        [seated] = people.hands_of(of, [place, ("nowhere", 1, 1)]).ask(store)
        assert (seated.subject, seated.round, seated.seat) == place
        assert people.ever_seen(patron).ask(store)
    assert others
    assert people.ever_seen("nobody").ask(store) == []


def patron_scope(patron: str, places: Iterable[tuple[str, int, int]]) -> people.PeopleScope:
    seats = sorted({(subject, seat) for subject, _, seat in places})
    return scope("patron", patron, sorted({s for s, _ in seats}), seats=tuple(SeatRow(*one) for one in seats))


def findings_of_somebody_are_those_of_the_rounds_page_by_page(store: Warehouse) -> None:
    told = [one for one in facts().findings if one["verdict"] in VERDICTS]
    assert not any(one["check"].startswith("pattern.") for one in told)
    dealers = {(one["subject"], one["round"]): one["dealer"] for one in facts().rounds}
    for dealer in set(dealers.values()) - {None}:
        at = [row.subject for row in people.tables_of_dealer(dealer, EARLY, LATE).ask(store)]
        mine = {f["finding_id"] for f in told if dealers.get((f["subject"], f["round"])) == dealer}
        assert paged(store, scope("dealer", dealer, at)) == mine
    for subject in {one["subject"] for one in told}:
        mine = {f["finding_id"] for f in told if f["subject"] == subject}
        assert paged(store, scope("table", subject, [subject])) == mine
    some = 0
    for patron, places in places_of_patrons().items():
        mine = {f["finding_id"] for f in told if (f["subject"], f["round"], f.get("seat")) in places}
        assert paged(store, patron_scope(patron, places)) == mine
        some += len(mine)
    assert some


def paged(store: Warehouse, of: people.PeopleScope) -> set[str]:
    """The findings of three at a time; each comes once, and as many as are counted."""
    found: list[people.FindingAboutRow] = []
    wanted = people.FindingsWanted(verdicts=VERDICTS, most=3)
    while rows := people.findings(of, wanted).ask(store):
        found += rows
        last = rows[-1]
        after = (last.decided_at, last.subject, last.sequence, last.finding_id)
        wanted = people.FindingsWanted(verdicts=VERDICTS, most=3, after=after)
    ids = [row.finding_id for row in found]
    assert len(ids) == len(set(ids))
    assert sum(one.findings for one in people.findings_counted(of, wanted).ask(store)) == len(ids)
    hidden = people.FindingsWanted(verdicts=VERDICTS, without_ids=tuple(ids[:1]), most=200)
    assert len(people.findings(of, hidden).ask(store)) == max(0, min(200, len(ids) - 1))
    return set(ids)


CASES_OF_PEOPLE: tuple[Callable[[Warehouse], None], ...] = (
    what_a_dealers_rounds_come_to_is_summed_by_day_and_by_dealer,
    a_tables_pace_is_the_median_between_rounds_of_one_dealer_and_shoe,
    what_a_patrons_hands_come_to_is_of_the_patrons_seats_alone,
    findings_of_somebody_are_those_of_the_rounds_page_by_page,
)
