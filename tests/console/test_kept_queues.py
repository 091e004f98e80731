"""What is kept of the queue from one look to the next: whatever was done, the answer is the one made afresh."""

import datetime as dt
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboards.accounts.roles import ROLES
from dashboards.alerts.queue_lines import in_order
from dashboards.alerts.queue_order import ORDERS
from dashboards.desk.decisions import Refused
from dashboards.desk.desk import Desk
from dashboards.desk.index import WAITING
from dashboards.ledger.acts import (
    Acknowledged,
    Assigned,
    ClosingConfirmed,
    ClosingDeclined,
    ClosingProposed,
    Disposed,
    Noted,
    OnAlert,
    Released,
    Reopened,
    Shelved,
    Undone,
    Unshelved,
    Withheld,
)
from dashboards.queue.open_queue import OpenQueue, OpenQueues, open_queue
from dashboards.queue.views import AlertRow
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import Clock
from tests.console.desk_building import a_finding, a_raise

FINDINGS = [
    a_finding(1),
    a_finding(2, severity="critical", money_cents=-900),
    a_finding(3, subject="BJ-19", verdict="suspected"),
    a_finding(4, check="pace", severity="minor", money_cents=0),
    msgspec.structs.replace(a_finding(5), round=8),
    a_finding(6, subject="BJ-19", money_cents=70),
]
LOOKS = [(role, withheld) for role in ("surveillance", "floor", "revenue") for withheld in (False, True)]
STEPS = st.lists(
    st.tuples(st.integers(0, len(FINDINGS) - 1), st.integers(0, 14), st.integers(0, 400)), max_size=40
)


def an_act(kind: int, alert: str, version: int, now: dt.datetime) -> OnAlert:
    acts: tuple[OnAlert, ...] = (
        Acknowledged(alert=alert, version=version),
        Assigned(alert=alert, version=version, to="ito"),
        Shelved(alert=alert, version=version, reason="x", until=now + dt.timedelta(minutes=5)),
        Unshelved(alert=alert, version=version),
        Disposed(alert=alert, version=version, disposition="no error", note="x"),
        Reopened(alert=alert, version=version, reason="x"),
        Undone(alert=alert, version=version),
        ClosingProposed(alert=alert, version=version, disposition="no error", note="x"),
        ClosingConfirmed(alert=alert, version=version),
        ClosingDeclined(alert=alert, version=version, reason="x"),
        Noted(alert=alert, version=version, note="x"),
    )
    return acts[kind % len(acts)]


def step(desk: Desk, clock: Clock, which: int, kind: int, pause: int) -> None:
    """Raise an alert, act upon one, end shelves that are due, withhold a table or release it: whatever may be done."""
    clock.forward(pause)
    desk.return_due()
    finding = FINDINGS[which]
    alert = desk.alert(finding.finding_id)
    if alert is None:
        desk.raise_alerts([a_raise(finding, at=clock())])
    elif kind >= 11:
        act = Withheld if kind % 2 else Released
        desk.note(act(user="hale", kind="table", value=finding.subject), "ann")
    else:
        try:
            actor = ("hale", "ito")[pause % 2]
            desk.act(an_act(kind, alert.id, alert.version, clock()), actor)
        except Refused:
            return


def told(queue: OpenQueue) -> list[bytes]:
    """All that is answered from a queue, in bytes: its lines, its groups, and the groups in each order."""
    rows: list[AlertRow] = list(queue.rows.values())
    orders = [in_order(rows, queue, order) for order in ORDERS]
    waiting = [one for one in rows if one.status in WAITING]
    some = [queue.regrouped(given) for given in (waiting, waiting[1:], rows[::2])]
    return [
        msgspec.json.encode(one)
        for one in (queue.seq, rows, [held.group for held in queue.groups.values()], orders, some)
    ]


@settings(deadline=None)
@given(STEPS)
def test_whatever_was_done_a_kept_queue_is_byte_for_byte_the_one_made_afresh(
    steps: list[tuple[int, int, int]],
) -> None:
    clock = Clock()
    with TemporaryDirectory() as folder:
        log = SqliteDeskLog(Path(folder) / "desk.db")
        desk = Desk(log, clock)
        queues = OpenQueues(desk)
        for which, kind, pause in steps:
            step(desk, clock, which, kind, pause)
            for name, withheld in LOOKS:
                role = ROLES[name]
                hidden = desk.withheld_from("hale") if withheld else frozenset()
                kept, afresh = queues.of(role, hidden), open_queue(desk.snapshot(), role, hidden)
                assert told(kept) == told(afresh)
        log.close()


def test_a_line_that_did_not_change_is_not_made_anew_and_one_that_did_is(console: Console) -> None:
    desk, role = console.desk, ROLES["surveillance"]
    desk.raise_alerts([a_raise(one) for one in FINDINGS])
    before = console.queues.of(role, frozenset())
    assert console.queues.of(role, frozenset()) is before, "nothing was done"
    desk.act(Acknowledged(alert=FINDINGS[0].finding_id, version=1), "hale")
    after = console.queues.of(role, frozenset())
    anew = {name for name in after.rows if after.rows[name] is not before.rows[name]}
    assert anew == {FINDINGS[0].finding_id}
    changed = {key for key in after.groups if after.groups[key] is not before.groups[key]}
    assert changed == {after.rows[FINDINGS[0].finding_id].group}


def test_two_consoles_keep_queues_of_their_own(console: Console, tmp_path: Path, clock: Clock) -> None:
    log = SqliteDeskLog(tmp_path / "other.db")
    other = Console(Desk(log, clock), console.accounts, clock, console.origins)
    console.desk.raise_alerts([a_raise(FINDINGS[0])])
    other.desk.raise_alerts([a_raise(FINDINGS[1])])
    role = ROLES["surveillance"]
    assert [*console.queues.of(role, frozenset()).rows] == [FINDINGS[0].finding_id]
    assert [*other.queues.of(role, frozenset()).rows] == [FINDINGS[1].finding_id]
    log.close()
