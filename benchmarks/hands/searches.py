"""The searches of which `catwalk bench console` takes the time, each beside a scan that answers the same."""

from __future__ import annotations

import datetime as dt
import hashlib
import random
from collections.abc import Callable

from benchmarks.hands import store as made
from dashboards.filters.hand_terms import HandTerms

Ask = Callable[[random.Random], HandTerms]
_KEY = "SELECT subject, round, first_sequence FROM"
_END = "LIMIT 50"
_MONTH = "decided_at > (SELECT max(decided_at) FROM rounds) - INTERVAL 31 DAY"
_QUARTER = "decided_at BETWEEN '2026-01-03 11:00:00' AND '2026-01-03 11:16:00'"
_BY_KEY = "(subject, round, first_sequence) IN"


def searches(rounds: int) -> tuple[tuple[str, Ask, str], ...]:
    """Each kind of search: its terms, and a scan that answers the same without key, partition or FINAL."""
    places = _Places(rounds)
    rows = f"{_KEY} rounds WHERE materialize"
    later = "toString(decided_at) >= '2026-02-02 02:02:02' ORDER BY decided_at"
    patrons = (
        "SELECT subject, sequence FROM patrons WHERE materialize(patron) = 'P-77' ORDER BY sequence DESC"
    )
    findings = "SELECT subject, sequence FROM findings WHERE position(finding_id, 'abcdef') > 0"
    return (
        ("by table and time", places.at_time, f"{rows}(subject) = 'BJ-042' AND {later} {_END}"),
        (
            "by table and round",
            places.by_round,
            f"{rows}(subject) = 'BJ-042' AND materialize(round) = 77 {_END}",
        ),
        ("by patron, newest month", places.by_patron, f"{patrons} {_END}"),
        (
            "by dealer, newest month",
            places.by_dealer,
            f"{rows}(dealer) = 'D-77' ORDER BY decided_at DESC {_END}",
        ),
        ("by finding", places.by_finding, findings),
        ("the latest", lambda _: HandTerms(), f"{rows}(round) > 0 ORDER BY toString(decided_at) DESC {_END}"),
        *_told(places),
    )


def _told(places: _Places) -> tuple[tuple[str, Ask, str], ...]:
    """Searches as disputes are told, through several relations."""
    newest = f"AND {_MONTH} ORDER BY decided_at DESC {_END}"
    dealt = f"{_BY_KEY} ({_KEY} hands WHERE hand = 'D' AND materialize(total) = 22 AND"
    lost = "observed_outcome = 'collect' AND kind = 'main'"
    return (
        (
            "20 against 22, newest month",
            lambda _: HandTerms(total="20", against="22"),
            f"{_KEY} hands WHERE materialize(total) = 20 AND hand != 'D' AND {dealt} {_MONTH}) {newest}",
        ),
        (
            "20 against 22 at a table and seat",
            lambda chance: HandTerms(table=places.table(chance), seat="3", total="20", against="22"),
            f"{_KEY} hands WHERE materialize(subject) = 'BJ-042' AND materialize(total) = 20 AND startsWith(hand, '3')"
            f" AND {dealt} {_MONTH}) {newest}",
        ),
        (
            "all tables, 15 minutes, result",
            lambda chance: HandTerms(time=places.quarter(chance), result="lost"),
            f"{_KEY} stakes WHERE {lost} AND {_QUARTER} ORDER BY decided_at DESC {_END}",
        ),
        (
            "all tables, 15 minutes, totals and stake",
            lambda chance: HandTerms(time=places.quarter(chance), total="20", stake="over 100"),
            f"{_KEY} hands WHERE materialize(total) = 20 AND hand != 'D' AND {_QUARTER} AND {_BY_KEY} ({_KEY} stakes"
            f" WHERE staked_cents > 10000 AND {_QUARTER}) ORDER BY decided_at DESC {_END}",
        ),
        (
            "a hand as told, at its table",
            lambda chance: places.memory(chance, at_table=True),
            f"{_KEY} hands WHERE materialize(total) = 20 AND hand != 'D' AND {_QUARTER} AND {dealt} {_QUARTER})"
            f" ORDER BY decided_at DESC {_END}",
        ),
        (
            "a hand as told, all tables",
            lambda chance: places.memory(chance, at_table=False),
            f"{_KEY} hands WHERE materialize(total) = 20 AND hand != 'D' AND {_QUARTER} AND {dealt} {_QUARTER})"
            f" ORDER BY decided_at DESC {_END}",
        ),
        (
            "by stake, newest month",
            lambda _: HandTerms(stake="1000"),
            f"{_KEY} stakes WHERE materialize(staked_cents) = 100000 {newest}",
        ),
        (
            "with critical findings, newest month",
            lambda _: HandTerms(findings="critical"),
            f"SELECT subject, round FROM rounds WHERE notEmpty(findings) AND (subject, round) IN"
            f" (SELECT subject, assumeNotNull(round) FROM findings WHERE severity = 'critical') {newest}",
        ),
    )


class _Places:
    """Terms of searches for rounds that the store holds."""

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self._last = rounds // made.TABLES

    def place(self, chance: random.Random) -> tuple[int, int]:
        return chance.randrange(made.TABLES), chance.randrange(1, self._last)

    def table(self, chance: random.Random) -> str:
        return made.subject(self.place(chance)[0])

    def at_time(self, chance: random.Random) -> HandTerms:
        table, number = self.place(chance)
        moment = made.began(table, number) + dt.timedelta(seconds=chance.randrange(1, 49))
        return HandTerms(table=made.subject(table), time=moment.isoformat())

    def quarter(self, chance: random.Random) -> str:
        """A quarter of an hour in which hands were dealt."""
        start = made.began(*self.place(chance))
        return f"{start:%Y-%m-%d %H:%M}-{start + dt.timedelta(minutes=15):%H:%M} UTC"

    def memory(self, chance: random.Random, *, at_table: bool) -> HandTerms:
        """What a patron tells of a hand, which may be wrong in something."""
        table, number = self.place(chance)
        told = {"table": made.subject(table)} if at_table else {}
        time = f"{made.began(table, number):around %H:%M on %-d %b %Y UTC}"
        return HandTerms(**told, time=time, seat="3", total="20", against="22", stake="25", result="lost")

    def by_round(self, chance: random.Random) -> HandTerms:
        table, number = self.place(chance)
        return HandTerms(table=made.subject(table), round=str(number))

    def by_finding(self, chance: random.Random) -> HandTerms:
        number = chance.randrange(0, self._rounds, made.FINDING_EVERY)
        return HandTerms(finding=record_md5(number)[:10])

    def by_patron(self, chance: random.Random) -> HandTerms:
        return HandTerms(patron=f"P-{chance.randrange(made.PATRONS)}")

    def by_dealer(self, chance: random.Random) -> HandTerms:
        return HandTerms(dealer=f"D-{chance.randrange(made.DEALERS)}")


def record_md5(number: int) -> str:
    """Id of the finding that the store has for this row."""
    return hashlib.md5(str(number).encode(), usedforsecurity=False).hexdigest()
