"""A whole property of which parts break as a fault says, and what must hold behind it, whatever broke.

Each record is in the store once, each round is counted once, each alert stands once at the desk. Who cannot work
without servers that are away names them at `/readyz` until they are back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from typing import NamedTuple

from tests.live.checker import check
from tests.live.consoles import kept, to_be_raised
from tests.live.folding import expected
from tests.live.killing import known, still
from tests.live.sites import KINDS, Site, members
from tests.live.test_sink import execute
from tests.live.test_three_brokers import in_sync
from tests.live.working import Unacknowledged, all_caught_up, behind, events_in
from tests.waiting import until

SERVERS = ("brokers", "store")
PIECE = 20  # lines that come between two looks whether a point is met
# Each of these is counted by the analyst, and found in the store: in both ways it is the same.
COUNTED = (
    (
        "SELECT subject, dealer, gaming_day, sum(rounds), sum(net_cents)"
        " FROM `@`.counters FINAL GROUP BY ALL ORDER BY ALL",
        "SELECT subject, ifNull(dealer, ''), assumeNotNull(gaming_day), toUInt64(count()), sum(net_cents)"
        " FROM `@`.rounds FINAL GROUP BY ALL ORDER BY ALL",
    ),
    (
        "SELECT sum(handle_cents), sum(stakes) FROM `@`.counters FINAL",
        "SELECT sum(staked_cents), count() FROM `@`.stakes FINAL",
    ),
    (
        "SELECT sum(breached + indeterminate + interpretation + suspected) FROM `@`.counters FINAL",
        "SELECT count() FROM `@`.findings AS f FINAL INNER JOIN (SELECT subject, max(last_sequence) AS last"
        " FROM `@`.rounds FINAL GROUP BY subject) AS r ON r.subject = f.subject WHERE f.sequence <= r.last",
    ),
)


class Fault(NamedTuple):
    """What breaks, how, and when: which parts at once, a word of `HOWS`, a word of `WHENS`."""

    parts: tuple[str, ...]
    how: str
    when: str = "while events come"

    def __str__(self) -> str:
        return f"{' and '.join(self.parts)} {self.how} {self.when}"


def play(site: Site, faults: Sequence[Fault], meanwhile: Callable[[Site, Fault], None]) -> None:
    """One fault after the other, each within its share of the lines; `meanwhile` is called while servers are away."""
    shares = site.shares(len(faults) + 1)
    site.give(shares[0])  # so that the gateway knows each table
    hold(site, "before any fault")
    for fault, share in zip(faults, shares[1:], strict=True):
        HOWS[fault.how](site, fault, share, partial(meanwhile, site, fault))
        hold(site, str(fault))


def hold(site: Site, behind_what: str) -> None:
    """Wait until all have done their work, and hold store and desk against the lines that were given."""
    environment = site.environment
    site.until(f"all are ready, {behind_what}", site.all_ready)
    lines = sum(map(len, site.given.values()))
    stored = "SELECT count() FROM `@`.events FINAL"
    until(
        lambda: execute(environment, stored) == [(lines,)],
        lambda: f"{behind_what}: {lines} lines, {site.told()}",
    )
    all_caught_up(environment, kinds=KINDS)
    assert check(environment, site.given).wrong == [], behind_what
    for counted, stored in COUNTED:
        assert execute(environment, counted) == execute(environment, stored), behind_what
    wanted = sorted(to_be_raised(expected(site.given)[1]))
    until(lambda: len(raised(site)) >= len(wanted), lambda: f"{behind_what}: an alert is missing")
    assert raised(site) == wanted, behind_what


def raised(site: Site) -> list[str]:
    """The alerts that stand at the desk."""
    return sorted(one["data"]["finding"]["finding_id"] for one in kept(site.environment).acts("raised"))


Lines = Sequence[bytes]
Meanwhile = Callable[[], None]


def killed(site: Site, fault: Fault, lines: Lines, meanwhile: Meanwhile) -> None:
    """Ended as by a power cut, and started again: processes at once, servers when all have said that they are away."""
    if fault.parts[0] not in SERVERS:
        WHENS[fault.when](site, fault.parts, lines)
        site.start(*fault.parts)
        return
    half = len(lines) // 2
    site.give(lines[:half])
    with ExitStack() as back:
        if "store" in fault.parts:
            site.proxy.refuse = True  # a connection that comes too soon would end the engine
            site.proxy.cut()
        for server in site.servers(fault.parts):
            server.process.kill()
            back.callback(site.stack.up, [server])
        site.give(lines[half:])
        site.until(f"all say that {fault} do not answer", partial(site.names, fault.parts))
        meanwhile()
    site.proxy.refuse = False


def frozen(site: Site, fault: Fault, lines: Lines, meanwhile: Meanwhile) -> None:
    """Not a thread goes on: servers until everybody has said so, workers until their groups have given them up."""
    half = len(lines) // 2
    site.give(lines[:half])
    if fault.parts[0] in SERVERS:
        with ExitStack() as back:
            for server in site.servers(fault.parts):
                server.process.pause()
                back.callback(server.process.resume)
            site.give(lines[half:])
            site.until(f"all say that {fault} do not answer", partial(site.names, fault.parts))
            meanwhile()
        return
    with still(*(site.workers[kind].process for kind in fault.parts)):
        site.give(lines[half:])
        until(lambda: not any(members(site.environment, kind) for kind in fault.parts))


def cut(site: Site, fault: Fault, lines: Lines, meanwhile: Meanwhile) -> None:
    """The way to the store is cut, and nobody gets through; what the tables say is folded, and comes to the desk."""
    half = len(lines) // 2
    site.give(lines[:half])
    site.proxy.refuse = True
    site.proxy.cut()
    site.give(lines[half:])
    site.until(f"all say that {fault} does not answer", partial(site.names, fault.parts))
    meanwhile()
    wanted = sorted(to_be_raised(expected(site.given)[1]))
    until(lambda: raised(site) == wanted, lambda: "alerts do not wait for the store")
    site.proxy.refuse = False


def unanswered(site: Site, fault: Fault, lines: Lines, _: Meanwhile) -> None:
    """Three times rows are stored, and the connection is cut before their answer."""
    before, site.proxy.cut_answers = site.proxy.cuts, 3
    _come_until(site, lines, lambda: site.proxy.cuts == before + 3)


def silent(site: Site, fault: Fault, lines: Lines, _: Meanwhile) -> None:
    """Once rows are stored, and neither an answer nor the end of the connection ever comes; new connections work."""
    site.proxy.silence_answers = 1
    site.give(lines)
    until(lambda: not site.proxy.silence_answers)


def slow(site: Site, fault: Fault, lines: Lines, _: Meanwhile) -> None:
    """Each answer of the store takes a second and a half; an insert is several."""
    site.proxy.delay = 1.5
    before = events_in(site.directly)
    site.give(lines)
    until(lambda: events_in(site.directly) > before)
    site.proxy.delay = 0.0


def refusing(site: Site, fault: Fault, lines: Lines, _: Meanwhile) -> None:
    """The store answers, and takes no row."""
    execute(site.directly, "ALTER TABLE `@`.events MODIFY SETTING parts_to_throw_insert = 1")
    site.give(lines)
    until(lambda: site.workers["sink"].get("readyz")[0] == 503, site.workers["sink"].log.read_text)
    execute(site.directly, "ALTER TABLE `@`.events RESET SETTING parts_to_throw_insert")


def in_turn(site: Site, fault: Fault, lines: Lines, _: Meanwhile) -> None:
    """One broker of several is killed and started again, then the next: nobody is away, and no process ends."""
    size = -(-len(lines) // (2 * len(site.stack.brokers)))
    parts = iter(pieces(lines, size))
    for broker in site.stack.brokers:
        in_sync(site.stack.kafka_addresses)
        site.give(next(parts, ()))
        broker.process.kill()
        site.give(next(parts, ()))
        site.nobody_ended()
        broker.start()
        broker.wait()


HOWS: dict[str, Callable[[Site, Fault, Lines, Meanwhile], None]] = {
    "killed": killed,
    "frozen": frozen,
    "cut off": cut,
    "unanswered": unanswered,
    "silent": silent,
    "slow": slow,
    "refusing": refusing,
    "killed in turn": in_turn,
}


def pieces(lines: Lines, size: int = PIECE) -> Iterator[Lines]:
    return (lines[at : at + size] for at in range(0, len(lines), size))


def while_events_come(site: Site, parts: Sequence[str], lines: Lines) -> None:
    half = len(lines) // 2
    site.give(lines[:half])
    site.kill(*parts)
    site.give(lines[half:])


def with_records_in_hand(site: Site, parts: Sequence[str], lines: Lines) -> None:
    """The workers' groups were not told of everything that is before them."""
    kinds = [one for one in parts if one in KINDS]

    def is_met() -> bool:
        left = behind(site.environment)
        return all(left.get(kind) for kind in kinds)

    _kill_at(site, parts, lines, is_met)


def behind_results_alone(site: Site, parts: Sequence[str], lines: Lines) -> None:
    """Results of the fold stand on their topics, and neither a state nor its group knows of the records behind them."""
    before = known(site.environment)

    def is_met() -> bool:
        nonlocal before
        now = known(site.environment)
        if now[1:] != before[1:]:
            before = now
        return now.results > before.results

    _kill_at(site, parts, lines, is_met)


def behind_rows_unacknowledged(site: Site, parts: Sequence[str], lines: Lines) -> None:
    """The store has rows of which the sink does not know yet; they come to it again."""
    unacknowledged = Unacknowledged(site.proxy, partial(events_in, site.directly))
    with unacknowledged.rows(partial(site.give, lines)):
        site.kill(*parts)


WHENS: dict[str, Callable[[Site, Sequence[str], Lines], None]] = {
    "while events come": while_events_come,
    "with records in hand": with_records_in_hand,
    "behind results alone": behind_results_alone,
    "behind rows unacknowledged": behind_rows_unacknowledged,
}


def _kill_at(site: Site, parts: Sequence[str], lines: Lines, is_met: Callable[[], bool]) -> None:
    """Lines come until the point is met; all parts stand still, somebody looks once more, and they end."""

    def are_killed() -> bool:
        if is_met():
            with still(*site.processes(parts)):
                if is_met():
                    site.kill(*parts)
                    return True
        return False

    _come_until(site, lines, are_killed)


def _come_until(site: Site, lines: Lines, is_met: Callable[[], bool]) -> None:
    """Lines come a few at a time until it is met, then all that are left."""
    coming = iter(pieces(lines))

    def is_met_now() -> bool:
        met = is_met()
        site.give(() if met else next(coming, ()))
        return met

    until(is_met_now)
    for piece in coming:
        site.give(piece)
