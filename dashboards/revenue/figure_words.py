"""Figures of revenue as people read them, and the address of the list that each opens."""

from __future__ import annotations

import datetime as dt
from typing import Any
from urllib.parse import urlencode

from dashboards.revenue.figures import Figures
from dashboards.revenue.opened import FIGURES, Unit, Value, figure
from dashboards.revenue.statement import StatementLine
from dashboards.revenue.wanted import WantedRevenue
from dashboards.wording.money import dollars

_MICRO = 1_000_000


def address(path: str, wanted: WantedRevenue, **changes: Any) -> str:
    """The address of a page about what is wanted, with changes; what is no filter of it is added as it is."""
    own = {name: value for name, value in changes.items() if name in WantedRevenue.__struct_fields__}
    others = {name: str(value) for name, value in changes.items() if name not in own and value}
    return f"{path}?{urlencode(wanted.query(**own) | others)}"


def narrowed(wanted: WantedRevenue, key: str) -> dict[str, Any]:
    """The filter that leaves of what is wanted the line of this key alone."""
    if not key:
        return {"lacks": ",".join(sorted({*wanted.lacking, wanted.by}))}
    return {wanted.by: int(key) if wanted.by == "shift" else key}


def opens(
    name: str,
    wanted: WantedRevenue,
    line: StatementLine | None = None,
    kind: str = "",
    until: dt.datetime | None = None,
    **changes: Any,
) -> str:
    """The list that the figure of this name opens; of stakes of one `kind`, of rounds that ended before `until`."""
    if figure(name, line).slips:
        return address("/revenue/slips", wanted, what=name, **changes)
    more = {"kind": kind, "until": "" if until is None else until.isoformat()}
    return address("/revenue/hands", wanted, of=name, **more, **changes)


def figure_text(name: str, line: StatementLine) -> str:
    """A figure of a line; empty where there is none."""
    found = figure(name, line)
    return shown(found.value(line), found.unit)


def shown(value: Value, unit: Unit) -> str:
    """A value as people read it; empty where there is none."""
    if value is None:
        return ""
    match unit:
        case "count":
            return f"{value:,}"
        case "percent":
            return f"{dollars(int(value))} %"
        case "deviations":
            return f"{value:+.2f}".replace("-", "−")
        case "seconds":
            return hours(int(value))
    return dollars(int(value))


def hours(seconds: int) -> str:
    """Hours and minutes."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}"


def of_round(name: str, figures: Figures) -> str:
    """What one round adds to the figure of this name, exact: a theoretical win is no whole number of cents."""
    luck = name == "luck"
    if name in ("theo", "difference", "luck"):
        if not figures.covered_stakes:
            return ""
        theo = figures.theo_millionths
        if name == "theo":
            return exact(theo)
        return exact((figures.covered_win_cents - figures.covered_error_cents * luck) * _MICRO - theo)
    found = FIGURES[name]
    return shown(found.value(StatementLine("", "", figures)), found.unit)


def exact(millionths: int) -> str:
    """Millionths of a cent in dollars, with as many decimals as they have and at least two."""
    whole, part = divmod(abs(millionths), 100 * _MICRO)
    decimals = f"{part:08d}".rstrip("0").ljust(2, "0")
    return f"{'−' if millionths < 0 else ''}{whole:,}.{decimals}"
