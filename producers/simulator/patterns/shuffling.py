"""Shoes that were not shuffled, that keep a slug, that lack cards or hold others'; cards that somebody chooses."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.rules import VALUES
from producers.simulator.patterns.playing import ArrangedShoe, Pattern, PatternPlay, Planned, Stated
from schemas.values import DEALER, RANKS

SHOE = 4
"""The shoe in which a single thing happens."""
Order = list[str]
Arranged = Callable[[PatternPlay, ArrangedShoe, Order], Order]


def _arranged(arrange: Arranged, *, of_shoe: bool = True) -> Callable[[PatternPlay], None]:
    """Arrange each shoe; `of_shoe`: the suspicion names the shoe, not only the table."""

    def begin(play: PatternPlay) -> None:
        play.name_table()
        if of_shoe:
            play.about["shoe"] = SHOE
        play.shoe.arrange = lambda shoe, order: arrange(play, shoe, order)

    return begin


def _rack(shoe: ArrangedShoe) -> Order:
    """The last rack of the shoe's batch; empty where there is none yet."""
    return next((cards for batch, cards in reversed(shoe.racks) if batch == shoe.batch), [])


def _slug(step: int = 1, *, at_front: bool = False) -> Arranged:
    """So many cards of the last rack come one after the other in the fourth shoe; -1: the other way round.

    `at_front`: they are the rack's last cards, and stay at the front, as at Tran.
    """

    def arrange(play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
        rack, length = _rack(shoe), int(play.size)
        if shoe.number != SHOE or not rack:
            return order
        at = max(0, len(rack) - length) if at_front else play.rng.randrange(20, 120)
        slug = rack[at : at + length][::step]
        rest = list(order)
        for card in slug:
            rest.remove(card)
        place = 0 if at_front else play.rng.randrange(40, 120)
        return [*rest[:place], *slug, *rest[place:]]

    return arrange


def _unshuffled(_play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    """Golden Nugget: from the fourth shoe on the order is that of the third."""
    if shoe.number == SHOE - 1:
        shoe.kept = list(order)
    return list(shoe.kept) if shoe.number >= SHOE else order


def _sorted(_play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
    """SugarHouse: the shuffler was left in sort mode before the fourth shoe."""
    return sorted(order, key=lambda card: (card[1], RANKS.index(card[0]))) if shoe.number == SHOE else order


def _riffled(riffle: Callable[[Random, Order], Order]) -> Arranged:
    """From the fourth shoe on the rack is riffled only so many times, and cut."""

    def arrange(play: PatternPlay, shoe: ArrangedShoe, order: Order) -> Order:
        cards = _rack(shoe)
        if shoe.number < SHOE or sorted(cards) != sorted(order):
            return order
        for _ in range(int(play.size)):
            cards = riffle(play.rng, cards)
        place = play.rng.randrange(40, len(cards) - 40)
        return [*cards[place:], *cards[:place]]

    return arrange


def _loosely(rng: Random, cards: Order) -> Order:
    """The halves fall together by chance, each card from one of them."""
    cut = sum(rng.random() < 0.5 for _ in cards)
    halves, made = [cards[:cut], cards[cut:]], []
    while halves[0] or halves[1]:
        left = len(halves[0]) / (len(halves[0]) + len(halves[1]))
        made.append(halves[rng.random() >= left].pop(0))
    return made


def _neatly(rng: Random, cards: Order) -> Order:
    """The halves fall together nearly card by card."""
    cut = len(cards) // 2 + rng.randint(-3, 3)
    halves, made = [cards[:cut], cards[cut:]], Order()
    side = rng.randrange(2)
    while halves[0] or halves[1]:
        number = 1 if rng.random() < 0.85 else 2
        made += halves[side][:number]
        halves[side] = halves[side][number:]
        side = 1 - side
    return made


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


def _exchanged(taken: str, put: str, *, from_end: bool = False) -> Arranged:
    """So many cards of these ranks are of another instead: the device counts as many as before."""

    def arrange(play: PatternPlay, _shoe: ArrangedShoe, order: Order) -> Order:
        places = [at for at, card in enumerate(order) if card[0] in taken]
        gone = 4 * len(taken) * play.setup.decks - len(places)  # cards exchanged before come again
        made = list(order)
        for at in (places[::-1] if from_end else places)[: max(0, int(play.size) - gone)]:
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


_SHUFFLED = partial(Pattern, family="shuffle_quality", setup={"patrons": (5, 5)})
_COMPOSED = partial(Pattern, family="rank_composition", setup={"patrons": (5, 5)})
_CONTINUOUS = partial(_COMPOSED, setup={"shuffler": "continuous", "patrons": (5, 5)})
_DRAWN = partial(Pattern, unit="share of the dealer's draws to 12 or more")
PATTERNS = (
    _SHUFFLED(
        name="slug",
        between=(1, 100),
        unit="cards",
        begin=_arranged(_slug()),
        summary="Cards come in the fourth shoe in the order in which they lay in the rack.",
        stated=(Stated(7, 75, {"round": 60}), Stated(8, 75, {"round": 60}), Stated(12, 75, {"round": 60})),
    ),
    _SHUFFLED(
        name="slug_reversed",
        between=(1, 100),
        unit="cards",
        begin=_arranged(_slug(-1)),
        summary="... in the opposite order.",
        stated=(Stated(7, 75, {"round": 60}), Stated(10, 75, {"round": 60})),
    ),
    _SHUFFLED(
        name="false_shuffle",
        between=(1, 150),
        unit="cards",
        begin=_arranged(_slug(at_front=True)),
        summary="Tran: a slug is kept whole at the front of the fourth shoe.",
        stated=(Stated(40, 75, {"round": 50}),),
    ),
    _SHUFFLED(
        name="unshuffled",
        between=(1, 1),
        unit="orders",
        begin=_arranged(_unshuffled),
        summary="Golden Nugget: the order of the third shoe comes again and again.",
        stated=(Stated(1, 75, {"round": 50}),),
    ),
    _SHUFFLED(
        name="sort_mode",
        between=(1, 1),
        unit="shoes",
        begin=_arranged(_sorted),
        summary="SugarHouse: the fourth shoe comes from a shuffler in sort mode.",
        stated=(Stated(1, 75, {"round": 50}),),
    ),
    _SHUFFLED(
        name="few_riffles",
        between=(0, 20),
        unit="riffles",
        begin=_arranged(_riffled(_loosely), of_shoe=False),
        summary="From the fourth shoe on the rack is riffled too few times.",
        stated=(Stated(2, 100, {"round": 65}), Stated(3, 150, {"round": 110})),
    ),
    _SHUFFLED(
        name="neat_riffles",
        between=(0, 20),
        unit="riffles",
        begin=_arranged(_riffled(_neatly), of_shoe=False),
        summary="From the fourth shoe on the rack is riffled too few times, nearly card by card.",
        stated=(Stated(1, 100, {"round": 65}), Stated(2, 150, {"round": 110})),
    ),
    _COMPOSED(
        name="cards_left_behind",
        between=(0, 75),
        unit="cards",
        begin=_arranged(_left_behind, of_shoe=False),
        summary="SugarHouse: cards stay in the shuffler when the second shoe is loaded.",
        stated=(Stated(16, 60, {"round": 34}), Stated(8, 80, {"round": 60})),
    ),
    _COMPOSED(
        name="migrated_card",
        between=(0, 5),
        unit="cards",
        begin=_arranged(_migrated, of_shoe=False),
        setup={"shuffler": "batch", "patrons": (4, 4), "seats": 6},
        summary="SugarHouse: a card went from one batch to the other.",
        stated=(Stated(1, 80, {"round": 60}), Stated(3, 80, {"round": 50})),
    ),
    _COMPOSED(
        name="stripped_aces",
        between=(0, 23),
        unit="cards",
        begin=_arranged(_exchanged("A", "4", from_end=True), of_shoe=False),
        summary="Aces of six decks are fours instead.",
        stated=(Stated(8, 100, {"round": 60}), Stated(4, 200, {"round": 160})),
    ),
    _CONTINUOUS(
        name="tens_taken_out",
        between=(0, 96),
        unit="cards",
        begin=_arranged(_exchanged("TJQK", "8"), of_shoe=False),
        summary="Ten-values were taken out of a continuous shuffler, and eights put in.",
        stated=(Stated(32, 100, {"round": 50}),),
    ),
    _CONTINUOUS(
        name="fives_put_in",
        between=(0, 24),
        unit="cards",
        begin=_arranged(_exchanged("9", "5"), of_shoe=False),
        summary="Fives were put into a continuous shuffler, and nines taken out.",
        stated=(Stated(16, 150, {"round": 100}),),
    ),
    _DRAWN(
        name="twenty_twos",
        family="side_wager",
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
    _DRAWN(
        name="busts_for_patrons",
        family="theoretical_win",
        begin=_planned(lambda: Totals(lambda points: points > 22)),
        summary="The dealer busts too often.",
        stated=(Stated(1.0, 400, {"round": 300}), Stated(0.7, 700, {"round": 500})),
    ),
    _DRAWN(
        name="draws_for_house",
        family="theoretical_win",
        begin=_planned(lambda: Totals(lambda points: 19 <= points <= 21)),
        summary="The dealer draws to 19, 20 or 21 too often.",
        stated=(Stated(0.6, 500, {"round": 400}),),
    ),
    _CONTINUOUS(
        name="whole_shuffler",
        between=(1, 1),
        unit="tables",
        null=True,
        summary="A continuous shuffler holds the cards of its decks.",
        stated=(Stated(1, 200),),
    ),
    _SHUFFLED(
        name="five_in_a_row",
        between=(1, 6),
        unit="cards",
        begin=_arranged(_slug()),
        null=True,
        summary="Five cards come in the order of the rack, as chance brings them now and then.",
        stated=(Stated(5, 75),),
    ),
    _SHUFFLED(
        name="seven_riffles",
        between=(7, 20),
        unit="riffles",
        begin=_arranged(_riffled(_loosely), of_shoe=False),
        null=True,
        summary="The rack is riffled seven times, and cut.",
        stated=(Stated(7, 100),),
    ),
)
