"""Curves as SVG: which share of seeds was found after so many rounds, and how often evidence came as far by chance."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10

from dashboards.drawing.svg import Markup, document, element, label, rect
from processors.detectors.family import LEVEL

WIDTH, HEIGHT = 780, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 256, 20, 46
_TEXT = 14
_INK, _GRID = "#333333", "#dddddd"
_COLOURS = ("#0057b7", "#c44500", "#217a3c", "#8a2be2", "#946c00", "#a1003c", "#00707a", "#555555")
Curve = tuple[str, Sequence[float], float]
"""A name, the rounds or hands at which it was found at each seed (infinite: never), and by when it is stated."""


def _x(share: float) -> float:
    return _LEFT + (WIDTH - _LEFT - _RIGHT) * share


def _y(share: float) -> float:
    return _TOP + (HEIGHT - _TOP - _BOTTOM) * (1 - share)


def _frame(across: Sequence[tuple[float, str]], up: Sequence[tuple[float, str]], unit: str) -> list[Markup]:
    parts = [rect(0, 0, WIDTH, HEIGHT, fill="#ffffff")]
    for share, words in up:
        parts.append(element("line", x1=_x(0), y1=_y(share), x2=_x(1), y2=_y(share), stroke=_GRID))
        parts.append(label(_LEFT - 8, _y(share) + 5, words, _TEXT, _INK, anchor="end"))
    for share, words in across:
        parts.append(element("line", x1=_x(share), y1=_y(0), x2=_x(share), y2=_y(0) + 5, stroke=_INK))
        parts.append(label(_x(share), _y(0) + 20, words, _TEXT, _INK, anchor="middle"))
    parts.append(element("line", x1=_x(0), y1=_y(0), x2=_x(1), y2=_y(0), stroke=_INK))
    parts.append(label(_x(1), HEIGHT - 8, unit, _TEXT, _INK, anchor="end"))
    return parts


def _named(place: int, words: str, colour: str) -> list[Markup]:
    top = _TOP + 10 + 20 * place
    return [
        element("line", x1=_x(1) + 12, y1=top, x2=_x(1) + 30, y2=top, stroke=colour, stroke_width=3),
        label(_x(1) + 36, top + 5, words, _TEXT, _INK),
    ]


def draw_power(title: str, curves: Sequence[Curve], unit: str) -> Markup:
    """The share of seeds that was found after so many of `unit`; dashed, by when it is stated."""
    last = (
        max([by for _, _, by in curves] + [time for _, times, _ in curves for time in times if time < inf])
        * 1.05
    )
    step = 10 ** int(log10(last))
    step = next(one for one in (step / 5, step / 2, step, 2 * step, 5 * step) if last / one <= 6)
    across = [(step * n / last, f"{step * n:g}") for n in range(int(last / step) + 1)]
    parts = _frame(across, [(n / 4, f"{25 * n} %") for n in range(5)], unit)
    for place, (name, times, by) in enumerate(curves):
        colour = _COLOURS[place % len(_COLOURS)]
        path, share = [f"M{_x(0):.1f} {_y(0):.1f}"], 0.0
        for time in sorted(time for time in times if time < inf):
            path.append(f"H{_x(time / last):.1f}")
            share += 1 / len(times)
            path.append(f"V{_y(share):.1f}")
        path.append(f"H{_x(1):.1f}")
        parts.append(element("path", d="".join(path), fill="none", stroke=colour, stroke_width=2.5))
        ends = {"x1": _x(by / last), "x2": _x(by / last), "y1": _y(0), "y2": _y(1)}
        parts.append(element("line", **ends, stroke=colour, stroke_dasharray="3 5"))
        parts += _named(place, name, colour)
    return document(parts, WIDTH, HEIGHT, title, "The share of seeds found; dashed, by when each is stated.")


def draw_false_alarms(title: str, peaks: Sequence[tuple[str, Sequence[float]]], shifts: int) -> Markup:
    """The share of lawful shifts at which evidence came to so much, by family; grey, what is promised."""
    lowest = log10(LEVEL)

    def at(log: float) -> float:
        return log / lowest

    across = [(at(-n), f"{10**n:,}") for n in range(round(-lowest) + 1)]
    up = [(1 - at(-n), f"{10.0**-n:g}") for n in range(round(-lowest) + 1)]
    parts = _frame(across, up, "evidence")
    parts.append(element("line", x1=_x(0), y1=_y(1), x2=_x(1), y2=_y(0), stroke="#999999", stroke_width=2))
    for place, (name, values) in enumerate(peaks):
        colour = _COLOURS[place % len(_COLOURS)]
        points = []
        for n in range(0, 81):
            reached = sum(value >= 10 ** (-lowest * n / 80) for value in values)
            if reached:
                points.append((n / 80, 1 - at(log10(reached / shifts))))
        if points:
            path = "M" + "L".join(f"{_x(x):.1f} {_y(max(0.0, y)):.1f}" for x, y in points)
            parts.append(element("path", d=path, fill="none", stroke=colour, stroke_width=2))
            parts += _named(place, name, colour)
    return document(
        parts, WIDTH, HEIGHT, title, "The share of lawful shifts by the most evidence; grey, the promise."
    )
