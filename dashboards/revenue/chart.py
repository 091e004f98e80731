"""The course of the win beside the theoretical win and the band of luck, as SVG; and a small one for each line."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from msgspec import Struct

from dashboards.drawing.money import dollars
from dashboards.drawing.svg import Markup, document, element, label
from dashboards.revenue.figures import WinCompared
from dashboards.revenue.statement import SLOT, Point
from dashboards.revenue.time_axis import Moment, TimeAxis, axis_of

WIDTH, HEIGHT = 960, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 112, 196, 22, 40
_TEXT = 16
_APART = 21  # between the base lines of two labels
_TICKS = 5
_SPARK = (120, 28)
MULTIPLE = (300, 104)


class _Row(Struct, frozen=True):
    """What is drawn at one moment, in cents; the band lies about `middle`, the win as it would be without luck."""

    at: Moment
    win: int
    theo: int | None
    middle: int | None
    band: int | None

    def from_nought(self, at: Moment) -> _Row:
        """The nought that the lines of this row begin with."""
        return _Row(at, 0, *(None if one is None else 0 for one in (self.theo, self.middle, self.band)))

    @property
    def inside(self) -> tuple[int, int] | None:
        """Between which wins luck leaves it in 95 of 100 cases."""
        if self.middle is None or self.band is None:
            return None
        return self.middle - self.band, self.middle + self.band


class _Scale(Struct, frozen=True):
    """From cents and moments to places in the drawing."""

    low: int
    high: int
    axis: TimeAxis

    def x(self, at: Moment) -> float:
        return self.axis.x(at)

    def y(self, cents: float) -> float:
        return _TOP + (HEIGHT - _TOP - _BOTTOM) * (self.high - cents) / max(self.high - self.low, 1)


def compared(figures: WinCompared) -> int:
    """The win that the theoretical win is held against; all of it where there is no figure at all."""
    return figures.covered_win_cents if figures.covered_stakes else figures.win_cents


def draw_course(points: Sequence[Point], zone: dt.tzinfo, title: str) -> Markup:
    """The running win (solid), the theoretical win (dashed) and the band (between dots), each named at its end."""
    rows = [_row(point) for point in points]
    axis = axis_of([row.at for row in rows], SLOT, _LEFT, WIDTH - _RIGHT)
    rows.insert(0, rows[-1].from_nought(axis.begin))
    values = [0, *(one for row in rows for one in _values(row))]
    step = _step(max(values) - min(values))
    scale = _Scale(min(values) // step * step, -(-max(values) // step) * step, axis)
    parts = [*_grid(scale, step), *_moments(scale, zone)]
    parts += [*_band(rows, scale), *_lines(rows, scale), *_ends(rows[-1], scale)]
    return document(parts, WIDTH, HEIGHT, title, _told(rows[-1]))


def draw_spark(wins: Sequence[int], name: str) -> Markup:
    """A running win as one small line over its nought."""
    width, height = _SPARK
    low, high = min(0, *wins), max(0, *wins)
    over = max(high - low, 1)

    def place(number: int, cents: int) -> str:
        x = 2 + (width - 4) * number / max(len(wins) - 1, 1)
        return f"{x:.1f} {3 + (height - 6) * (high - cents) / over:.1f}"

    path = "M" + "L".join(place(number, cents) for number, cents in enumerate(wins))
    nought = f"M{place(0, 0)}L{place(len(wins) - 1, 0)}"
    parts = (
        element("path", d=nought, class_="axis", fill="none"),
        element("path", d=path, class_="win", fill="none", stroke_width=2),
    )
    return document(parts, width, height, f"Running win of {name}", f"It ends at {_dollars(wins[-1])}.")


def _row(point: Point) -> _Row:
    figures = point.figures
    win, luck = compared(figures), figures.luck_cents
    return _Row(point.at, win, figures.theo_cents, None if luck is None else win - luck, figures.band_cents)


def _values(row: _Row) -> list[int]:
    return [row.win, *([] if row.theo is None else [row.theo]), *(row.inside or ())]


def _step(span: int) -> int:
    """Cents between two lines of the grid: 1, 2 or 5 of some power of ten, at least a dollar."""
    step = 100
    while True:
        for times in (1, 2, 5):
            if span <= step * times * _TICKS:
                return step * times
        step *= 10


def _grid(scale: _Scale, step: int) -> list[Markup]:
    parts = []
    for cents in range(scale.low, scale.high + 1, step):
        y = scale.y(cents)
        kind = "axis" if cents == 0 else "grid"
        parts.append(element("line", x1=_LEFT, y1=y, x2=WIDTH - _RIGHT, y2=y, class_=kind))
        parts.append(label(_LEFT - 10, y + 5, _dollars(cents), _TEXT, "currentColor", anchor="end"))
    return parts


def _moments(scale: _Scale, zone: dt.tzinfo) -> list[Markup]:
    foot = HEIGHT - _BOTTOM
    parts = []
    for at, said in scale.axis.ticks(zone):
        x = scale.x(at)
        parts.append(element("line", x1=x, y1=foot, x2=x, y2=foot + 6, class_="axis"))
        parts.append(label(x, HEIGHT - 12, said, _TEXT, "currentColor", anchor="middle"))
    return parts


def _band(rows: list[_Row], scale: _Scale) -> list[Markup]:
    edges: tuple[list[str], list[str]] = ([], [])
    for row in rows:
        for side, end in zip(edges, row.inside or (), strict=False):
            side.append(f"{scale.x(row.at):.1f} {scale.y(end):.1f}")
    if len(edges[0]) < 2:
        return []
    area = "M" + "L".join([*edges[0], *reversed(edges[1])]) + "Z"
    lines = ("M" + "L".join(side) for side in edges)
    return [
        element("path", d=area, class_="band"),
        *(element("path", d=line, class_="limit", fill="none", stroke_dasharray="2 5") for line in lines),
    ]


def _lines(rows: list[_Row], scale: _Scale) -> list[Markup]:
    def path(values: list[int | None]) -> str:
        known = [(row.at, cents) for row, cents in zip(rows, values, strict=True) if cents is not None]
        return "M" + "L".join(f"{scale.x(at):.1f} {scale.y(cents):.1f}" for at, cents in known)

    parts = []
    if rows[-1].theo is not None:
        theo = path([row.theo for row in rows])
        parts.append(
            element("path", d=theo, class_="theo", fill="none", stroke_width=2, stroke_dasharray="9 6")
        )
    win = path([row.win for row in rows])
    parts.append(element("path", d=win, class_="win", fill="none", stroke_width=3))
    end = scale.x(rows[-1].at)
    return [*parts, element("circle", cx=end, cy=scale.y(rows[-1].win), r=4, class_="win-end")]


def _ends(last: _Row, scale: _Scale) -> list[Markup]:
    """Names at the ends of the lines, moved apart where they would lie over each other."""
    names = [(scale.y(last.win), f"Win {_dollars(last.win)}", True)]
    if last.theo is not None:
        names.append((scale.y(last.theo), f"Theo {_dollars(last.theo)}", False))
    for said, end in zip(("95 % below", "95 % above"), last.inside or (), strict=False):
        names.append((scale.y(end), said, False))
    names.sort(key=lambda name: name[0])
    bases: list[float] = []
    for y, *_ in names:
        bases.append(max(y, bases[-1] + _APART) if bases else y)
    over = bases[-1] - (HEIGHT - _BOTTOM)
    if over > 0:
        bases = [base - over for base in bases]
    return [
        label(WIDTH - _RIGHT + 12, base + 5, text, _TEXT, "currentColor", bold=bold, width=_RIGHT - 16)
        for base, (_, text, bold) in zip(bases, names, strict=True)
    ]


def _told(last: _Row) -> str:
    said = [f"The win ends at {_dollars(last.win)}"]
    if last.theo is not None:
        said.append(f"the theoretical win at {_dollars(last.theo)}")
    if last.inside is not None:
        low, high = last.inside
        inside = low <= last.win <= high
        said.append(
            f"with play and errors luck leaves the win between {_dollars(low)} and {_dollars(high)}: "
            f"it is {'inside' if inside else 'outside'}"
        )
    return ", ".join(said) + "."


def _dollars(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}{dollars(cents)}"


def draw_multiple(points: Sequence[Point], axis: TimeAxis, name: str) -> Markup:
    """A line's running win, its theoretical win and band on a scale of its own, small, over a time axis for all."""
    width, height = MULTIPLE
    rows = [_row(point) for point in points]
    rows.insert(0, rows[-1].from_nought(axis.begin))
    values = [0, *(one for row in rows for one in _values(row))]
    small = _Small(min(values), max(values), axis)
    nought = element("line", x1=axis.left, y1=small.y(0), x2=axis.right, y2=small.y(0), class_="axis")
    parts = [*_band(rows, small), nought, *_lines(rows, small)]
    return document(parts, width, height, f"Running win of {name}", _told(rows[-1]))


class _Small(_Scale, frozen=True):
    """The scale of a small drawing without labels."""

    def y(self, cents: float) -> float:
        height = MULTIPLE[1]
        return 6 + (height - 12) * (self.high - cents) / max(self.high - self.low, 1)
