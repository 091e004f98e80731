"""Simulated tables to which something is done that no single round shows, or something that only looks like it."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import random
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from dashboards.suspicions.against import against, draw_against
from dashboards.suspicions.suspicions import course_of, figures_of, weighty_rounds
from dashboards.web.console import NoRecords
from processors.detectors.family import FAMILIES
from processors.detectors.shapes import Observation
from processors.detectors.stages.entity_stage import EntityStage
from processors.pipeline import TablePipeline
from producers.simulator.floor.setup import Habits
from schemas.events.envelope import GENESIS
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.pipeline.simulated import lines_of_table

Event = dict[str, Any]
Change = Callable[[Event], list[Event]]
EFFECT = {"pay": 1, "collect": -1, "return": 0}
STEADY = Habits(dealer_minutes=25.0, shift_hours=0.5, arrives=0.0, leaves=0.0, idles=0.0, preshuffled=0.0)


@cache
def table(seed: int, rounds: int = 300, ruleset: Ruleset = "free_bet_672a") -> tuple[bytes, ...]:
    """A lawful table with dealers in turns, whose tray is counted every half hour."""
    return tuple(lines_of_table(ruleset, seed, rounds, habits=STEADY))


def changed(lines: Iterable[bytes], change: Change) -> list[bytes]:
    """The stream with each event changed, left out or joined by others, numbered and chained anew."""
    made: list[bytes] = []
    head = GENESIS
    for line in lines:
        for event in change(json.loads(line)):
            sequence = len(made) + 1
            event |= {"sequence": sequence, "id": f"{event['subject']}-{sequence}", "prevhash": head}
            made.append(json.dumps(event, separators=(",", ":")).encode())
            head = hashlib.sha256(made[-1]).hexdigest()
    return made


def kind_of(event: Event) -> str:
    return str(event["type"]).rpartition(".")[2]


class Course:
    """Where a stream stands: the dealer, the round, the main stakes of its hands, and who sits where."""

    def __init__(self) -> None:
        self.dealer, self.round, self.turns = "", 0, 0
        self.dealers: list[str] = []
        self.stakes: dict[str, int] = {}
        self.players: dict[int, str] = {}
        self.met: list[str] = []

    def take(self, event: Event) -> str:
        """Follow an event; its kind."""
        kind, data = kind_of(event), event["data"]
        if kind == "dealer_arrived":
            self.dealer = data["staff"]
            self.turns += 1
            if self.dealer not in self.dealers:
                self.dealers.append(self.dealer)
        elif kind == "player_arrived":
            self.players[data["seat"]] = data["player"]
            if data["player"] not in self.met:
                self.met.append(data["player"])
        elif kind == "round_started":
            self.round = data["round"]
            self.stakes.clear()
        elif kind == "wager_placed" and data["kind"] == "main":
            self.stakes[data.get("hand") or f"{data['seat']}.1"] = data["cents"]
        return kind


def mispaid(chance: float, seed: int, *, way: str, nth: int = 0, least: int = 0) -> Change:
    """The dealer who came `nth` (-1: every one) mispays main wagers of at least `least` cents.

    way: for "patrons", for the "house", "both" (winners get too little, losers keep their stakes), or "uncollected":
    lost stakes are left lying.
    """
    course, rng, tray = Course(), random.Random(seed), 0

    def change(event: Event) -> list[Event]:
        nonlocal tray
        kind, data = course.take(event), event["data"]
        if kind == "inventory_counted":
            data["cents"] += tray
            data.pop("chips", None)
        hers = nth < 0 or course.dealers.index(course.dealer) == nth if course.dealer else False
        if kind != "wager_settled" or data["kind"] != "main" or not hers or data["outcome"] == "return":
            return [event]
        if data["cents"] < least or rng.random() >= chance:
            return [event]
        to = way if way != "both" else "house" if data["outcome"] == "pay" else "patrons"
        if data["outcome"] == "pay":
            wrong = 500 if to == "patrons" else -500
            data["cents"] += wrong
            tray -= wrong
        elif to == "patrons":  # a lost stake is left with its patron
            data["outcome"] = "return"
            tray -= data["cents"]
        elif to == "uncollected":
            tray -= data["cents"]
            return []
        return [event]

    return change


def favoured(chance: float, seed: int, *, player: int, nth: int = 0) -> Change:
    """The dealer who came `nth` (-1: every one) overpays, or leaves lying, main wagers of the player at a seat alone.

    player: the how many-th player who came, from 0; -1: of every player alike.
    """
    course, rng, tray = Course(), random.Random(seed), 0

    def change(event: Event) -> list[Event]:
        nonlocal tray
        kind, data = course.take(event), event["data"]
        if kind == "inventory_counted":
            data["cents"] += tray
            data.pop("chips", None)
        hers = nth < 0 or (course.dealer and course.dealers.index(course.dealer) == nth)
        if kind != "wager_settled" or data["kind"] != "main" or not hers or data["outcome"] == "return":
            return [event]
        his = player < 0 or course.players.get(data["seat"]) == course.met[player]
        if not his or rng.random() >= chance:
            return [event]
        if data["outcome"] == "pay":
            data["cents"] += 500
            tray -= 500
        else:
            data["outcome"] = "return"
            tray -= data["cents"]
        return [event]

    return change


def called_void(chance: float, seed: int, *, side: str, nth: int = 0) -> Change:
    """Rounds of the dealer who came `nth` (-1: every one) are called void once the dealer's hand stands.

    side: whether the "patrons" or the "house" would have lost, or "any" of the two.
    """
    course, rng, tray, held = Course(), random.Random(seed), 0, list[Event]()

    def change(event: Event) -> list[Event]:
        nonlocal tray, held
        kind, data = course.take(event), event["data"]
        if kind == "inventory_counted":
            data["cents"] += tray
            data.pop("chips", None)
        if kind == "round_started":
            held = [event]
            return []
        if not held:
            return [event]
        held.append(event)
        if kind != "round_ended":
            return []
        whole, held = held, []
        hers = nth < 0 or course.dealers.index(course.dealer) == nth if course.dealer else False
        shown = next((at for at, one in enumerate(whole) if kind_of(one) == "hole_card_revealed"), len(whole))
        settled = [one for one in whole if kind_of(one) == "wager_settled"]
        open_ = [one for one in settled if whole.index(one) > shown and one["data"]["kind"] != "lammer"]
        won = sum(EFFECT[one["data"]["outcome"]] * one["data"]["cents"] for one in settled)
        way = "patrons" if won < 0 else "house" if won > 0 else ""
        if not (hers and open_ and side in (way, "any")) or rng.random() >= chance:
            return whole
        for one in open_:
            tray += EFFECT[one["data"]["outcome"]] * one["data"]["cents"]
            one["data"] |= {"outcome": "return", "cents": _staked(whole, one["data"])}
            one["data"].pop("odds", None)
        call = {
            **open_[0],
            "type": open_[0]["type"].replace("wager_settled", "round_voided"),
            "data": {"reason": "misdeal"},
        }
        at = whole.index(open_[0])
        return [*whole[:at], call, *whole[at:]]

    return change


def _staked(events: list[Event], of: dict[str, Any]) -> int:
    """Cents of the stake that a settlement is about."""
    return next(
        int(one["data"]["cents"])
        for one in reversed(events)
        if kind_of(one) == "wager_placed"
        and all(one["data"].get(name) == of.get(name) for name in ("seat", "kind"))
        and one["data"].get("hand", f"{of['seat']}.1") == of.get("hand", f"{of['seat']}.1")
    )


def booked_late(kind: str, counts: int) -> Change:
    """Each fill (or credit) enters the record only after so many further counts of the tray."""
    waiting: list[tuple[int, Event]] = []

    def change(event: Event) -> list[Event]:
        if kind_of(event) == kind:
            waiting.append((counts, event))
            return []
        if kind_of(event) != "inventory_counted":
            return [event]
        waiting[:] = [(left - 1, one) for left, one in waiting]
        due = [one for left, one in waiting if left < 0]
        waiting[:] = [one for one in waiting if one[0] >= 0]
        return [event, *(one | {"time": event["time"]} for one in due)]

    return change


def slowed(factor: float, *, nth: int, since_turn: int = 2) -> Change:
    """The dealer who came `nth` (-1: every one) needs `factor` of the time from her so many-th turn on."""
    course = Course()
    turns: dict[str, int] = {}
    shift = dt.timedelta()
    before: dt.datetime | None = None

    def change(event: Event) -> list[Event]:
        nonlocal shift, before
        kind = course.take(event)
        if kind == "dealer_arrived":
            turns[course.dealer] = turns.get(course.dealer, 0) + 1
        now = dt.datetime.fromisoformat(event["time"].replace("Z", "+00:00"))
        hers = nth < 0 or (course.dealer and course.dealers.index(course.dealer) == nth)
        slow = hers and turns.get(course.dealer, 0) >= since_turn
        if before is not None and slow and kind != "round_started":
            shift += (now - before) * (factor - 1)
        before = now
        event["time"] = (now + shift).isoformat(timespec="microseconds").replace("+00:00", "Z")
        return [event]

    return change


def short(cents: int, since: int, *, every: int = 1, back: bool = False) -> Change:
    """From the `since`-th count on the tray is short by so much more at every so many-th count; `back`: right again."""
    count, gone = 0, 0

    def change(event: Event) -> list[Event]:
        nonlocal count, gone
        if kind_of(event) == "inventory_counted":
            count += 1
            due = count >= since and (count - since) % every == 0
            gone = gone + cents * due if not back else cents * due
            event["data"]["cents"] -= gone
            event["data"].pop("chips", None)
        return [event]

    return change


def dropped(kind: str, chance: float, seed: int, since: int = 0) -> Change:
    """Events of a kind are lost with some chance from a round on."""
    course, rng = Course(), random.Random(seed)

    def change(event: Event) -> list[Event]:
        lost = course.take(event) == kind and course.round >= since and rng.random() < chance
        return [] if lost else [event]

    return change


def silent(of: str, rounds: Callable[[int], bool]) -> Change:
    """A device, or its words of a kind, are missing in these rounds."""
    course = Course()

    def change(event: Event) -> list[Event]:
        kind = course.take(event)
        missing = of in (kind, event["source"].rpartition("/")[2]) and rounds(course.round)
        return [] if missing else [event]

    return change


def misread(chance: float, seed: int, since: int = 0) -> Change:
    """The layout cannot read cards laid face up, with some chance from a round on."""
    course, rng = Course(), random.Random(seed)

    def change(event: Event) -> list[Event]:
        kind, data = course.take(event), event["data"]
        if kind == "card_placed" and data["face_up"] and course.round >= since and rng.random() < chance:
            data["card"] = "??"
        return [event]

    return change


def skewed(source: str, seconds: float, since: int = 0) -> Change:
    """The clock of one device is ahead (behind) from a round on."""
    course = Course()

    def change(event: Event) -> list[Event]:
        course.take(event)
        if event["source"].endswith(f"/{source}") and course.round >= since:
            now = dt.datetime.fromisoformat(event["time"].replace("Z", "+00:00")) + dt.timedelta(
                seconds=seconds
            )
            event["time"] = now.isoformat(timespec="microseconds").replace("+00:00", "Z")
        return [event]

    return change


def observed(lines: Iterable[bytes]) -> tuple[list[Finding], list[Observation]]:
    """What the table stage suspects in a stream, and what it passes on."""
    lines = iter(lines)
    first = next(lines)
    pipeline = TablePipeline(json.loads(first)["subject"], proofs=False)
    findings: list[Finding] = []
    observations: list[Observation] = []
    for outcome in [pipeline.advance(first), *map(pipeline.advance, lines), pipeline.finish()]:
        findings += [one for one in outcome.findings if one.verdict == "suspected"]
        observations += outcome.observations
    return findings, observations


def suspected(*streams: Iterable[bytes]) -> list[Finding]:
    """Everything that both stages suspect in these tables, which a page can show."""
    found: list[Finding] = []
    passed: list[Observation] = []
    for lines in streams:
        findings, observations = observed(lines)
        found += findings
        passed += observations
    found += weighed(sorted(passed, key=lambda one: one.order))
    for finding in found:
        _assert_shown(finding)
    return found


# What these say cannot be held against one figure: a run of cards, a card of other decks, a tray, a silence, money.
UNDRAWN = (
    "collusion.exchanged", "inventory_drift", "masque_errors.lights", "past_posting.side", "rank_composition.foreign",
    "sensor_health.silence", "shuffle_quality.order", "shuffle_quality.migrated", "shuffle_quality.slug",
    "theoretical_win.overpaid", "theoretical_win.underpaid",
)  # fmt: skip


def _assert_drawn(finding: Finding) -> None:
    """A page draws what was seen against what chance allows, where the finding has both as figures."""
    check, compared = finding.check.removeprefix("pattern."), against(finding)
    assert (compared is None) == check.startswith(UNDRAWN), check
    if compared is not None:
        assert compared.seen != compared.allowed
        drawn = draw_against(compared)
        assert compared.seen_words in drawn
        assert compared.allowed_words in drawn


def _assert_shown(finding: Finding) -> None:
    """The family says its check and whom it may name; a page has each figure in words, and the rounds that it names."""
    _assert_drawn(finding)
    family, variant = FAMILIES[finding.check.split(".")[1]], finding.check.split(".")[2:]
    assert "".join(variant) in family.variants
    assert isinstance(finding.about, dict)
    assert finding.about.keys() <= set(family.about)
    assert isinstance(finding.observed, dict)
    shown = figures_of(finding.observed)
    listed = {
        name
        for name in ("rounds", "counts", "weightiest")
        if isinstance(finding.observed.get(name), list | tuple)
    }
    assert len(shown) == len(finding.observed.keys() - listed - {"evidence"})
    assert course_of(finding) or finding.observed["evidence"][-1][0] == 0, "before the first round is over"
    named = weighty_rounds(NoRecords(), finding)
    assert bool(named) == any(finding.observed[name] for name in listed)


def weighed(observations: Iterable[Observation]) -> list[Finding]:
    """What the entity stage suspects."""
    stage = EntityStage()
    return [finding for one in observations for finding in stage.weigh(one)]


def named(findings: Iterable[Finding]) -> Iterator[str]:
    """Each suspicion in short: its check and whom it names."""
    for one in findings:
        about = one.about if isinstance(one.about, dict) else {}
        yield " ".join([one.check.removeprefix("pattern."), *map(str, about.values())])
