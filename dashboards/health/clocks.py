"""How far a device's clock is off, as far as the record proves it.

By arrival: an event is recorded after it has happened, and soon after; so event time less the recorder's time, of
the promptest events, is how far the device is ahead. By order: a record chained behind another device's happened
after it; how far the times of two devices ever step, there and back, holds the difference of their clocks between
two bounds. The most of its neighbours decide for a device; of two that disagree neither is proven right.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from dashboards.reader.sensors import ClockRow, TurnRow

# Hands at a table move every one or two seconds: a clock further off than this puts a wager behind the call that
# closed betting. A device that asks a time server is off by thousandths.
OFF = 3.0  # seconds
AT_LEAST = 5  # events or turns before anything is said
BROUGHT_IN = 86_400.0  # seconds; no time zone is so wide: these events were brought in later, not sent late
LATEST = 1_500  # records of each table that are looked at: about an hour's play

Standing = Literal["well", "off", "not known"]
Key = tuple[str, str]  # table, device


class DeviceClock(Struct, frozen=True, kw_only=True):
    """A device's clock lies so many seconds before the others (`+`) or behind (`-`), between two bounds.

    A bound is None where nothing says it. `by` is what says it, `against` how many other clocks it was held against.
    """

    standing: Standing = "not known"
    low: float | None = None
    high: float | None = None
    by: Literal["arrival", "order", "nothing"] = "nothing"
    against: int = 0

    @property
    def ahead(self) -> dt.timedelta:
        """By how much its times are to be put back to compare them with others; nothing where it is not off."""
        if self.standing != "off":
            return dt.timedelta()
        bounds = [bound for bound in (self.low, self.high) if bound is not None]
        return dt.timedelta(seconds=sum(bounds) / len(bounds))

    @property
    def told(self) -> str:
        """The offset with sign and unit: `+30.1 s`, `+30.1 s ± 0.4 s`, `at least +12.0 s`, or `not known`."""
        low, high = self.low, self.high
        if low is None and high is None:
            return "not known"
        if low is None or high is None:
            one, word = (low, "at least") if high is None else (high, "at most")
            return f"not known, {word} {_signed(one)}" if self.standing != "off" else f"{word} {_signed(one)}"
        if low == high:
            return _signed(low)
        middle = f"{_signed((low + high) / 2)} ± {abs(high - low) / 2:,.1f} s"
        return middle if self.standing != "not known" else f"not known, {middle}"

    @property
    def meant(self) -> str:
        """What that is, for whoever has to put it right; empty where nothing is to be done."""
        if self.standing != "off":
            return ""
        told = "its clock is ahead" if self.ahead > dt.timedelta() else "its clock is behind"
        if self.ahead <= dt.timedelta() and self.by != "order":
            told += ", or its events come late"
        return f"{told}; held against one device alone, either may be wrong" if self.against == 1 else told


def clocks(devices: Iterable[ClockRow], turns: Iterable[TurnRow]) -> dict[Key, DeviceClock]:
    """The clock of every device that the last records name."""
    found = _by_order(turns)
    for device in devices:
        key = device.subject, device.source
        found[key] = _by_arrival(device) or found.get(key, DeviceClock())
    return found


def _by_arrival(device: ClockRow) -> DeviceClock | None:
    ahead = device.ahead
    if ahead is None or device.arrived < AT_LEAST or ahead < -BROUGHT_IN:
        return None
    standing: Standing = "off" if abs(ahead) > OFF else "well"
    return DeviceClock(standing=standing, low=ahead, high=ahead, by="arrival")


def _by_order(turns: Iterable[TurnRow]) -> dict[Key, DeviceClock]:
    found: dict[Key, DeviceClock] = {}
    in_order = sorted(turns, key=lambda turn: turn.subject)
    for subject, of_table in groupby(in_order, key=lambda turn: turn.subject):
        steps = {(turn.before, turn.after): turn.step for turn in of_table if turn.turns >= AT_LEAST}
        for device in {name for pair in steps for name in pair}:
            found[subject, device] = _decided(_held_against(device, steps))
    return found


def _held_against(device: str, steps: Mapping[Key, float]) -> list[DeviceClock]:
    """This clock against each of its neighbours'; `steps` are the shortest from one device to the next."""
    neighbours = sorted({one for pair in steps if device in pair for one in pair} - {device})
    held = []
    for other in neighbours:
        there, back = steps.get((device, other)), steps.get((other, device))
        low, high = None if there is None else -there, back
        if low is not None and high is not None and low > high:  # it was set on the way: both were true once
            low, high = high, low
        held.append(DeviceClock(standing=_standing(low, high), low=low, high=high, by="order", against=1))
    return held


def _standing(low: float | None, high: float | None) -> Standing:
    if (low is not None and low > OFF) or (high is not None and high < -OFF):
        return "off"
    if low is not None and high is not None and low >= -OFF and high <= OFF:
        return "well"
    return "not known"


def _decided(held: list[DeviceClock]) -> DeviceClock:
    off = [clock for clock in held if clock.standing == "off"]
    well = [clock for clock in held if clock.standing == "well"]
    chosen = off if len(off) > len(well) else well or held
    tightest = min(chosen, key=_width)
    return replace(tightest, against=len(chosen) if tightest.standing != "not known" else 0)


def _width(clock: DeviceClock) -> float:
    return float("inf") if clock.low is None or clock.high is None else clock.high - clock.low


def _signed(seconds: float | None) -> str:
    rounded = round(seconds or 0.0, 1) + 0.0  # no minus before a nought
    return f"{rounded:+,.1f} s" if rounded else "0.0 s"
