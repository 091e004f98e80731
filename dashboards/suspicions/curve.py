"""The course of the evidence as SVG: powers of ten over what was weighed, with the line at which an alarm is due."""

from __future__ import annotations

from collections.abc import Container, Sequence
from math import ceil, floor, log10
from typing import Final

from dashboards.drawing.svg import Markup, document, element, label

WIDTH, HEIGHT = 960, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 96, 185, 20, 44
_TEXT = 15
_LEAST, _LINES = -3.0, 7
Point = tuple[int, float]


STEPS: Final = {
    "called_void": ("round called void", "rounds called void"),
    "collusion": ("round weighed", "rounds weighed"),
    "counting": ("block of rounds", "blocks of rounds"),
    "dealer_mispay": ("stretch of rounds", "stretches of rounds"),
    "hole_card_knowledge": ("round weighed", "rounds weighed"),
    "pace": ("turn", "turns"),
    "past_posting": ("round", "rounds"),
}
"""What one step of a course is and several are, by family, where the evidence is joined over tables."""
_ROUNDS: Final = ("round", "rounds")
_NAMES: Final = ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"))
_NO_NAME: Final = 1e15  # from here on no name of a number is one that people use
_SMALL: Final = 1e-4  # below it a float is written with an exponent
_KEPT: Final = -600  # hundredths of a power of ten: the least that is kept
_LEAST_TOLD: Final = 1e-6
_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def unit_of(family: str, about: Container[str], number: int = 2) -> str:
    """What a course counts, for so many: rounds at a table, or what the family weighs at once joined over tables."""
    one, several = _ROUNDS if "table" in about else STEPS.get(family, ("step", "steps"))
    return one if number == 1 else several


def draw_evidence(
    points: Sequence[Point],
    raised_at: float,
    page_at: float | None,
    unit: str,
    alarm_after: int | None = None,
) -> Markup:
    """The evidence by step, at least one point; dashed the evidence of alarm and page.

    `unit` is what the steps count, as it stands beside the number of the last: "rounds", or "round" beside 1.
    A line marks the step `alarm_after`, at which the alarm rose, where the course goes on after it.
    """
    levels = [max(_LEAST, log10(e)) if e > 0 else _LEAST for _, e in points]
    marks = [(log10(raised_at), "raised at")]
    if page_at is not None and page_at > raised_at:
        marks.append((log10(page_at), "pages at"))
    low, high = floor(min([0.0, *levels])), ceil(max([*levels, *(level for level, _ in marks)]) + 0.2)
    last = max(1, points[-1][0])

    def x(step: float) -> float:
        return _LEFT + (WIDTH - _LEFT - _RIGHT) * step / last

    def y(level: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (high - level) / (high - low)

    every = max(1, ceil((high - low) / _LINES))
    parts = []
    for power in range(low, high + 1):
        if power % every == 0:
            kind = "axis" if power == 0 else "grid"
            parts.append(element("line", x1=_LEFT, y1=y(power), x2=x(last), y2=y(power), class_=kind))
            parts.append(
                label(_LEFT - 10, y(power) + 5, odds(10.0**power), _TEXT, "currentColor", anchor="end")
            )
    for level, words in marks:
        parts.append(element("line", x1=_LEFT, y1=y(level), x2=x(last), y2=y(level), class_="alarm-at"))
        parts.append(label(x(last) + 8, y(level) + 5, f"{words} {odds(10.0**level)}", _TEXT, "currentColor"))
    if alarm_after is not None and alarm_after < last:
        across = {"x1": x(alarm_after), "x2": x(alarm_after), "y1": _TOP, "y2": HEIGHT - _BOTTOM}
        parts.append(element("line", class_="alarm-after", **across))
        parts.append(label(x(alarm_after), 14, "alarm", _TEXT, "currentColor", anchor="middle"))
    course = "M" + "L".join(
        f"{x(step):.1f} {y(level):.1f}" for (step, _), level in zip(points, levels, strict=True)
    )
    parts.append(element("path", d=course, class_="evidence", fill="none", stroke_width=2.5))
    parts.append(element("circle", cx=x(last), cy=y(levels[-1]), r=5, class_="evidence-now"))
    parts.append(label(_LEFT, HEIGHT - 14, "0", _TEXT, "currentColor"))
    parts.append(label(x(last), HEIGHT - 14, f"{last:,} {unit}", _TEXT, "currentColor", anchor="end"))
    now = f"After {last:,} {unit} the evidence is {odds(points[-1][1])} to 1"
    told = f"{now}; an alarm is due at {odds(raised_at)} to 1."
    return document(parts, WIDTH, HEIGHT, "How the evidence grew", told)


def odds_of_course(e_value: float) -> str:
    """A point of a course as people read it: each in hundredths of a power of ten, as all but the last are kept."""
    return odds(float(f"{10 ** (max(_KEPT, round(100 * log10(e_value))) / 100):.3g}") if e_value > 0 else 0.0)


def odds(e_value: float) -> str:
    """Evidence as people read it, before "to 1": `0.000012`, `0.02`, `40,300`, `260 million`, `1.4 × 10²⁰`."""
    if 0 < e_value < _SMALL:
        return f"{e_value:.6f}".rstrip("0") if e_value >= _LEAST_TOLD else f"under {_LEAST_TOLD:.6f}"
    if e_value < 1e6:
        return f"{e_value:,.0f}" if e_value >= 10 else f"{e_value:.2g}"
    shown = float(f"{e_value:.1e}")
    if shown >= _NO_NAME:
        digits, _, power = f"{shown:.1e}".partition("e+")
        return f"{'' if digits == '1.0' else f'{digits} × '}10{power.translate(_RAISED)}"
    size, name = next(one for one in _NAMES if shown >= one[0])
    return f"{shown / size:.3g} {name}"
