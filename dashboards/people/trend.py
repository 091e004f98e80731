"""A figure by gaming day as SVG, with the level of those who are compared."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.drawing.svg import Markup, document, element, label
from schemas.amounts import amount

WIDTH, HEIGHT = 640, 150
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 110, 14, 26
_TEXT = 14
Day = tuple[str, float | None]


def draw_trend(days: Sequence[Day], others: float | None, what: str) -> Markup:
    """A point a gaming day, the oldest first, none where nothing is known; dashed the median of the others."""
    known = [value for _, value in days if value is not None]
    highest = max([*known, *([others] if others is not None else [])], default=0.0) or 1.0
    step = (WIDTH - _LEFT - _RIGHT) / max(1, len(days) - 1)

    def y(value: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - value / highest)

    right = WIDTH - _RIGHT
    parts = [
        element("line", x1=_LEFT, y1=y(0), x2=right, y2=y(0), class_="axis"),
        label(_LEFT - 8, y(highest) + 5, f"{highest:.1f}", _TEXT, "currentColor", anchor="end"),
        label(_LEFT - 8, y(0) + 5, "0", _TEXT, "currentColor", anchor="end"),
    ]
    if others is not None:
        parts.append(element("line", x1=_LEFT, y1=y(others), x2=right, y2=y(others), class_="alarm-at"))
        parts.append(label(right + 6, y(others) + 5, f"others {others:.1f}", _TEXT, "currentColor"))
    points = [(_LEFT + step * at, y(value)) for at, (_, value) in enumerate(days) if value is not None]
    if len(points) > 1:
        course = "M" + "L".join(f"{x:.1f} {level:.1f}" for x, level in points)
        parts.append(element("path", d=course, class_="evidence", fill="none", stroke_width=2))
    parts += [element("circle", cx=x, cy=level, r=3, class_="evidence-now") for x, level in points]
    parts.append(label(_LEFT, HEIGHT - 6, days[0][0] if days else "", _TEXT, "currentColor"))
    parts.append(label(right, HEIGHT - 6, days[-1][0] if days else "", _TEXT, "currentColor", anchor="end"))
    beside = f"; the median of the others is {others:.1f}" if others is not None else ""
    told = (
        f"{amount(len(known), 'gaming day')}, the last {known[-1]:.1f}{beside}."
        if known
        else "Nothing is known."
    )
    return document(parts, WIDTH, HEIGHT, what, told)
