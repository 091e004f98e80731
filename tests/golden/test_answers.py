"""Answers do not change under a version: stores filled with the old ones would never be folded again."""

from msgspec import Struct, inspect

from processors.detectors.family import FAMILIES
from schemas.answers import ANSWERS, FOLD_VERSION
from tests.golden.answers import digest, shape_of, states_of


def test_other_answers_have_another_version() -> None:
    now = digest()
    assert ANSWERS[-1] == now, (
        f"rounds, findings, rows or checks are not what fold {FOLD_VERSION} answered; "
        f"put a line after the last in schemas/answers.py: {now!r},"
    )


def test_no_version_answers_as_another_one() -> None:
    assert len(set(ANSWERS)) == FOLD_VERSION


def test_states_of_other_shapes_are_those_of_another_version() -> None:
    class Before(Struct):
        rounds: list[tuple[str, int]] = []

    class After(Struct):
        rounds: list[tuple[str, int, float]] = []

    class Wrapped(Struct):
        before: dict[str, Before]

    class Changed(Struct):
        before: dict[str, After]

    shapes = [shape_of(inspect.type_info(one)) for one in (Before, After, Wrapped, Changed)]
    assert len({str(one) for one in shapes}) == 4
    assert all(states_of(family) for family in FAMILIES.values())
