"""What cannot be done, said so that a person can act on it."""

from __future__ import annotations


class ActionableError(Exception):
    """Something that could not be done.

    Args:
        what: what could not be done, or the thing it could not be done to (`topic events`).
        why: what was found there.
        remedy: what to do, in the imperative.
    """

    def __init__(self, what: str, why: str, remedy: str) -> None:
        super().__init__(f"{what}: {why}; {remedy}")
        self.what, self.why, self.remedy = what, why, remedy
