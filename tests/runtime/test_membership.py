"""A member's name is one process's: the second refuses and says who has it, and a restarted one gets it back."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection
from pathlib import Path

import pytest

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.membership import Membership, MemberTaken, elsewhere, own_addresses
from schemas.topics import SINK
from tests.clocks import Seconds

UUID = "0f8fad5b-d9cb-469f-a165-70867728950e"


@pytest.fixture(autouse=True)
def _own_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


def membership(
    hosts: list[Collection[str]], name: str | None = "sink-1", prefix: str = "", clock: Seconds | None = None
) -> Membership:
    """A membership that is told of these hosts, look by look, the last for ever; each look takes five seconds."""
    clock = clock or Seconds()

    async def look() -> Collection[str]:
        clock.now += 5.0
        return hosts.pop(0) if len(hosts) > 1 else hosts[0]

    return Membership(Brokers(servers="b:9092", prefix=prefix), SINK, name, 15.0, elsewhere=look, clock=clock)


def test_of_two_processes_of_one_machine_the_second_refuses_and_names_the_first() -> None:
    first, second = membership([()]), membership([()])
    asyncio.run(first.take())
    with pytest.raises(
        MemberTaken, match=f"sink --member sink-1: process {os.getpid()} of this machine has that name"
    ):
        asyncio.run(second.take())
    asyncio.run(first.take())  # begun anew after a loss of the brokers, it still has it
    asyncio.run(membership([()], name="sink-2").take())
    asyncio.run(membership([()], prefix="other.").take())
    asyncio.run(membership([()], name=None).take())
    first.let_go()
    asyncio.run(second.take())


def test_a_member_elsewhere_that_is_dead_is_waited_for_and_one_that_lives_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("processors.runtime.brokers.membership._LOOK", 0.0)
    asyncio.run(membership([{"10.0.0.7"}, {"10.0.0.7"}, ()]).take())
    clock = Seconds()
    lives = membership([{"10.0.0.7"}], name="sink-3", clock=clock)
    with pytest.raises(MemberTaken, match=r"a process at 10\.0\.0\.7 has that name"):
        asyncio.run(lives.take())
    assert clock.now > 15.0, "until its session was over it might have been dead"
    asyncio.run(membership([()], name="sink-3").take())


def test_told_to_end_it_waits_for_no_name() -> None:
    stop = asyncio.Event()
    stop.set()
    asyncio.run(membership([{"10.0.0.7"}]).take(stop))


def test_members_of_the_name_are_told_from_all_others() -> None:
    members = [
        (f"sink-1-{UUID}", "catwalk-sink", "/10.0.0.7", b"", b""),
        (f"sink-1-{UUID}", "catwalk-sink", "/10.0.0.1", b"", b""),  # this machine: its last life
        (f"sink-1-b-{UUID}", "catwalk-sink", "/10.0.0.8", b"", b""),
        (f"catwalk-sink-{UUID}", "catwalk-sink", "/10.0.0.9", b"", b""),
    ]
    assert elsewhere(members, "sink-1", {"10.0.0.1"}) == {"10.0.0.7"}
    assert "127.0.0.1" in own_addresses("127.0.0.1:9092,no.such.host.invalid:1,[::1]:9092")
