"""What is written on the felt, in lines that fit: text is folded or cut, never made too small to be read."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from dashboards.drawing.money import KINDS, as_due, dollars, moved, settled
from dashboards.drawing.scene import Bet, DrawnHand, DrawnSeat
from dashboards.drawing.svg import CHAR_WIDTH, cut, folded

TEXT = 18.0  # the least size of a letter, in units of the drawing: 13 px where the felt is 925 px wide
LINE = 22  # from base line to base line
_HIGHER = (2_500, 10_000, 20_000, 50_000)  # cents from which on a stack is one chip higher
HIGHEST = 1 + len(_HIGHER)
SIDE_LINES = 4
PAIR, CROWD = 2, 3  # hands at one seat from which each says less, and its least
BADGE = 20  # the side of a filled badge
ROOM = 8  # units that a line leaves free of its column
_CHIPS = 3.6  # letters that chips, their frame and the gap behind it take of a stake


class WrittenStake(Struct, frozen=True):
    """One stake as it is written; `length` in units, its chips included; `chips` is how high they are stacked."""

    said: str
    lammer: bool
    inferred: bool
    chips: int = 1

    @property
    def length(self) -> float:
        """How wide it is, with the gap behind it."""
        return (len(self.said) + _CHIPS) * TEXT * CHAR_WIDTH


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


def lines_of(hand: DrawnHand, width: float, *, of: int = 1) -> Lines:
    """What is written of a hand in a column of this width, of so many hands of its seat.

    Beside another hand what moved takes the place of the stakes; in a crowd of hands all stands in one line.
    """
    most = 1 if of >= PAIR else 2
    said = " · ".join(word for word in (hand.total, hand.state, *inferred(hand)) if word)
    if is_split(hand):
        said = f"{hand.name}: {said}" if said else hand.name
    text, wrong = settled(hand.bets)
    moved = _parted(text, width - ROOM, most)
    room = width - ROOM - (BADGE + 6 if hand.fault else 0)
    words = folded(said, room, TEXT, most) or (("",) if hand.fault else ())
    stakes = () if of >= PAIR and moved else _rows(hand.bets, width - ROOM, most)
    if of >= CROWD and moved:
        return Lines((), (), (_in_one(hand, text, width - ROOM),), wrong)
    if of >= CROWD and words:
        return Lines(words, (), (), wrong)
    return Lines(words, stakes, moved, wrong)


def _in_one(hand: DrawnHand, moved: str, width: float) -> str:
    """Total and what moved in one line, or what moved alone."""
    whole = f"{hand.total}: {moved}" if hand.total else moved
    return whole if cut(whole, width, TEXT) == whole else cut(moved, width, TEXT)


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
    most = SIDE_LINES if len(seat.hands) < CROWD else PAIR
    for place, bet in enumerate(seat.bets[:most]):
        left = most - len(lines) - (min(len(seat.bets), most) - place - 1)
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
        said = f"✕ {kind} {moved(bet.moved or 0)}, due {as_due(bet.due or 0)}"
    elif text:
        said = f"{kind} {text}"
    else:
        said = kind if bet.lammer else f"{kind} {dollars(bet.cents)}"
    return " · ".join(part for part in (said, bet.word, bet.inferred) if part)


def _rows(bets: Sequence[Bet], width: float, most: int) -> tuple[tuple[WrittenStake, ...], ...]:
    """Stakes in rows; where there are too many for these rows, what they come to together."""
    rows: list[list[WrittenStake]] = []
    for bet in bets:
        chip = _CHIPS * TEXT * CHAR_WIDTH
        one = WrittenStake(
            cut(_stake(bet), width - chip, TEXT), bet.lammer, bool(bet.inferred), stacked(bet.cents)
        )
        if rows and sum(each.length for each in rows[-1]) + one.length <= width:
            rows[-1].append(one)
        else:
            rows.append([one])
    if len(rows) > most:
        money = sum(bet.cents for bet in bets if not bet.lammer)
        whole = f"{dollars(money)} in {len(bets)}"
        rows = [
            [
                WrittenStake(
                    cut(whole, width - chip, TEXT), False, any(bet.inferred for bet in bets), stacked(money)
                )
            ]
        ]
    return tuple(tuple(row) for row in rows)


def stacked(cents: int) -> int:
    """How many chips are drawn for so much: one, and one more from $25, $100, $200 and $500 on."""
    return 1 + sum(cents >= step for step in _HIGHER)


def _stake(bet: Bet) -> str:
    kind = KINDS.get(bet.kind, bet.kind.replace("_", " "))
    if bet.lammer:
        return kind or "lammer"
    return f"{dollars(bet.cents)} {kind}".rstrip()
