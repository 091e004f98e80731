"""The lammers of free doubles and splits, and that lammer or wager lies there before the card (reading A53)."""

from __future__ import annotations

from processors.core.state import Hand, Round, seat_of
from processors.games.blackjack.hands import is_free_double, is_free_split, is_split
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.judgments import Fault
from processors.law.marks import ADDED
from schemas.events import CardDrawn, CardPlaced, LammerPlaced, PlayerDecision

_LAMMER = {"double": "added_stakes.double_lammer", "split": "added_stakes.split_lammer"}
_WAGER = {"double": "added_stakes.paid_double", "split": "added_stakes.paid_split"}


@check(
    "added_stakes.lammer", decides=(
        "action.choices", "added_stakes.free_double", "added_stakes.double_lammer", "added_stakes.paid_double",
        "added_stakes.double_after_split", "added_stakes.paid_split", "added_stakes.free_split",
        "added_stakes.split_lammer", "added_stakes.split_chips_travel",
    ),
    reads=(LammerPlaced,), where="free_bets", alters=True, follows=True,
)  # fmt: skip
def lammers_lie_only_by_free_bets(moment: Moment, data: LammerPlaced) -> Judged:
    """One lammer lies by each free double and each free split, and by nothing else."""
    round_, rules = moment.play
    if data.kind == "envy":
        return None
    hand = round_.hands.get(data.hand)
    added = data.kind.removeprefix("free_")
    fault = (_of_double if added == "double" else _of_split)(hand, rules, data.hand)
    if fault is None and any(one.hand == data.hand and one.kind == data.kind for one in round_.lammers):
        fault = Fault(f"Hand {data.hand} has more than one free-{added} lammer.", _LAMMER[added])
    if fault is None:
        return UPHELD
    return Breach(
        roles=fault.roles,
        message=fault.message,
        expected={"lammer": "one by each free double or split"},
        observed={"hand": data.hand, "kind": data.kind},
        sequences=tuple(hand.sequences) if hand is not None else (),
        seat=seat_of(data.hand) or None,
        hand=data.hand,
        discriminator=ADDED.of(added, data.hand),
    )


def _of_double(hand: Hand | None, rules: BlackjackRules, name: str) -> Fault | None:
    """Why no lammer of a free double lies by the hand."""
    if hand is None or not _has_doubled(hand):
        new = hand is not None and hand.parent is not None and len(hand.cards) == 1
        why = "added_stakes.split_lammer" if new else "action.choices"
        message = f"A free-double lammer was laid by hand {name}, which did not double."
        return Fault(message, "added_stakes.free_double", "added_stakes.double_lammer", why)
    if is_free_double(hand, rules) is False:
        after_split = ("added_stakes.double_after_split",) if is_split(hand) else ()
        message = f"A lammer was laid for a double on {' '.join(hand.cards[:2])}; only hard 9, 10 and 11 double free."
        return Fault(message, "added_stakes.free_double", "added_stakes.paid_double", *after_split)
    return None


def _of_split(hand: Hand | None, rules: BlackjackRules, name: str) -> Fault | None:
    """Why no lammer of a free split lies by the hand."""
    if hand is None or hand.parent is None:
        message = f"A free-split lammer was laid by hand {name}, which is no new hand of a split."
        if hand is None:
            return Fault(message, "added_stakes.split_lammer", "action.choices")
        role = "added_stakes.split_chips_travel" if is_split(hand) else "added_stakes.split_lammer"
        return Fault(message, role, *(("added_stakes.double_lammer",) if _has_doubled(hand) else ()))
    if is_free_split(hand, rules) is False:
        message = "A lammer was laid for a split of ten-value cards."
        return Fault(message, "added_stakes.paid_split", "added_stakes.free_split")
    return None


def _has_doubled(hand: Hand) -> bool:
    """Whether the hand's latest decision is a double."""
    return bool(hand.decisions) and hand.decisions[-1][0] == "double"


@check(
    "added_stakes.present", decides=(
        "added_stakes.double_lammer", "added_stakes.paid_double", "added_stakes.paid_split",
        "added_stakes.split_lammer",
    ),
    reads=(CardDrawn, CardPlaced), alters=True, follows=True, after=(PlayerDecision,),
)  # fmt: skip
def the_stake_or_lammer_lies_there_before_the_card(moment: Moment, data: CardDrawn | CardPlaced) -> Judged:
    """Before the card of a double or split is drawn, its wager or its lammer lies there (reading A53)."""
    round_, rules = moment.play
    kind, name = _last_added(round_)
    hand = round_.hands.get(name)
    if hand is None or not hand.cards or ADDED.on(round_, kind, name):
        return None
    free = is_free_double(hand, rules) if kind == "double" else is_free_split(hand, rules)
    if free is None:
        return None
    stake = round_.stakes.get(f"{hand.seat}:{kind}:{name}")
    lammer = any(one.hand == name and one.kind == f"free_{kind}" for one in round_.lammers)
    lies = lammer if free else stake is not None and stake.cents > 0
    if lies:
        return UPHELD
    needed, added = ("lammer", f"free {kind}") if free else ("wager", kind)
    return Breach(
        roles=(_LAMMER[kind] if free else _WAGER[kind],),
        message=f"No {needed} lay by hand {name} when the card of its {added} was drawn.",
        expected={"wager": not free, "lammer": free},
        observed={"wager": stake is not None, "lammer": lammer},
        sequences=tuple(hand.sequences),
        seat=hand.seat,
        hand=name,
        discriminator=ADDED.of(kind, name),
        unheard="console" if free else "wagers",
    )


def _last_added(round_: Round) -> tuple[str, str]:
    """The kind and the hand of the double or split whose card comes now, if no card came since; else empty."""
    for entry in reversed(round_.log):
        data = entry.data
        if isinstance(data, CardPlaced | CardDrawn):
            return "", ""
        if isinstance(data, PlayerDecision):
            if data.kind == "double":
                return "double", data.hand
            return ("split", data.new_hand) if data.kind == "split" and data.new_hand else ("", "")
    return "", ""
