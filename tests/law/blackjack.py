"""Steps of a Blackjack round: wagers, the deal, the reader, decisions, the dealer's cards, single settlements."""

from __future__ import annotations

from collections.abc import Callable

from tests.law import stack_games
from tests.law.felt import Felt, stake_at
from tests.law.opening import FLOORPERSON
from tests.law.record import ScriptError
from tests.law.rules import dealer_total, has_blackjack, natural, total, worth
from tests.law.words import Words, cards_in, hand_name

KINDS = (
    "main", "insurance", "double", "split", "lammer", "push22", "match_dealer", "fortune_bonus", "progressive",
    "five_card_hand", "six_card_bonus",
)  # fmt: skip
_USUAL = {"main": 2500, "progressive": 100, "five_card_hand": 200}
_DEAD = {
    "missed": "requested card missed",
    "none": "no cards dealt",
    "light": "hole card shown in the wrong range",
}
_ROUND_OVER = ("round", "end", "finish")


def begin(felt: Felt, words: Words) -> None:
    """Betting opens."""
    felt.event("round_started", round=words.cents(felt.rounds + 1))


def wager(felt: Felt, words: Words) -> None:
    """A stake is laid; the first of a round opens the betting."""
    if felt.layout is None:
        felt.event("round_started", round=felt.rounds + 1)
    where = words.take("a seat")
    kind = words.one_of(KINDS, "main")
    cents = words.cents(1000 if felt.stacks and kind == "main" else _USUAL.get(kind, 500))
    by_hand = {"hand": hand_name(where)} if "." in where or kind in ("double", "split") else {}
    seat = int(where[0])
    felt.event(
        "wager_placed",
        **{"seat": seat, "kind": kind, "cents": cents, "player": f"P-{seat}"} | by_hand | words.named,
    )
    words.done()


def close(felt: Felt, words: Words) -> None:
    """No more bets."""
    felt.event("betting_closed", announced=True)


def deal(felt: Felt, words: Words) -> None:
    """One card to a hand (`deal 3.1 Ks`), or the first cards of all (`deal 1:Ts9d 3:5h5d D:7cKh`)."""
    if felt.stacks and not words.plain:
        stack_games.deal(felt, words)
        return
    if ":" in "".join(words.plain):
        _first_cards(felt, words)
        return
    hand = words.hand()
    for card in words.cards():
        give(felt, hand, card, **words.named)


def give(felt: Felt, hand: str, card: str, **named: object) -> None:
    """Draw a card and lay it to a hand, face up."""
    felt.event("card_drawn", card=card, from_hand="shoe_side")
    felt.event("card_placed", **{"hand": hand, "card": card, "face_up": True, "by_hand": "other"} | named)


def _first_cards(felt: Felt, words: Words) -> None:
    first = {hand: cards_in(cards) for hand, _, cards in (word.partition(":") for word in words.plain)}
    seats = sorted(hand for hand in first if hand != "D")
    if not felt.round.closed:
        felt.event("betting_closed", announced=True)
    for place in (0, 1):
        for seat in seats:
            if place < len(first[seat]):
                give(felt, hand_name(seat), first[seat][place])
        own = first.get("D", [])
        if place < len(own):
            if place:
                hide(felt, own[place])
            else:
                give(felt, "D", own[0])
    for seat in seats:
        for card in first[seat][2:]:
            give(felt, hand_name(seat), card)
    if len(first.get("D", [])) > 1 and not _reads_itself(felt):
        peek(felt, Words(()))


def _reads_itself(felt: Felt) -> bool:
    """Whether the case says itself when the reader is used in this round."""
    for word in felt.ahead:
        if word in ("peek", "reader", "hole_card_read", "insure", "even_money"):
            return True
        if word in _ROUND_OVER:
            return False
    return False


def hole(felt: Felt, words: Words) -> None:
    """The dealer's face-down card, sealed."""
    hide(felt, words.cards()[0])


def hide(felt: Felt, card: str) -> None:
    """Draw the hole card under seal."""
    felt.round.hole = card
    felt.event("card_drawn", card="??", from_hand="shoe_side", seal=felt.seal(card))
    felt.event("card_placed", hand="D", card="??", face_up=False, by_hand="other")


def peek(felt: Felt, words: Words) -> None:
    """The reader as the rules have it: always in Down Under (Large under Large is shown), else under an ace or ten."""
    up, own = felt.round.hands["D"][0], felt.round.hole
    if "?" in up + own:
        return
    if felt.down_under:
        _read(felt, "small" if worth(own) <= 5 else "medium" if worth(own) <= 9 else "large")
        if min(worth(up), worth(own)) >= 10:
            reveal(felt, Words(()))
    elif worth(up) >= 10:
        _read(felt, "blackjack" if natural([up, own]) else "no_blackjack")


def reader(felt: Felt, words: Words) -> None:
    """The reader shows this, right or wrong; in Down Under the hand is laid there (or in the area named next)."""
    result = words.take("a result")
    _read(felt, result, words.one_of(("small", "medium", "large"), ""))


def _read(felt: Felt, result: str, area: str = "") -> None:
    felt.event("hole_card_read", device=felt.reader, result=result)
    if felt.down_under and result != "blackjack":
        felt.event("dealer_hand_positioned", area=area or result)


def insure(felt: Felt, words: Words) -> None:
    """Insurance is offered (once) and taken, for half the main wager unless cents are named."""
    seat = words.seat()
    if not felt.round.offered:
        felt.event("insurance_offered")
    half = felt.round.stakes[stake_at(seat, "main", None)] // 2
    felt.event("wager_placed", seat=seat, kind="insurance", cents=words.cents(half), player=f"P-{seat}")
    words.done()


def even_money(felt: Felt, words: Words) -> None:
    """Even money is offered and taken."""
    seat = words.seat()
    felt.event("even_money_offered", seat=seat)
    felt.event("even_money_taken", seat=seat)


def decide(felt: Felt, words: Words) -> None:
    """A decision and nothing else."""
    hand, kind = words.hand(), words.take("a decision")
    new = {"new_hand": words.hand()} if words.plain else {}
    felt.event("player_decision", hand=hand, kind=kind, **new)


def hit(felt: Felt, words: Words) -> None:
    """One card wanted and given for each card named."""
    hand = words.hand()
    for card in words.cards():
        felt.event("player_decision", hand=hand, kind="hit")
        give(felt, hand, card)


def stand(felt: Felt, words: Words) -> None:
    """One or more hands stand."""
    while words.plain:
        felt.event("player_decision", hand=words.hand(), kind="stand")


def surrender(felt: Felt, words: Words) -> None:
    """Surrender; before the reader is used the wager is laid on the cards (590.9(a)(2), reading A38)."""
    hand = words.hand()
    felt.event("player_decision", hand=hand, kind="surrender")
    if not felt.round.read and worth(felt.round.hands["D"][0]) >= 10:
        felt.event("wager_moved", kind="main", from_hand=hand, to_hand=hand)


def double(felt: Felt, words: Words) -> None:
    """Double with one card: free where the rules have it so, else for the main wager; `free` or `paid` forces."""
    hand = words.hand()
    cards = felt.round.hands[hand]
    hard = not total(cards)[1] and total(cards)[0] in (9, 10, 11)
    how = words.one_of(("free", "paid"), "free" if hard and not felt.down_under else "paid")
    felt.event("player_decision", hand=hand, kind="double")
    _add_stake(felt, how, "double", hand, words)
    for card in words.cards():
        give(felt, hand, card, sideways=True)


def split(felt: Felt, words: Words) -> None:
    """Split, and the parent's next card: free where the rules have it so, else for the main wager."""
    hand = words.hand()
    tens = worth(felt.round.hands[hand][0]) == 10
    new = f"{hand[0]}.{1 + max(int(name[2]) for name in felt.round.hands if name[0] == hand[0])}"
    how = words.one_of(("free", "paid"), "paid" if tens or felt.down_under else "free")
    felt.event("player_decision", hand=hand, kind="split", new_hand=new)
    _add_stake(felt, how, "split", new, words)
    for card in words.cards():
        give(felt, hand, card)


def _add_stake(felt: Felt, how: str, kind: str, hand: str, words: Words) -> None:
    seat = int(hand[0])
    if how == "free":
        felt.event("lammer_placed", hand=hand, kind=f"free_{kind}")
        return
    cents = words.cents(felt.round.stakes.get(stake_at(seat, "main", None), 0))
    felt.event("wager_placed", seat=seat, kind=kind, cents=cents, hand=hand, player=f"P-{seat}")


def lammer(felt: Felt, words: Words) -> None:
    """A lammer is laid beside a hand."""
    felt.event("lammer_placed", hand=words.hand(), kind=words.take("free_double, free_split or envy"))


def take(felt: Felt, words: Words) -> None:
    """The lammers of a hand are taken back, or the kind named."""
    hand = words.hand()
    lying = [kind for name, kind in felt.round.lammers if name == hand]
    for kind in words.plain or lying:
        felt.event("lammer_collected", hand=hand, kind=kind)


def blackjack(felt: Felt, words: Words) -> None:
    """A player's Blackjack in turn: announced, paid 3 to 2, racked, or tucked under an open Push 22."""
    hand = words.hand()
    seat = int(hand[0])
    felt.event("blackjack_announced", hand=hand)
    cents = felt.round.stakes[stake_at(seat, "main", hand)]
    felt.event(
        "wager_settled", seat=seat, kind="main", hand=hand, outcome="pay", cents=cents * 3 // 2, odds="3:2"
    )
    if stake_at(seat, "push22", None) in felt.round.stakes:
        felt.event("cards_tucked", hand=hand, under="push22")
    else:
        felt.event("cards_racked", hand=hand, cards=felt.round.hands[hand], reason="blackjack")


def reveal(felt: Felt, words: Words) -> None:
    """The hole card is turned up unless it shows; a card named here is shown instead of the one that was sealed."""
    if felt.round.shown and not words.plain:
        return
    card = (words.cards() or [felt.round.hole or "??"])[0]
    felt.event("hole_card_revealed", card=card, nonce=felt.nonce)


def dealer(felt: Felt, words: Words) -> None:
    """The hole card is turned up unless it shows, and the dealer draws these cards, announcing each total."""
    reveal(felt, Words(()))
    for card in words.cards():
        give(felt, "D", card)
        if "??" not in felt.round.hands["D"]:
            felt.event("dealer_total_announced", total=dealer_total(felt))


def settle(felt: Felt, words: Words) -> None:
    """`settle 3 main 3.1 pay 2500`: seat, kind, hand, outcome, cents, of which kind, hand and cents may be left out."""
    where = words.take("a seat or hand")
    kind = words.one_of(KINDS, "main")
    named = words.plain[0] if words.plain and "." in words.plain[0] else ""
    if named:
        words.plain.pop(0)
    pay_out(felt, named or where, kind, words.take("pay, collect or return"), words)


def _outcome(outcome: str) -> Callable[[Felt, Words], None]:
    def verb(felt: Felt, words: Words) -> None:
        where = words.take("a seat or hand")
        pay_out(felt, where, words.one_of(KINDS, "main"), outcome, words)

    return verb


def pay_out(felt: Felt, where: str, kind: str, outcome: str, words: Words) -> None:
    """Money moves for one stake; without cents the stake's own amount (a lammer's: the main wager's)."""
    seat, hand = int(where[0]), hand_name(where)
    stake = felt.round.stakes.get(
        stake_at(seat, "main" if kind == "lammer" else kind, hand if kind != "lammer" else None), 0
    )
    by_hand = {"hand": hand} if kind in ("main", "double", "split", "lammer") and not felt.stacks else {}
    fields = {"seat": seat, "kind": kind, "outcome": outcome, "cents": words.cents(stake)}
    felt.event("wager_settled", **fields | by_hand | words.named)
    words.done()


def take_back(felt: Felt, words: Words) -> None:
    """`take_back 3 [KIND] CENTS`: winnings go back to the house."""
    where = words.take("a seat or hand")
    kind, hand = words.one_of(KINDS, "main"), hand_name(where)
    by_hand = {"hand": hand} if kind in ("main", "double", "split", "lammer") else {}
    stake = felt.round.stakes.get(stake_at(int(where[0]), kind, hand), 0)
    felt.event("winnings_taken_back", seat=int(where[0]), kind=kind, cents=words.cents(stake), **by_hand)
    words.done()


def dead(felt: Felt, words: Words) -> None:
    """A hand is called dead: `missed` (its player asks for it), `none` (it got no cards) or `light` (by the floor)."""
    hand, why = words.hand(), words.one_of(_DEAD, "missed")
    if why == "missed":
        felt.event("player_request", seat=int(hand[0]), wish="dead_hand")
    elif why == "light":
        felt.event("floorperson_notified", matter=_DEAD[why], staff=FLOORPERSON)
    felt.event("hand_voided", hand=hand, reason=_DEAD[why])


def play_on(felt: Felt, words: Words) -> None:
    """Hands play on as decided, by order of the floor (685a.12(h))."""
    while words.plain:
        felt.event("hand_continued", hand=words.hand(), staff=FLOORPERSON)


def tuck(felt: Felt, words: Words) -> None:
    """Cards are kept under a wager."""
    felt.event("cards_tucked", hand=words.hand(), under=words.one_of(("main", "push22"), "main"))


def rack(felt: Felt, words: Words) -> None:
    """Cards enter the rack: those of the hand in deal order, or the ones named."""
    hand = words.take("a hand")
    hand = hand if felt.stacks and hand.isdigit() and felt.ruleset == "fortune_670a10" else hand_name(hand)
    reason = words.take("a reason")
    felt.event(
        "cards_racked", hand=hand, cards=words.cards() or felt.round.hands.get(hand, []), reason=reason
    )


def bust(felt: Felt, words: Words) -> None:
    """A bust collected and racked at once, or a split box's tucked (10(c)): what the rules want on the spot."""
    hand = words.hand()
    seat = int(hand[0])
    if total(felt.round.hands[hand])[0] <= 21 or has_blackjack(felt.round, hand):
        raise ScriptError(f"hand {hand} is not over 21")
    first_of_split = hand in felt.round.split and hand.endswith(".1") and not felt.down_under
    lammers = [name for name, _ in felt.round.lammers if name[0] == hand[0]]
    tens = felt.ruleset == "free_bet_672a" and not lammers
    if first_of_split and not tens:
        felt.event("cards_tucked", hand=hand, under="main")
        return
    for kind in ("main", "double", "split"):
        key = stake_at(seat, kind, hand)
        if key in felt.round.stakes:
            felt.event(
                "wager_settled",
                seat=seat,
                kind=kind,
                hand=hand,
                outcome="collect",
                cents=felt.round.stakes[key],
            )
    take(felt, Words([hand]))
    felt.event("cards_racked", hand=hand, cards=felt.round.hands[hand], reason="bust")


VERBS: dict[str, Callable[[Felt, Words], None]] = {
    "round": begin,
    "wager": wager,
    "close": close,
    "deal": deal,
    "hole": hole,
    "peek": peek,
    "reader": reader,
    "insure": insure,
    "even_money": even_money,
    "decide": decide,
    "hit": hit,
    "stand": stand,
    "surrender": surrender,
    "double": double,
    "split": split,
    "lammer": lammer,
    "take": take,
    "blackjack": blackjack,
    "bust": bust,
    "reveal": reveal,
    "dealer": dealer,
    "settle": settle,
    "pay": _outcome("pay"),
    "collect": _outcome("collect"),
    "return": _outcome("return"),
    "take_back": take_back,
    "dead": dead,
    "continue": play_on,
    "tuck": tuck,
    "rack": rack,
}
