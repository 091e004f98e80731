"""A device that falls silent is one finding; its rounds are indeterminate, and nobody is charged with its silence."""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Callable
from functools import cache

import pytest

from processors.pipeline import TablePipeline
from producers.simulator.floor.setup import usual_setup
from producers.simulator.session import simulate_table
from schemas.values import Ruleset
from tests.mutations.rechain import Event, altered, dropped, kind, load, rechained, rounds_of
from tests.pipeline.streams import RULESETS, Run, run
from tests.sampling import one_in

Word = Callable[[Event], bool]
BLACKJACK: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a", "down_under_685a")
SILENT_FROM, SILENT_TO = 30, 100  # rounds
WORDS: dict[str, tuple[str, ...]] = {
    "cards of the layout": ("card_placed", "stack_delivered"),
    "wagers of the layout": ("wager_placed",),
    "the rack": ("cards_racked",),
    "the shoe": ("card_drawn", "stack_dispensed"),
}
MISSING = {
    "cards of the layout": "cards on the layout",
    "wagers of the layout": "wagers on the layout",
    "the rack": "cards of the discard rack",
    "the shoe": "cards that left the shoe",
}
CASES = [(ruleset, witness) for ruleset in RULESETS for witness in WORDS]


def _device(event: Event) -> str:
    return str(event["source"].rpartition("/")[2])


def _without(events: list[Event], word: Word, first: int, last: int) -> Run:
    """The stream without some words between two of its indexes, chained anew."""
    gone = [index for index in range(first, last) if word(events[index])]
    assert gone
    return run(str(events[0]["subject"]), list(rechained(dropped(events, *gone))))


def _stretch(events: list[Event]) -> tuple[int, int, int, int]:
    """A third of the stream's rounds, from the start of one to the start of another: their numbers and indexes."""
    rounds = rounds_of(events)
    low, high = len(rounds) // 3, 2 * len(rounds) // 3
    return low + 1, high, rounds[low][0], rounds[high][0]


def _accusations(told: Run) -> list[str]:
    return [
        f"{finding.round}: {finding.check}: {finding.message}"
        for finding in told.findings
        if finding.verdict == "breached" and not finding.check.startswith("integrity.")
    ]


def _devices(told: Run) -> list[str]:
    """What begins a stretch; its end accuses nothing."""
    return [
        finding.message
        for finding in told.findings
        if finding.check == "integrity.device" and finding.verdict == "breached"
    ]


@pytest.mark.parametrize(("ruleset", "witness"), one_in(2, CASES))
def test_a_witness_that_falls_silent_is_named_once_and_accuses_nobody(ruleset: str, witness: str) -> None:
    events = load(RULESETS[ruleset])
    first, last, begin, end = _stretch(events)
    told = _without(events, lambda event: kind(event) in WORDS[witness], begin, end)
    assert _accusations(told) == []
    assert len(_devices(told)) == 1
    assert {round_.status for round_ in told.rounds if first < round_.round <= last} == {"indeterminate"}
    for round_ in told.rounds:
        # In the next round nothing shows that no wager was lost, and no hand of the rack, before the first one came.
        within = first <= round_.round <= last + (witness in ("wagers of the layout", "the rack"))
        if within:
            assert any(why.startswith(MISSING[witness]) for why in round_.missing), round_.round
        elif (
            witness != "the shoe"
        ):  # what left it meanwhile is in doubt until the next load and the next count
            assert round_.status == "consistent", round_.round


@pytest.mark.parametrize("ruleset", BLACKJACK)
@pytest.mark.parametrize("word", ["card_drawn", "card_placed"])
def test_a_round_that_lost_no_word_is_judged_whatever_the_round_before_lost(ruleset: str, word: str) -> None:
    events = load(RULESETS[ruleset])
    (begin, over), (start, end) = rounds_of(events)[4:6]
    gone = [at for at in range(begin, over) if kind(events[at]) == word][-3:]
    paid = next(at for at in range(start, end) if events[at]["data"].get("outcome") == "pay")
    short = altered(events, paid, cents=events[paid]["data"]["cents"] - 50)
    told = run(str(events[0]["subject"]), list(rechained(dropped(short, *gone))))
    assert [one.check for one in told.findings if one.round == 6 and one.verdict == "breached"] == [
        "settlement.stake"
    ]


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_a_layout_that_lays_another_card_than_was_drawn_has_lost_a_word(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    (begin, over), (start, end) = rounds_of(events)[4:6]
    gone = [at for at in range(begin, over) if kind(events[at]) == "card_placed"][-3:]
    placed = next(at for at in range(start, end) if kind(events[at]) == "card_placed")
    drawn = placed + 1
    assert kind(events[drawn]) == "card_drawn"
    assert events[drawn]["data"]["card"] != events[placed]["data"]["card"]
    told = run(str(events[0]["subject"]), list(rechained(dropped(events, *gone, placed, drawn))))
    [round_] = [one for one in told.rounds if one.round == 6]
    assert any(why.startswith(MISSING["cards of the layout"]) for why in round_.missing)
    assert _accusations(told) == []


@pytest.mark.parametrize(("read", "doubted"), [(False, True), (True, False)], ids=["not yet", "read"])
def test_a_reader_loses_no_word_of_a_round_in_which_it_speaks(read: bool, doubted: bool) -> None:
    """In the third round two cards and the reading were lost, one after the other."""
    events = load(RULESETS["down_under_685a"])
    (begin, over), (start, end) = rounds_of(events)[2:4]
    reading = next(at for at in range(begin, over) if kind(events[at]) == "hole_card_read")
    placed = [at for at in range(begin, over) if kind(events[at]) == "card_placed"]
    around = bisect(placed, reading)
    up_to = end if read else next(at for at in range(start, end) if kind(events[at]) == "betting_closed")
    gone = (*placed[around - 2 : around + 1], reading)
    told = run(str(events[0]["subject"]), list(rechained(dropped(events[: up_to + 1], *gone))))
    assert doubted == any(why.startswith("readings of the hole card") for why in told.rounds[-1].missing)


@pytest.mark.parametrize("ruleset", one_in(2, RULESETS))
def test_a_layout_that_dies_is_named_once_and_its_rounds_lack_cards_wagers_and_rack(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    first, last, begin, end = _stretch(events)
    told = _without(events, lambda event: _device(event) == "layout", begin, end)
    assert _accusations(told) == []
    assert len(_devices(told)) == 1
    for round_ in told.rounds:
        if first < round_.round <= last:
            for part in ("cards of the layout", "wagers of the layout", "the rack"):
                assert any(why.startswith(MISSING[part]) for why in round_.missing), (round_.round, part)


@pytest.mark.parametrize("ruleset", one_in(2, RULESETS, 1))
def test_a_console_that_dies_leaves_rounds_without_start_and_end(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    _, _, begin, end = _stretch(events)
    told = _without(events, lambda event: _device(event) == "console", begin, end)
    assert _accusations(told) == []
    assert _devices(told) == [
        finding.message for finding in told.findings if "no start or end of a round since" in finding.message
    ]
    assert len(_devices(told)) == 1


def test_the_finding_says_since_when_and_by_what() -> None:
    events = load("lawful_down_under_685a")
    _, _, begin, end = _stretch(events)
    told = _without(events, lambda event: kind(event) == "card_placed", begin, end)
    finding = next(finding for finding in told.findings if finding.check == "integrity.device")
    drawn = finding.sequences[0]
    assert finding.message == (
        f"The layout has named no card since event {drawn}: 3 cards in a row left the shoe and none was placed. "
        "What rests on its word alone is not judged until it speaks again."
    )
    assert (finding.verdict, finding.severity, finding.cites) == (
        "breached",
        "critical",
        ("integrity.device",),
    )
    assert finding.observed == {"silent_since": drawn}
    assert finding.sequences == (
        drawn,
        drawn + 1,
        drawn + 2,
        drawn + 3,
    )  # the last shows that none was placed


@pytest.mark.parametrize(("lost", "silent"), [(2, False), (3, True)])
def test_two_lost_words_are_no_silence_and_three_are(lost: int, silent: bool) -> None:
    events = load("lawful_free_bet_672a")
    begin = rounds_of(events)[4][0]
    placed = [index for index in range(begin, len(events)) if kind(events[index]) == "card_placed"]
    told = run(str(events[0]["subject"]), list(rechained(dropped(events, *placed[:lost]))))
    assert bool(_devices(told)) == silent


def test_a_rack_that_missed_one_hand_is_no_silence() -> None:
    events = load("lawful_free_bet_672a")
    begin = rounds_of(events)[4][0]
    racked = next(index for index in range(begin, len(events)) if kind(events[index]) == "cards_racked")
    told = run(str(events[0]["subject"]), list(rechained(dropped(events, racked))))
    assert _devices(told) == []
    assert _accusations(told)


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_a_reader_is_silent_after_three_rounds_that_order_a_reading(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    told = _without(
        events, lambda event: kind(event) == "hole_card_read", rounds_of(events)[0][0], len(events)
    )
    assert len(_devices(told)) == 1
    said = next(place for place, one in enumerate(told.findings) if one.check == "integrity.device")
    assert not any(one.check.startswith(("reader.", "masque.")) for one in told.findings[said:])


@pytest.mark.parametrize(
    ("stream", "word"),
    [
        ("breach_overpay", "cards_racked"),
        ("breach_insurance_too_big", "cards_racked"),
        ("breach_late_bet", "card_placed"),
    ],
)
def test_what_other_witnesses_show_is_found_beside_a_silent_device(stream: str, word: str) -> None:
    events = load(stream)
    whole = run(str(events[0]["subject"]), list(rechained(events)))
    told = _without(events, lambda event: kind(event) == word, rounds_of(events)[0][0], len(events))
    wanted = {finding.check for finding in whole.findings if finding.verdict == "breached"}
    assert wanted <= {finding.check for finding in told.findings if finding.verdict == "breached"}
    assert _devices(told)


@pytest.mark.parametrize("witness", one_in(2, WORDS))
def test_a_snapshot_within_the_silence_changes_nothing(witness: str) -> None:
    events = load("lawful_down_under_685a")
    _, _, begin, end = _stretch(events)
    gone = [index for index in range(begin, end) if kind(events[index]) in WORDS[witness]]
    lines = list(rechained(dropped(events, *gone)))
    whole = run(str(events[0]["subject"]), lines)
    for cut in range(begin, end - len(gone), 97):
        told = Run()
        first = TablePipeline(str(events[0]["subject"]))
        for line in lines[:cut]:
            told.take(first.advance(line))
        told.go_on(TablePipeline.restore(first.snapshot()), lines[cut:])
        assert (told.rounds, told.findings) == (whole.rounds, whole.findings), cut


@pytest.mark.parametrize("silent", [*WORDS, "the shoe as a whole", "the layout as a whole", "the reader"])
@pytest.mark.parametrize("ruleset", one_in(3, BLACKJACK))
def test_a_silence_over_several_shoes_accuses_nobody_once_it_is_named(ruleset: Ruleset, silent: str) -> None:
    events = _simulated(ruleset)
    rounds = rounds_of(events)
    begin, end = rounds[SILENT_FROM][0], rounds[SILENT_TO][0]
    told = _without(events, lambda event: _is_of(event, silent), begin, end)
    named = next(finding.sequence for finding in told.findings if finding.check == "integrity.device")
    later = [
        f"{finding.round}: {finding.check}: {finding.message}"
        for finding in told.findings
        if finding.verdict == "breached" and finding.sequence > named
    ]
    assert [one for one in later if "integrity.device" not in one] == []


@cache
def _simulated(ruleset: Ruleset) -> list[Event]:
    """A lawful table of some four shoes."""
    setup = usual_setup(ruleset, "T-1", decks=6)
    return [json.loads(line) for line in simulate_table(setup, SILENT_TO + 20, 11)]


def _is_of(event: Event, silent: str) -> bool:
    if silent == "the reader":
        return kind(event) == "hole_card_read"
    if silent.endswith("as a whole"):
        return _device(event) == silent.split()[1]
    return kind(event) in WORDS[silent]


def test_a_seal_that_does_not_open_is_found_though_the_rack_is_silent() -> None:
    events = load("breach_hole_switched")
    told = _without(events, lambda event: kind(event) == "cards_racked", rounds_of(events)[0][0], len(events))
    assert "integrity.seal" in {finding.check for finding in told.findings if finding.verdict == "breached"}
