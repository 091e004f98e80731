"""A departure from the record's grammar is one finding; its lawful neighbour is none; a hole accuses nobody."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import NamedTuple

import pytest

from processors.core.grammar.identity import REMEMBERED
from processors.pipeline import TablePipeline
from tests.mutations.rechain import (
    Event,
    accusations,
    altered,
    chained_to,
    dropped,
    inserted,
    kind,
    like,
    load,
    rechained,
    rounds_of,
)
from tests.pipeline.soup import soup
from tests.pipeline.streams import RULESETS, Run, run, run_of
from tests.sampling import one_in

STREAM = "lawful_free_bet_672a"
MOST = 700  # events
Change = Callable[[list[Event]], list[Event]]


def _departures(told: Run) -> list[str]:
    return [finding.message for finding in told.findings if finding.check == "integrity.grammar"]


def _at(events: list[Event], name: str, number: int = 0) -> int:
    return [index for index, event in enumerate(events) if kind(event) == name][number]


def _start(events: list[Event], number: int) -> int:
    return rounds_of(events)[number][0]


def _end(events: list[Event], number: int) -> int:
    return rounds_of(events)[number][1]


def _ended_twice(events: list[Event]) -> list[Event]:
    end = _end(events, 1)
    return inserted(events, end + 1, like(events[end], "round_ended"))


def _ended_once_each(events: list[Event]) -> list[Event]:
    return events[: _end(events, 1) + 1]


def _end_lost(events: list[Event]) -> list[Event]:
    return dropped(events, _end(events, 1))


def _start_lost(events: list[Event]) -> list[Event]:
    return dropped(events, _start(events, 2))


def _never_started(events: list[Event]) -> list[Event]:
    at = _start(events, 0)
    return inserted(events, at, like(events[at], "round_ended"))


def _number(of: int, number: int) -> Change:
    return lambda events: altered(events, _start(events, of), round=number)


def _rounds_lost(events: list[Event]) -> list[Event]:
    return dropped(events, *range(_start(events, 1), _end(events, 1) + 1))


def _not_opened(events: list[Event]) -> list[Event]:
    return dropped(events, _at(events, "table_opened"))


def _closed(events: list[Event]) -> list[Event]:
    at = _start(events, 2)
    return inserted(events, at, like(events[at], "table_closed"))


def _closed_and_opened(events: list[Event]) -> list[Event]:
    at = _start(events, 2)
    shut, again = like(events[at], "table_closed"), like(events[at], "table_opened")
    return inserted(events, at, shut, again | {"id": "opened-again"})


def _shoe_again(events: list[Event]) -> list[Event]:
    at = _at(events, "shoe_loaded")
    return inserted(events, at + 1, like(events[at], "shoe_loaded", **events[at]["data"]))


def _unsealed(events: list[Event]) -> list[Event]:
    return altered(events, _sealed(events)[1], seal=None)


def _none_sealed(events: list[Event]) -> list[Event]:
    for at in _sealed(events):
        events = altered(events, at, seal=None)
    return events


def _sealed(events: list[Event]) -> list[int]:
    return [index for index, event in enumerate(events) if "seal" in event["data"]]


def _nonces(events: list[Event]) -> list[int]:
    return [index for index, event in enumerate(events) if event["data"].get("nonce")]


def _nonce_again(distance: int) -> Change:
    """The last hole card is sealed with the nonce of the one so many before it."""

    def change(events: list[Event]) -> list[Event]:
        shown = _nonces(events)
        nonce = events[shown[-1 - distance]]["data"]["nonce"]
        sealed = max(at for at in _sealed(events) if at < shown[-1])
        card = events[shown[-1]]["data"]["card"]
        seal = hashlib.sha256(f"{card}|{nonce}".encode()).hexdigest()
        return altered(altered(events, sealed, seal=seal), shown[-1], nonce=nonce)

    return change


def _id_again(events: list[Event]) -> list[Event]:
    at = _at(events, "player_decision", 3)
    return [*events[: at + 1], {**events[at + 1], "id": _before(events, at + 1)["id"]}, *events[at + 2 :]]


def _before(events: list[Event], at: int) -> Event:
    return next(event for event in reversed(events[:at]) if event["source"] == events[at]["source"])


def _id_of_another_device(events: list[Event]) -> list[Event]:
    at = _at(events, "card_placed", 3)
    assert events[at]["source"] != events[at - 1]["source"]
    return [*events[:at], {**events[at], "id": events[at - 1]["id"]}, *events[at + 1 :]]


def _sent_twice(name: str) -> Change:
    def change(events: list[Event]) -> list[Event]:
        at = _at(events, name, 3)
        return inserted(events, at + 1, events[at])

    return change


class Case(NamedTuple):
    """A departure, what its finding says in part, and its lawful neighbour."""

    broken: Change
    says: str
    lawful: Change
    hole: bool = False


def _as_it_is(events: list[Event]) -> list[Event]:
    return events


CASES: dict[str, Case] = {
    "a round ended twice": Case(_ended_twice, "is ended a second time", _ended_once_each),
    "a round that never ended": Case(_end_lost, "Round 3 starts although round 2", _as_it_is, hole=True),
    "a round that never started": Case(_start_lost, "belongs to no round", _as_it_is, hole=True),
    "the end of no round": Case(_never_started, "A round ends that has not started", _as_it_is),
    "a number repeated": Case(_number(2, 2), "Round 2 starts after round 2", _number(2, 3)),
    "a number gone back": Case(_number(2, 1), "Round 1 starts after round 2", _number(0, 1)),
    "a round that is missing": Case(_rounds_lost, "the rounds between them are not on record", _as_it_is),
    "play before the table opened": Case(_not_opened, "the table has not opened", _as_it_is),
    "play after the table closed": Case(_closed, "the table closed at event", _closed_and_opened),
    "a shoe loaded twice": Case(_shoe_again, "the numbers of a table's shoes count up", _as_it_is),
    "a hole card without a seal": Case(_unsealed, "drawn without a seal", _none_sealed),
    "a nonce used twice": Case(_nonce_again(3), "was sealed with the nonce that opened", _as_it_is),
    "an id used twice": Case(_id_again, "which its event", _id_of_another_device),
    "an event sent twice": Case(_sent_twice("card_placed"), "which its event", _as_it_is, hole=True),
    "an end sent twice": Case(_sent_twice("round_ended"), "which its event", _as_it_is, hole=True),
}


@pytest.mark.parametrize("name", CASES)
def test_a_departure_is_one_finding_and_its_lawful_neighbour_none(name: str) -> None:
    case, events = CASES[name], load(STREAM)[:MOST]
    told = run_of(case.broken(events))
    assert len(_departures(told)) == 1, _departures(told)
    assert case.says in _departures(told)[0]
    assert _departures(run_of(case.lawful(events))) == []
    if case.hole:
        assert accusations(told.findings) == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_play_of_another_round_is_left_to_the_next_round_whose_start_was_seen(ruleset: str) -> None:
    """The recorder was away from the settlement of one round to the deal of the next."""
    events = load(RULESETS[ruleset])
    first, second, third = rounds_of(events)[3:6]
    racked = max(index for index in range(*first) if kind(events[index]) == "cards_racked")
    placed = ("card_placed", "stack_delivered")
    dealt = next(index for index in range(*second) if kind(events[index]) in placed)
    told = run_of(dropped(events, *range(racked + 1, dealt)))
    assert accusations(told.findings) == []
    assert len(_departures(told)) == 1
    after = [round_ for round_ in told.rounds if round_.first_sequence > third[0] - (dealt - racked)]
    assert len(after) > 1
    assert {round_.status for round_ in after} == {"consistent"}


def test_a_departure_that_goes_on_is_named_once() -> None:
    events = load(STREAM)
    ends = [index for index, event in enumerate(events) if kind(event) == "round_ended"]
    assert len(_departures(run_of(dropped(events, *ends)))) == 1
    same = [{**event, "id": "1"} for event in events]
    assert len(_departures(run_of(same))) <= len({event["source"] for event in events})


def test_a_device_that_seals_every_card_with_one_nonce_is_named_once_and_critical() -> None:
    events = load(STREAM)
    shown = _nonces(events)[:6]
    for at in shown:
        sealed = max(one for one in _sealed(events) if one < at)
        seal = hashlib.sha256(f"{events[at]['data']['card']}|7".encode()).hexdigest()
        events = altered(altered(events, sealed, seal=seal), at, nonce="7")
    found = [one for one in run_of(events).findings if one.check == "integrity.grammar"]
    assert [(one.sequences, one.severity) for one in found] == [((shown[0] + 1, shown[1] + 1), "critical")]


def test_a_nonce_that_opens_no_seal_was_not_used_to_seal() -> None:
    events = load(STREAM)
    first, second = _nonces(events)[:2]
    told = run_of(altered(events, second, nonce=events[first]["data"]["nonce"]))
    assert [one.check for one in told.findings if one.severity == "critical"] == ["integrity.seal"]
    assert _departures(told) == []


def test_an_id_is_remembered_for_the_latest_events_of_its_source() -> None:
    events = load(STREAM)
    shoe = [index for index, event in enumerate(events) if event["source"].endswith("/shoe")]
    for distance, found in ((REMEMBERED - 1, True), (2 * REMEMBERED + 1, False)):
        at = shoe[-1]
        again = {**events[at], "id": events[shoe[-1 - distance]]["id"]}
        assert bool(_departures(run_of([*events[:at], again, *events[at + 1 :]]))) == found


def _checkpointed(upto: Callable[[int], int], edit: str = "") -> list[str]:
    events = load(STREAM)[:200]
    lines = list(rechained(events))
    over = upto(len(lines) + 1)
    head = hashlib.sha256(lines[over - 1]).hexdigest() if 0 < over <= len(lines) else "0" * 64
    said = {"upto": over, "head": edit or head, "key_id": "k", "signature": "s"}
    return _departures(run_of([*events, like(events[-1], "chain_checkpointed", **said)]))


@pytest.mark.parametrize("back", [1, 2, 40])
def test_a_checkpoint_names_the_head_of_an_event_before_it(back: int) -> None:
    assert _checkpointed(lambda place: place - back) == []
    assert "another head" in _checkpointed(lambda place: place - back, "a" * 64)[0]


@pytest.mark.parametrize("ahead", [0, 1, 1000])
def test_a_checkpoint_of_what_is_not_yet_written_is_a_departure(ahead: int) -> None:
    (said,) = _checkpointed(lambda place: place + ahead)
    assert "is not written before it" in said


@pytest.mark.parametrize("name", one_in(3, CASES))
def test_a_snapshot_anywhere_changes_nothing(name: str) -> None:
    events = CASES[name].broken(load(STREAM)[:MOST])
    lines = list(rechained(events))
    subject = str(events[0]["subject"])
    whole = run(subject, lines)
    for cut in range(50, len(lines), 157):
        told, first = Run(), TablePipeline(subject)
        for line in lines[:cut]:
            told.take(first.advance(line))
        told.go_on(TablePipeline.restore(first.snapshot()), lines[cut:])
        assert (told.rounds, told.findings) == (whole.rounds, whole.findings), cut


@pytest.mark.parametrize("seed", one_in(3, range(6)))
def test_streams_that_make_no_sense_are_no_flood(seed: int) -> None:
    subject, lines = soup(seed)
    told = run(subject, lines)
    assert len(_departures(told)) < len(lines) / 5


def test_what_a_hole_hides_of_a_shoe_stays_in_doubt_after_new_rules() -> None:
    """The rules were altered, the recorder was away from one round to the deal of the next, new rules came."""
    events = load(STREAM)
    rules = _at(events, "table_configured")
    first, second, third = rounds_of(events)[3:6]
    racked = max(index for index in range(*first) if kind(events[index]) == "cards_racked")
    dealt = [index for index in range(*second) if kind(events[index]) == "card_placed"][3]
    again = like(events[third[0]], "table_configured", **events[rules]["data"])
    broken = dropped(inserted(events, third[0], again), *range(racked + 1, dealt))
    lines = list(rechained(broken[: rules + 2]))
    head = lines[-1].partition(b'"prevhash":"')[2][:64]
    altered_rules = [*lines[:-1], lines[-1].replace(head, b"a" * 64)]
    told = run(str(events[0]["subject"]), chained_to(altered_rules, broken[rules + 2 :]))
    assert accusations(told.findings) == []
    assert {one.verdict for one in told.findings if one.check == "integrity.shoe"} <= {"indeterminate"}
    assert any(one.round == third[1] for one in told.rounds) or told.rounds


def test_an_altered_record_of_rules_leaves_the_shoe_in_doubt_after_new_rules() -> None:
    """The rules, or the start of the round after them, were altered; a card is drawn for nobody under new rules."""
    events = load(STREAM)
    submitted = events[_at(events, "table_configured")]
    first, second, third = (start for start, _ in rounds_of(events)[3:6])
    played = next(at for at in range(third, len(events)) if kind(events[at]) == "player_decision")
    drawn = like(events[third], "card_drawn", card="5s", from_hand="shoe_side")
    rules = [
        {**like(events[at], "table_configured", **submitted["data"]), "id": f"rules {at}"}
        for at in (first, second)
    ]
    broken = inserted(inserted(events, played, {**drawn, "time": events[played]["time"]}), second, rules[1])
    broken = inserted(broken, first, rules[0])
    for intact in (True, False):
        lines = list(rechained(broken[: first + 2]))
        if not intact:
            head = lines[-1].partition(b'"prevhash":"')[2][:64]
            lines[-1] = lines[-1].replace(head, b"a" * 64)
        told = run(str(events[0]["subject"]), chained_to(lines, broken[first + 2 :]))
        [loose] = [one for one in told.findings if one.check == "integrity.shoe" and one.round == 6][:1]
        assert loose.verdict == ("breached" if intact else "indeterminate")
        if not intact:
            assert loose.missing == (f"event {first + 1} or {first + 2} was altered",)
