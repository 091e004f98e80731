"""How evidence grew: a bounded number of points, spread evenly over all that was weighed, however long that goes on."""

from __future__ import annotations

from collections.abc import Iterable
from math import log10
from typing import Final

from msgspec import Struct, field

from processors.detectors.shapes import EvidenceStanding

MOST_POINTS: Final = 32
_LEAST: Final = -600  # hundredths of a power of ten: less is as good as nothing


class Curve(Struct, array_like=True):
    """Evidence by variant after every `stride`-th step; full, every second point is left out and the stride doubled.

    `points` are kept in hundredths of a power of ten, the steps of all variants in `steps`; a variant that appeared
    later has no evidence before, and None stands for it.
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
        """Add a point for each variant: of several standings of one the highest."""
        now: dict[str, int] = {}
        for one in standings:
            level = max(_LEAST, round(100 * log10(one.e_value))) if one.e_value > 0 else _LEAST
            now[one.variant] = max(now.get(one.variant, _LEAST), level)
        for variant in now:  # in the order of the standings: snapshots are compared byte by byte
            if variant not in self.points:
                self.points[variant] = [None] * len(self.steps)
        self.steps.append(self.count)
        for variant, points in self.points.items():
            points.append(now.get(variant))
        if len(self.steps) >= MOST_POINTS:
            self.stride *= 2
            self.steps = self.steps[1::2]
            self.points = {variant: points[1::2] for variant, points in self.points.items()}

    def of(self, variant: str, e_value: float) -> list[list[float]]:
        """Steps and evidence of one variant, and the evidence now behind them."""
        points = zip(self.steps, self.points.get(variant, ()), strict=False)
        told = [
            [step, float(f"{10 ** (level / 100):.3g}")]
            for step, level in points
            if level is not None and step < self.count
        ]
        return [*told, [self.count, e_value]]
