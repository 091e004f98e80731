"""The hands of a round on paper: their cards drawn and in words, and which of them nobody saw laid down."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET, Struct
from msgspec.structs import replace

from dashboards.drawing.cards import spoken_card
from dashboards.drawing.scene import Card
from dashboards.replayer.replay import Replay
from dashboards.replayer.witnessed import WitnessedCard
from dashboards.reports.pictures import PrintedPicture, hand_picture
from processors.games.witnessed import Vouched
from schemas.rounds import HandResultLine
from schemas.values import DEALER

_RESULTS = {
    "blackjack": "Blackjack",
    "bust": "over 21",
    "dead": "called dead",
    "double": "doubled",
    "stand": "stood",
}


class PrintedHand(Struct, frozen=True, kw_only=True):
    """One hand: its cards drawn and in words."""

    name: str
    picture: PrintedPicture
    words: str
    total: str
    result: str


def hand_name(name: str) -> str:
    """A hand, position or seat as people say it."""
    if name == DEALER:
        return "Dealer"
    return f"Hand {name}" if "." in name else f"Seat {name}" if name.isdigit() else name.capitalize()


def total_of(line: HandResultLine | None) -> str:
    """A hand's total in words; a dash where there is none."""
    if line is None or line.total is UNSET:
        return "–"
    return f"{'soft ' if line.soft is True and line.total < 21 else ''}{line.total}"


def inferred_words(cards: Iterable[WitnessedCard]) -> tuple[str, ...]:
    """The cards whose laying the layout did not report in time, and how the place of each is known."""
    return tuple(
        f"{hand_name(one.hand)}, {spoken_card(one.card)}: drawn at event {one.by.shoe}, {_known(one.by)}"
        for one in cards
        if one.by.known is not None
    )


def _known(by: Vouched) -> str:
    at = {"seen by rack": by.rack, "late word": by.layout}.get(by.known or "")
    return f"{by.known} at event {at}" if at is not None else by.known or ""


def words_missing(replay: Replay) -> tuple[str, ...]:
    """Words of devices that never came, although another device shows that they were due."""
    return (replay.result.words_missing or ()) if replay.result is not None else ()


def wrong_batch(replay: Replay) -> str:
    """What was known to be wrong with the batch that the round was dealt from; empty where nothing was."""
    return (replay.result.wrong_batch or "") if replay.result is not None else ""


def hand_rows(
    hands: dict[str, HandResultLine], cards: Iterable[WitnessedCard] = ()
) -> tuple[PrintedHand, ...]:
    """All hands, seats ascending, the dealer last; a card whose place is inferred by `cards` is marked."""
    ordered = sorted(hands.items(), key=lambda pair: (pair[0] == DEALER, pair[0]))
    marks: dict[str, list[Card]] = {}
    for one in cards:
        marks.setdefault(one.hand, []).append(one.card)
    rows = []
    for name, line in ordered:
        shown = [Card(card) for card in line.cards]
        marked = marks.get(name, [])
        if len(marked) == len(shown):
            shown = [
                replace(card, inferred=mark.inferred, why=mark.why) if mark.why else card
                for card, mark in zip(shown, marked, strict=True)
            ]
        picture = hand_picture(hand_name(name), shown)
        came = f"split from {line.came_from}" if isinstance(line.came_from, str) else ""
        result = _RESULTS.get(line.result, line.result) if line.result is not UNSET else ""
        rows.append(
            PrintedHand(
                name=hand_name(name),
                picture=picture,
                words=picture.alt.partition(": ")[2],
                total=total_of(line),
                result=", ".join(part for part in (result, came) if part) or "–",
            )
        )
    return tuple(rows)
