"""What acts of the desk speak of, held against the ledger of the same copy."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from dashboards.ledger.acts import SUBJECT
from producers.copies.chains import Break


class _Found(Struct):
    subject: str
    sequence: int
    sequences: tuple[int, ...] = ()


class _Data(Struct):
    act: str
    finding: _Found | None = None
    subject: str = ""
    first_sequence: int = 0
    sequence: int | None = None


class _Act(Struct):
    data: _Data


_read_act = msgspec.json.Decoder(_Act).decode


class Spoken:
    """The events that acts of the desk speak of: of each table the last one, and which act that was."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[int, int]] = {}

    def take(self, number: int, line: bytes) -> None:
        """Take a record of the desk."""
        try:
            act = _read_act(line).data
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return
        if act.act == "raised" and act.finding is not None:
            found = act.finding
            subject, last = found.subject, max(found.sequence, *found.sequences, 0)
        elif act.act == "dispute_opened":
            subject, last = act.subject, max(act.first_sequence, act.sequence or 0)
        else:
            return
        if last > self._last.get(subject, (0, 0))[0]:
            self._last[subject] = (last, number)

    def missing(self, file: str, there: dict[str, int]) -> Iterable[Break]:
        """What acts speak of and the ledger lacks; `there` is the last event of each table."""
        for subject, (sequence, number) in sorted(self._last.items()):
            if sequence > there.get(subject, 0):
                why = f"it speaks of event {sequence} of table {subject}; the ledger has {there.get(subject, 0)}"
                yield Break(file, SUBJECT, number, why)
