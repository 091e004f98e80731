"""Whose turn it is in the deal of a stack game: who was served so far, and who comes by the text (A29, A30)."""

from __future__ import annotations

from collections import Counter

from processors.core.state import Logged, Round
from processors.games.readings import resolve
from processors.games.stacks.deal import circuit, deal_of
from processors.games.stacks.profile import STACKS_PROFILES
from schemas.events import StartingPositionSet, TableConfigured
from schemas.values import BONUS, DEALER


def servings(round_: Round) -> list[tuple[int, str]]:
    """The stacks or single cards in the order in which they came, each with its event and its spot.

    The event of one that was laid unseen is its draw.
    """
    return sorted((sequence, hand.name) for hand in round_.hands.values() for sequence in hand.sequences)


def served(round_: Round) -> list[str]:
    """The spots in the order in which stacks or cards came to them."""
    return [spot for _, spot in servings(round_)]


def starting_position(round_: Round) -> Logged | None:
    """The starting position that stood when the first stack was dispensed."""
    first = round_.first_card
    before = [one for one in round_.told(StartingPositionSet) if first is None or one.sequence < first]
    return before[-1] if before else None


def orders(config: TableConfigured, start: str, *, last: bool) -> tuple[list[str] | None, list[str] | None]:
    """The order of delivery as the table reads A29, and as the other reading has it; None where it has none."""
    around = circuit(config)
    at = around.index(start) if start in around else 0
    as_a_stop = around[at:] + around[:at]
    always_last = [*around[at:-1], *around[:at], DEALER] if start != DEALER else None
    return (always_last, as_a_stop) if last else (as_a_stop, always_last)


def passes(sizes: dict[str, int]) -> list[str]:
    """Spots in the order in which passes round the table serve them, each to its number of cards."""
    most = max(sizes.values(), default=0)
    return [spot for nth in range(most) for spot, cards in sizes.items() if cards > nth]


def next_spot(round_: Round, config: TableConfigured, *, deal_goes_on: bool) -> str | None:
    """The first spot in the order of the deal that lacks its stack or card; after the deal only the one that does."""
    came = served(round_)
    have = Counter(came)
    lack: list[str] = []
    for spot in _turns(round_, config, came):
        if have[spot]:
            have[spot] -= 1
        else:
            lack.append(spot)
    return lack[0] if lack and (deal_goes_on or len(lack) == 1) else None


def _turns(round_: Round, config: TableConfigured, came: list[str]) -> list[str]:
    if not STACKS_PROFILES[config.ruleset].deals_stacks:
        due = deal_of(round_, config).due
        return [BONUS] * due.get(BONUS, 0) + passes({spot: n for spot, n in due.items() if spot != BONUS})
    setting = starting_position(round_)
    start = came[0] if came else setting.data.position if setting is not None else ""
    if start not in circuit(config):
        return []
    last = resolve(config.readings or {}, {})["A29"] == "dealer_last"
    return orders(config, start, last=last)[0] or []
