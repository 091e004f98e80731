"""Drawings on paper: the felt at chosen moments, a hand's cards, and the rack, in the light palette."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from dashboards.drawing.cards import BACK, RATIO, draw_fan, fan_width, reasoned, spoken, spoken_card, symbols
from dashboards.drawing.felt import described, draw_felt
from dashboards.drawing.palette import LIGHT
from dashboards.drawing.rack import RackRow, draw_rack
from dashboards.drawing.scene import Card
from dashboards.drawing.svg import document
from dashboards.replayer.replay import Replay, ReplayStep
from dashboards.reports.claims import SETTLING

MOST_WRONG = 4  # moments at which something is wrong that are drawn; all of them are in the list of steps
RACK_LINE = 24  # cards side by side in one drawing of the rack
_CARD = 50.0
_LAST_OF = {"Deal": "All starting cards are dealt", "Dealer": "The cards are played out"}


class PrintedPicture(Struct, frozen=True, kw_only=True):
    """One drawing; `alt` says in words what it shows."""

    svg: str
    alt: str
    title: str = ""
    note: str = ""


def hand_picture(name: str, cards: Sequence[Card]) -> PrintedPicture:
    """A hand's open cards, first card leftmost; those not known show a question mark, inferred ones a dashed edge."""
    shown = tuple(cards)
    words = ", ".join(spoken(card.name) + reasoned(card) for card in shown) or "no cards"
    edge = 3 if any(card.inferred for card in shown) else 1
    width = max(fan_width(shown, _CARD), _CARD) + 2 * edge
    parts = [
        symbols(LIGHT, sorted({card.name for card in shown} | {BACK})),
        *draw_fan(shown, edge, edge, _CARD, LIGHT),
    ]
    return PrintedPicture(
        svg=str(document(parts, width, _CARD * RATIO + 2 * edge, name, words)), alt=f"{name}: {words}"
    )


def felt_picture(step: ReplayStep, title: str) -> PrintedPicture:
    """The table as it was then known."""
    return PrintedPicture(
        svg=str(draw_felt(step.felt, LIGHT, standalone=True)),
        alt=described(step.felt) or step.felt.title,
        title=title,
        note=f"Event {step.sequence}, {step.clock}: {step.sentence}",
    )


def moments(replay: Replay) -> tuple[PrintedPicture, ...]:
    """The felts a reader needs: cards dealt, what went wrong, cards played out, and the end."""
    chosen: dict[int, str] = {}
    last: dict[str, int] = {step.phase: step.index for step in replay.steps}
    for phase, words in _LAST_OF.items():
        if phase in last:
            chosen[last[phase]] = words
    settled = [step.index for step in replay.steps if step.event in SETTLING]
    if settled:
        chosen[settled[-1]] = "All stakes are settled"
    elif replay.steps:
        chosen.setdefault(replay.steps[-1].index, "The last event of the record")
    for mark in replay.mismatches[:MOST_WRONG]:
        chosen[mark.index] = "Here the record departs from the rule"
    return tuple(felt_picture(replay.steps[index], chosen[index]) for index in sorted(chosen))


def rack_pictures(rows: Sequence[RackRow]) -> tuple[PrintedPicture, ...]:
    """The round's cards in the discard rack, by the log above and as read below."""
    drawn = []
    for start in range(0, len(rows), RACK_LINE):
        part = tuple(rows[start : start + RACK_LINE])
        title = f"Places {start + 1} to {start + len(part)} of {len(rows)}, bottom first"
        drawn.append(PrintedPicture(svg=str(draw_rack(part, LIGHT, title)), alt=f"{title}. {_told(part)}"))
    return tuple(drawn)


def _told(rows: Sequence[RackRow]) -> str:
    return "; ".join(
        f"{row.place + 1} {_card(row.observed)}"
        + ("" if row.agrees else f" instead of {_card(row.expected)}")
        for row in rows
    )


def _card(card: Card | None) -> str:
    if card is None:
        return "no card"
    return spoken_card(card)
