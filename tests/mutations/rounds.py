"""Rounds of lawful tables, each to be broken in one place and judged from the state in which it began."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache, partial
from typing import Any

import msgspec
from msgspec import Struct

from processors.pipeline import TablePipeline
from producers.simulator.blackjack.incidents.irregularities import IRREGULARITIES
from producers.simulator.floor.setup import usual_setup
from producers.simulator.session import Session
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.mutations.rechain import EXAMPLES, Event, altered, dropped, kind, load, moved
from tests.mutations.sections import SECTIONS
from tests.mutations.table import Broken, Row, spread

BLACKJACK: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a", "down_under_685a")
SIMULATED = {1: 40, 2: 40, 3: 40}  # seed -> rounds of the simulated tables


class Section(Struct, frozen=True):
    """One round of a lawful stream: its events, those of the next two rounds, and the table before it."""

    ruleset: Ruleset
    config: Event
    events: list[Event]
    after: list[Event]
    snapshot: bytes
    first: int
    head: str


Break = Callable[[Section], Iterator[list[Event]]]


class Mutation(Struct, frozen=True):
    """One way to break a round in one place, and the clauses that a finding must then cite one of."""

    name: str
    breaks: Break
    free_bet: tuple[str, ...] = ()
    down_under: tuple[str, ...] = ()
    only_590: tuple[str, ...] = ()
    only_672a: tuple[str, ...] = ()
    others: float = 0.3  # of the places, at which something else is said too

    def clauses(self, ruleset: str) -> tuple[str, ...]:
        """The provisions of a ruleset that it breaks; none where the ruleset does not know the duty."""
        own = {
            "free_bet_590": self.only_590 or self.free_bet,
            "free_bet_672a": self.only_672a or self.free_bet,
            "down_under_685a": self.down_under,
        }[ruleset]
        return tuple(clause.format(**SECTIONS[ruleset]) for clause in own)


def _line(event: Event, sequence: int, head: str, last: str) -> tuple[bytes, str]:
    time = max(event["time"], last)
    whole = {**event, "time": time, "sequence": sequence, "prevhash": head}
    return msgspec.json.encode(whole), time


def _simulated(ruleset: Ruleset, seed: int, rounds: int) -> list[Event]:
    setup = usual_setup(
        ruleset,
        f"M-{seed}",
        decks=6,
        settle_order=("collect_then_pay", "seat_by_seat")[seed % 2],
        bust_collection=("immediate", "at_settlement")[seed // 2 % 2],
        pickup_order=("seats_descending", "seats_ascending", "losers_first")[seed % 3],
        even_money=ruleset != "free_bet_590",
    )
    session, names = Session(setup, seed), IRREGULARITIES[ruleset]
    lines: list[bytes] = []
    for number in range(rounds):
        session.play(names[(number // 2 + seed) % len(names)] if number % 2 else None)
        lines += session.writer.take()
    return [json.loads(line) for line in lines]


def _published(ruleset: Ruleset) -> Iterator[list[Event]]:
    for path in sorted(EXAMPLES.glob("*.ndjson")):
        if not path.stem.startswith("breach"):
            events = load(path.stem)
            if next(e for e in events if kind(e) == "table_configured")["data"]["ruleset"] == ruleset:
                yield events


@cache
def sections(ruleset: Ruleset) -> tuple[Section, ...]:
    """Rounds of the published and of three simulated streams of a ruleset, irregular ones among them."""
    found: list[Section] = []
    for events in (
        *_published(ruleset),
        *(_simulated(ruleset, seed, rounds) for seed, rounds in SIMULATED.items()),
    ):
        found += _cut(ruleset, events)
    return tuple(found)


def _cut(ruleset: Ruleset, events: list[Event]) -> Iterator[Section]:
    pipeline = TablePipeline(events[0]["subject"], proofs=False, detect=False)
    starts = [index for index, event in enumerate(events) if kind(event) == "round_started"]
    ends = dict(zip(starts, [*starts[3:], *[len(events)] * 3], strict=False))
    config, head, last = {}, "0" * 64, ""
    for index, event in enumerate(events):
        if kind(event) == "table_configured":
            config = event["data"]
        if index in ends:
            close = next((i for i in range(index, len(events)) if kind(events[i]) == "round_ended"), None)
            if close is not None:
                yield Section(
                    ruleset,
                    config,
                    events[index : close + 1],
                    events[close + 1 : ends[index]],
                    pipeline.snapshot(),
                    index + 1,
                    head,
                )
        line, last = _line(event, index + 1, head, last)
        head = hashlib.sha256(line).hexdigest()
        pipeline.advance(line)


def _tried(mutation: Mutation, ruleset: Ruleset, most: int) -> Iterator[Broken]:
    places = [(section, events) for section in sections(ruleset) for events in mutation.breaks(section)]
    for section, events in spread(places, most):
        found = [one for one in findings(section, events) if one.verdict == "breached"]
        yield Broken(_where(section), found, mutation.clauses(ruleset))


def _where(section: Section) -> str:
    return f"{section.events[0]['subject']}#{section.first}"


Wanted = Callable[[Section, int, Event], bool]


def of(*kinds: str, **fields: Any) -> Wanted:
    """Events of these types whose data has these values."""

    def wanted(section: Section, index: int, event: Event) -> bool:
        data = event["data"]
        return kind(event) in kinds and all(data.get(name) == value for name, value in fields.items())

    return wanted


def places(section: Section, wanted: Wanted) -> Iterator[int]:
    """Indexes of the wanted events within the round."""
    for index, event in enumerate(section.events):
        if wanted(section, index, event):
            yield index


def drop(wanted: Wanted) -> Break:
    """Leave a wanted event out."""
    return lambda section: (dropped(section.events, i) for i in places(section, wanted))


def drop_with(wanted: Wanted, also: Callable[[Event, Event], bool]) -> Break:
    """Leave a wanted event out, and all later ones of the round that belong to it."""

    def broken(section: Section) -> Iterator[list[Event]]:
        for index in places(section, wanted):
            event, later = section.events[index], range(index + 1, len(section.events))
            gone = [other for other in later if also(event, section.events[other])]
            yield dropped(section.events, index, *gone)

    return broken


def settles(wager: Event, event: Event) -> bool:
    """Whether this is the settlement of the wager."""
    if kind(event) != "wager_settled":
        return False
    stakes = [
        (data["seat"], data["kind"], data.get("hand", f"{data['seat']}.1"))
        for data in (wager["data"], event["data"])
    ]
    return stakes[0] == stakes[1]


def findings(section: Section, events: Iterable[Event]) -> list[Finding]:
    """What is found when the round runs with these events, chained anew, and two more end the record."""
    pipeline = TablePipeline.restore(section.snapshot)
    found: list[Finding] = []
    head, last = section.head, ""
    for offset, event in enumerate((*events, *section.after)):
        line, last = _line(event, section.first + offset, head, last)
        head = hashlib.sha256(line).hexdigest()
        found += pipeline.advance(line).findings
    return [*found, *pipeline.finish().findings]  # also what waits until a device speaks again


def alter(wanted: Wanted, change: Callable[[Section, Event], Event | None]) -> Break:
    """Change fields of a wanted event; the change gives the new fields, or None where there is nothing to break."""

    def broken(section: Section) -> Iterator[list[Event]]:
        for index in places(section, wanted):
            fields = change(section, section.events[index])
            if fields is not None:
                yield altered(section.events, index, **fields)

    return broken


def move(wanted: Wanted, before: Callable[[Section, int], int | None]) -> Break:
    """Move a wanted event to stand before another, given by its index."""

    def broken(section: Section) -> Iterator[list[Event]]:
        for index in places(section, wanted):
            target = before(section, index)
            if target is not None and target not in (index, index + 1):
                events = moved(section.events, index, target)
                place = target if target < index else target - 1
                when = events[max(place - 1, 0)]["time"]  # it happens there, and is not told there too early
                yield [*events[:place], {**events[place], "time": when}, *events[place + 1 :]]

    return broken


def insert(after: Wanted, new: Callable[[Section, int], Event | None]) -> Break:
    """Put one event in behind a wanted one."""

    def broken(section: Section) -> Iterator[list[Event]]:
        for index in places(section, after):
            event = new(section, index)
            if event is not None:
                yield [*section.events[: index + 1], event, *section.events[index + 1 :]]

    return broken


def first(section: Section, *kinds: str) -> int | None:
    """Index of the round's first event of these types."""
    return next((i for i, event in enumerate(section.events) if kind(event) in kinds), None)


def last(section: Section, *kinds: str) -> int | None:
    """Index of the round's last event of these types."""
    return next((i for i in range(len(section.events) - 1, -1, -1) if kind(section.events[i]) in kinds), None)


def dealt(section: Section) -> int:
    """Index at which the first deal is over: of the dealer's second card."""
    own = [i for i, e in enumerate(section.events) if kind(e) == "card_placed" and e["data"]["hand"] == "D"]
    return own[1] if len(own) > 1 else len(section.events)


def in_the_deal(section: Section, index: int, event: Event) -> bool:
    """Whether the event belongs to the first deal."""
    return index <= dealt(section)


def both(*conditions: Wanted) -> Wanted:
    """All of the conditions."""
    return lambda section, index, event: all(one(section, index, event) for one in conditions)


def without(condition: Wanted) -> Wanted:
    """Not the condition."""
    return lambda section, index, event: not condition(section, index, event)


def rows(mutations: Iterable[Mutation]) -> list[list[Row]]:
    """Of each mutation a row for every ruleset that knows its duty."""
    return [
        [
            Row(f"{ruleset}: {one.name}", partial(_tried, one, ruleset), once=False, others=one.others)
            for ruleset in BLACKJACK
            if one.clauses(ruleset)
        ]
        for one in mutations
    ]


def assert_in_doubt(missing: Break, word: str, ruleset: Ruleset, most: int) -> None:
    """Where other devices tell of the word that is left out, nobody is accused, and a finding names the word."""
    tries = [(section, events) for section in sections(ruleset) for events in missing(section)]
    assert tries, "no round of the streams has a place for this"
    for section, events in spread(tries, most):
        found = findings(section, events)
        own = section.events[0]["data"]["round"]
        accused = [one for one in found if one.verdict == "breached" and one.round == own]
        assert not accused, f"{_where(section)}: {[(one.check, one.message) for one in accused]}"
        assert any(word in named for one in found for named in one.missing or ()), _where(section)
