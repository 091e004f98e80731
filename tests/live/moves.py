"""A property that is killed, restored, moved, rebuilt and upgraded; what it answered before, it answers afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from clickhouse_driver import Client

from deploy.configured.kafka import connection
from deploy.settings import load
from producers.kafka.topics import TopicAdmin
from schemas.answers import FOLD_VERSION
from schemas.topics import EVENTS
from tests.live.folding import Environment, Sent, catwalk, produce
from tests.live.killing import still
from tests.live.releases import NEXT, next_release, of_next
from tests.live.sites import members
from tests.live.working import prepared, workers
from tests.waiting import until

ALL = ("fold", "analyst", "sink")
FIRST, TIMES = 6_000, 3  # lines that come before all moves: in most orders enough to suspect a dealer
SHARE = 600  # lines that come in a move
BELIEVED = 60_000  # milliseconds after which what is missing is believed to be lost
Answers = dict[tuple[str, ...], str]
_ANSWERS = {
    "rounds": "subject, toString(first_sequence), record",
    "findings": "subject, finding_id, record",
}


@dataclass
class House:
    """The property: its servers and its release, the lines that are to come, and what it has answered so far."""

    environment: Environment
    folder: Path
    coming: Iterator[tuple[str, bytes]]
    times: ExitStack
    fold: int = FOLD_VERSION
    clock: int = 1_772_500_000_000
    moves: int = 0
    answered: Answers = field(default_factory=dict)

    def come(self, lines: int) -> list[Sent]:
        """The next lines, at the times at which the brokers take them."""
        found = []
        for subject, line in islice(self.coming, lines):
            self.clock += 250
            found.append(Sent(subject.encode(), line, at=self.clock))
        return found

    def give(self, records: list[Sent]) -> None:
        produce(self.environment, records)

    def keep_times(self) -> None:
        """The ledger's topic keeps the times that records are sent with: they stand for the brokers' clock."""
        settings = load(environment=self.environment).values
        admin = self.times.enter_context(TopicAdmin(connection(settings)))
        self.times.enter_context(admin.keeping_times([settings.kafka_prefix + EVENTS.name]))

    def work(self, environment: Environment | None = None, kinds: Sequence[str] = ALL) -> None:
        """These work until nobody is behind, and leave."""
        environment = environment or self.environment
        with workers(environment, self.folder, *kinds) as started:
            catwalk(environment, "lag", "--wait", "--seconds", "120")
            assert [one.stop() for one in started] == [0] * len(kinds)

    def answers(self) -> Answers:
        """What the store holds, each row under its name."""
        host, port = (self.environment[f"CATWALK_CLICKHOUSE_{part}"] for part in ("HOST", "PORT"))
        database = f"{self.environment['CATWALK_CLICKHOUSE_DATABASE']}_v{self.fold}"
        client = Client(host, port=int(port))
        try:
            return {
                (relation, *name): record
                for relation, columns in _ANSWERS.items()
                for *name, record in client.execute(f"SELECT {columns} FROM `{database}`.{relation} FINAL")
            }
        finally:
            client.disconnect()

    def next_folder(self, what: str) -> Path:
        self.moves += 1
        return self.folder / f"{self.moves}-{what}"


def killed(house: House) -> None:
    """All workers at once, with records in hand."""
    with workers(house.environment, house.folder, *ALL, named=True) as started:
        for one in started:
            one.at_work()
        house.give(house.come(SHARE))
        until(lambda: started[0].has_taken_more_than(0))
        for one in started:
            one.kill()
    house.work()


def frozen(house: House) -> None:
    """The fold stands still until its group has given it up, and goes on beside another one."""
    with workers(house.environment, house.folder, "fold", "analyst", "sink", "fold", named=False) as started:
        started[0].at_work()
        house.give(house.come(SHARE))
        with still(started[0].process):
            until(lambda: members(house.environment, "fold") < 2)
        catwalk(house.environment, "lag", "--wait", "--seconds", "120")
        for one in started:
            one.stop()  # the brokers count who is killed as a member for a while


def lost(house: House) -> None:
    """One event never comes; what follows is believed when enough time has passed."""
    records = house.come(SHARE)
    house.clock += BELIEVED
    house.give([*records[: SHARE // 3], *records[SHARE // 3 + 1 :], *house.come(SHARE // 4)])
    house.work()


def late(house: House) -> None:
    """One event comes when what follows it was believed without it."""
    records = house.come(SHARE)
    missing = records.pop(SHARE // 3)
    house.clock += BELIEVED
    house.give([*records, *house.come(SHARE // 4)])
    house.work()
    house.clock += BELIEVED
    house.give([missing._replace(at=house.clock), *house.come(SHARE // 4)])
    house.work()


def cut_off(house: House) -> None:
    """A table's gateway reaches no broker while others do; then its records come, the first of them twice."""
    records = house.come(SHARE)
    own = records[0].key
    others = [one for one in records if one.key != own]
    if others:
        house.give(others)
        house.work()
    house.clock += BELIEVED
    held = [one._replace(at=house.clock) for one in records if one.key == own]
    house.give([*held[: SHARE // 20], *held])
    house.work()


def rebuilt(house: House) -> None:
    """All is folded, weighed and stored again."""
    house.give(house.come(SHARE))
    house.work()
    _holds(house, house.answers(), "what came")
    assert "every row is the same" in catwalk(house.environment, "rebuild")


def restored(house: House) -> None:
    """A copy is put under another prefix, with another store and another home, and the property goes on there."""
    copy = house.next_folder("copy")
    catwalk(house.environment, "backup", "--out", str(copy))
    house.times.close()
    old = house.environment
    house.environment = {
        **old,
        "CATWALK_KAFKA_PREFIX": f"{old['CATWALK_KAFKA_PREFIX']}{house.moves}.",
        "CATWALK_CLICKHOUSE_DATABASE": f"{old['CATWALK_CLICKHOUSE_DATABASE']}{house.moves}",
        "CATWALK_DATA": str(house.next_folder("home")),
        "CATWALK_CONSOLE_USERS": str(house.next_folder("users")),
    }
    catwalk(house.environment, "topics", "apply")
    assert "weighed anew" not in catwalk(house.environment, "restore", str(copy))
    catwalk(house.environment, "migrate")
    told = catwalk(house.environment, "rebuild", "--against", str(copy))
    assert "with what is answered now: every answer is the same" in told
    house.keep_times()


def upgraded(house: House) -> None:
    """A release with another version of the fold comes in, whose answers are the same."""
    new = of_next(house.environment, next_release(house.next_folder("release"), otherwise=False))
    with workers(house.environment, house.folder, *ALL):
        prepared(new)
        house.work(new, ("fold", "sink"))
        assert " stand in the order of fold " in catwalk(new, "upgrade", "order", str(NEXT))
        with workers(new, house.folder, *ALL):
            catwalk(new, "lag", "--wait", "--seconds", "120")
            compared = json.loads(catwalk(new, "upgrade", "compare", str(NEXT), "--format", "json"))
            catwalk(new, "upgrade", "switch", str(NEXT), "--seen", compared["seen"])
    house.environment, house.fold = new, NEXT


MOVES: Mapping[str, Callable[[House], None]] = {
    one.__name__: one for one in (killed, frozen, lost, late, cut_off, rebuilt, restored, upgraded)
}


def play(house: House, moves: list[str]) -> None:
    """One move after the other; after each, every answer that was given stands as it was given."""
    prepared(house.environment)
    house.keep_times()
    with workers(house.environment, house.folder, *ALL) as started:
        for _ in range(TIMES):  # each table's evidence is weighed before the next table's comes
            house.give(house.come(FIRST // TIMES))
            catwalk(house.environment, "lag", "--wait", "--seconds", "120")
        for one in started:
            one.stop()
    _holds(house, house.answers(), "the first share")
    for name in moves:
        MOVES[name](house)
        _holds(house, house.answers(), name)
    catwalk(house.environment, "reconcile")


def suspected(house: House) -> list[str]:
    """What is suspected of dealers."""
    return [
        one for one in house.answered.values() if '"verdict":"suspected"' in one and '"dealer":"D-' in one
    ]


def _holds(house: House, now: Answers, behind: str) -> None:
    otherwise = {
        name: (record, now.get(name)) for name, record in house.answered.items() if now.get(name) != record
    }
    new = [record for name, record in now.items() if "suspected" in record and name not in house.answered]
    assert not otherwise, (behind, len(otherwise), next(iter(otherwise.items())), new)
    house.answered = now
