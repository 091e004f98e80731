"""Answers do not change under a version: stores filled with the old ones would never be folded again."""

from schemas.answers import ANSWERS, FOLD_VERSION
from tests.golden.answers import digest


def test_other_answers_have_another_version() -> None:
    now = digest()
    assert ANSWERS[-1] == now, (
        f"rounds, findings, rows or checks are not what fold {FOLD_VERSION} answered; "
        f"put a line after the last in schemas/answers.py: {now!r},"
    )


def test_no_version_answers_as_another_one() -> None:
    assert len(set(ANSWERS)) == FOLD_VERSION
