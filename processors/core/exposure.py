"""The money moved in the rounds dealt from a batch since it was last whole: the price of a wrong deck.

Rounds are summed by shoe. A batch is found whole only when a whole shoe was seen, so every sum begins with a shoe.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from processors.core.facts_decks import Batch, DealtRounds
from processors.core.moved import moved
from processors.core.state import Round, Table

LOADS = 64  # kept for a batch: a stack game has one a round, and a deck of it is dealt hundreds of times
PATRONS = 256  # kept by name of a load: a device that is never emptied sees many
OTHERS = "others"


def remember(table: Table, round_: Round) -> None:
    """Add the round that ends to the rounds dealt from its batch."""
    batch = table.batches.get(table.shoe.batch)
    if batch is None or round_.first_card is None:
        return
    dealt = batch.dealt
    since = table.shoe.first_round
    if not dealt or dealt[-1].first < since:
        dealt.append(DealtRounds(max(since, batch.last_whole), round_.number))
        if len(dealt) > LOADS:
            dealt[0] = _merged(dealt[0], dealt.pop(1))
    _add(dealt[-1], round_)


def forget(batch: Batch) -> None:
    """Drop the rounds dealt before the batch was last known whole."""
    dealt = batch.dealt
    while dealt and dealt[0].last < batch.last_whole:
        del dealt[0]


def exposure(table: Table, batches: Iterable[Batch], since: int) -> dict[str, Any]:
    """Sums over the rounds from `since` on that were dealt from these batches, the round under way included.

    `restitution_cents` adds up the net losses of the patrons who lost; money is in cents.
    """
    total = DealtRounds(since, max(table.last_round, since))
    firsts: list[int] = []
    names = set()
    for batch in batches:
        names.add(batch.name)
        for dealt in batch.dealt:
            if dealt.last >= since:
                total = _merged(total, dealt)
                firsts.append(dealt.first)
    round_ = table.round
    if round_ is not None and round_.first_card is not None and table.shoe.batch in names:
        _add(total, round_)
    patrons = total.patrons
    return {
        "rounds": [min([since, *firsts]), max(table.last_round, since)],
        "round_count": total.rounds,
        "hands": total.hands,
        "patrons": {
            player: {"staked_cents": staked, "net_cents": net}
            for player, (staked, net) in sorted(patrons.items())
        },
        "handle_cents": sum(staked for staked, _ in patrons.values()),
        "restitution_cents": sum(-net for _, net in patrons.values() if net < 0),
    }


def _merged(one: DealtRounds, other: DealtRounds) -> DealtRounds:
    patrons = {player: list(sums) for player, sums in one.patrons.items()}
    for player, (staked, net) in other.patrons.items():
        sums = patrons.setdefault(player, [0, 0])
        sums[0] += staked
        sums[1] += net
    return DealtRounds(
        min(one.first, other.first),
        max(one.last, other.last),
        one.rounds + other.rounds,
        one.hands + other.hands,
        patrons,
    )


def _add(dealt: DealtRounds, round_: Round) -> None:
    dealt.last = max(dealt.last, round_.number)
    dealt.rounds += 1
    of_seat: dict[int, str] = {}
    for stake in round_.stakes.values():
        player = stake.player or of_seat.get(stake.seat, "") or f"seat {stake.seat}"
        of_seat[stake.seat] = player
        sums = _sums(dealt, player)
        sums[0] += stake.cents
        sums[1] += moved(stake.cents, stake.moves).patron_cents
    dealt.hands += sum(1 for hand in round_.hands.values() if hand.cards and hand.seat in of_seat)
    for lammer in round_.lammers:
        won = moved(0, lammer.moves).won
        if won:
            seat = int(lammer.hand[0]) if lammer.hand[0].isdigit() else 0
            _sums(dealt, of_seat.get(seat, f"seat {seat}"))[1] += won


def _sums(dealt: DealtRounds, player: str) -> list[int]:
    if player not in dealt.patrons and len(dealt.patrons) >= PATRONS:
        player = OTHERS
    return dealt.patrons.setdefault(player, [0, 0])
