"""How evidence grew: a bounded number of points, spread evenly over all that was weighed, however long that goes on."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from math import log10
from typing import Final

from msgspec import Struct, field

from processors.detectors.shapes import WHOM, About, EvidenceStanding

MOST_POINTS: Final = 32
_LEAST: Final = -600  # hundredths of a power of ten: less is as good as nothing
_TOO_LITTLE: Final = 10 ** (_LEAST / 100)
_OF_ONE: Final = "|"  # between a variant and somebody; no variant has it
_NAMED_FIRST: Final = WHOM[::-1]


def line_of(variant: str, about: About) -> str:
    """The name of a course: the variant, and of evidence about somebody at one table also who that is.

    A patron comes before the dealer, who is named beside him once an alarm has risen.
    """
    if "table" in about:
        for kind in _NAMED_FIRST:
            if kind in about:
                return f"{variant}{_OF_ONE}{about[kind]}"
    return variant


class Curve(Struct, array_like=True):
    """Evidence by `line_of` after every `stride`-th step; full, every second point is left out and the stride doubled.

    `points` are kept in hundredths of a power of ten, the steps of all lines in `steps`; a line that appeared
    later has no evidence before, and None stands for it. Of somebody who is not spoken of any more no line is kept.
    """

    count: int = 0
    stride: int = 1
    steps: list[int] = field(default_factory=list)
    points: dict[str, list[int | None]] = field(default_factory=dict)

    def due(self) -> bool:
        """Count one step; whether `take` is to be given what stands now."""
        self.count += 1
        return self.count % self.stride == 0

    def take(self, standings: Iterable[EvidenceStanding]) -> None:
        """Add a point for each line: of several standings of one the highest."""
        now: dict[str, int] = {}
        for one in standings:
            level = round(100 * log10(one.e_value)) if one.e_value > _TOO_LITTLE else _LEAST
            line = line_of(one.variant, one.about)
            before = now.get(line)
            if before is None or level > before:
                now[line] = level
        if now.keys() != self.points.keys():
            self._begin_and_end(now)
        self.steps.append(self.count)
        for line, points in self.points.items():
            points.append(now.get(line))
        if len(self.steps) >= MOST_POINTS:
            self.stride *= 2
            self.steps = self.steps[1::2]
            self.points = {line: points[1::2] for line, points in self.points.items()}

    def _begin_and_end(self, now: Collection[str]) -> None:
        """Begin the lines that are new, and end those about somebody who is not spoken of any more."""
        self.points = {
            line: points for line, points in self.points.items() if line in now or _OF_ONE not in line
        }
        for line in now:  # in the order of the standings: snapshots are compared byte by byte
            if line not in self.points:
                self.points[line] = [None] * len(self.steps)

    def of(self, line: str, e_value: float) -> list[list[float]]:
        """Steps and evidence of one line, and the evidence now behind them."""
        points = zip(self.steps, self.points.get(line, ()), strict=False)
        told = [
            [step, float(f"{10 ** (level / 100):.3g}")]
            for step, level in points
            if level is not None and step < self.count
        ]
        return [*told, [self.count, e_value]]
