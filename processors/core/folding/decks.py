"""Cut, load and the shoe in play: facts that checks of procedure need, folded from their events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from processors.core.conservation import COUNT
from processors.core.facts_decks import Cut, DeckFacts, Offer, Preparation, Reason
from processors.core.folding import preparation
from processors.core.folding.in_force import numbers_of
from processors.core.folding.known_orders import known_run
from processors.core.folding.preparation import MOST_CARDS, end_order, leave_rack, take_out
from processors.core.grammar.seals import opens
from processors.core.handlers import Handlers
from processors.core.state import Table
from schemas import events as e
from schemas.rulesets.numbers import BlackjackNumbers
from schemas.values import UNKNOWN

MISCOUNTED = 2  # cards

# People


def _player_arrived(table: Table, sequence: int, data: e.PlayerArrived) -> None:
    facts = table.decks
    if data.seat not in facts.arrivals:
        facts.arrivals.append(data.seat)
    if not facts.newcomer:
        facts.newcomer, facts.newcomer_at = data.seat, sequence


def _player_left(table: Table, sequence: int, data: e.PlayerLeft) -> None:
    facts = table.decks
    if data.seat in facts.arrivals:
        facts.arrivals.remove(data.seat)
    if facts.newcomer == data.seat:
        facts.newcomer = facts.arrivals[0] if facts.arrivals else 0


def _player_request(table: Table, sequence: int, data: e.PlayerRequest) -> None:
    if data.wish == "face_up_spread":
        table.decks.face_up_asked = sequence
    elif data.wish == "reshuffle":
        table.decks.reshuffle_asked = sequence


def _dealer_arrived(table: Table, sequence: int, data: e.DealerArrived) -> None:
    facts = table.decks
    facts.dealer_fresh = True
    facts.dealer_missed = False
    if data.staff != facts.dealer:
        facts.dealer = data.staff
        facts.dealer_due = sequence


def _table_opened(table: Table, sequence: int, data: e.TableOpened) -> None:
    facts = table.decks
    facts.beginning = True
    facts.newcomer = facts.newcomer_at = 0


def _table_closed(table: Table, sequence: int, data: e.TableClosed) -> None:
    table.decks.ends.other = sequence


def _table_idle(table: Table, sequence: int, data: e.TableIdle) -> None:
    facts, shoe = table.decks, table.shoe
    facts.beginning = True
    facts.newcomer = facts.newcomer_at = 0
    facts.face_up_asked = facts.reshuffle_asked = 0
    batch = facts.batches.get(facts.in_use)
    if batch is None or not batch.dealt or (shoe.emptied and facts.rack_of != facts.in_use):
        facts.ends.other = sequence
        return
    facts.ends.idle = sequence
    facts.batches[facts.in_use] = Preparation(
        received=batch.received,
        opened_at=batch.opened_at,
        dealt=batch.dealt,
        idle=sequence,
        late_draws=batch.late_draws,
        orders=batch.orders,
    )


# Cut and load


def _cut_offered(table: Table, sequence: int, data: e.CutOffered) -> None:
    table.decks.cut.offers.append(Offer(data.seat, sequence))


def _cut_refused(table: Table, sequence: int, data: e.CutRefused) -> None:
    offers = table.decks.cut.offers
    if offers and offers[-1].seat == data.seat and not offers[-1].refused:
        offers[-1].refused = sequence
    else:
        offers.append(Offer(data.seat, 0, sequence))


def stack_waits(table: Table) -> bool:
    """Whether a stack can be waiting for its cut: not while the shoe in play is full and untouched."""
    shoe = table.shoe
    return shoe.emptied or not shoe.loaded or table.decks.rest_left == shoe.number


def _cut_made(table: Table, sequence: int, data: e.CutMade) -> None:
    cut = table.decks.cut
    if not stack_waits(table):
        return
    cut.by = data.by
    cut.made = sequence
    cut.recut_ordered = 0


def _recut_ordered(table: Table, sequence: int, data: e.RecutOrdered) -> None:
    if table.decks.cut.made:
        table.decks.cut.recut_ordered = sequence


def _cover_inserted(table: Table, sequence: int, data: e.CoverCardInserted) -> None:
    table.decks.cut.cover_inserted = sequence
    table.decks.cut.cards_below = data.cards_below


def _loaded(table: Table, sequence: int, data: e.ShoeLoaded) -> None:
    facts = table.decks
    reload = table.round is not None
    quiet = table.lives.quiet
    unseen = table.lacks_a_load(data.shoe) or (quiet is not None and quiet.shown)
    name = data.batch if unseen else batch_due(table, data.batch)  # unseen: nobody knows which batch was due
    batch = facts.batches.get(name)
    if batch is not None:
        batch.dealt = sequence
        batch.idle = 0
        batch.steps_judged = True
    facts.in_use, facts.loaded, facts.shoe = name, data.batch, data.shoe
    facts.loads += 1
    take_out(facts, name)
    facts.cover_in_shoe = facts.cut.cards_below if facts.cut.cover_inserted else 0
    facts.cut = Cut()
    if reload:
        facts.ends.cover_at = 0
    else:
        facts.ends = Reason()
        facts.beginning = False
        facts.rack.clear()  # a shoe may end without a word, as each of a stack game does: its cards are taken away
    facts.reload = facts.ran_out = facts.rest_left = facts.returned = 0
    facts.face_up_asked = facts.reshuffle_asked = 0
    facts.burn_due = "reload" if reload else "load"
    facts.burn_missed = facts.undealt_told = facts.order_told = False
    facts.unstored_told = name != data.batch  # the check of turns reports that the wrong batch was loaded
    facts.drawn.clear()
    facts.looked_through = 0


def batch_due(table: Table, loaded: str) -> str:
    """The batch that should be dealt: the one loaded, or the other where that was dealt last or lies in the shuffler.

    After a wrong load the facts go on with the batch that was due, so that one error leads to one finding. Where the
    batch takes turns with the one that was loaded, the turns are as they should be again.
    """
    facts, config = table.decks, table.config
    batch = facts.batches.get(loaded)
    if config is None or config.shuffler != "batch" or table.round is not None or batch is None:
        return loaded
    others = [other for other in facts.batches if other != loaded]
    if facts.shuffler_down or not others:
        return loaded
    outside = [other for other in others if other not in facts.stored]
    if loaded in facts.stored and outside:
        return outside[0]
    if (
        facts.in_use != loaded
        or facts.loaded not in ("", loaded)
        or (batch.idle and reopens_idle_table(table))
    ):
        return loaded
    return others[0]


def reopens_idle_table(table: Table) -> bool:
    """Whether the ruleset repeats the whole opening after an idle table; otherwise the table swaps two batches."""
    numbers = numbers_of(table, BlackjackNumbers)
    return numbers is not None and numbers.reopens_idle_table


# The shoe in play


def burned_again(facts: DeckFacts, reason: str) -> bool:
    """Whether a card burned now is one too many for its load or its dealer."""
    if reason == "new_dealer":
        return not (facts.dealer_fresh or facts.dealer_due or facts.dealer_missed or facts.burn_due)
    return not facts.burn_due and not facts.burn_missed


def _count_in_doubt(table: Table) -> None:
    """Mark the shoe's count as reported: the finding about the extra burn card covers the difference."""
    if COUNT not in table.shoe.reported:
        table.shoe.reported.append(COUNT)


def _burned(table: Table, sequence: int, data: e.CardBurned) -> None:
    facts = table.decks
    if burned_again(facts, data.reason):
        _count_in_doubt(table)
    if table.shoe.emptied:
        _dealt_unloaded(table, sequence)
    if data.reason == "new_dealer":
        facts.dealer_fresh = False
        # The card may be for both, or for the new dealer first: then one for the load may still follow (A15).
        facts.burn_missed = facts.burn_missed or bool(facts.burn_due and facts.dealer_due)
    facts.burn_due = ""
    facts.dealer_due = 0
    facts.rack_of = facts.in_use
    lie_in_rack(facts, (data.card,))
    _come(facts, data.card)


def lie_in_rack(facts: DeckFacts, cards: Sequence[str]) -> None:
    """Put cards on those that lie in the discard rack."""
    facts.rack.extend(cards)
    if len(facts.rack) > 2 * MOST_CARDS:
        del facts.rack[:-MOST_CARDS]


def _come(facts: DeckFacts, card: str) -> None:
    """Take a card out of the shoe."""
    facts.drawn.append(card)
    if len(facts.drawn) > 2 * MOST_CARDS:
        facts.looked_through = max(0, facts.looked_through - len(facts.drawn) + MOST_CARDS)
        del facts.drawn[:-MOST_CARDS]


def _drawn(table: Table, sequence: int, data: e.CardDrawn) -> None:
    facts = table.decks
    _come(facts, data.card)
    facts.dealer_fresh = False
    if facts.burn_due:
        facts.burn_due = ""
        facts.burn_missed = True
    if facts.dealer_due:
        if not facts.burn_missed or facts.dealer_due > table.shoe.loaded_at:
            table.shoe.doubtful += 1  # the burn card that was due may lie in the rack unreported
        facts.dealer_due = 0
        facts.dealer_missed = True
    shoe = table.shoe
    if shoe.emptied:
        _dealt_unloaded(table, sequence)
        facts.undealt_told = True
    elif shoe.remaining < facts.cover_in_shoe and not facts.ends.covers:
        facts.ends.beyond_cover = True
    batch, numbers = facts.batches.get(facts.in_use), numbers_of(table, BlackjackNumbers)
    if batch is not None and numbers is not None and table.time is not None:
        batch.late_draws += table.time - batch.opened_at > dt.timedelta(hours=numbers.deck_life_hours)
    if table.round is not None and table.round.first_card == sequence and not holds_another(table):
        facts.unstored_told = True


def _dealt_unloaded(table: Table, sequence: int) -> None:
    """Begin a shoe that nobody loaded: its cards do not count as cards of the batch dealt before."""
    facts, shoe = table.decks, table.shoe
    if facts.undealt_told or (table.round is not None and table.round.hands):
        return
    if shoe.batch:
        facts.in_use = batch_due(table, shoe.batch)
    facts.cut = Cut()
    facts.ends = Reason(other=sequence)
    shoe.batch, shoe.loaded = "", 0


def holds_another(table: Table) -> bool:
    """Whether the shuffler holds a batch other than the one in play."""
    return any(name != table.decks.in_use for name in table.decks.stored)


def _cover_reached(table: Table, sequence: int, data: e.CoverCardReached) -> None:
    ends = table.decks.ends
    number = table.round.number if table.round is not None else table.last_round + 1
    if ends.covers and ends.cover_round != number:
        ends.covers.clear()
    ends.covers.append(data.at)
    ends.cover_round = number
    ends.cover_at = sequence
    ends.cover_left = table.shoe.remaining


def _round_started(table: Table, sequence: int, data: e.RoundStarted) -> None:
    ends = table.decks.ends
    ends.order_told = bool(ends.ordered)
    ends.played_past = bool(ends.cover_at) and data.round > ends.cover_round
    if ends.idle:
        ends.idle, ends.other = 0, ends.idle
        batch = table.decks.batches.get(table.decks.in_use)
        if batch is not None and batch.being_renewed and not table.shoe.emptied:
            batch.idle, batch.steps_judged = 0, True
    table.decks.returned = 0


def _round_ended(table: Table, sequence: int, data: e.RoundEnded) -> None:
    facts = table.decks
    facts.ends.beyond_told = facts.ends.beyond_told or passed_cover(table)
    if found_order(table, facts.drawn):
        facts.order_told = True
    facts.looked_through = len(facts.drawn)


def passed_cover(table: Table) -> bool:
    """Whether the shoe was dealt past every place where its cover card may lie, even if burn cards were miscounted."""
    return not table.decks.ends.covers and table.shoe.remaining + MISCOUNTED < deepest_cover(table)


def deepest_cover(table: Table) -> int:
    """How many cards lie below the cover card of the shoe at least: as it was put in, or as 5(d) wants it; else 0."""
    numbers = numbers_of(table, BlackjackNumbers)
    if numbers is None:
        return 0
    return min(table.decks.cover_in_shoe, numbers.least_below_cover(table.shoe.loaded))


def found_order(table: Table, drawn: list[str]) -> tuple[int, int] | None:
    """Index and length of a run in a known order among the cards drawn since the last look; None if there is none."""
    facts = table.decks
    batch = facts.batches.get(facts.in_use)
    whole = table.batches.get(facts.in_use)
    if facts.order_told or batch is None or whole is None or not table.shoe.loaded:
        return None
    if len(drawn) == facts.looked_through:
        return None
    return known_run(drawn, batch.orders, whole.decks, facts.looked_through, table.shoe.loaded)


def _racked(table: Table, sequence: int, data: e.CardsRacked) -> None:
    facts = table.decks
    facts.rack_of = facts.in_use
    lie_in_rack(facts, data.cards)


def _revealed(table: Table, sequence: int, data: e.HoleCardRevealed) -> None:
    """Note the card that the shoe gave up face down; a switched card did not come out of it."""
    drawn, round_ = table.decks.drawn, table.round
    if round_ is not None and not opens(round_.hole_seal, data):
        return
    for index in range(len(drawn) - 1, max(table.decks.looked_through, len(drawn) - 64) - 1, -1):
        if drawn[index] == UNKNOWN:
            drawn[index] = data.card
            break


def _emptied(table: Table, sequence: int, data: e.ShoeEmptied) -> None:
    facts = table.decks
    if (data.cards or facts.rack) and facts.rest_left != table.shoe.number:
        facts.rack_of = facts.in_use
    if table.round is not None:
        facts.ran_out = sequence
        lie_in_rack(facts, data.cards)
    else:
        end_order(facts, facts.batches.get(facts.in_use), data.cards)


def _shuffled_from_rack(table: Table, sequence: int, data: e.StackShuffledFromRack) -> None:
    facts = table.decks
    facts.reload = sequence
    facts.reload_cards = data.cards
    facts.reload_rack = table.shoe.in_rack
    leave_rack(facts, facts.in_use)
    end_order(facts, facts.batches.get(facts.in_use), ())


HANDLERS: Handlers = {
    **preparation.HANDLERS,
    e.PlayerArrived: _player_arrived,
    e.PlayerLeft: _player_left,
    e.PlayerRequest: _player_request,
    e.DealerArrived: _dealer_arrived,
    e.TableOpened: _table_opened,
    e.TableClosed: _table_closed,
    e.TableIdle: _table_idle,
    e.CutOffered: _cut_offered,
    e.CutRefused: _cut_refused,
    e.CutMade: _cut_made,
    e.RecutOrdered: _recut_ordered,
    e.CoverCardInserted: _cover_inserted,
    e.ShoeLoaded: _loaded,
    e.CardBurned: _burned,
    e.CardDrawn: _drawn,
    e.CoverCardReached: _cover_reached,
    e.RoundStarted: _round_started,
    e.RoundEnded: _round_ended,
    e.CardsRacked: _racked,
    e.HoleCardRevealed: _revealed,
    e.ShoeEmptied: _emptied,
    e.StackShuffledFromRack: _shuffled_from_rack,
}
