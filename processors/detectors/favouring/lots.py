"""From a round to its mispaid hands and to the hands that have exchanged cards, each with its player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from processors.core.state import Hand, Round, Table, seat_of
from processors.detectors.favouring.shares import Lot
from processors.detectors.shapes import Closed
from schemas.events import CardDrawn
from schemas.rounds import StakeResult
from schemas.values import DEALER, UNKNOWN

PLAYED = ("main", "double", "split", "lammer")
_UNTOLD = "disputed:"


def too_much(stake: StakeResult, *, charged: bool) -> int | None:
    """What the patron got too much for a stake (minus: too little), in cents; None where it cannot be said.

    charged: whether the law charges the round with anything.
    """
    due, seen = stake.due_cents, stake.seen_cents
    if due is None:
        return None
    if seen is None:
        return -due if charged or not due else None
    return seen - due


def players_of(round_: Round, table: Table) -> dict[int, str]:
    """Who plays at each seat of a round, as far as the record says it."""
    found = dict(table.players)
    for stake in round_.stakes.values():
        if stake.player:
            found[stake.seat] = stake.player
    return found


def mispaid_lots(closed: Closed, players: Mapping[int, str]) -> Iterator[Lot]:
    """The hands of a round among which some were paid too much or not collected.

    What a hand was played for counts together; other wagers are lots of their own, so that who alone stakes on
    something is not taken for favoured because the dealer errs in that. Hands of which it cannot be said are left out.
    """
    lots: dict[str, dict[str, tuple[int, int] | None]] = {}
    mains: dict[int, int] = {}
    for stake in closed.result.stakes:
        name = stake.hand or f"{stake.seat}.1"
        if not seat_of(name):
            continue
        if stake.kind == "main":
            mains[stake.seat] = max(stake.staked_cents, mains.get(stake.seat, 0))
        hands = lots.setdefault("hand" if stake.kind in PLAYED else stake.kind, {})
        before = hands.get(name, (0, 0))
        wrong = too_much(stake, charged=True)
        if before is None or wrong is None:
            hands[name] = None
        else:
            hands[name] = before[0] + stake.staked_cents, before[1] + wrong
    for kind, hands in lots.items():
        found = []
        for name, known in hands.items():
            if known is not None:
                seat = seat_of(name)
                # A hand of a free split has no chips: its size is that of the wager it came of.
                least = mains.get(seat, 0) if kind == "hand" else 0
                found.append((max(known[0], least), players.get(seat, ""), max(known[1], 0)))
        if any(wrong for _, _, wrong in found):
            cents, of, wrongs = zip(*found, strict=True)
            yield Lot(cents, of, wrongs)


def hands_of(round_: Round, players: Mapping[int, str]) -> dict[str, list[Hand]]:
    """The hands with cards of each known player."""
    found: dict[str, list[Hand]] = {}
    for name, hand in round_.hands.items():
        player = players.get(hand.seat)
        if player and name != DEALER and hand.cards:
            found.setdefault(player, []).append(hand)
    return found


def exchanged(closed: Closed, hands: list[Hand]) -> bool:
    """Whether hands of one player have exchanged cards, to his good as far as the cards as dealt can say.

    Either the rack takes up of his hands together what was dealt to them together, but not of each what was dealt to
    it, and he got more than he was due; or the layout shows with one of them what the shoe gave up for the other.
    """
    round_ = closed.round
    if closed.result.rack.agrees is False and _crossed(
        [hand.cards for hand in hands], [hand.racked_cards for hand in hands]
    ):
        names = {hand.name for hand in hands}
        gained = sum(
            too_much(stake, charged=True) or 0
            for stake in closed.result.stakes
            if (stake.hand or f"{stake.seat}.1") in names
        )
        if gained > 0:
            return True
    if not any(one.startswith(_UNTOLD) for one in round_.reported):
        return False
    drawn = {one.sequence: one.data.card for one in round_.told(CardDrawn)}
    given = [[drawn.get(round_.draws.get(at, 0), UNKNOWN) for at in hand.sequences] for hand in hands]
    return _crossed(given, [hand.cards for hand in hands])


def _crossed(before: list[list[str]], after: list[list[str]]) -> bool:
    """Whether the hands hold together what they held, but not each of them."""
    if [sorted(one) for one in before] == [sorted(one) for one in after]:
        return False
    held = Counter(card for one in before for card in one)
    return UNKNOWN not in held and held == Counter(card for one in after for card in one)
