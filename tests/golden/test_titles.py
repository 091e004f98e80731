"""Every message has a title that a person can act on, held by one reviewed file beside the message."""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from typing import get_args

import pytest

from dashboards.wording.short_titles.title import LONGEST, SHORT
from schemas.findings import Verdict
from tests.architecture.tracked import ROOT, syntax_of
from tests.golden.messages import GOLDEN
from tests.golden.titles import PATTERNS, TITLES, entitled, said, titles, verdict_of

LINES = TITLES.read_text("utf-8").splitlines()
SAID = said()
OF_LAW = [(check, message) for check, message in SAID if not check.startswith("pattern.")]
READ_TWO_WAYS = {
    tomllib.loads(text)["check"]
    for path in sorted((ROOT / "processors/law/duties").glob("*/cases/*.toml"))
    if "interpretation = [" in (text := path.read_text("utf-8"))
}
MORE = re.compile(r" \(and (\d+) more\)")
REMEDY = "run `python -m tests.golden.titles`, and read the difference as prose"


def _told() -> list[tuple[str, str, str]]:
    """Check, title and message of every line."""
    return [(check, entitled(check, message, verdict_of(check, message)), message) for check, message in SAID]


TOLD = _told()


def test_the_titles_are_those_of_the_file() -> None:
    assert titles() == LINES, REMEDY


def test_no_title_is_longer_than_a_line() -> None:
    assert [title for _, title, _ in TOLD if len(title) > LONGEST] == []


@pytest.mark.parametrize("verdict", ["indeterminate", "interpretation"])
def test_no_title_is_longer_than_a_line_where_it_is_not_proven(verdict: Verdict) -> None:
    """A breach by one reading comes from checks that the law leaves open; what cannot be said is never one."""
    told = [
        entitled(check, message, verdict)
        for check, message in OF_LAW
        if verdict_of(check, message) in ("breached", verdict)
        if verdict == "indeterminate" or check in READ_TWO_WAYS
    ]
    assert len(told) > 100
    assert [title for title in told if len(title) > LONGEST] == []


def test_no_title_is_longer_than_a_line_where_the_sums_are_large() -> None:
    large = [(check, re.sub(r"\$[\d,]*\d\.\d\d", "$12,345.50", message)) for check, message in OF_LAW]
    told = [entitled(check, message, verdict_of(check, message)) for check, message in large]
    assert sum("$12,345.50" in title for title in told) > 100
    assert [title for title in told if len(title) > LONGEST] == []


def test_nine_titles_in_ten_are_short() -> None:
    lengths = [len(entitled(check, message)) for check, message in OF_LAW]
    assert len(lengths) == len(GOLDEN.read_text("utf-8").splitlines())
    assert sum(length <= SHORT for length in lengths) >= 0.9 * len(lengths)


@pytest.mark.parametrize(
    "fault",
    [
        r"[.,;:]$",
        r"^[a-z]",
        r"\s\s",
        r"\s[.,;]",
        r"[{}]",
        r"…|\.\.\.",
        r"\b[a-z]+_[a-z_]+\b",
        r"\b\d{3}[a-z]?\.\d+[a-z]?\(",
        r": (?:Hand|Seat|The|A|An|Card|Shoe|Batch) ",
    ],
)
def test_a_title_is_a_line_of_prose_without_a_full_stop(fault: str) -> None:
    verdicts = get_args(Verdict)
    told = [entitled(check, message, verdict) for check, message in SAID for verdict in verdicts]
    assert [title for title in told if re.search(fault, title)] == []


# Money, times, numbers, hands, cards and the names of people.
_PARTICULARS = re.compile(
    r"\$[\d,]*\d(?:\.\d\d)?|[\w'-]*\d[\d.,:-]*\w*|\b[2-9TJQKA][cdhs]\b|\?\?|\b[DFP]-\w+"
)


def test_a_title_invents_no_money_hand_card_or_number() -> None:
    invented = []
    for check, title, message in TOLD:
        of_message = {one.rstrip(".,:") for one in _PARTICULARS.findall(message)}
        for one in _PARTICULARS.findall(MORE.sub("", title)):
            if one.rstrip(".,:").removesuffix("'s") not in {name.removesuffix("'s") for name in of_message}:
                invented.append((check, one, title, message))
    assert invented == []


def test_what_is_left_out_of_a_list_is_counted() -> None:
    shortened = [(title, message) for _, title, message in TOLD if MORE.search(title)]
    assert shortened
    for title, message in shortened:
        found = MORE.search(title)
        assert found is not None
        named = title[: found.start()].rpartition("with ")[2]
        assert message.rstrip(".").partition(f"{named}, ")[2].count(", ") + 1 == int(found[1]), title


_REASON = re.compile(r" \([^()]*\)|: it depends on .*")


def test_messages_that_share_a_title_differ_in_their_reasons_alone() -> None:
    meant = defaultdict(set)
    for check, title, message in TOLD:
        meant[check, title].add(_REASON.sub("", message))
    assert {key: told for key, told in meant.items() if len(told) > 1} == {}


def test_what_is_seen_of_money_stands_before_what_is_due() -> None:
    """Where a message says first what is due, its title turns it around."""
    turned = re.compile(
        r"(?:is to be|is to leave) .*?(?:but|when the round ended|;) .*?(\$[\d,]+\.\d\d) (?:was|had)"
    )
    told = [(title, found[1]) for _, title, message in TOLD if (found := turned.search(message))]
    assert len(told) > 50
    heads = [(title.partition(";")[0], seen) for title, seen in told]
    assert [head for head, seen in heads if "$" in head and seen not in head] == []


def test_a_title_says_how_far_it_is_proven() -> None:
    check, message = (
        "settlement.stake",
        "For the main wager of hand 2.1, $200.00 is to be paid (a tie), but $220.00 was paid.",
    )
    assert {verdict: entitled(check, message, verdict) for verdict in get_args(Verdict)} == {
        "breached": "Hand 2.1 was paid $220.00; $200.00 was due",
        "indeterminate": "Not proven: hand 2.1 was paid $220.00; $200.00 was due",
        "interpretation": "By one reading: hand 2.1 was paid $220.00; $200.00 was due",
        "suspected": "Pattern: hand 2.1 was paid $220.00; $200.00 was due",
    }


def test_a_name_keeps_its_capital_behind_the_doubt() -> None:
    said_of = {
        "For the Push 22 wager of seat 3, $40.00 is to be paid (a 22), but $35.00 was paid.": "Push 22 of seat 3",
        "For the split wager of hand 3.2, $40.00 is to be paid (a tie), but $35.00 was paid.": "split of hand 3.2",
    }
    for message, name in said_of.items():
        title = entitled("settlement.stake", message, "indeterminate")
        assert title == f"Not proven: {name} was paid $35.00; $40.00 was due"


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Seat 3 did what no check knew of before.", "Seat 3 did what no check knew of before"),
        (
            "Seat 3 moved a chip of $25.00 from one box to another one; nobody at the table had asked for that move.",
            "Seat 3 moved a chip of $25.00 from one box to another one",
        ),
        (
            "A chip of seat 3 is to lie in its box until the dealer has taken it; it lay beside the box all along.",
            "Chip of seat 3 is to lie in its box until the dealer has taken it; it lay beside the box all along",
        ),
        (
            "Seat 3 moved a chip of $25.00 while the dealer looked away for longer than any dealer should look away.",
            "Seat 3 moved a chip of $25.00 while the dealer looked away for longer than any dealer should look away",
        ),
        (
            "Seat 3 moved a chip of $25.00 (the smallest that it had) before the first card lay on the layout.",
            "Seat 3 moved a chip of $25.00 before the first card lay on the layout",
        ),
        (
            "The layout said nothing at all. What rests on its word alone is not judged until it speaks again.",
            "The layout said nothing at all",
        ),
    ],
)
def test_a_message_of_a_form_never_seen_is_cut_at_a_clause_or_not_at_all(message: str, title: str) -> None:
    """Only a clause that tells what happened stands for the whole: a duty alone would hide its breach."""
    assert entitled("settlement.stake", message) == title
    assert entitled("a.check_of_tomorrow", message) == title


@pytest.mark.parametrize(
    "dealer", ["D. Miller", "Sgt. Card", "Nuñez-Ōta", "dealer of shoe 2", "{0}", "a (b)"]
)
def test_whatever_people_are_called_a_title_has_their_whole_name(dealer: str) -> None:
    message = f"The recut was ordered by the dealer {dealer}, not by a floorperson."
    title = entitled("shuffle_cut.cut_again", message)
    assert title == f"Dealer {dealer} ordered the recut, not a floorperson"


def test_a_former_name_of_a_check_has_the_titles_of_its_name_now() -> None:
    message = "The dealer stopped at 16; he draws to 17 to decide the Push 22 wagers."
    assert entitled("dealer.stands", message) == "The dealer stopped at 16; for Push 22 he draws to 17"


@pytest.mark.parametrize(
    ("message", "title"),
    [
        (
            "The store holds another row 7/3.1 of hands than the ledger gives for table BJ-12.",
            "The store holds another row 7/3.1 of hands than the ledger",
        ),
        (
            "A record lies in partition 3, where its key does not lead: it is not counted.",
            "A record lies in partition 3, where its key does not lead",
        ),
    ],
)
def test_what_sink_and_fold_find_has_titles_too(message: str, title: str) -> None:
    assert entitled("integrity.store", message) == title


def test_a_defect_of_our_own_names_no_check() -> None:
    message = "Check wagers.in_time could not judge this event: a defect of the check, not of the table."
    title = "Not proven: a check could not judge this event, by a defect of its own"
    assert entitled("wagers.in_time", message, "indeterminate") == title


def _written(folder: str) -> list[tuple[str, str]]:
    """Place and pattern of every sentence that the sources of a folder make of something."""
    found = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.walk(syntax_of(path.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+"
                    for part in node.values
                ]
                if parts and parts[-1].endswith(r"\."):
                    found.append((f"{path.name}:{node.lineno}", "".join(parts)))
    return found


def test_every_suspicion_that_is_written_stands_in_the_file_of_patterns() -> None:
    messages = [line.partition(": ")[2] for line in PATTERNS.read_text("utf-8").splitlines()]
    written = _written("processors/detectors")
    assert len(written) > 25
    unheard = [place for place, form in written if not any(re.fullmatch(form, one) for one in messages)]
    assert unheard == []
