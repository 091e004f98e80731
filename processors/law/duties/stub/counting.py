"""The stub leaves the shoe after the deal and is counted, face down, as often as the game has it."""

from __future__ import annotations

from processors.games.stacks.deal import is_played_on, stub_racked
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check, of
from processors.law.marks import STUB_OVERDUE, STUB_REMOVED, STUB_UNCOUNTED
from processors.law.wording import cardinal, ordinal
from schemas import events as e
from schemas.amounts import amount
from schemas.payload import Payload
from schemas.rulesets.numbers import FiveCardsNumbers, StacksNumbers


@check(
    "stub.removed", decides=("stub.removed", "stub.taken_out"),
    reads=(
        e.StackDispensed, e.StackDelivered, e.CardDrawn, e.CardPlaced, e.StubCounted, of(e.CardsRacked, "stub"),
        e.RoundEnded,
    ),
    after=(e.StubRemoved, e.StubCounted, e.CardsRacked, e.RoundEnded),
)  # fmt: skip
def the_stub_leaves_the_shoe_after_the_deal(moment: Moment, data: Payload) -> Judged:
    """The stub is taken out of the shoe when all are dealt, not earlier, and before it is counted or racked."""
    round_ = moment.round
    if round_ is None or STUB_REMOVED.on(round_):
        return None
    removed = round_.stub_removed
    if not isinstance(data, e.StubCounted | e.CardsRacked | e.RoundEnded):
        early = "taken out of the shoe before all cards were dealt"
        return None if removed is None else _removed(early, removed)
    if removed is not None:
        return UPHELD if isinstance(data, e.RoundEnded) else None
    if round_.first_card is None:
        return None
    if isinstance(data, e.RoundEnded):
        return _removed("never taken out of the shoe after the deal", None)
    did = "counted" if isinstance(data, e.StubCounted) else "racked"
    return _removed(f"{did}, but had not been taken out of the shoe", None)


def _removed(what: str, removed: int | None) -> Breach:
    return Breach(
        message=f"The stub was {what}.",
        expected={"stub_removed": "after the deal"},
        observed={"sequence": removed},
        sequences=(removed,) if removed is not None else (),
        discriminator=STUB_REMOVED.of(),
        unheard="shoe" if removed is None else None,
    )


@check("stub.counted", decides=("stub.counted",), reads=(e.HandRevealed, e.WagerSettled, e.RoundEnded))
def the_stub_is_counted_every_round(moment: Moment, data: Payload) -> Judged:
    """The stub is counted in every round, before the round goes on."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or STUB_UNCOUNTED.on(round_):
        return None
    void = isinstance(data, e.RoundEnded) and round_.voided is not None and round_.first_card is not None
    if not void and not is_played_on(round_, data):
        return None
    if round_.stub_counted is not None:
        return UPHELD
    return Breach(
        message=f"The round {'was declared void' if void else 'went on'} with no count of the stub.",
        expected={"counted": moment.numbers(StacksNumbers).stub},
        observed={"counted": None},
        sequences=(round_.stub_removed,) if round_.stub_removed is not None else (),
        discriminator=STUB_UNCOUNTED.of(),
        unheard="console",
    )


@check(
    "stub.face_down", decides=("stub.counted", "stub.unseen", "stub.counted_face_down"),
    reads=(e.StubCounted,),
)  # fmt: skip
def the_stub_is_counted_face_down(moment: Moment, data: e.StubCounted) -> Judgment:
    """The stub is spread face down for its count."""
    if data.face_down:
        return UPHELD
    return Breach(
        message="The stub was counted face up.",
        expected={"face_down": True},
        observed={"face_down": False},
    )


@check(
    "stub.counted_in_time",
    decides=("stub.racked_uncounted", "stub.counted_by_hand", "stub.counting_shuffler"),
    reads=(of(e.CardsRacked, "stub"), e.RoundEnded), scope="day",
)  # fmt: skip
def the_stub_is_counted_once_in_five_rounds(moment: Moment, data: e.CardsRacked | e.RoundEnded) -> Judged:
    """In any five rounds in a row the stub is counted once, unless a device reported 52 cards for all of them."""
    round_, config, facts = moment.round, moment.table.config, moment.table.stacks
    if round_ is None or config is None or round_.first_card is None or STUB_OVERDUE.on(round_):
        return None
    ended = isinstance(data, e.RoundEnded)
    if round_.stub_counted is None and ended and stub_racked(round_) is not None:
        return None  # decided when it was racked
    numbers = moment.numbers(FiveCardsNumbers)
    every = numbers.count_every_rounds
    window = [*facts.uncounted, facts.reported][-every:]
    if round_.stub_counted is not None or len(window) < every or all(window):
        return UPHELD
    return Breach(
        roles=(
            *(("stub.counting_shuffler",) if config.shuffler_counts else ()),
            *(() if any(window) else ("stub.counted_by_hand",)),
            *(() if ended else ("stub.racked_uncounted",)),
        ),
        message=f"This is the {ordinal(every)} round in a row without a count of the stub, and {window.count(False)} "
        f"of the {cardinal(every)} decks had no report of {amount(numbers.deck, 'card')} from a counting shuffler.",
        expected={"rounds_without_count": every - 1},
        observed={"rounds_without_count": len(window), "reports_of_52": window.count(True)},
        discriminator=STUB_OVERDUE.of(),
        unheard="console",
    )
