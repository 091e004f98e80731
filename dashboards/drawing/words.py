"""What is written on the felt, in lines that fit: text is folded or cut, never made too small to be read."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from dashboards.drawing.money import KINDS, dollars, settled, signed
from dashboards.drawing.scene import Bet, DrawnHand, DrawnSeat
from dashboards.drawing.svg import CHAR_WIDTH, cut, folded

TEXT = 18.0  # the least size of a letter, in units of the drawing: 13 px where the felt is 925 px wide
LINE = 22  # from base line to base line
SIDE_LINES = 4
CROWD = 3  # hands at one seat from which each says its least
BADGE = 20  # the side of a filled badge
ROOM = 8  # units that a line leaves free of its column


class WrittenStake(Struct, frozen=True):
    """One stake as it is written; `length` in units, its chip included."""

    said: str
    lammer: bool
    inferred: bool

    @property
    def length(self) -> float:
        """How wide it is, with the gap behind it."""
        return (len(self.said) + 2.6) * TEXT * CHAR_WIDTH


class Lines(Struct, frozen=True):
    """What is written of one hand: total and state, its stakes row by row, what moved and whether that was wrong."""

    words: tuple[str, ...] = ()
    stakes: tuple[tuple[WrittenStake, ...], ...] = ()
    moved: tuple[str, ...] = ()
    wrong: bool = False

    @property
    def count(self) -> int:
        """How many lines that are."""
        return len(self.words) + len(self.stakes) + len(self.moved)


def lines_of(hand: DrawnHand, width: float, *, crowded: bool = False) -> Lines:
    """What is written of a hand in a column of this width; in a crowd what moved takes the place of the stakes."""
    most = 1 if crowded else 2
    said = " · ".join(word for word in (hand.total, hand.state, *inferred(hand)) if word)
    if is_split(hand):
        said = f"{hand.name}: {said}" if said else hand.name
    text, wrong = settled(hand.bets)
    moved = _parted(text, width - ROOM, most)
    room = width - ROOM - (BADGE + 6 if hand.fault else 0)
    words = folded(said, room, TEXT, most) or (("",) if hand.fault else ())
    stakes = () if crowded and moved else _rows(hand.bets, width - ROOM, most)
    return Lines(words, stakes, moved, wrong)


def _parted(text: str, width: float, most: int) -> tuple[str, ...]:
    """What moved, and on a line of its own what was due, where one line does not hold both."""
    first, comma, due = text.partition(", ")
    if comma and most > 1 and cut(text, width, TEXT) != text:
        return (cut(f"{first},", width, TEXT), cut(due, width, TEXT))
    return folded(text, width, TEXT, most)


def is_split(hand: DrawnHand) -> bool:
    """Whether the hand is not its seat's first: then its name stands beside it."""
    return "." in hand.name and not hand.name.endswith(".1")


def inferred(hand: DrawnHand) -> list[str]:
    """What was not seen of the hand's cards and stakes, each said once."""
    said = [card.inferred for card in hand.cards] + [bet.inferred for bet in hand.bets]
    return list(dict.fromkeys(word for word in said if word))


def side_lines(seat: DrawnSeat, width: float) -> list[tuple[str, bool]]:
    """Wagers beside the main one, line by line, each with whether it is wrong; else what is noted of the seat."""
    if not seat.bets:
        return [(cut(seat.note, width, TEXT), False)] if seat.note else []
    lines: list[tuple[str, bool]] = []
    for place, bet in enumerate(seat.bets[:SIDE_LINES]):
        left = SIDE_LINES - len(lines) - (min(len(seat.bets), SIDE_LINES) - place - 1)
        wrong = settled((bet,))[1]
        lines += [(line, wrong) for line in folded(_side(bet), width - ROOM, TEXT, min(left, 2))]
    return lines


def named(seat: DrawnSeat, width: float) -> str:
    """The seat and its player, as fully as the plate has room for."""
    player = f" · {seat.player}" if seat.player else ""
    long, short = f"Seat {seat.number}{player}", f"{seat.number}{player}"
    return long if long == cut(long, width, TEXT) else cut(short, width, TEXT)


def _side(bet: Bet) -> str:
    kind = KINDS.get(bet.kind, bet.kind)
    text, wrong = settled((bet,))
    if wrong:
        said = f"✕ {kind} {signed(bet.moved or 0)}, due {signed(bet.due or 0)}"
    elif text:
        said = f"{kind} {text}"
    else:
        said = kind if bet.lammer else f"{kind} {dollars(bet.cents)}"
    return " · ".join(part for part in (said, bet.word, bet.inferred) if part)


def _rows(bets: Sequence[Bet], width: float, most: int) -> tuple[tuple[WrittenStake, ...], ...]:
    """Stakes in rows; where there are too many for these rows, what they come to together."""
    rows: list[list[WrittenStake]] = []
    for bet in bets:
        chip = 2.6 * TEXT * CHAR_WIDTH
        one = WrittenStake(cut(_stake(bet), width - chip, TEXT), bet.lammer, bool(bet.inferred))
        if rows and sum(each.length for each in rows[-1]) + one.length <= width:
            rows[-1].append(one)
        else:
            rows.append([one])
    if len(rows) > most:
        money = sum(bet.cents for bet in bets if not bet.lammer)
        whole = f"{dollars(money)} in {len(bets)}"
        rows = [[WrittenStake(cut(whole, width - chip, TEXT), False, any(bet.inferred for bet in bets))]]
    return tuple(tuple(row) for row in rows)


def _stake(bet: Bet) -> str:
    kind = KINDS.get(bet.kind, bet.kind.replace("_", " "))
    if bet.lammer:
        return kind or "lammer"
    return f"{dollars(bet.cents)} {kind}".rstrip()
