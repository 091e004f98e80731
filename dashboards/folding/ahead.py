"""Openings made ahead of time: without them the first look at an old table folds the whole of its record."""

from __future__ import annotations

from dashboards.folding import states
from dashboards.folding.states import States
from dashboards.reader.question import Reader
from dashboards.reader.search import tables

SLICE = 5_000  # events folded at once: some 60 ms, and others may ask between two slices


class Ahead:
    """Folds the tables of a store, slice by slice, up to where looking at them is quick; one thread's."""

    def __init__(self, reader: Reader, folded: States) -> None:
        """Make the openings of `folded`, which reads the same store."""
        self._reader = reader
        self._states = folded
        self._reached: dict[str, int] = {}

    def step(self) -> bool:
        """Fold one slice of the table that is furthest behind; False if none is behind.

        Raises:
            Exception: what the reader raises when it has no answer.
        """
        behind = {
            one.subject: one.next_sequence - 1 - self._reached.get(one.subject, 0)
            for one in tables().ask(self._reader)
        }
        subject = max(behind, key=lambda name: behind[name], default="")
        if behind.get(subject, 0) < 2 * states.EVERY:
            return False
        before = self._reached.get(subject, 0)
        reached, ended = self._states.fold_ahead(subject, SLICE)
        # No further than before: so many lines that are no events lie there that no opening can stand behind one.
        self._reached[subject] = before + behind[subject] if ended or reached <= before else reached
        return True
