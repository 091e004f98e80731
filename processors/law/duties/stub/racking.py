"""The stub goes to the discard rack, once, whole, unseen, and after the count that is due."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.facts_decks import Shoe
from processors.core.state import Round, spot_named
from processors.games.stacks.deal import count_is_wrong, deal_of, stub_racked
from processors.games.stacks.profile import STACKS_PROFILES
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check, of
from processors.law.marks import STUB_OVERDUE, STUB_SEEN, STUB_UNCOUNTED
from schemas.amounts import amount, verb
from schemas.events import CardExposed, CardsRacked, RoundEnded, StubCounted, TableConfigured
from schemas.values import UNKNOWN


@check(
    "stub.unseen",
    decides=("stub.unseen", "stub.racked_uncounted", "stub.counted_face_down", "stub.racked_after_count"),
    reads=(of(CardsRacked, "stub"), RoundEnded),
)
def nobody_sees_the_stub(moment: Moment, data: CardsRacked | RoundEnded) -> Iterator[Judgment]:
    """No card of the stub is exposed from the shoe to the rack."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None:
        return
    counted = ("stub.counted_face_down", "stub.racked_after_count")
    roles = ("stub.unseen", *(("stub.racked_uncounted",) if round_.stub_counted is None else counted))
    seen = False
    for entry in round_.told(CardExposed):
        if entry.data.where != "stub" or STUB_SEEN.on(round_, entry.sequence):
            continue
        seen = True
        yield Breach(
            roles=roles,
            message=f"Card {entry.data.card} of the stub was exposed.",
            expected={"exposed": False},
            observed={"exposed": entry.data.card},
            sequences=(entry.sequence,),
            discriminator=STUB_SEEN.of(entry.sequence),
        )
    if seen or isinstance(data, RoundEnded):
        return
    known = sum(card != UNKNOWN for card in data.cards)
    if not known or count_is_wrong(round_, deal_of(round_, config)):
        yield UPHELD
        return
    yield Breach(
        roles=roles,
        message=f"The stub was racked with {amount(known, 'card')} seen.",
        expected={"seen": 0},
        observed={"seen": known},
        discriminator="stub.seen",
    )


@check(
    "stub.racked", decides=(
        "stub.racked", "stub.unwagered_collected", "stub.racked_uncounted", "stub.counted_face_down",
        "stub.racked_after_count",
    ),
    reads=(StubCounted, of(CardsRacked, "stub"), RoundEnded),
)  # fmt: skip
def the_whole_stub_is_racked(moment: Moment, data: StubCounted | CardsRacked | RoundEnded) -> Judged:
    """The stub goes to the rack once, whole, and where it is counted every round only after a good count."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or round_.first_card is None:
        return None
    every_round = STACKS_PROFILES[config.ruleset].counts_every_round
    if isinstance(data, StubCounted):
        return _racked_before_the_count(round_) if every_round else _counted_in_the_rack(round_)
    if isinstance(data, RoundEnded):
        return _never_racked(round_, config, every_round=every_round)
    return _racked_as_it_was(round_, config, moment.table.shoe, len(data.cards), every_round=every_round)


def _racked_before_the_count(round_: Round) -> Judged:
    early = [entry for entry in round_.racked if entry.reason in ("stub", "unwagered")]
    if not early or STUB_UNCOUNTED.on(round_):
        return None
    reasons = {entry.reason for entry in early}
    what = "The stub" if early[0].reason == "stub" else f"The stack of {spot_named(early[0].spot)}"
    return Breach(
        roles=(
            *(("stub.racked",) if "stub" in reasons else ()),
            *(("stub.unwagered_collected",) if "unwagered" in reasons else ()),
        ),
        message=f"{what} was racked before the stub was counted.",
        expected={"counted_first": True},
        observed={"racked": [entry.sequence for entry in early]},
        sequences=tuple(entry.sequence for entry in early),
    )


def _counted_in_the_rack(round_: Round) -> Judged:
    racked = stub_racked(round_)
    if racked is None or STUB_OVERDUE.on(round_):
        return None
    return Breach(
        roles=("stub.racked_after_count", "stub.counted_face_down"),
        message="The stub was counted only after it had been put in the discard rack.",
        expected={"counted": "on the layout, before it is racked"},
        observed={"racked": racked},
        sequences=(racked,),
    )


def _roles_of_racking(round_: Round) -> tuple[str, ...]:
    after = "stub.racked_uncounted" if round_.stub_counted is None else "stub.racked_after_count"
    return ("stub.racked", after)


def _racked_as_it_was(
    round_: Round, config: TableConfigured, shoe: Shoe, size: int, *, every_round: bool
) -> Judgment:
    counted, deal = round_.stub_counted, deal_of(round_, config)
    if stub_racked(round_) is not None:
        message, due = f"The stub was racked a second time, with {amount(size, 'card')}.", 0
    elif counted is not None:
        due = counted[0]
        message = f"{amount(due, 'card of the stub')} {verb(due, 'was')} counted, and {size} racked."
        if size == due or count_is_wrong(round_, deal):
            return UPHELD
    else:
        due = shoe.remaining
        message = f"{amount(due, 'card')} {verb(due, 'was')} left in the shoe, and {size} racked."
        if every_round or not shoe.loaded or size in (due, deal.stub):
            return UPHELD
    return Breach(
        roles=_roles_of_racking(round_),
        message=message,
        expected={"cards": due},
        observed={"cards": size},
        sequences=(counted[1],) if counted is not None else (),
        discriminator="stub.racked",
    )


def _never_racked(round_: Round, config: TableConfigured, *, every_round: bool) -> Judged:
    counted = round_.stub_counted
    if round_.voided is not None or stub_racked(round_) is not None:
        return None
    if counted is None and every_round:
        return None  # the missing count has been said
    if count_is_wrong(round_, deal_of(round_, config)):
        return None  # the round that was played on has been said
    return Breach(
        roles=_roles_of_racking(round_),
        message="The stub was not put in the discard rack.",
        expected={"racked": counted[0] if counted else "the stub"},
        observed={"racked": 0},
        sequences=(counted[1],) if counted else (),
        unheard="rack" if round_.several_unracked else None,
    )
