"""What players decide and the cards that follow (7(h)-(k), 10(a), 10(c)-(e), 11, 590.9(a); readings A21, A26, A35)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Hand, Round
from processors.games.blackjack.action import (
    is_doubled,
    is_finished,
    is_missed,
    is_split_ace,
    open_hands,
    split_sibling_in_play,
    unfinished_before,
    waits_for_card,
    waits_for_second,
)
from processors.games.blackjack.hands import has_blackjack, is_split, player_hands, total_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import BLACKJACK, SECTIONS
from processors.law.duties.deal.dealing import deal_is_over
from schemas.events import (
    BlackjackAnnounced,
    CardPlaced,
    PlayerDecision,
    PlayerRequest,
)
from schemas.values import DEALER

Fault = tuple[tuple[str, ...], str]


def letters(ruleset: str) -> dict[str, str]:
    """The clauses of section 7 and the irregularities by what they rule, for one ruleset."""
    chapter, irr = SECTIONS[ruleset]["ch"], SECTIONS[ruleset]["irr"]
    down_under = ruleset == "down_under_685a"
    shifted = "ijkl" if down_under else "hijk"
    return {
        "turn": f"{chapter}.7({shifted[0]})",
        "blackjack": f"{chapter}.7({shifted[0]})(1)#1",
        "choice": f"{chapter}.7({shifted[0]})(2)" + ("" if ruleset == "free_bet_590" else "#1"),
        "no_surrender": f"{chapter}.7({shifted[0]})(2)#2",
        "card": f"{chapter}.7({shifted[1]})",
        "draw": f"{chapter}.7({shifted[2]})",
        "at_21": f"{chapter}.7({shifted[2]})(1)",
        "doubled": f"{chapter}.7({shifted[2]})(2)",
        "reveal": f"{chapter}.7({shifted[3]})",
        "missed": f"{irr}({'g' if down_under else 'h'})",
        "exposed": f"{irr}(c)",
        "order": f"{SECTIONS[ruleset]['split']}({'b' if down_under else 'c'})"
        + ("#1" if ruleset == "free_bet_590" else ""),
        "double": f"{SECTIONS[ruleset]['double']}(a)" + ("#1" if down_under else ""),
        "face_up": f"{SECTIONS[ruleset]['double']}(c)#1",
        "sideways": f"{SECTIONS[ruleset]['double']}(c)#2",
        "split": f"{SECTIONS[ruleset]['split']}(a)" + ("#1" if down_under else ""),
        "resplit": f"{SECTIONS[ruleset]['split']}({'c' if down_under else 'd'})#2",
        "split_play": f"{SECTIONS[ruleset]['split']}({'c' if down_under else 'd'})#1",
    }


CLAUSE = {ruleset: letters(ruleset) for ruleset in BLACKJACK}


def decides(*names: str, **more: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """Provisions by ruleset of the named clauses, those that exist there, and more for single rulesets."""
    return {
        ruleset: (
            *(
                CLAUSE[ruleset][name]
                for name in names
                if not (name == "no_surrender" and ruleset == "free_bet_590")
            ),
            *more.get(ruleset, ()),
        )
        for ruleset in BLACKJACK
    }


@check(
    "action.decision",
    decides=(
        "action.clockwise", "action.choices", "action.no_surrender", "action.cards_as_decided",
        "action.drawing_under_21", "action.none_on_21", "action.one_card_on_double", "action.double_allowed",
        "action.doubled_card_dealt", "action.split_allowed", "action.split_hands_in_turn",
        "action.split_hand_played", "action.resplits", "action.missed_card_choice", "action.surrender_allowed",
        "action.surrender_first", "action.one_card_on_doubled_hand", "action.split_once", "action.split_aces",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(PlayerDecision,),
    alters=True,
    follows=True,
    readings=("A35", "A21"),
)  # fmt: skip
def decisions_are_those_open_to_the_hand(moment: Moment, data: PlayerDecision) -> Iterator[Judgment]:
    """A decision is made in turn, on an unfinished hand, and is one that the cards allow."""
    round_, rules = moment.play
    hand = round_.hands.get(data.hand)
    fault = _state_fault(round_, rules, hand, data)
    if fault is None and hand is not None:
        other = _unfinished(moment, hand)
        if other is not None:
            yield _out_of_turn(rules, hand, other)
            return
        fault = _kind_fault(round_, rules, hand, data)
    if fault is None:
        yield UPHELD
        return
    clauses, message = fault
    yield Breach(
        clauses=clauses,
        message=message,
        expected={"decision": "one open to the hand, in its turn"},
        observed={
            "hand": data.hand,
            "decision": data.kind,
            "cards": list(hand.cards) if hand is not None else [],
        },
        sequences=tuple(hand.sequences) if hand is not None else (),
        seat=int(data.hand[0]) if data.hand[0].isdigit() else None,
        hand=data.hand,
    )


def _state_fault(
    round_: Round, rules: BlackjackRules, hand: Hand | None, data: PlayerDecision
) -> Fault | None:
    clause = CLAUSE[rules.name]
    if data.kind == "surrender" and not rules.surrender:
        return (clause["no_surrender"],), f"Seat {data.hand[0]} surrendered; this game has no surrender."
    if hand is None or not hand.cards or hand.voided is not None:
        return (clause["choice"],), f"A decision was recorded on hand {data.hand}, which is not in play."
    if data.kind == "surrender":
        return _surrender_fault(hand)
    if waits_for_second(hand):
        message = f"Hand {hand.name} was decided before it had its second card."
        return (clause["order"], clause["card"]), message
    if waits_for_card(hand) is not None:
        message = f"Hand {hand.name} chose to {data.kind} while it waited for the card it had asked for."
        return (clause["card"], f"{clause['missed']}#1", *lacks_its_double(hand, rules)), message
    if is_finished(hand, rules):
        return _finished_fault(hand, rules, data, clause)
    return None


def lacks_its_double(hand: Hand, rules: BlackjackRules) -> tuple[str, ...]:
    """The clauses that give a doubled hand its one card; none where the hand did not double."""
    if not is_doubled(hand):
        return ()
    return (CLAUSE[rules.name]["doubled"], *(("685a.9(a)#3", "685a.9(c)#1") if rules.down_under else ()))


def _unfinished(moment: Moment, hand: Hand) -> Hand | None:
    """The hand that should have been completed before this one is served: of an earlier seat or of its box."""
    round_, rules = moment.play
    if moment.dealer.blackjack is None and round_.reader is None:
        return None  # the missing reading is reported on its own
    other = unfinished_before(round_, hand, rules) or split_sibling_in_play(round_, hand, rules)
    return None if other is None or is_finished(hand, rules) else other


def _out_of_turn(rules: BlackjackRules, hand: Hand, other: Hand) -> Breach:
    clause = CLAUSE[rules.name]
    names = (
        (clause["turn"], clause["choice"])
        if other.seat != hand.seat
        else (clause["order"], clause["split_play"])
    )
    return Breach(
        clauses=names,
        message=f"Hand {hand.name} was served while hand {other.name} was unfinished.",
        expected={"finished": other.name},
        observed={"served": hand.name, "cards": list(other.cards)},
        sequences=tuple(other.sequences),
        seat=other.seat,
        hand=other.name,
        discriminator=f"open:{other.name}",
    )


def _kind_fault(round_: Round, rules: BlackjackRules, hand: Hand, data: PlayerDecision) -> Fault | None:
    if data.kind == "double":
        return _double_fault(hand, rules, CLAUSE[rules.name])
    if data.kind == "split":
        return _split_fault(round_, hand, rules, data, CLAUSE[rules.name])
    return None


def _finished_fault(
    hand: Hand, rules: BlackjackRules, data: PlayerDecision, clause: dict[str, str]
) -> Fault | None:
    total = total_of(hand)
    ended = hand.refused is not None or (
        hand.decisions and hand.decisions[-1][0] in ("stand", "double", "surrender")
    )
    if total is None and not ended:
        return None  # a card of it is unknown: whether it is finished cannot be said
    if data.kind == "stand":
        decided = hand.decisions and hand.decisions[-1][0] == "stand"
        return ((clause["choice"],), f"Hand {hand.name} stood twice.") if decided else None
    if hand.refused is not None:
        return (
            f"{clause['exposed']}#2",
        ), f"Hand {hand.name} refused an exposed card and gets no more, yet chose to {data.kind}."
    if _doubles_on_21(hand, rules, total, data.kind):
        return None
    if total is not None and total >= 21 and data.kind in ("hit", "double"):
        names = [clause["at_21"], clause["draw"]]
        if has_blackjack(hand):
            names = [clause["double"] if data.kind == "double" else clause["at_21"], clause["choice"]]
        return tuple(names), f"Hand {hand.name} has {total} and may not {data.kind}."
    if rules.split_aces_one_card and is_split_ace(hand):
        return ("685a.10(e)", clause["double"]) if data.kind == "double" else ("685a.10(e)",), (
            f"Hand {hand.name} is a split ace, which gets one card only, yet chose to {data.kind}."
        )
    if is_doubled(hand):
        more = ("685a.9(a)#3",) if rules.down_under else ()
        return (
            clause["doubled"],
            *more,
        ), f"Hand {hand.name} was doubled and is finished, yet chose to {data.kind}."
    if data.kind == "split" and has_blackjack(hand):
        return (clause["split"], clause["choice"]), f"Hand {hand.name} is a Blackjack, yet chose to split."
    return (clause["choice"],), f"Hand {hand.name} is finished, yet chose to {data.kind}."


def _doubles_on_21(hand: Hand, rules: BlackjackRules, total: int | None, kind: str) -> bool:
    """Whether a split hand of two cards that counts 21 is doubled, and A21 is read so that it may be."""
    if kind != "double" or total != 21 or rules.readings["A21"] != "allowed":
        return False
    return is_split(hand) and len(hand.cards) == 2 and not (rules.split_aces_one_card and is_split_ace(hand))


def _surrender_fault(hand: Hand) -> Fault | None:
    if len(hand.cards) != 2 or is_split(hand):
        return (
            "590.9(a)#1",
            "590.9(a)#2",
        ), f"Hand {hand.name} surrendered with other than its two first cards."
    if hand.decisions:
        return (
            "590.9(a)#2",
        ), f"Hand {hand.name} surrendered after it had chosen to {hand.decisions[-1][0]}."
    if has_blackjack(hand):
        return ("590.9(a)#1",), f"Hand {hand.name} is a Blackjack, which does not surrender."
    return None


def _double_fault(hand: Hand, rules: BlackjackRules, clause: dict[str, str]) -> Fault | None:
    if len(hand.cards) != 2:
        return (clause["double"],), f"Hand {hand.name} doubled on {len(hand.cards)} cards; only two may."
    if rules.split_aces_one_card and is_split_ace(hand):
        return ("685a.10(e)", clause["double"]), f"Hand {hand.name} is a split ace and may not double."
    return None


def _split_fault(
    round_: Round, hand: Hand, rules: BlackjackRules, data: PlayerDecision, clause: dict[str, str]
) -> Fault | None:
    if len(hand.cards) != 2:
        return (clause["split"],), f"Hand {hand.name} split {len(hand.cards)} cards; only two may be."
    one, two = (POINTS.get(card) for card in hand.cards)
    if one is not None and two is not None and one != two:
        return (
            clause["split"],
        ), f"Hand {hand.name} split {hand.cards[0]} and {hand.cards[1]}, which differ in value."
    hands = sum(1 for other in player_hands(round_) if other.seat == hand.seat)
    if hands >= rules.hands_at_most:
        return (clause["resplit"],), f"Seat {hand.seat} split to more than {rules.hands_at_most} hands."
    return None


@check(
    "action.card",
    decides=(
        "action.clockwise", "action.cards_as_decided", "action.drawing_under_21", "action.none_on_21",
        "action.one_card_on_double", "action.hole_card_revealed", "action.doubled_card",
        "action.doubled_card_dealt", "action.doubled_card_sideways", "action.split_hands_in_turn",
        "action.split_hand_played", "action.missed_card_choice", "action.missed_card_late",
        "action.hole_card_turned", "action.one_card_on_doubled_hand", "action.split_aces",
        "exposed.refusal_ends_drawing",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(CardPlaced,),
    alters=True,
    follows=True,
    readings=("A35",),
    after=("dealt",),
)  # fmt: skip
def cards_follow_the_decisions(moment: Moment, data: CardPlaced) -> Iterator[Judgment]:
    """After the first deal a player gets a card, face up, only where a decision calls for it, and in turn."""
    round_, rules = moment.play
    if data.hand == DEALER or not deal_is_over(round_):
        return
    fault = _card_fault(round_, rules, data)
    if fault is None:
        yield UPHELD
        return
    clauses, message = fault
    yield Breach(
        clauses=clauses,
        message=message,
        expected={"card": "where a decision calls for it, face up, in turn"},
        observed={"hand": data.hand, "card": data.card, "face_up": data.face_up},
        seat=int(data.hand[0]) if data.hand[0].isdigit() else None,
        hand=data.hand,
    )


def _card_fault(round_: Round, rules: BlackjackRules, data: CardPlaced) -> Fault | None:
    clause = CLAUSE[rules.name]
    hand = round_.hands.get(data.hand)
    if hand is None or not hand.cards:
        return (clause["card"],), f"Hand {data.hand} got a card though it is not in play."
    if hand.refused is not None:
        return (
            f"{clause['exposed']}#2",
        ), f"Hand {hand.name} refused an exposed card and gets no more cards this round."
    if hand.voided is not None:
        return (clause["card"],), f"The dead hand {hand.name} got a card."
    asked = waits_for_card(hand)
    second = waits_for_second(hand)
    if asked is None and not second:
        return _uncalled(round_, hand, rules, clause)
    if not data.face_up:
        return ((clause["face_up"], clause["card"]) if is_doubled(hand) else (clause["card"],)), (
            f"The card of hand {hand.name} was dealt face down."
        )
    if is_doubled(hand) and not data.sideways:
        return (clause["sideways"],), f"The doubling card of hand {hand.name} was not laid sideways."
    if asked is not None:
        late = _late_fault(round_, hand, asked, rules, clause)
        if late is not None:
            return late
    sibling = split_sibling_in_play(round_, hand, rules) if second else None
    if sibling is not None:
        return (
            clause["order"],
            clause["split_play"],
        ), f"Hand {hand.name} got its second card while hand {sibling.name} was unfinished."
    return None


def _uncalled(round_: Round, hand: Hand, rules: BlackjackRules, clause: dict[str, str]) -> Fault | None:
    if len(hand.cards) == 1 and not is_split(hand):
        return None  # the second card of a hand that got only one: judged with the deal
    total = total_of(hand)
    if is_doubled(hand):
        names = [clause["doubled"], *(("685a.9(a)#3",) if rules.down_under else ()), clause["card"]]
        return tuple(names), f"Hand {hand.name} was doubled and got a second further card."
    if rules.split_aces_one_card and is_split_ace(hand):
        return ("685a.10(e)", clause["card"]), f"The split ace {hand.name} got more than one card."
    if total is not None and total >= 21:
        return (
            clause["at_21"],
            clause["draw"],
            clause["card"],
        ), f"Hand {hand.name} has {total} and got another card."
    names = [clause["card"], clause["choice"], *((clause["split_play"],) if is_split(hand) else ())]
    return tuple(names), f"Hand {hand.name} got a card that no decision called for."


def _late_fault(
    round_: Round, hand: Hand, asked: int, rules: BlackjackRules, clause: dict[str, str]
) -> Fault | None:
    """A card that was missed when asked for comes after all others, on the player's wish (12(h), 685a.12(g))."""
    others = [
        entry.sequence
        for entry in round_.told(PlayerDecision, BlackjackAnnounced, CardPlaced)
        if entry.sequence > asked and entry.data.hand != hand.name and entry.data.hand != DEALER
    ]
    shown = round_.hole_revealed is not None and round_.hole_revealed > asked
    if not others and not shown:
        return None
    missed = clause["missed"]
    if shown:
        return (
            f"{missed}#2",
            clause["reveal"],
        ), f"The late card of hand {hand.name} came after the hole card was shown."
    wished = any(
        entry.data.seat == hand.seat and entry.data.wish == "late_card"
        for entry in round_.told(PlayerRequest)
    )
    if not wished:
        return (
            f"{missed}#1",
        ), f"Hand {hand.name} got its missed card late without the player's choice on record."
    waiting = [
        other.name for other in open_hands(round_, rules) if other.name != hand.name and not is_missed(other)
    ]
    if waiting:
        return (
            f"{missed}#2",
        ), f"The late card of hand {hand.name} came before hand {waiting[0]} was finished."
    return None
