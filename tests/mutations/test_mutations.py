"""One wrong thing in a lawful stream is told by its clause, and (almost) nothing else is said of it."""

from __future__ import annotations

import pytest

from schemas.values import Ruleset
from tests.mutations import (
    action,
    added_stakes,
    dealer,
    dealing,
    deck_breaks,
    equipment,
    exposed,
    five_cards,
    reader,
    rounds,
    settle_order,
    stacks,
    wagers,
)
from tests.mutations.deck_streams import streams
from tests.mutations.rechain import breaches
from tests.mutations.rounds import Wanted, assert_in_doubt, drop, of
from tests.mutations.table import Row, faults

_OF_DECKS = ("opening.", "cut.", "idle.", "shuffle.", "shoe.", "burn.", "rotation.")
_OF_ROUNDS = (action, added_stakes, dealer, dealing, exposed, reader, settle_order, wagers)
TABLE: list[list[Row]] = [  # a mutation each, with a row for each ruleset that knows the duty
    *rounds.rows(one for module in _OF_ROUNDS for one in module.MUTATIONS),
    *deck_breaks.rows(deck_breaks.MUTATIONS),
    *equipment.MUTATIONS,
    *stacks.MUTATIONS,
    *five_cards.MUTATIONS,
]
# In every run under one of its rulesets, which are taken in turn.
_SAMPLED = [rows[at % len(rows)] for at, rows in enumerate(TABLE)]


def _name(row: Row) -> str:
    return row.name


@pytest.mark.parametrize("row", _SAMPLED, ids=_name)
def test_one_wrong_thing_is_told_by_its_clause_early_and_late(row: Row) -> None:
    assert faults(row, 2) == []


@pytest.mark.soak
@pytest.mark.parametrize("row", [row for rows in TABLE for row in rows], ids=_name)
def test_it_is_told_at_eight_places(row: Row) -> None:
    assert faults(row, 8) == []


@pytest.mark.parametrize("ruleset", rounds.BLACKJACK)
@pytest.mark.parametrize(
    ("lost", "word"),
    [
        (of("player_decision", kind="double"), "the decision of"),
        (of("player_decision", kind="split"), "the decision of"),
        (added_stakes.DOUBLED, "the double wager"),
        (added_stakes.SPLIT, "the split wager"),
        (wagers.MAIN, "the main wager of seat"),
    ],
)
def test_a_word_that_layout_and_settlement_bear_out_was_lost(
    lost: Wanted, word: str, ruleset: Ruleset
) -> None:
    assert_in_doubt(drop(lost), word, ruleset, most=3)


def test_lawful_sessions_raise_nothing_about_decks() -> None:
    for name, events in streams().items():
        found = [finding.message for finding in breaches(events) if finding.check.startswith(_OF_DECKS)]
        assert found == [], name


def test_each_row_has_a_name_of_its_own() -> None:
    names = [row.name for rows in TABLE for row in rows]
    assert len(set(names)) == len(names)
