"""One broken event of opening, cut, shuffle or shoe is found, cited, and found once."""

import pytest

from tests.mutations.deck_breaks import CUTTING, LAWFUL, OPENING, SHOE, SHUFFLE, Mutation
from tests.mutations.deck_streams import streams
from tests.mutations.rechain import Event, breaches, cites

OF_DECKS = ("opening.", "cut.", "idle.", "shuffle.", "shoe.", "burn.", "rotation.")


LATER = 1500  # events: the rest of the shoe, and the next one


def as_far_as_told(events: list[Event], index: int) -> list[Event]:
    """A broken stream so far that all consequences of one event can have shown."""
    return events[: index + LATER]


def _named(mutation: Mutation) -> str:
    return mutation.name


@pytest.mark.parametrize("most", [1, pytest.param(10, marks=pytest.mark.soak)])
@pytest.mark.parametrize("mutation", [*OPENING, *CUTTING, *SHOE, *SHUFFLE], ids=_named)
def test_a_broken_duty_is_found_with_its_clause_and_nothing_beside_it(mutation: Mutation, most: int) -> None:
    wrong = []
    places = mutation.places(most)
    assert places, "no lawful stream has a place for it"
    for name, events, index in places:
        found = breaches(as_far_as_told(mutation.how(events, index), index))
        clauses = mutation.cited(events)
        if len(found) != 1 or not cites(found[0], *clauses):
            wrong.append(f"{name}, event {index + 1}: {[(one.check, one.cites) for one in found]}")
    assert wrong == []


@pytest.mark.parametrize("most", [1, pytest.param(10, marks=pytest.mark.soak)])
@pytest.mark.parametrize("mutation", LAWFUL, ids=_named)
def test_conduct_on_the_lawful_side_of_a_limit_is_not_accused(mutation: Mutation, most: int) -> None:
    for name, events, index in mutation.places(most):
        assert breaches(as_far_as_told(mutation.how(events, index), index)) == [], (
            f"{name}, event {index + 1}"
        )


def test_lawful_sessions_raise_nothing_about_decks() -> None:
    for name, events in streams().items():
        found = [finding.message for finding in breaches(events) if finding.check.startswith(OF_DECKS)]
        assert found == [], name
