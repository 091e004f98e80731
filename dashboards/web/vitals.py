"""How the parts behind the console are: `deploy` measures them, the health page shows them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

State = Literal["well", "warning", "failed", "not known"]


class Figures(Struct, frozen=True, kw_only=True):
    """What was measured, one row for each thing it was measured at; the first cell of a row names it."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Vital(Struct, frozen=True):
    """One part: what was measured, with its unit, and what to do where it is not well or nobody has looked."""

    part: str
    state: State
    told: str
    remedy: str = ""
    figures: Figures | None = None
