"""The hole card: turned up when all players have finished, before the dealer plays or settles, in every round."""

from __future__ import annotations

from processors.core.state import Hand, Round, hand_named, stake_key
from processors.games.blackjack.action import is_missed, open_hands
from processors.games.blackjack.hands import has_blackjack, is_split, total_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import DEALERS_HAND, UndecidedStake, rule_lammer
from processors.law.check import UPHELD, Breach, Judged, Moment, check, of
from processors.law.duties.action.cards import lacks_its_double
from processors.law.duties.deal.progress import deal_is_over
from processors.law.duties.reader.reader import ACTION
from processors.law.marks import HOLE_HIDDEN, UNFINISHED
from schemas import events as e
from schemas.values import DEALER

_WENT_ON: dict[type, str] = {
    e.CardPlaced: "he drew a card",
    e.WagerSettled: "a wager was settled",
    e.LammerCollected: "a lammer was taken",
    e.CardsRacked: "his cards were racked",
    e.RoundEnded: "the round ended",
}


@check(
    "action.reveal", decides=(
        "action.choices", "action.cards_as_decided", "action.one_card_on_double", "action.hole_card_revealed",
        "action.doubled_card_dealt", "action.split_hands_in_turn", "action.split_hand_played",
        "action.missed_card_choice", "action.hole_card_turned", "action.one_card_on_doubled_hand",
        "settlement.after_dealer_stands",
    ),
    reads=(
        e.HoleCardRevealed, e.CardPlaced, e.WagerSettled, e.LammerCollected, of(e.CardsRacked, "settled"), e.RoundEnded,
    ), alters=True, follows=True, after=("dealt", e.HoleCardRevealed),
)  # fmt: skip
def the_hole_card_is_shown_when_all_have_played(moment: Moment, data: object) -> Judged:
    """The hole card is turned up after every player's decisions and cards, before the dealer plays, in every round."""
    round_, rules = moment.play
    shown = round_.hole_revealed is not None
    if shown and not rules.profile.masque:
        return None
    if type(data) is e.HoleCardRevealed:
        return None if shown else _turned_up(moment)
    if type(data) is e.CardPlaced or type(data) is e.CardsRacked:
        goes_on = data.hand == DEALER and deal_is_over(round_)
        if not goes_on:
            return None
    return _played_to_the_end(moment, data) if shown else _still_hidden(moment, data)


def _turned_up(moment: Moment) -> Judged:
    """The hole card is turned up now: nobody has anything left to decide, and no hand waits for a card."""
    round_, rules = moment.play
    if moment.dealer.blackjack or (rules.profile.masque and not round_.told(*ACTION)):
        return (
            None  # whether it may be shown before the action (Large under Large), is judged with the Masque
        )
    waiting = open_hands(round_, rules)
    return _unfinished(waiting[0], "The hole card was turned up") if waiting else UPHELD


def _played_to_the_end(moment: Moment, data: object) -> Judged:
    """With the hole card shown before the action, every hand is finished before the dealer's count decides it."""
    round_, rules = moment.play
    if moment.dealer.blackjack or not isinstance(data, e.CardPlaced | e.WagerSettled):
        return None
    if isinstance(data, e.WagerSettled) and not (data.kind == "main" and _counts(round_, rules, data)):
        return None
    waiting = open_hands(round_, rules)
    return _unfinished(waiting[0], "The dealer went on") if waiting else None


def _counts(round_: Round, rules: BlackjackRules, data: e.WagerSettled) -> bool:
    """Whether the hand of a main wager is compared with the dealer's count."""
    hand = round_.hands.get(hand_named(data.seat, data.hand))
    if hand is None or hand.voided is not None or hand.surrendered is not None or has_blackjack(hand):
        return False
    return (total_of(hand, rules) or 99) <= 21


def _unfinished(hand: Hand, happened: str) -> Breach:
    missed = is_missed(hand)
    of_split = ("action.split_hands_in_turn", "action.split_hand_played")
    return Breach(
        roles=(
            "action.hole_card_revealed", "action.hole_card_turned",
            *(("action.missed_card_choice", "action.cards_as_decided") if missed else ("action.choices",)),
            *lacks_its_double(hand),
            *(of_split if is_split(hand) and not missed else ()),
        ),
        message=f"{happened} while hand {hand.name} was unfinished.",
        expected={"finished": hand.name},
        observed={"cards": list(hand.cards), "waits_for_card": missed},
        sequences=tuple(hand.sequences[-1:]),
        seat=hand.seat,
        hand=hand.name,
        discriminator=UNFINISHED.of(hand.name),
        unheard="console",
    )  # fmt: skip


def _still_hidden(moment: Moment, data: object) -> Breach | None:
    """The dealer plays, settles on his count, or ends the round, and nobody has seen his hole card."""
    round_, rules = moment.play
    if round_.voided is not None or not deal_is_over(round_) or HOLE_HIDDEN.on(round_):
        return None
    of_settling: tuple[str, ...] = ()
    if type(data) is e.WagerSettled or type(data) is e.LammerCollected:
        if not _waits_for_the_dealer(moment, data) or open_hands(round_, rules):
            return None
        of_settling = ("settlement.after_dealer_stands",)
    return Breach(
        roles=("action.hole_card_revealed", "action.hole_card_turned", *of_settling),
        message=f"The dealer had not turned up his hole card when {_WENT_ON[type(data)]}.",
        expected={"revealed": True},
        observed={"revealed": False},
        hand=DEALER,
        discriminator=HOLE_HIDDEN.of(),
        unheard="placements",
    )


def _waits_for_the_dealer(moment: Moment, data: e.WagerSettled | e.LammerCollected) -> bool:
    """Whether the stake or lammer is settled on the dealer's hand, which nobody has seen yet."""
    round_, rules = moment.play
    if isinstance(data, e.LammerCollected) or data.kind == "lammer":
        lammer = next((one for one in round_.lammers if one.hand == data.hand and one.kind != "envy"), None)
        if lammer is None:
            return False
        decision = rule_lammer(round_, lammer, moment.dealer, rules)
    else:
        stake = round_.stakes.get(stake_key(data.seat, data.kind, data.hand))
        if stake is None or stake.kind in ("insurance", "match_dealer"):
            return False
        decision = moment.due(stake)
    return isinstance(decision, UndecidedStake) and decision.waits_for == DEALERS_HAND
