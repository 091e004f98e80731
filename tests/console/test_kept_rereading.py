"""How much a page of other readings asks of the store and of the processor, and that it asks once."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.reader.question import Parameter
from dashboards.reader.restitution import RoundSpan
from dashboards.replayer.readings_port import Before, RereadRounds, Rival, RivalDue, RivalDues
from dashboards.restitution import readings_page
from dashboards.restitution.kept_rereading import KEPT, KeptRereading, RereadingBusy
from dashboards.restitution.rivals import RIVALS, count_of_days, rival_lines, rounds_of_days
from dashboards.web.console import Console
from deploy.audit.rereading import reread_rounds
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.core.state import Table
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of
from tests.console.conftest import ORIGIN, Clock
from tests.console.test_rival_readings import FIRST, LAST, SETUP, SignedIn, dues, streams

MONTH = f"/revenue/readings?day={LAST}&period=month"
LINES = f"/revenue/readings/lines?place=A12&policy=best&day={LAST}&period=month"


class Overheard:
    """A store, and what it was asked."""

    def __init__(self, store: Warehouse) -> None:
        self._store = store
        self.asked: list[tuple[str, Mapping[str, Parameter]]] = []

    def query(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> list[tuple[Any, ...]]:
        self.asked.append((sql, parameters or {}))
        return self._store.query(sql, parameters or {})


class Counted:
    """A working-out that says how often it was asked for."""

    def __init__(self, reread: RereadRounds) -> None:
        self._reread = reread
        self.times = 0

    def __call__(self, spans: Iterable[RoundSpan], before: Before, rivals: Iterable[Rival]) -> RivalDues:
        self.times += 1
        return self._reread(spans, before, rivals)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("kept"), streams()) as held:
        yield held


@pytest.fixture
def store(whole: Warehouse) -> Overheard:
    return Overheard(whole)


@pytest.fixture
def counted(whole: Warehouse) -> Counted:
    return Counted(partial(reread_rounds, whole))


@pytest.fixture
def console(
    log: SqliteDeskLog, accounts: Accounts, clock: Clock, store: Overheard, counted: Counted
) -> Console:
    kept = KeptRereading(counted)
    return Console(Desk(log, clock), accounts, clock, (ORIGIN,), records=store, reread_rounds=kept)


def test_the_page_counts_rounds_and_fetches_none(signed_in: SignedIn, store: Overheard) -> None:
    rounds = len(rounds_of_days(store, FIRST, LAST))
    assert count_of_days(store, FIRST, LAST) == rounds > 0
    withheld = {("table", SETUP.subject)}
    assert count_of_days(store, FIRST, LAST, withheld) == len(rounds_of_days(store, FIRST, LAST, withheld))
    store.asked.clear()
    page = signed_in("rex").get(f"/revenue/readings?day={LAST}&period=year").text
    assert f"Each of the {rounds:,} rounds" in page
    assert [sql for sql, _ in store.asked if "count()" in sql and "rounds" in sql]
    assert [sql for sql, _ in store.asked if "last_sequence" in sql] == []


def test_more_rounds_than_a_page_works_out_are_left_to_the_command(
    signed_in: SignedIn, counted: Counted, store: Overheard, monkeypatch: pytest.MonkeyPatch
) -> None:
    rex, rounds = signed_in("rex"), count_of_days(store, FIRST, LAST)
    monkeypatch.setattr(readings_page, "AT_MOST", rounds - 1)
    for path in (MONTH, f"{MONTH}&work=yes", LINES):
        page = html.unescape(rex.get(path).text)
        assert f"{rounds:,} rounds. This page works out {rounds - 1:,} at most" in page
        assert f"catwalk report readings --day {LAST} --period mtd" in page
        assert 'name="work"' not in page
    assert counted.times == 0
    monkeypatch.setattr(readings_page, "AT_MOST", rounds)
    assert "<table" in rex.get(f"{MONTH}&work=yes").text
    assert counted.times == 1


def test_the_lines_of_a_place_and_the_way_back_fold_nothing_again(
    signed_in: SignedIn, counted: Counted
) -> None:
    rex = signed_in("rex")
    first = rex.get(f"{MONTH}&work=yes").text
    lines = rex.get(LINES).text
    assert 'id="to-house"' in lines
    back = re.search(r'href="([^"]+)" data-back', lines)
    assert back is not None
    again = rex.get(html.unescape(back[1])).text
    assert re.findall(r"<tbody>.*?</tbody>", first, re.S) == re.findall(r"<tbody>.*?</tbody>", again, re.S)
    assert counted.times == 1


def test_who_comes_second_is_told_and_may_try_again(
    signed_in: SignedIn, console: Console, counted: Counted
) -> None:
    rex = signed_in("rex")
    told = []

    def meanwhile(*_: Any) -> RivalDues:
        told.append(rex.get(f"{MONTH}&work=yes"))
        told.append(rex.get(LINES))
        return {}

    kept = console.reread_rounds
    assert isinstance(kept, KeptRereading)
    others = [RoundSpan("elsewhere", 1, 2)]
    at_first, counted._reread = counted._reread, meanwhile
    kept(others, nowhere, ())
    counted._reread = at_first
    for answer, path in zip(told, (f"{MONTH}&work=yes", LINES), strict=True):
        assert (answer.status_code, answer.headers["retry-after"]) == (503, "10")
        assert "Another working-out is under way" in answer.text
        assert f'<a href="{path}">Try again</a>' in html.unescape(answer.text)
        assert rex.get(path).status_code == 200


def nowhere(subject: str, sequence: int) -> Table:
    raise AssertionError(f"nobody asks for {subject} before {sequence}")


def test_what_is_kept_is_of_these_rounds_and_rivals_alone_and_bounded() -> None:
    made = Counted(
        lambda spans, _, rivals: {one: (RivalDue(("x", len(tuple(spans)), 1), 0, 1),) for one in rivals}
    )
    kept = KeptRereading(made)

    def ask(rounds: int, *rivals: Rival) -> RivalDues:
        spans = [RoundSpan("x", one, one) for one in range(rounds)]
        return kept(spans, nowhere, rivals)

    both = RIVALS[:2]
    assert ask(1, *both) == ask(1, *both)
    assert list(ask(1, both[1])) == [both[1]]
    assert made.times == 1
    assert ask(2, *both) != ask(1, *both), "a round more is another answer"
    assert made.times == 2
    ask(1, RIVALS[2])
    assert made.times == 3
    assert list(ask(1, *RIVALS[:3])) == list(RIVALS[:3])
    assert made.times == 3, "what was found before is kept beside"
    for rounds in range(3, 3 + KEPT):
        ask(rounds, *both)
    ask(1, *both)
    assert made.times == 3 + KEPT + 1, "the one that nobody asked for longest is forgotten"


def test_a_failure_lets_the_next_one_begin() -> None:
    def fails(*_: Any) -> RivalDues:
        with pytest.raises(RereadingBusy):
            kept([RoundSpan("y", 1, 2)], nowhere, RIVALS)
        raise ValueError("the store is away")

    kept = KeptRereading(fails)
    for _ in range(2):
        with pytest.raises(ValueError, match="the store is away"):
            kept([RoundSpan("x", 1, 2)], nowhere, RIVALS)


def test_only_the_lines_that_are_shown_are_asked_for(store: Overheard, whole: Warehouse) -> None:
    changes = max(dues(whole, FIRST, LAST).values(), key=len)
    every = rival_lines(store, changes)
    assert len({one.row.first_sequence for one in every}) > 1
    store.asked.clear()
    assert rival_lines(store, changes, 1) == every[:1]
    fetched = [firsts for _, given in store.asked if isinstance(firsts := given["firsts"], tuple)]
    assert sum(len(firsts) for firsts in fetched) == 1
