"""Players whose stakes, or whose presence, follow the count of the cards; and others who stake in ways of their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from producers.simulator.blackjack.strategies import Basic, Counter, Progressive
from producers.simulator.floor.patrons import Patron
from producers.simulator.patterns.playing import Pattern, PatternPlay, Stated

SPREAD_OF_COUNTS = 2.1  # standard deviation of the true count before a round of a 6-deck shoe, as simulated
MIDDLE = 6_000  # cents; far enough above the table's least stake that the small ones are not cut off


class Ramp(Counter):
    """One unit, and two more for every true count above 1, up to `most`."""

    most = 8.0

    def stake(self) -> int:
        """By the ramp."""
        units = max(1, min(int(self.most), math.floor(2 * self.count.true_count - 1)))
        return self.setup.stake(self.patron.unit_cents * units)


class Correlated(Counter):
    """Stakes whose logarithms go with the true count with a correlation of `correlation`."""

    correlation = 0.5

    def stake(self) -> int:
        """By the count and by whim."""
        whim = math.sqrt(1 - self.correlation**2) * self.rng.gauss(0, 1)
        steps = 0.8 * (self.correlation * self.count.true_count / SPREAD_OF_COUNTS + whim)
        return self.setup.stake(round(MIDDLE * 2**steps))


class Present(Counter):
    """Two units while the true count is `least` or more, and nothing otherwise."""

    least = 1.0

    def stake(self) -> int:
        """Two units, or nothing."""
        return self.setup.stake(2 * self.patron.unit_cents) if self.count.true_count >= self.least else 0


class Joining(Counter):
    """Comes in at a true count of `least`, and goes when it falls below 0 or the shoe ends."""

    least, away = 1.0, True

    def stake(self) -> int:
        """As long as he is in."""
        count = self.count.true_count
        self.away = count < (self.least if self.away else 0.0)
        return 0 if self.away else self.setup.stake(2 * self.patron.unit_cents)

    def new_shoe(self, cards: int) -> None:
        """Wait again."""
        super().new_shoe(cards)
        self.away = True


class Aware(Basic):
    """Minds how many cards have come since the shuffle, and no count."""

    dealt = 0

    def sees(self, cards: Iterable[str]) -> None:
        """More have come."""
        self.dealt += len(list(cards))

    def new_shoe(self, cards: int) -> None:  # noqa: ARG002 - how many it has is all the same to him
        """Begin again."""
        self.dealt = 0


class Late(Aware):
    """Stakes more the fewer cards are left."""

    def stake(self) -> int:
        """Twice as much with every 80 cards."""
        return self.setup.stake(round(self.patron.unit_cents * 2 ** (self.dealt / 80)))


class Mood(Basic):
    """Changes the stake now and then, and stays with it for a while."""

    now = 0

    def stake(self) -> int:
        """What it was, or something else."""
        if not self.now or self.rng.random() < 0.04:
            self.now = self.setup.stake(self.patron.unit_cents * self.rng.choice((1, 2, 3, 4, 8)))
        return self.now


class Breaks(Basic):
    """Sits out for a while at times."""

    away = False

    def stake(self) -> int:
        """Nothing while away."""
        if self.rng.random() < 0.05:
            self.away = not self.away
        return 0 if self.away else super().stake()


class Waits(Aware):
    """Sits out the first rounds of each shoe."""

    cards = 60

    def stake(self) -> int:
        """Nothing until so many cards have come."""
        return super().stake() if self.dealt >= self.cards else 0


def plays_as(kind: type[Basic], trait: str = "", *, named: bool = True) -> Callable[[PatternPlay], None]:
    """Let the first patron play in that way; the size is the value of a trait of it."""

    def begin(play: PatternPlay) -> None:
        def made(patron: Patron) -> Basic:
            strategy = kind(patron, play.setup, play.session.writer.rng)
            patron.boldness = 16  # has chips for the largest stakes
            if trait:
                setattr(strategy, trait, play.size)
            return strategy

        play.first_patron(made, named=named)

    return begin


PAIR = {"patrons": (2, 2), "min_cents": 1_000, "chip_cents": 100}
PATTERNS = (
    Pattern(
        name="counter_ramp",
        between=(1, 16),
        family="counting",
        unit="largest stake in units",
        begin=plays_as(Ramp, "most"),
        summary="A player stakes 1 unit up to a true count of 1, and up to so many above it.",
        setup=PAIR,
        stated=(
            Stated(8, 190, {"round": 150}),
            Stated(4, 260, {"round": 220}),
            Stated(12, 190, {"round": 150}),
        ),
    ),
    Pattern(
        name="counter_correlation",
        family="counting",
        unit="correlation",
        begin=plays_as(Correlated, "correlation"),
        summary="A player's stakes go with the true count, and with whim.",
        setup=PAIR | {"min_cents": 500},
        stated=(
            Stated(0.5, 400, {"round": 250}),
            Stated(0.7, 260, {"round": 200}),
            Stated(0.9, 190, {"round": 160}),
        ),
    ),
    Pattern(
        name="counter_presence",
        between=(-5, 5),
        family="counting",
        unit="least true count",
        begin=plays_as(Present, "least"),
        summary="A player plays while the count is high, and sits out otherwise.",
        setup=PAIR,
        stated=(Stated(1, 500, {"round": 400}),),
    ),
    Pattern(
        name="counter_joining",
        between=(-5, 5),
        family="counting",
        unit="least true count",
        begin=plays_as(Joining, "least"),
        summary="A player comes in when the count is high, and goes when it is below 0.",
        setup=PAIR,
        stated=(Stated(1, 500, {"round": 400}),),
    ),
    Pattern(
        name="doubles_after_losses",
        between=(1, 1),
        family="counting",
        unit="players",
        begin=plays_as(Progressive),
        null=True,
        summary="A player doubles after each loss, until a win.",
        stated=(Stated(1, 300),),
        setup=PAIR,
    ),
    Pattern(
        name="late_in_the_shoe",
        between=(1, 1),
        family="counting",
        unit="players",
        begin=plays_as(Late),
        null=True,
        summary="A player stakes more the fewer cards are left.",
        stated=(Stated(1, 300),),
        setup=PAIR,
    ),
    Pattern(
        name="moods",
        between=(1, 1),
        family="counting",
        unit="players",
        begin=plays_as(Mood),
        null=True,
        summary="A player changes his stake now and then.",
        stated=(Stated(1, 300),),
        setup=PAIR,
    ),
    Pattern(
        name="takes_breaks",
        between=(1, 1),
        family="counting",
        unit="players",
        begin=plays_as(Breaks),
        null=True,
        summary="A player sits out for a while at times.",
        stated=(Stated(1, 300),),
        setup=PAIR,
    ),
    Pattern(
        name="waits_after_shuffles",
        between=(0, 300),
        family="counting",
        unit="cards",
        begin=plays_as(Waits, "cards"),
        null=True,
        summary="A player sits out until so many cards of a shoe have come.",
        stated=(Stated(60, 400),),
        setup=PAIR,
    ),
)
