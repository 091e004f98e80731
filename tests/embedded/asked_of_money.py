"""What every engine must answer about money, reckoned from the rounds of the pipeline."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable
from functools import cache

import msgspec

from dashboards.reader import restitution, rounds
from dashboards.restitution.causes import of_shoe
from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import report_of
from dashboards.revenue.wanted import BYS, WantedRevenue
from deploy.audit.rereading import reread
from processors.runtime.store.warehouse import Warehouse
from schemas.rounds import RoundResult
from tests.embedded.asked import facts, ledger

_SUMS = ("handle", "win", "lammers", "all_errors_for_house", "all_errors_for_patron", "rounds", "stakes")


@cache
def played() -> list[RoundResult]:
    return [msgspec.convert(one, RoundResult) for one in facts().rounds]


def reckoned(rounds: list[RoundResult]) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in rounds:
        found["rounds"] += 1
        for stake in one.stakes:
            found["stakes"] += stake.kind != "lammer"
            found["handle"] += stake.staked_cents if one.status != "void" else 0
            found["win"] -= stake.seen_cents or 0
            found["lammers"] += (stake.seen_cents or 0) if stake.kind == "lammer" else 0
            if stake.observed is not None and stake.expected is not None:
                error = (stake.due_cents or 0) - (stake.seen_cents or 0)
                found["all_errors_for_house" if error > 0 else "all_errors_for_patron"] += error
    return found


def the_report_of_a_year_is_what_its_rounds_come_to(store: Warehouse) -> None:
    rounds = [one for one in played() if one.gaming_day is not None]
    last = max(one.gaming_day for one in rounds if one.gaming_day is not None)
    sums = reckoned([one for one in rounds if one.gaming_day and one.gaming_day.year == last.year])
    assert sums["handle"] > 0
    for by in BYS:
        told = report_of(statement(store, WantedRevenue(day=last, period="year", by=by)))
        assert {name: getattr(told.total, name) for name in _SUMS} == {name: sums[name] for name in _SUMS}, by
        for name in _SUMS:
            assert sum(getattr(line, name) for line in told.lines) == sums[name], (by, name)


def a_stake_is_of_the_gaming_day_that_its_table_declared(store: Warehouse) -> None:
    days: dict[dt.date, list[RoundResult]] = {}
    for one in played():
        if one.gaming_day is not None:
            days.setdefault(one.gaming_day, []).append(one)
    assert len(days) > 1
    for day, dealt in days.items():
        told = report_of(statement(store, WantedRevenue(day=day)))
        assert (told.total.handle, told.total.rounds) == (reckoned(dealt)["handle"], len(dealt))


def a_shoe_owes_what_its_stakes_were_due_less_what_they_had(store: Warehouse) -> None:
    shoes = {(one.subject, one.shoe) for one in played() if any(one.stakes)}
    for subject, shoe in shoes:
        rounds = [one for one in played() if (one.subject, one.shoe) == (subject, shoe)]
        told = of_shoe(store, subject, shoe)
        errors = reckoned(rounds)
        assert told.owed_total == errors["all_errors_for_house"]
        assert told.overpaid_total == -errors["all_errors_for_patron"]
        stakes = [stake for one in rounds for stake in one.stakes]
        unknown = sum(stake.observed is None or stake.expected is None for stake in stakes)
        assert (len(told.lines), len(told.undecided)) == (len(stakes) - unknown, unknown)
        assert all(one.missing for one in told.undecided)


def the_readings_in_force_change_nothing(store: Warehouse) -> None:
    told = reread(store, {})
    assert (told.lines, told.undecided) == ((), ())


def several_rounds_and_their_findings_are_those_of_each(store: Warehouse) -> None:
    numbers = {(one["subject"], one["round"]) for one in facts().rounds}
    several = rounds.rounds_numbered(sorted({*numbers, ("NONE", 1)})).ask(store)
    alone = [row for number in sorted(numbers) for row in rounds.round_numbered(*number).ask(store)]
    keys = [(one.subject, one.round, one.first_sequence, one.last_sequence) for one in several]
    assert sorted(keys) == sorted(
        (one.subject, one.round, one.first_sequence, one.last_sequence) for one in alone
    )
    chosen = [one for one in several if one.round % 2]
    told = rounds.findings_of_rounds(chosen).ask(store)
    of_each = {
        finding.finding_id
        for one in chosen
        for finding in rounds.findings_of_round(
            one.subject, one.round, one.first_sequence, one.last_sequence
        ).ask(store)
    }
    assert {one.finding_id for one in told} == of_each
    assert len(told) == len(of_each) > 0
    begun = restitution.ended_rounds(sorted(numbers)).ask(store)
    assert [(one.subject, one.round, one.first_sequence) for one in begun] == [key[:3] for key in keys]
    starts = [
        one
        for subject in sorted(ledger().subjects())
        for one in restitution.started_rounds([subject]).ask(store)
    ]
    assert restitution.started_rounds(sorted(ledger().subjects())).ask(store) == starts


CASES_OF_MONEY: tuple[Callable[[Warehouse], None], ...] = (
    the_report_of_a_year_is_what_its_rounds_come_to,
    a_stake_is_of_the_gaming_day_that_its_table_declared,
    a_shoe_owes_what_its_stakes_were_due_less_what_they_had,
    the_readings_in_force_change_nothing,
    several_rounds_and_their_findings_are_those_of_each,
)
