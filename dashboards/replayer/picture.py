"""From a table's folded state to what its felt shows to one viewer."""

from __future__ import annotations

from collections.abc import Sequence

from dashboards.drawing.money import KINDS
from dashboards.drawing.scene import Bet, Card, CardCount, DrawnDealer, DrawnHand, DrawnSeat, DrawnShoe, Felt
from dashboards.replayer.faces import Faces
from dashboards.replayer.phases import phase_of
from dashboards.replayer.stakes import Dues
from processors.core import state as facts
from processors.core.folding.shoe import on_the_table
from processors.core.state import ON_A_HAND, Round, Table, seat_of
from processors.games.blackjack.rules import BlackjackRules, RulesInForce
from processors.games.settled import observed
from processors.games.totals import count as points
from schemas.rulesets import RULESETS
from schemas.values import BONUS, DEALER, UNKNOWN

IN_RACK = "already racked"  # said of a hand that is shown as it was settled
_TUCKED = {"main": "under main", "push22": "under Push 22"}


class Picture:
    """Draws moments of one round; what a hand waits for, is due and shows follows from the state alone."""

    def __init__(self, faces: Faces, rules: BlackjackRules | None) -> None:
        self._faces = faces
        self._rules = rules
        self._settled: tuple[str, ...] = ()

    def felt(
        self,
        table: Table,
        round_: Round | None,
        *,
        phase: str = "",
        caption: str = "",
        now: str = "",
        faults: Sequence[str] = (),
        count: CardCount | None = None,
        notes: Sequence[str] = (),
        settled: Sequence[str] = (),
    ) -> Felt:
        """The felt; `now` and `faults` are hands (`3.1`), seats (`3`) or `D`; a fault of `` is the round's.

        The hands of `settled` (named in the same way, `` is all) lie as they were settled, also once they are racked.
        """
        self._settled = tuple(settled)
        number = f" · round {round_.number}" if round_ is not None else ""
        dues = Dues(round_, self._rules, self._faces.cleared) if round_ is not None else None
        seats = range(1, _seats(table, round_) + 1)
        return Felt(
            title=f"{table.subject}{number}",
            phase=phase,
            caption=caption,
            seats=tuple(self._seat(table, round_, dues, seat, now, faults) for seat in seats),
            dealer=self._dealer(table, round_, now, faults),
            shoe=self._shoe(table, round_),
            rack=self._faces.racked(round_) if round_ is not None else (),
            count=count,
            bonus=self._bonus(round_, now),
            print=_printed(table, self._rules),
            notes=tuple(notes),
        )

    def _seat(
        self,
        table: Table,
        round_: Round | None,
        dues: Dues | None,
        seat: int,
        now: str,
        faults: Sequence[str],
    ) -> DrawnSeat:
        player, here = table.players.get(seat, ""), str(seat)
        if round_ is None or dues is None:
            return DrawnSeat(seat, player, now=now == here, fault=_fault(here, faults))
        stakes = [stake for stake in round_.stakes.values() if stake.seat == seat]
        player = next((stake.player for stake in stakes if stake.player), player)
        hands = tuple(self._hand(round_, dues, name, now, faults) for name in _hands_of(round_, seat, here))
        sides = [_bet(stake, dues) for stake in stakes if stake.kind not in ON_A_HAND]
        lying = [lammer for lammer in round_.lammers if lammer.kind == "envy" and _lies(lammer)]
        envy = [_lammer(lammer, dues) for lammer in lying if seat_of(lammer.hand) == seat]
        return DrawnSeat(
            number=seat,
            player=player,
            hands=hands,
            bets=(*sides, *envy),
            note="no wager" if hands and not stakes else "",
            # A position of a stack game is the bare seat: then the ring is about its hand already.
            now=now == here and not any(hand.now for hand in hands),
            fault="" if any(hand.fault for hand in hands) else _fault(here, faults),
        )

    def _hand(self, round_: Round, dues: Dues, name: str, now: str, faults: Sequence[str]) -> DrawnHand:
        hand = round_.hands.get(name) or facts.Hand(name=name, seat=seat_of(name))
        views = self._faces.view(round_, hand)
        own = (name, f"{name}.1") if "." not in name else (name,)
        stakes = [one for one in round_.stakes.values() if one.kind in ON_A_HAND and one.hand in own]
        lammers = [one for one in round_.lammers if one.kind != "envy" and one.hand in own and _lies(one)]
        total, state, rules = "", "", self._rules
        if rules is not None:
            total, state = _total(views, rules.player_limit), _state(hand, views, rules)
        racked = "" if hand.racked is None else IN_RACK if self._lies(name) else "racked"
        return DrawnHand(
            name=name,
            cards=views if racked != "racked" else (),
            total=total,
            state=" · ".join(word for word in (state, racked) if word),
            bets=(*(_bet(one, dues) for one in stakes), *(_lammer(one, dues) for one in lammers)),
            now=now in own,
            fault=next((said for said in (_fault(one, faults) for one in own) if said), ""),
        )

    def _dealer(self, table: Table, round_: Round | None, now: str, faults: Sequence[str]) -> DrawnDealer:
        name = f"Dealer {table.dealer}" if table.dealer else "Dealer"
        if round_ is None:
            return DrawnDealer(name)
        hand = round_.hands.get(DEALER) or facts.Hand(name=DEALER, seat=0)
        views = self._faces.view(round_, hand)
        words = []
        if round_.reader is not None:
            device, result, _ = round_.reader
            words.append(f"{'Masque' if device == 'masque_reader' else 'reader'}: {result.replace('_', ' ')}")
        if round_.area is not None:
            words.append(f"{round_.area[0]} area")
        lies = hand.racked is None or self._lies(DEALER)
        if hand.racked is not None:
            words.append(IN_RACK if lies else "racked")
        rules = self._rules
        shown = DrawnHand(
            DEALER,
            cards=views if lies else (),
            total=_total(views, rules.dealer_limit) if rules is not None else "",
            state=_dealer_state(views, rules) if rules is not None else "",
            now=now == DEALER,
            fault=_fault(DEALER, faults),
        )
        return DrawnDealer(name, shown, tuple(words))

    def _lies(self, name: str) -> bool:
        """Whether a racked hand is shown as it was settled."""
        return any(one in ("", name, str(seat_of(name))) for one in self._settled)

    def _bonus(self, round_: Round | None, now: str) -> DrawnHand | None:
        hand = round_.hands.get(BONUS) if round_ is not None else None
        if round_ is None or hand is None:
            return None
        views = self._faces.view(round_, hand)
        return DrawnHand(BONUS, cards=views if hand.racked is None else (), now=now == BONUS)

    def _shoe(self, table: Table, round_: Round | None) -> DrawnShoe:
        shoe, decks, cover_out = table.shoe, table.decks, False
        if round_ is not None:
            cover_out = round_.cover_card is not None or decks.ends.cover_round == round_.number
        below, loose = decks.cover_in_shoe or None, self._faces.loose(table)
        return DrawnShoe(shoe.number, shoe.remaining, shoe.loaded, below, cover_out, loose)


def shows_racked(felt: Felt) -> bool:
    """Whether a felt shows cards as they were settled that lie in the discard rack by then."""
    hands = [hand for seat in felt.seats for hand in seat.hands]
    return IN_RACK in felt.dealer.words or any(hand.state.endswith(IN_RACK) for hand in hands)


def felt_now(table: Table) -> Felt:
    """The felt of a table as it stands, in a round or between two, with nothing on it that is not open."""
    phase, caption = (
        "open" if table.open else "closed",
        f"Between rounds; the last was round {table.last_round}.",
    )
    if table.round is not None:
        phase, caption = phase_of(table.round), ""
    picture = Picture(Faces.of(table.round), RulesInForce().standing(table))
    return picture.felt(table, table.round, phase=phase, caption=caption, count=card_count(table))


def card_count(table: Table) -> CardCount | None:
    """Where the cards of the shoe's batch are; None before a shoe was loaded."""
    shoe = table.shoe
    if not shoe.loaded:
        return None
    racked = shoe.in_rack - shoe.lost
    batch = table.batches.get(shoe.batch)
    return CardCount(
        discard=racked - (shoe.burnt or 0),
        table=sum(on_the_table(table).values()),
        burnt=shoe.burnt,
        shoe=shoe.remaining,
        total=shoe.loaded + shoe.beside,
        short=0 if batch is None else batch.short,
        unseen=next(iter((*table.blind.shoe, *table.blind.round)), ""),
    )


def _seats(table: Table, round_: Round | None) -> int:
    seen = [seat_of(name) for name in round_.hands] if round_ is not None else []
    seen += [stake.seat for stake in round_.stakes.values()] if round_ is not None else []
    configured = table.config.seats if table.config is not None else 0
    return min(max([configured, 1, *seen, *table.players]), 9)


def _hands_of(round_: Round, seat: int, here: str) -> list[str]:
    """The seat's hands in order: those with cards or a fate, and those that only a stake names."""
    names = [
        hand.name
        for hand in round_.hands.values()
        if hand.seat == seat and (hand.cards or hand.voided is not None)
    ]
    if here not in names:
        names += [stake.hand for stake in round_.stakes.values() if stake.seat == seat and stake.hand]
        names += [lammer.hand for lammer in round_.lammers if seat_of(lammer.hand) == seat]
    return sorted(set(names))


def _fault(name: str, faults: Sequence[str]) -> str:
    return "✕" if name in faults else ""


def _bet(stake: facts.Stake, dues: Dues) -> Bet:
    seen = observed(stake.cents, stake.moves)
    return Bet(
        kind=stake.kind,
        cents=stake.cents,
        moved=seen.patron_cents(stake.cents) if seen is not None else None,
        due=dues.of_stake(stake) if seen is not None else None,
        inferred="not seen placed" if stake.moves and not stake.cents else "",
    )


def _lammer(lammer: facts.Lammer, dues: Dues) -> Bet:
    seen = observed(0, lammer.moves)
    return Bet(
        kind=lammer.kind or "lammer",
        cents=0,
        moved=seen.patron_cents(0) if seen is not None else None,
        due=dues.of_lammer(lammer) if seen is not None else None,
        lammer=True,
        inferred="" if lammer.kind else "not seen laid",
    )


def _lies(lammer: facts.Lammer) -> bool:
    return lammer.collected is None or bool(lammer.moves)


def _total(views: Sequence[Card], limit: int) -> str:
    """The total as the viewer can count it: `17`, `soft 18`, `10 + ?`."""
    if not views:
        return ""
    known = [view.name for view in views if view.face_up and not view.hidden]
    counted = points(known, limit)
    if counted is None:
        return "?"
    total = f"soft {counted[0]}" if counted[1] and counted[0] < 21 else str(counted[0])
    return total if len(known) == len(views) else f"{total} + ?" if known else "?"


def _state(hand: facts.Hand, views: Sequence[Card], rules: BlackjackRules) -> str:
    if hand.voided is not None:
        return "dead"
    if hand.surrendered is not None:
        return "surrender"
    if hand.even_money is not None:
        return "even money"
    names = [view.name for view in views]
    open_ = all(view.face_up for view in views) and UNKNOWN not in names
    counted = points(names, rules.player_limit) if open_ else None
    tucked = _TUCKED[hand.tucked[0]] if hand.tucked is not None and hand.racked is None else ""
    if counted is not None and counted[0] > 21:
        return f"bust {tucked}".rstrip()
    if counted is not None and counted[0] == 21 and len(views) == 2 and hand.split_at is None:
        return f"Blackjack {tucked}".rstrip()
    said = {"stand": "stands", "double": "doubled"}
    last = next((said[kind] for kind, _ in reversed(hand.decisions) if kind in said), "")
    return " · ".join(word for word in (last, tucked) if word)


def _dealer_state(views: Sequence[Card], rules: BlackjackRules) -> str:
    names = [view.name for view in views]
    if not all(view.face_up and not view.hidden for view in views):
        return ""
    counted = points(names, rules.dealer_limit)
    if counted is None:
        return ""
    if counted[0] == 21 and len(views) == 2:
        return "Blackjack"
    if counted[0] == rules.push_total:
        return "push"
    return "bust" if counted[0] > rules.stands_to else ""


def _printed(table: Table, rules: BlackjackRules | None) -> tuple[str, ...]:
    """What the layout says of the game."""
    config = table.config
    if config is None:
        return ("not configured",)
    law = RULESETS[config.ruleset]
    if rules is None:
        return (law.title, ", ".join(KINDS[name] for name in config.side_wagers))
    pays, insures = rules.odds_blackjack, rules.odds_insurance
    odds = f"Blackjack pays {pays[0]} to {pays[1]}, insurance {insures[0]} to {insures[1]}"
    return (law.title, f"{odds}, dealer {rules.push_total} pushes")
