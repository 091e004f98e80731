"""The stub: out of the shoe, counted, unseen, racked (670a.10(d), (f), 657a.8(e)-(g))."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round
from processors.games.stacks.deal import (
    FORTUNE,
    MANUAL,
    STACK,
    STUB,
    count_is_wrong,
    deal_of,
    is_played_on,
    with_wagers,
)
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from schemas.events import (
    CardDrawn,
    CardExposed,
    CardPlaced,
    CardsRacked,
    HandRevealed,
    RoundEnded,
    StackDelivered,
    StackDispensed,
    StubCounted,
    StubRemoved,
    WagerSettled,
)
from schemas.payload import Payload
from schemas.values import UNKNOWN

OUT = {FORTUNE: ("670a.10(d)#1",), MANUAL: ("657a.8(e)#1",)}
WINDOW = 5


def stub_racked(round_: Round) -> int | None:
    """Sequence at which the stub entered the rack."""
    return next((entry.sequence for entry in round_.racked if entry.reason == "stub"), None)


@check(
    "stub.removed",
    decides=(
        "stub.removed",
        "stub.taken_out",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(
        StackDispensed,
        StackDelivered,
        CardDrawn,
        CardPlaced,
        StubCounted,
        CardsRacked,
        RoundEnded,
    ),
    after=(StubRemoved, StubCounted, CardsRacked, RoundEnded),
)
def the_stub_leaves_the_shoe_after_the_deal(moment: Moment, data: Payload) -> Iterator[Judgment]:
    """The stub is taken out of the shoe when all are dealt, not earlier, and before it is counted or racked."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or "stub.removed" in round_.reported:
        return
    dealing = not isinstance(data, StubCounted | CardsRacked | RoundEnded)
    if dealing:
        if round_.stub_removed is None:
            return
        message = "The stub was taken out of the shoe before all cards were dealt."
    else:
        if isinstance(data, CardsRacked) and data.reason != "stub":
            return
        if round_.stub_removed is not None or round_.first_card is None:
            if isinstance(data, RoundEnded) and round_.stub_removed is not None:
                yield UPHELD
            return
        message = "The stub was never taken out of the shoe after the deal."
        if isinstance(data, StubCounted):
            message = "The stub was counted, but had not been taken out of the shoe."
        elif isinstance(data, CardsRacked):
            message = "The stub was racked, but had not been taken out of the shoe."
    yield Breach(
        clauses=OUT[config.ruleset],
        message=message,
        expected={"stub_removed": "after the deal"},
        observed={"sequence": round_.stub_removed},
        sequences=(round_.stub_removed,) if round_.stub_removed is not None else (),
        discriminator="stub.removed",
    )


@check(
    "stub.counted",
    decides=("stub.counted",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(HandRevealed, WagerSettled, RoundEnded),
)
def the_stub_is_counted_every_round(moment: Moment, data: Payload) -> Iterator[Judgment]:
    """Every round of 670a.10 has its stub counted before the round goes on."""
    round_ = moment.round
    if round_ is None or "stub.counted" in round_.reported:
        return
    over = isinstance(data, RoundEnded) and round_.voided is not None and round_.first_card is not None
    if not over and not is_played_on(round_, data):
        return
    if round_.stub_counted is not None:
        yield UPHELD
        return
    yield Breach(
        clauses=("670a.10(d)#2",),
        message="The round went on with no count of the stub.",
        expected={"counted": STUB},
        observed={"counted": None},
        sequences=(round_.stub_removed,) if round_.stub_removed is not None else (),
        discriminator="stub.counted",
    )


@check(
    "stub.face_down",
    decides=(
        "stub.counted",
        "stub.unseen",
        "stub.counted_face_down",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(StubCounted,),
)
def the_stub_is_counted_face_down(moment: Moment, data: StubCounted) -> Iterator[Judgment]:
    """The stub is spread face down for its count."""
    config = moment.table.config
    if config is None:
        return
    if data.face_down:
        yield UPHELD
        return
    yield Breach(
        clauses=("670a.10(d)#2", "670a.10(d)#3") if config.ruleset == FORTUNE else ("657a.8(f)#3",),
        message="The stub was counted face up.",
        expected={"face_down": True},
        observed={"face_down": False},
    )


@check(
    "stub.unseen",
    decides=(
        "stub.unseen", "stub.racked_uncounted", "stub.counted_face_down", "stub.racked_after_count",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(CardsRacked, RoundEnded),
)  # fmt: skip
def nobody_sees_the_stub(moment: Moment, data: CardsRacked | RoundEnded) -> Iterator[Judgment]:
    """No card of the stub is exposed from the shoe to the rack."""
    round_, config = moment.round, moment.table.config
    racked = isinstance(data, CardsRacked)
    if round_ is None or config is None or (isinstance(data, CardsRacked) and data.reason != "stub"):
        return
    seen = [
        entry
        for entry in round_.told(CardExposed)
        if entry.data.where == "stub" and f"stub.seen:{entry.sequence}" not in round_.reported
    ]
    clauses = _seen_clauses(round_, config.ruleset)
    for entry in seen:
        yield Breach(
            clauses=clauses,
            message=f"Card {entry.data.card} of the stub was exposed.",
            expected={"exposed": False},
            observed={"exposed": entry.data.card},
            sequences=(entry.sequence,),
            discriminator=f"stub.seen:{entry.sequence}",
        )
    known = [card for card in data.cards if card != UNKNOWN] if isinstance(data, CardsRacked) else []
    if known and not seen and not count_is_wrong(round_, deal_of(round_, config)):
        yield Breach(
            clauses=clauses,
            message=f"The stub was racked with {len(known)} card{'s' if len(known) > 1 else ''} seen.",
            expected={"seen": 0},
            observed={"seen": len(known)},
            discriminator="stub.seen",
        )
    elif racked and not seen:
        yield UPHELD


def _seen_clauses(round_: Round, ruleset: str) -> tuple[str, ...]:
    if ruleset == FORTUNE:
        return ("670a.10(d)#3",)
    return ("657a.8(e)#2",) if round_.stub_counted is None else ("657a.8(f)#3", "657a.8(g)")


@check(
    "stub.racked",
    decides=(
        "stub.racked", "stub.unwagered_collected", "stub.racked_uncounted", "stub.counted_face_down",
        "stub.racked_after_count",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(StubCounted, CardsRacked, RoundEnded),
)  # fmt: skip
def the_whole_stub_is_racked(
    moment: Moment, data: StubCounted | CardsRacked | RoundEnded
) -> Iterator[Judgment]:
    """The stub goes to the rack once, whole, and under 670a.10 only after a good count."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.first_card is None:
        return
    if isinstance(data, StubCounted):
        if config.ruleset == FORTUNE and "stub.counted" not in round_.reported:
            yield from _racked_before_the_count(round_)
        elif config.ruleset == MANUAL and "stub.window" not in round_.reported:
            yield from _counted_in_the_rack(round_)
    elif isinstance(data, RoundEnded):
        yield from _never_racked(moment, round_)
    elif data.reason == "stub":
        yield from _racked_as_it_was(moment, round_, data)


def _racked_before_the_count(round_: Round) -> Iterator[Judgment]:
    early = [entry for entry in round_.racked if entry.reason in ("stub", "unwagered")]
    clauses = [clause for reason, clause in (("stub", "670a.10(d)#4"), ("unwagered", "670a.10(f)#1"))
               if any(entry.reason == reason for entry in early)]  # fmt: skip
    if clauses:
        what = "The stub" if early[0].reason == "stub" else f"The stack of position {early[0].spot}"
        yield Breach(
            clauses=tuple(clauses),
            message=f"{what} was racked before the stub was counted.",
            expected={"counted_first": True},
            observed={"racked": [entry.sequence for entry in early]},
            sequences=tuple(entry.sequence for entry in early),
        )


def _counted_in_the_rack(round_: Round) -> Iterator[Judgment]:
    racked = stub_racked(round_)
    if racked is not None:
        yield Breach(
            clauses=("657a.8(g)", "657a.8(f)#3"),
            message="The stub was counted only after it had been put in the discard rack.",
            expected={"counted": "on the layout, before it is racked"},
            observed={"racked": racked},
            sequences=(racked,),
        )


def _racked_as_it_was(moment: Moment, round_: Round, data: CardsRacked) -> Iterator[Judgment]:
    config, shoe = moment.table.config, moment.table.shoe
    if config is None:
        return
    fortune, counted = config.ruleset == FORTUNE, round_.stub_counted
    deal = deal_of(round_, config)
    clause = "670a.10(d)#4" if fortune else "657a.8(e)#2" if counted is None else "657a.8(g)"
    size = len(data.cards)
    if stub_racked(round_) is not None:
        message, due = f"The stub was racked a second time, with {size} cards.", 0
    elif counted is not None and not count_is_wrong(round_, deal) and size != counted[0]:
        message, due = f"{counted[0]} cards of the stub were counted, and {size} racked.", counted[0]
    elif counted is None and not fortune and shoe.loaded and size not in (shoe.remaining, deal.stub):
        message, due = f"{shoe.remaining} cards were left in the shoe, and {size} racked.", shoe.remaining
    else:
        yield UPHELD
        return
    yield Breach(
        clauses=(clause,),
        message=message,
        expected={"cards": due},
        observed={"cards": size},
        sequences=(counted[1],) if counted is not None else (),
        discriminator="stub.racked",
    )


def _never_racked(moment: Moment, round_: Round) -> Iterator[Judgment]:
    config, counted = moment.table.config, round_.stub_counted
    if config is None or round_.voided is not None or stub_racked(round_) is not None:
        return
    if counted is None and config.ruleset == FORTUNE:
        return  # the missing count has been said
    if count_is_wrong(round_, deal_of(round_, config)):
        return  # the round that was played on has been said
    clause = "670a.10(d)#4" if config.ruleset == FORTUNE else "657a.8(g)" if counted else "657a.8(e)#2"
    yield Breach(
        clauses=(clause,),
        message="The stub was not put in the discard rack.",
        expected={"racked": counted[0] if counted else "the stub"},
        observed={"racked": 0},
        sequences=(counted[1],) if counted else (),
    )


@check(
    "stub.counted_in_time",
    decides=(
        "stub.racked_uncounted",
        "stub.counted_by_hand",
        "stub.counting_shuffler",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(CardsRacked, RoundEnded),
    scope="day",
)
def the_stub_is_counted_once_in_five_rounds(
    moment: Moment, data: CardsRacked | RoundEnded
) -> Iterator[Judgment]:
    """In any five rounds in a row the stub is counted once, unless a device reported 52 cards for all of them."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.first_card is None or "stub.window" in round_.reported:
        return
    ended = isinstance(data, RoundEnded)
    if isinstance(data, CardsRacked) and data.reason != "stub":
        return
    if round_.stub_counted is not None:
        yield UPHELD
        return
    if ended and stub_racked(round_) is not None:
        return  # decided when it was racked
    facts = moment.table.stacks
    window = [*facts.uncounted, facts.reported]
    if len(window) < WINDOW or all(window):
        yield UPHELD
        return
    mixed = any(window)
    clauses = ["657a.8(f)#2"] if config.shuffler_counts else []
    clauses += [] if mixed else ["657a.8(f)#1"]
    clauses += [] if ended else ["657a.8(e)#2"]
    yield Breach(
        clauses=tuple(clauses),
        message=f"This is the fifth round in a row without a count of the stub, and {window.count(False)} of the five "
        "decks had no report of 52 cards from a counting shuffler.",
        expected={"rounds_without_count": WINDOW - 1},
        observed={"rounds_without_count": len(window), "reports_of_52": window.count(True)},
        discriminator="stub.window",
    )


@check(
    "stub.unwagered",
    decides=("stub.unwagered_collected",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(RoundEnded,),
)
def unwagered_stacks_are_collected(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """After a proper deal every stack at a position without a wager is put in the discard rack."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.voided is not None or round_.stub_counted is None:
        return
    if count_is_wrong(round_, deal_of(round_, config)):
        return
    wagered = with_wagers(round_)
    for hand in round_.hands.values():
        if not hand.seat or hand.seat in wagered or not hand.cards:
            continue
        racked, lay = len(hand.racked_cards), min(len(hand.cards), STACK)  # a misdealt stack has been said
        if racked >= lay:
            yield UPHELD
            continue
        yield Breach(
            clauses=("670a.10(f)#1",),
            message=f"Position {hand.name} has no wager; {racked} of the {lay} cards of its stack were put "
            "in the discard rack.",
            expected={"racked": lay},
            observed={"racked": racked},
            seat=hand.seat,
            discriminator=f"unwagered:{hand.name}",
        )


@check(
    "stub.unwagered_unseen",
    decides=("stub.unwagered_unseen",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    reads=(HandRevealed, CardsRacked, CardExposed),
)
def nobody_sees_unwagered_stacks(
    moment: Moment, data: HandRevealed | CardsRacked | CardExposed
) -> Iterator[Judgment]:
    """No card of a stack at a position without a wager is shown."""
    round_ = moment.round
    if round_ is None:
        return
    wagered = with_wagers(round_)
    if isinstance(data, CardExposed):
        open_ = [
            h.name for h in round_.hands.values() if h.seat and h.seat not in wagered and h.racked is None
        ]
        if data.where == "stub" or not open_ or any(h.revealed for h in round_.hands.values()):
            return
        spot, seen = open_[0], [data.card]
    elif isinstance(data, HandRevealed):
        spot, seen = data.position, [card for card in data.cards if card != UNKNOWN]
    elif data.reason in ("stub", "void"):
        return
    else:
        spot, seen = data.hand, [card for card in data.cards if card != UNKNOWN]
    if not spot.isdigit() or int(spot) in wagered or f"unwagered.seen:{spot}" in round_.reported:
        return
    if not seen:
        yield UPHELD
        return
    yield Breach(
        clauses=("670a.10(f)#2",),
        message=f"Cards of position {spot} were shown, which has no wager.",
        expected={"seen": 0},
        observed={"seen": len(seen)},
        seat=int(spot),
        discriminator=f"unwagered.seen:{spot}",
    )
