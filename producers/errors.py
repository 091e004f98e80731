"""What capture could not do, said so that a person can act on it."""

from __future__ import annotations


class CaptureError(Exception):
    """Something that could not be done: what, why, and what to do about it."""

    def __init__(self, what: str, why: str, remedy: str) -> None:
        super().__init__(f"{what}: {why}; {remedy}")
        self.what = what
        self.why = why
        self.remedy = remedy
