"""Shoes that were not shuffled, that keep a slug, that lack cards or hold others'; cards that somebody chooses."""

from __future__ import annotations

from collections.abc import Callable

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.rules import VALUES
from producers.simulator.patterns.playing import ArrangedShoe, Pattern, PatternPlay, Planned, Stated
from schemas.values import DEALER, RANKS

SHOE = 4
"""The shoe in which a single thing happens."""
Order = list[str]


def _arranged(
    arrange: Callable[[PatternPlay, ArrangedShoe, Order], Order], *, of_shoe: bool = True
) -> Callable[[PatternPlay], None]:
    """Arrange each shoe; `of_shoe`: the suspicion names the shoe, not only the table."""

    def begin(play: PatternPlay) -> None:
        play.name_table()
        if of_shoe:
            play.about["shoe"] = SHOE
        play.shoe.arrange = lambda shoe, order: arrange(play, shoe, order)

    return begin


def _slug(play: PatternPlay, shoe: ArrangedShoe, order: Order, step: int = 1) -> Order:
    """So many cards of the batch's last rack come one after the other in the fourth shoe."""
    racks = [cards for of, cards in shoe.racks if of == shoe.batch]
    if shoe.number != SHOE or not racks:
        return order
    length = int(play.size)
    at = play.rng.randrange(20, 120)
    slug = racks[-1][at : at + length][::step]
    rest = list(order)
    for card in slug:
        rest.remove(card)
    place = play.rng.randrange(40, 120)
    return [*rest[:place], *slug, *rest[place:]]


def _reversed(play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    return _slug(play, shoe, order, -1)


def _false_shuffle(play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    """Tran: in the fourth shoe a slug of so many cards stays whole at the front."""
    racks = [cards for of, cards in shoe.racks if of == shoe.batch]
    if shoe.number != SHOE or not racks:
        return order
    slug = racks[-1][-int(play.size) :]
    rest = list(order)
    for card in slug:
        rest.remove(card)
    return [*slug, *rest]


def _unshuffled(_play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    """Golden Nugget: from the fourth shoe on the order is that of the third."""
    if shoe.number == SHOE - 1:
        shoe.kept = list(order)
    return list(shoe.kept) if shoe.number >= SHOE else order


def _sorted(_play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    """SugarHouse: the shuffler was left in sort mode before the fourth shoe."""
    return sorted(order, key=lambda card: (card[1], RANKS.index(card[0]))) if shoe.number == SHOE else order


def _riffled(play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    """From the third shoe on the rack is riffled only so many times, and cut."""
    racks = [cards for of, cards in shoe.racks if of == shoe.batch]
    if shoe.number < SHOE or not racks or sorted(racks[-1]) != sorted(order):
        return order
    cards = list(racks[-1])
    for _ in range(int(play.size)):
        cut = sum(play.rng.random() < 0.5 for _ in cards)
        halves, cards = [cards[:cut], cards[cut:]], []
        while halves[0] or halves[1]:
            left = len(halves[0]) / (len(halves[0]) + len(halves[1]))
            cards.append(halves[play.rng.random() >= left].pop(0))
    place = play.rng.randrange(40, len(cards) - 40)
    return [*cards[place:], *cards[:place]]


def _neatly_riffled(play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    """From the third shoe on the rack is riffled only so many times, nearly card by card, and cut."""
    racks = [cards for of, cards in shoe.racks if of == shoe.batch]
    if shoe.number < SHOE or not racks or sorted(racks[-1]) != sorted(order):
        return order
    cards = list(racks[-1])
    for _ in range(int(play.size)):
        cut = len(cards) // 2 + play.rng.randint(-3, 3)
        halves, cards = [cards[:cut], cards[cut:]], []
        side = play.rng.randrange(2)
        while halves[0] or halves[1]:
            number = 1 if play.rng.random() < 0.85 else 2
            cards += halves[side][:number]
            halves[side] = halves[side][number:]
            side = 1 - side
    place = play.rng.randrange(40, len(cards) - 40)
    return [*cards[place:], *cards[:place]]


def _left_behind(play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    """SugarHouse: so many cards stay in the shuffler when the second shoe is loaded."""
    return order[: -int(play.size)] if shoe.number == 2 else order


def _migrated(play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    """SugarHouse: kings of spades went from one batch to the other, so many."""
    moved = int(play.size)
    if shoe.batch == "B1":
        short = list(order)
        while short.count("Ks") > 6 - moved:
            short.remove("Ks")
        return short
    more = 6 + moved - order.count("Ks")
    made = list(order)
    for _ in range(max(0, more)):
        made.insert(play.rng.randrange(len(made)), "Ks")
    return made


def _stripped(play: PatternPlay, _shoe: ArrangedShoe, order: Order) -> Order:
    """So many aces of six decks are fours instead."""
    aces = [at for at, card in enumerate(order) if card[0] == "A"]
    made = list(order)
    for at in aces[24 - int(play.size) :]:
        made[at] = "4" + made[at][1]
    return made


def _exchanged(taken: str, put: str) -> Callable[[PatternPlay, ArrangedShoe, Order], Order]:
    """So many cards of these ranks are of another instead: the device counts as many as before."""

    def arrange(play: PatternPlay, _shoe: ArrangedShoe, order: Order) -> Order:
        chosen = [at for at, card in enumerate(order) if card[0] in taken][: int(play.size)]
        made = list(order)
        for at in chosen:
            made[at] = put + made[at][1]
        return made

    return arrange


class Totals(Planned):
    """In a share `size` of the dealer's last cards, one that makes a total of which `wanted` approves."""

    def __init__(self, wanted: Callable[[int], bool], *, from_total: int = 12) -> None:
        self.wanted, self.least = wanted, from_total

    def wish(self, spot: str, /) -> Wish | None:
        """A card that makes such a total, if there is one."""
        table = self.table
        if spot != DEALER or len(table.dealer) < 2 or table.dealer_total < self.least:
            return None
        if self.play.rng.random() >= self.play.size:
            return None
        have = table.dealer_total
        return lambda card: self.wanted(have + (1 if card[0] == "A" else VALUES[card[0]]))


class Matches(Planned):
    """In a share `size` of the rounds the first player's first card is of the dealer's rank, or the other way."""

    def wish(self, spot: str, /) -> Wish | None:
        """The dealer's first card like the first player's."""
        table = self.table
        if spot != DEALER or table.dealer or not table.boxes[0].first.cards:
            return None
        if self.play.rng.random() >= self.play.size:
            return None
        rank = table.boxes[0].first.cards[0][0]
        return lambda card: card[0] == rank


def _planned(made: Callable[[], Planned]) -> Callable[[PatternPlay], None]:
    def begin(play: PatternPlay) -> None:
        play.name_table()
        play.install(made())

    return begin


BATCH = {"shuffler": "batch", "patrons": (4, 4), "seats": 6}
DRAWS = "share of the dealer's draws to 12 or more"
SHOES = {"patrons": (5, 5)}
CONTINUOUS = {"shuffler": "continuous", "patrons": (5, 5)}
PATTERNS = (
    Pattern(
        name="slug",
        between=(1, 100),
        family="shuffle_quality",
        unit="cards",
        begin=_arranged(_slug),
        setup=SHOES,
        summary="Cards come in the fourth shoe in the order in which they lay in the rack.",
        stated=(Stated(7, 75, {"round": 60}), Stated(8, 75, {"round": 60}), Stated(12, 75, {"round": 60})),
    ),
    Pattern(
        name="slug_reversed",
        between=(1, 100),
        family="shuffle_quality",
        unit="cards",
        begin=_arranged(_reversed),
        setup=SHOES,
        summary="... in the opposite order.",
        stated=(Stated(7, 75, {"round": 60}), Stated(10, 75, {"round": 60})),
    ),
    Pattern(
        name="false_shuffle",
        between=(1, 150),
        family="shuffle_quality",
        unit="cards",
        begin=_arranged(_false_shuffle),
        setup=SHOES,
        summary="Tran: a slug is kept whole at the front of the fourth shoe.",
        stated=(Stated(40, 75, {"round": 50}),),
    ),
    Pattern(
        name="unshuffled",
        between=(1, 1),
        family="shuffle_quality",
        unit="orders",
        begin=_arranged(_unshuffled),
        setup=SHOES,
        summary="Golden Nugget: the order of the third shoe comes again and again.",
        stated=(Stated(1, 75, {"round": 50}),),
    ),
    Pattern(
        name="sort_mode",
        between=(1, 1),
        family="shuffle_quality",
        unit="shoes",
        begin=_arranged(_sorted),
        setup=SHOES,
        summary="SugarHouse: the fourth shoe comes from a shuffler in sort mode.",
        stated=(Stated(1, 75, {"round": 50}),),
    ),
    Pattern(
        name="few_riffles",
        between=(0, 20),
        family="shuffle_quality",
        unit="riffles",
        begin=_arranged(_riffled, of_shoe=False),
        setup=SHOES,
        summary="From the fourth shoe on the rack is riffled too few times.",
        stated=(Stated(2, 100, {"round": 65}), Stated(3, 150, {"round": 110})),
    ),
    Pattern(
        name="neat_riffles",
        between=(0, 20),
        family="shuffle_quality",
        unit="riffles",
        begin=_arranged(_neatly_riffled, of_shoe=False),
        setup=SHOES,
        summary="From the fourth shoe on the rack is riffled too few times, nearly card by card.",
        stated=(Stated(1, 100, {"round": 65}), Stated(2, 150, {"round": 110})),
    ),
    Pattern(
        name="cards_left_behind",
        between=(0, 75),
        family="rank_composition",
        unit="cards",
        begin=_arranged(_left_behind, of_shoe=False),
        setup=SHOES,
        summary="SugarHouse: cards stay in the shuffler when the second shoe is loaded.",
        stated=(Stated(16, 60, {"round": 34}), Stated(8, 80, {"round": 60})),
    ),
    Pattern(
        name="migrated_card",
        between=(0, 5),
        family="rank_composition",
        unit="cards",
        begin=_arranged(_migrated, of_shoe=False),
        setup=BATCH,
        summary="SugarHouse: a card went from one batch to the other.",
        stated=(Stated(1, 80, {"round": 60}), Stated(3, 80, {"round": 50})),
    ),
    Pattern(
        name="stripped_aces",
        between=(0, 23),
        family="rank_composition",
        unit="cards",
        begin=_arranged(_stripped, of_shoe=False),
        setup=SHOES,
        summary="Aces of six decks are fours instead.",
        stated=(Stated(8, 100, {"round": 60}), Stated(4, 200, {"round": 160})),
    ),
    Pattern(
        name="tens_taken_out",
        between=(0, 96),
        family="rank_composition",
        unit="cards",
        begin=_arranged(_exchanged("TJQK", "8"), of_shoe=False),
        setup=CONTINUOUS,
        summary="Ten-values were taken out of a continuous shuffler, and eights put in.",
        stated=(Stated(32, 100, {"round": 50}),),
    ),
    Pattern(
        name="fives_put_in",
        between=(0, 24),
        family="rank_composition",
        unit="cards",
        begin=_arranged(_exchanged("9", "5"), of_shoe=False),
        setup=CONTINUOUS,
        summary="Fives were put into a continuous shuffler, and nines taken out.",
        stated=(Stated(16, 150, {"round": 100}),),
    ),
    Pattern(
        name="twenty_twos",
        family="side_wager",
        unit=DRAWS,
        begin=_planned(lambda: Totals(lambda points: points == 22)),
        summary="The dealer's total is 22 too often.",
        stated=(Stated(0.3, 300, {"round": 200}), Stated(0.5, 200, {"round": 120})),
    ),
    Pattern(
        name="matches",
        family="side_wager",
        unit="share of the rounds",
        begin=_planned(Matches),
        ruleset="down_under_685a",
        summary="The dealer's first card is of the rank of the first player's too often.",
        stated=(Stated(0.5, 250, {"round": 150}),),
        setup={"patrons": (1, 1)},
    ),
    Pattern(
        name="busts_for_patrons",
        family="theoretical_win",
        unit=DRAWS,
        begin=_planned(lambda: Totals(lambda points: points > 22)),
        summary="The dealer busts too often.",
        stated=(Stated(1.0, 400, {"round": 300}), Stated(0.7, 700, {"round": 500})),
    ),
    Pattern(
        name="draws_for_house",
        family="theoretical_win",
        unit=DRAWS,
        begin=_planned(lambda: Totals(lambda points: 19 <= points <= 21)),
        summary="The dealer draws to 19, 20 or 21 too often.",
        stated=(Stated(0.6, 500, {"round": 400}),),
    ),
    Pattern(
        name="whole_shuffler",
        between=(1, 1),
        family="rank_composition",
        unit="tables",
        setup=CONTINUOUS,
        null=True,
        summary="A continuous shuffler holds the cards of its decks.",
        stated=(Stated(1, 200),),
    ),
    Pattern(
        name="five_in_a_row",
        between=(1, 6),
        family="shuffle_quality",
        unit="cards",
        begin=_arranged(_slug),
        setup=SHOES,
        null=True,
        summary="Five cards come in the order of the rack, as chance brings them now and then.",
        stated=(Stated(5, 75),),
    ),
    Pattern(
        name="seven_riffles",
        between=(7, 20),
        family="shuffle_quality",
        unit="riffles",
        begin=_arranged(_riffled, of_shoe=False),
        setup=SHOES,
        null=True,
        summary="The rack is riffled seven times, and cut.",
        stated=(Stated(7, 100),),
    ),
)
