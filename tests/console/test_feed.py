"""The feed's contract: a snapshot or every change behind a number, no gap, no change twice, a heartbeat, an end."""

import asyncio
import datetime as dt
from collections.abc import Callable
from typing import Any, cast

import msgspec
import pytest
from litestar import WebSocket
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import WebSocketTestSession

from dashboards.accounts.accounts import Accounts, User
from dashboards.alerts.feed import SIGNED_OUT, SignedOut, TooSlow, Viewer
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Accessed, Acknowledged, Released, Withheld
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.conftest import ORIGIN, Browser, Clock
from tests.console.desk_building import a_finding, a_raise
from tests.waiting import PATIENCE

SignedIn = Callable[[str], Browser]
ONE = a_finding(1).finding_id


def watch(browser: Browser, after: int | None = None, *, at: Browser | None = None) -> WebSocketTestSession:
    """The feed of who is signed in there; at another's server, where that is named."""
    # The test client calls the feed `ws:`, over which a jar gives away no cookie of TLS.
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    path = "/feed" if after is None else f"/feed?after={after}"
    return (at or browser).websocket_connect(path, headers={"cookie": cookies})


def told(feed: WebSocketTestSession, until: int) -> list[Any]:
    """What comes up to the change of this number, heartbeats left out."""
    messages: list[Any] = []
    while not messages or messages[-1]["seq"] < until:
        lines = map(msgspec.json.decode, feed.receive_text(timeout=PATIENCE).splitlines())
        messages += [message for message in lines if message["kind"] != "heartbeat"]
    return messages


def snapshot_in(feed: WebSocketTestSession) -> Any:
    """The next snapshot, whatever comes before."""
    while True:
        for message in map(msgspec.json.decode, feed.receive_text(timeout=PATIENCE).splitlines()):
            if message["kind"] == "snapshot":
                return message


def closing(feed: WebSocketTestSession) -> int:
    """The code with which the feed is closed, whatever comes before."""
    try:
        while True:
            feed.receive_text(timeout=PATIENCE)
    except WebSocketDisconnect as closed:
        return closed.code


def refusal(browser: Browser) -> str:
    """Why the feed is refused before it begins."""
    with pytest.raises(WebSocketDisconnect) as refused, watch(browser):
        pass
    return refused.value.detail


def raise_many(console: Console, first: int, last: int) -> None:
    console.desk.raise_alerts(a_raise(a_finding(n)) for n in range(first, last + 1))


def test_the_first_load_is_all_open_alerts_at_a_number_and_the_feed_goes_on_behind_it(
    signed_in: SignedIn, console: Console
) -> None:
    raise_many(console, 1, 300)
    with watch(signed_in("hale")) as feed:
        snapshot = feed.receive_json(timeout=PATIENCE)
        assert (snapshot["kind"], snapshot["seq"], len(snapshot["alerts"])) == ("snapshot", 300, 300)
        raise_many(console, 301, 302)
        console.desk.act(Acknowledged(alert=ONE, version=1), "ito")
        changes = told(feed, 303)
    assert [(c["seq"], c["act"]) for c in changes] == [
        (301, "raised"),
        (302, "raised"),
        (303, "acknowledged"),
    ]
    assert (changes[2]["alert"]["id"], changes[2]["alert"]["version"]) == (ONE, 2)


def test_who_resumes_is_told_every_change_once_and_in_order(signed_in: SignedIn, console: Console) -> None:
    raise_many(console, 1, 20)
    hale = signed_in("hale")
    with watch(hale, 5) as feed:
        assert [m["seq"] for m in told(feed, 20)] == list(range(6, 21))
    raise_many(console, 21, 40)
    with watch(hale, 20) as feed:
        assert [m["seq"] for m in told(feed, 40)] == list(range(21, 41))


def test_a_number_that_is_no_longer_held_or_not_yet_given_brings_a_snapshot(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    short = Console(Desk(log, console.clock, kept=3), console.accounts, console.clock, (ORIGIN,))
    raise_many(short, 1, 10)
    console.desk.catch_up()
    assert short.desk.changes_after(6) is None
    with watch(signed_in("hale"), 99) as feed:
        snapshot = feed.receive_json(timeout=PATIENCE)
    assert (snapshot["kind"], snapshot["seq"]) == ("snapshot", 10)


def test_after_a_restart_of_the_server_nothing_is_lost_or_doubled(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    raise_many(console, 1, 10)
    hale = signed_in("hale")
    seen = []
    with watch(hale, 0) as feed:
        seen += [m["seq"] for m in told(feed, 10)]
    Desk(log, console.clock).raise_alerts(a_raise(a_finding(n)) for n in range(11, 16))
    console_after = Console(Desk(log, console.clock), console.accounts, console.clock, (ORIGIN,))
    assert console_after.desk.seq == 15
    with watch(signed_in("hale"), 10) as feed:
        seen += [m["seq"] for m in told(feed, 15)]
    assert seen == list(range(1, 16))


def test_accesses_leave_no_gap_in_the_numbers(signed_in: SignedIn, console: Console) -> None:
    with watch(signed_in("hale"), 0) as feed:
        for number in range(1, 6):
            raise_many(console, number, number)
            console.desk.note(Accessed(what="alert", object="x", granted=True), "ito")
        assert [m["seq"] for m in told(feed, 5)] == [1, 2, 3, 4, 5]


def test_what_is_not_for_a_viewer_is_a_number_and_nothing_else(signed_in: SignedIn, console: Console) -> None:
    console.desk.note(Withheld(user="fay", kind="dealer", value="D123"), "ann")
    with watch(signed_in("fay"), 0) as feed:
        console.desk.raise_alerts(
            [
                a_raise(a_finding(1, verdict="suspected")),
                a_raise(a_finding(2), dealer="D123"),
                a_raise(a_finding(3)),
            ]
        )
        changes = told(feed, 3)
    assert changes[:2] == [{"kind": "change", "seq": 1}, {"kind": "change", "seq": 2}]
    assert changes[2]["alert"]["dealer"] == "D105"


def test_the_heartbeat_says_the_last_number_and_the_time(signed_in: SignedIn, console: Console) -> None:
    raise_many(console, 1, 2)
    with watch(signed_in("hale"), 2) as feed:
        for _ in range(3):
            beat = feed.receive_json(timeout=PATIENCE)
            assert (beat["kind"], beat["head"]) == ("heartbeat", 2)
            assert dt.datetime.fromisoformat(beat["time"]) == console.clock()


def test_a_feed_ends_with_the_sign_in_and_does_not_prolong_it(
    signed_in: SignedIn, accounts: Accounts, clock: Clock
) -> None:
    hale = signed_in("hale")
    with watch(hale) as feed:
        feed.receive_json(timeout=PATIENCE)
        clock.forward(20 * 60)
        for _ in range(4):  # as many looks at the sign-in
            feed.receive_json(timeout=PATIENCE)
        clock.forward(10 * 60)
        assert closing(feed) == SIGNED_OUT
    ito = signed_in("ito")
    with watch(ito) as feed:
        accounts.disable("ito")
        assert closing(feed) == SIGNED_OUT


def test_feeds_that_are_opened_again_and_again_do_not_prolong_a_sign_in(
    signed_in: SignedIn, clock: Clock
) -> None:
    hale = signed_in("hale")
    for _ in range(3):
        with watch(hale) as feed:
            feed.receive_json(timeout=PATIENCE)
        clock.forward(10 * 60)
    assert refusal(hale) == "sign in first"


def test_what_is_withheld_while_a_feed_is_open_is_gone_from_it_and_comes_back(
    signed_in: SignedIn, console: Console
) -> None:
    console.desk.raise_alerts([a_raise(a_finding(1)), a_raise(a_finding(2, subject="BJ-40"))])
    with watch(signed_in("hale")) as feed:
        assert len(feed.receive_json(timeout=PATIENCE)["alerts"]) == 2
        console.desk.note(Withheld(user="hale", kind="table", value="BJ-12"), "ann")
        anew = snapshot_in(feed)
        assert (anew["seq"], [one["table"] for one in anew["alerts"]]) == (2, ["BJ-40"])
        console.desk.raise_alerts([a_raise(a_finding(3))])
        assert told(feed, 3) == [{"kind": "change", "seq": 3}]
        console.desk.note(Released(user="hale", kind="table", value="BJ-12"), "ann")
        assert len(snapshot_in(feed)["alerts"]) == 3


def test_it_is_gone_from_a_feed_that_is_never_at_rest(signed_in: SignedIn, console: Console) -> None:
    raise_many(console, 1, 5)
    with watch(signed_in("hale")) as feed:
        feed.receive_json(timeout=PATIENCE)
        console.desk.note(Withheld(user="hale", kind="dealer", value="D105"), "ann")
        raise_many(console, 6, 9)
        messages = told(feed, 9)
    assert messages[0]["kind"] == "snapshot"
    assert all("alert" not in one and not one.get("alerts") for one in messages)


@pytest.mark.parametrize("changed", [0, 3])
def test_who_resumes_after_something_was_withheld_gets_a_snapshot_in_place_of_what_they_hold(
    signed_in: SignedIn, console: Console, changed: int
) -> None:
    raise_many(console, 1, 5)
    console.desk.note(Withheld(user="hale", kind="table", value="BJ-12"), "ann")
    raise_many(console, 6, 5 + changed)
    hale = signed_in("hale")
    with watch(hale, 5) as feed:
        assert feed.receive_json(timeout=PATIENCE) == {
            "kind": "snapshot",
            "seq": 5 + changed,
            "alerts": [],
        }
    raise_many(console, 20, 22)
    with watch(hale, 6 + changed) as feed:
        assert [one["kind"] for one in told(feed, 8 + changed)] == ["change", "change"]


@pytest.mark.parametrize("origin", [None, "null", "https://elsewhere.test"])
def test_another_page_gets_no_feed(signed_in: SignedIn, origin: str | None) -> None:
    hale = signed_in("hale")
    del hale.headers["origin"]
    if origin is not None:
        hale.headers["origin"] = origin
    assert refusal(hale) == "not from a page of this console"


def test_neither_a_stranger_nor_who_reads_no_alerts_gets_a_feed(
    signed_in: SignedIn, browse: Callable[[], Browser]
) -> None:
    stranger = browse()
    stranger.headers["origin"] = ORIGIN
    assert refusal(stranger) == "sign in first"
    assert refusal(signed_in("ann")) == "the role admin reads no alerts"


class Reader:
    """A browser's end of a socket that takes `most` messages and then none."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.taken = 0
        self.messages: list[Any] = []
        self.going = asyncio.Event()

    async def send_data(self, text: str) -> None:
        if self.taken >= self.most:
            await asyncio.Event().wait()
        self.taken += 1
        self.messages += map(msgspec.json.decode, text.splitlines())

    async def receive_data(self, mode: str) -> str:
        await self.going.wait()
        raise WebSocketDisconnect(detail="gone")


def viewer(console: Console, token: str, reader: Reader) -> Viewer:
    user = User("hale", "surveillance", "")
    return Viewer(console, user, token, cast("WebSocket[User, str, Any]", reader))


def test_who_reads_too_slowly_is_cut_off_and_nothing_piles_up(console: Console, accounts: Accounts) -> None:
    slow = Console(console.desk, accounts, console.clock, (ORIGIN,), backlog=5, send_within=60)

    async def run() -> list[Any]:
        reader = Reader(most=2)
        serving = asyncio.ensure_future(viewer(slow, accounts.sign_ins.begin("hale"), reader).serve(0))
        await asyncio.sleep(0.05)
        await asyncio.to_thread(raise_many, slow, 1, 20)
        with pytest.raises(TooSlow):
            await asyncio.wait_for(serving, 30)
        return reader.messages

    messages = asyncio.run(run())
    assert [m["kind"] for m in messages][:2] == ["heartbeat", "change"]
    assert [m["seq"] for m in messages[1:]] == list(range(1, len(messages)))
    assert len(messages) < 20
    assert slow.desk._listeners == []


def test_who_is_cut_off_was_sent_no_gap_before(console: Console, accounts: Accounts) -> None:
    """The reader takes one again just when the first was left out: nothing comes in behind it."""
    slow = Console(console.desk, accounts, console.clock, (ORIGIN,), backlog=5, send_within=60)

    async def run() -> list[int]:
        reader = Reader(most=10_000)
        watching = viewer(slow, accounts.sign_ins.begin("hale"), reader)
        for number in range(1, 9):
            raise_many(slow, number, number)
        changes = slow.desk.changes_after(0) or ()
        for change in changes[:7]:  # five fit, two do not
            watching._keep(change)
        watching._waiting.get_nowait()
        watching._keep(changes[7])
        return [watching._waiting.get_nowait().seq for _ in range(watching._waiting.qsize())]

    assert asyncio.run(run()) == [2, 3, 4, 5]


def test_one_message_may_not_take_for_ever(console: Console, accounts: Accounts) -> None:
    async def run() -> None:
        serving = viewer(console, accounts.sign_ins.begin("hale"), Reader(most=0)).serve(None)
        with pytest.raises(TooSlow):
            await asyncio.wait_for(serving, 30)

    asyncio.run(run())


def test_who_goes_is_not_waited_for(console: Console, accounts: Accounts) -> None:
    async def run() -> None:
        reader = Reader(most=100)
        serving = asyncio.ensure_future(viewer(console, accounts.sign_ins.begin("hale"), reader).serve(None))
        await asyncio.sleep(0.05)
        reader.going.set()
        await asyncio.wait_for(serving, 30)

    asyncio.run(run())
    assert console.desk._listeners == []


def test_a_viewer_whose_role_changes_is_sent_away(console: Console, accounts: Accounts) -> None:
    async def run() -> None:
        token = accounts.sign_ins.begin("fay")
        with pytest.raises(SignedOut):
            await asyncio.wait_for(viewer(console, token, Reader(most=100)).serve(None), 30)

    asyncio.run(run())


def raise_one_by_one(console: Console, last: int) -> None:
    for number in range(1, last + 1):
        raise_many(console, number, number)


def test_changes_made_while_the_past_is_read_come_once(console: Console, accounts: Accounts) -> None:
    """Many start to view while alerts are raised: each sees every number, from wherever it began."""

    async def run() -> list[list[int]]:
        token = accounts.sign_ins.begin("hale")
        readers = [Reader(most=10_000) for _ in range(8)]
        raising = asyncio.ensure_future(asyncio.to_thread(raise_one_by_one, console, 100))
        views = []
        for reader in readers:
            await asyncio.sleep(0.01)
            views.append(asyncio.ensure_future(viewer(console, token, reader).serve(None)))
        await raising
        await asyncio.sleep(0.3)
        for reader in readers:
            reader.going.set()
        await asyncio.gather(*views)
        return [[m["seq"] for m in reader.messages if m["kind"] != "heartbeat"] for reader in readers]

    for seqs in asyncio.run(run()):
        assert seqs == list(range(seqs[0], 101))
