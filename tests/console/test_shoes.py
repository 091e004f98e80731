"""How a shoe is headed: as whole when each card of it was seen, and else by what is short or not known."""

from typing import Any

import pytest

from dashboards.replayer.picture import card_count
from dashboards.tables.composition import count_of
from processors.core.facts_decks import Batch, Shoe
from processors.core.state import Table


def full_shoe(**changes: Any) -> Table:
    """A shoe of one deck that is over: every card was seen to leave it, and lies in the rack."""
    everything = {rank + suit: 1 for rank in "A23456789TJQK" for suit in "cdhs"}
    shoe = Shoe(number=6, batch="B1", loaded=52, emptied=True, out=everything, in_rack=52, burnt=0)
    table = Table(subject="T-1", batches={"B1": Batch("B1", 1, 52, 1)}, shoe=shoe)
    for name, value in changes.items():
        part, _, field = name.partition("_")
        setattr({"shoe": shoe, "batch": table.batches["B1"], "blind": table.blind}[part], field, value)
    return table


@pytest.mark.parametrize(
    ("changes", "sign", "words"),
    [
        ({}, "✓", "the whole batch B1, each card of it seen"),
        ({"batch_short": 1}, "✕", "in number as many as batch B1 has, but 1 card short"),
        ({"batch_short": 2, "batch_over": {"As": 2}}, "✕",
         "in number as many as batch B1 has, but 2 cards short and 2 too many"),
        ({"shoe_out_unknown": 1}, "?", "in number as many as batch B1 has; which card 1 of them is, nobody saw"),
        ({"shoe_out_unknown": 3}, "?", "in number as many as batch B1 has; which cards 3 of them are, nobody saw"),
        ({"shoe_out_unknown": 1, "shoe_burnt": 1},
            "✓",
            "in number as many as batch B1 has; which card 1 of them is, nobody saw",
        ),
        ({"shoe_doubtful": 1}, "?", "in number as many as batch B1 has; 1 may have left the shoe unseen"),
        ({"blind_shoe": ["event 4 is missing"]}, "?",
         "in number as many as batch B1 has, but cards may have moved unseen: event 4 is missing"),
        ({"shoe_lost": 1}, "✕", "1 did not reach the rack"),
        ({"shoe_in_rack": 51}, "✕", "batch B1 has 52: 1 too few"),
        ({"shoe_remaining": -1, "shoe_in_rack": 53}, "✕", "more were drawn than loaded"),
        ({"shoe_batch": "B2"}, "?", "batch B2 is not at the table"),
        ({"shoe_emptied": False}, "✓",
         "in number as many as batch B1 has; not each card is known while it is dealt from"),
        ({"shoe_emptied": False, "batch_short": 1}, "✕",
         "in number as many as batch B1 has, but 1 card short by an earlier shoe"),
    ],
)  # fmt: skip
def test_a_shoe_is_headed_as_whole_when_each_card_of_it_was_seen_and_never_else(
    changes: dict[str, Any], sign: str, words: str
) -> None:
    count = count_of(full_shoe(**changes))
    assert count is not None
    assert (count.standing.sign, count.standing.words) == (sign, words)


@pytest.mark.parametrize(
    ("changes", "ends"),
    [
        ({}, "= 52 ✓"),
        ({"batch_short": 1}, "= 52 ✕; the batch was 1 card short before"),
        ({"blind_shoe": ["event 4 is missing"]}, "= 52 ?; cards may have moved unseen: event 4 is missing"),
        ({"shoe_lost": 1}, "= 51, should be 52 ✕"),
        (
            {"shoe_lost": 1, "blind_shoe": ["cards on the layout since event 9"]},
            "= 51 reported, of 52 ?; cards may have moved unseen: cards on the layout since event 9",
        ),
    ],
)
def test_the_count_beside_a_hand_ticks_off_no_shoe_that_is_short_or_was_not_watched(
    changes: dict[str, Any], ends: str
) -> None:
    count = card_count(full_shoe(**changes))
    assert str(count).endswith(f"+ burn 0 + shoe 0 {ends}")
