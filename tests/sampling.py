"""A sample of a sweep for `make test`; the whole of it is in `make soak`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

SOAK = pytest.mark.soak


def one_in(each: int, cases: Iterable[Any], first: int = 0) -> list[Any]:
    """Parameters of a test of which one in so many, from the `first` on, is tried in every run, the others in soak.

    A case of several values is a tuple, as for `pytest.mark.parametrize`.
    """
    return [one if at % each == first else in_soak(one) for at, one in enumerate(cases)]


def in_soak(case: Any) -> Any:
    """A case that is tried in `make soak` alone."""
    if hasattr(case, "marks"):  # made by `pytest.param`
        return case._replace(marks=(*case.marks, SOAK))
    return pytest.param(*case, marks=SOAK) if isinstance(case, tuple) else pytest.param(case, marks=SOAK)
