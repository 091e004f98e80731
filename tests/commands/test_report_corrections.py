"""What was counted or told anew replaces what was counted before it, stays on the record, and is named (A74)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands.run import Catwalk, catwalk
from tests.console.books import SETUPS, simulated
from tests.mutations.rechain import Event, altered, inserted, kind, like, parse, rechained

__all__ = ["catwalk"]  # a fixture
DAY = "2026-03-02"
_DAY = [event for event in parse(simulated(SETUPS[0])) if event["time"] < f"{DAY}T23"]
Edit = Callable[[list[Event]], list[Event]]


def _at(events: list[Event], name: str, **data: str) -> int:
    return next(
        at for at, event in enumerate(events) if kind(event) == name and data.items() <= event["data"].items()
    )


def _with_slips() -> list[Event]:
    """The day with a fill after the fifth round and a credit after the ninth: the closing count has them."""
    ends = [at + 1 for at, event in enumerate(_DAY) if kind(event) == "round_ended"]
    fill = like(_DAY[ends[4]], "fill_received", slip="FL-7", cents=300_000)
    credit = like(_DAY[ends[8]], "credit_sent", slip="CR-8", cents=120_000)
    events = inserted(inserted(_DAY, ends[8], credit), ends[4], fill)
    closing = _at(events, "inventory_counted", moment="closing")
    return altered(events, closing, cents=events[closing]["data"]["cents"] + 180_000)


BASE = _with_slips()


def _wrong_before(name: str, by: int, times: int = 1, early: int = 0, **data: str) -> Edit:
    """Words of the same kind with other amounts before the true one: right before it, or so many events before."""

    def edit(events: list[Event]) -> list[Event]:
        place = _at(events, name, **data)
        true = events[place]
        wrong = [
            like(true, name, **{**true["data"], "cents": true["data"]["cents"] + by * (n + 1)})
            | {"time": events[place - early]["time"]}
            for n in range(times)
        ]
        return inserted(events, place - early, *wrong)

    return edit


COUNT = "inventory_counted"
ANEW: dict[str, tuple[Edit, int]] = {
    "nothing": (list, 0),
    "the opening count": (_wrong_before(COUNT, -50_000, moment="opening"), 1),
    "the closing count, twice": (_wrong_before(COUNT, 12_500, 2, moment="closing"), 2),
    "a fill, at once": (_wrong_before("fill_received", 100_000), 1),
    "a fill, rounds later": (_wrong_before("fill_received", -90_000, early=120), 1),
    "a credit, at once": (_wrong_before("credit_sent", -10_000), 1),
}
# What comes between moves chips, or is of another capacity: then nothing is replaced.
APART: dict[str, Edit] = {
    "a round lies between": _wrong_before(COUNT, 12_500, early=90, moment="closing"),
    "the fill lies between": lambda events: (
        inserted(
            events,
            (at := _at(events, "fill_received")),
            like(events[at], COUNT, **events[_at(events, COUNT, moment="closing")]["data"]),
            events[at],
            like(events[at], COUNT, **events[_at(events, COUNT, moment="closing")]["data"]),
        )[: at + 3]
        + events[at + 1 :]
    ),
}


def test_the_last_count_stands_and_those_before_it_are_named(
    catwalk: Catwalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    (tmp_path / "streams").mkdir()
    edits = {name: edit for name, (edit, _) in ANEW.items()} | APART
    names = {f"T-{number}": name for number, name in enumerate(edits)}
    for subject, name in names.items():
        events = [{**event, "subject": subject} for event in edits[name](BASE)]
        lines = b"".join(line + b"\n" for line in rechained(events))
        (tmp_path / "streams" / f"{subject}.ndjson").write_bytes(lines)
    assert catwalk("record", tmp_path / "streams").status == 0
    told = {names[line["key"]]: line for line in catwalk("report", "revenue", "--day", DAY).json["lines"]}
    true = told["nothing"]
    assert true["net_win"] == true["win"]
    assert (true["fills"], true["credits"]) == (300_000, 120_000)
    assert {name: told[name]["corrections"] for name in ANEW} == {name: n for name, (_, n) in ANEW.items()}
    # The hours of all lines are rounded so that they add up: those of one may differ by a hundredth.
    apart = {"key": "", "corrections": 0, "hours": 0}
    for name in ANEW:
        assert told[name] | apart == true | apart, name
    for name in APART:
        assert told[name]["corrections"] == 0
        assert told[name]["net_win"] is None
        assert told[name]["lacks"] == ["more closing counts than opening ones"]
