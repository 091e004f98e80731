"""What is told of a pattern that begins after long honest play: of the rounds that weigh most, not of all play."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from math import log
from random import Random
from typing import Final

import pytest

from processors.detectors.families import collusion, past_posting, theoretical_win
from processors.detectors.favouring import signals
from processors.detectors.mixture import Counts, Mixture, RoundsTold, count, fresh, heaviest, weigh
from processors.detectors.sensing import silences
from processors.detectors.shapes import Alarm
from tests.detectors.later.people import mispays
from tests.detectors.later.play import CASES, after_honest_play, until_alarm

# Of what begins after 10,000 honest rounds; of trays, shoes and calls, as many as fall into these.
TOLD: Final = {
    "dealer_mispay.for_patrons": (
        "Of the latest 216 hands that dealer D settled, 9 were paid too much, or not collected ($45.00 to "
        "patrons); at 1 in 1,000, chance allows 0.22."
    ),
    "dealer_mispay.for_house": (
        "Of the latest 216 hands that dealer D settled, 9 were paid too little, or collected wrongly ($45.00 "
        "to the house); at 1 in 1,000, chance allows 0.22."
    ),
    "dealer_mispay.careless": (
        "Of the latest 140 hands that dealer D settled, 10 were mispaid one way or the other ($10.00 to "
        "patrons); at 2 in 1,000, chance allows 0.28."
    ),
    "collusion.overpaid": (
        "Of the latest 17 hands that dealer D overpaid or left uncollected while P played, 16 were those of P "
        "($80.00); by his part of the hands, chance allows 4.2."
    ),
    "collusion.exchanged": (
        "In 5 of the latest 28 rounds in which P had several hands while dealer D dealt, cards changed places "
        "between them ($0.00 too much); chance allows 0.028."
    ),
    "collusion.decisions": (
        "While dealer D dealt, P made 57 of the latest 62 decisions as the hole card ordered that nobody had "
        "seen, where chance allows 31.0; with other dealers 80 of 160, where it allows 80.0."
    ),
    "hole_card_knowledge": (
        "Of the latest 173 decisions of P that the hole card changes, 130 were what the hidden card orders; "
        "from the cards that nobody had seen, chance allows 86.5."
    ),
    "called_void.for_patrons": (
        "Of the latest 38 rounds of dealer D that were called void once the cards had decided them, patrons "
        "would have lost 37 ($61.00), 24 of them at every box; of 380 rounds beside them they lost 190, 76 of them at "
        "every box."
    ),
    "pace.slower": (
        "Dealer D is slower than the table by 36 % (1.36 seconds an act, the table 1.00), over her latest "
        "90 rounds: more than chance allows."
    ),
    "past_posting.raised": (
        "Of the latest 35 stakes of player P that were raised, 31 won; of his latest 97 others 20: more than "
        "chance allows to stakes made before the result."
    ),
    "past_posting.side": (
        "Player P won 61 of the latest 235 side wagers, far more than the cards give to one who stakes before "
        "he knows them."
    ),
    "counting.stakes": (
        "In the latest 201 rounds of player P he staked $64.17 on average in 60 rounds at a true count of 1 "
        "or more, and $49.82 in 141 rounds below it; with other cards the same stakes would hardly ever have "
        "fitted the count so well."
    ),
    "counting.presence": (
        "In the latest 200 rounds of player P he played 44 of 44 rounds at a true count of 1 or more, and 23 "
        "of 156 below it; with other cards his coming and going would hardly ever have fitted the count so "
        "well."
    ),
    "side_wager.push22": "A dealer's 22 came in 51 of the latest 237 rounds; chance allows 17.2.",
    "side_wager.push22_paid": (
        "Of the latest 145 Push 22 wagers, 10 were settled otherwise than the table of payouts says ($50.00 "
        "too much to patrons); at 1 in 1,000 each way, chance allows 0.29."
    ),
    "theoretical_win.overpaid": (
        "Since round 10,038, over 177 main wagers in 59 rounds, patrons got $95.00 more than was due at 19 "
        "boxes in 18 rounds (0 had pushed): honest errors move less than 1 % of the wagers."
    ),
    "theoretical_win.patrons": (
        "Over the latest 708 main wagers in 236 rounds the cards gave the house -30.5 % of a wager; the rules "
        "and the players' decisions make it +0.0 %: chance hardly leaves so little."
    ),
    "inventory_drift.loss": (
        "The tray is $300.00 short of the record, and has not been right since round 10040: a count that is "
        "off by chance is hardly ever off by more than $100, and right again the next time."
    ),
    "masque_errors.wrong_lights": (
        "The Masque reader's light was wrong in 7 of the latest 74 rounds, 3 times for a larger range than "
        "the hole card's and 4 times for a smaller one; at 1 in 1,000, chance allows 0.074."
    ),
    "rank_composition.ranks": (
        "Too few cards of A came out of the shoes for the decks that the record says: of 1,404 cards read of the "
        "latest 6 shoes, 71, where 108.0 are due; that is beyond chance."
    ),
    "rank_composition.short": (
        "10 cards of batch B came out of shoe 1 neither by the shoe's word nor by the rack's; devices in "
        "order miss 1.6 of 312; in the latest 2 shoes 21, where chance allows 3.1."
    ),
    "rank_composition.foreign": (
        "Shoe 252 has given up 7 of Ks, by its own word and the rack's; its 6 decks have 6 of each and 312 in "
        "all: it looks as if a card of another batch lay in it, as in shoe 251 (7 of Ks)."
    ),
    "sensor_health.draws": (
        "33 of the latest 1,476 cards drawn were missing from the shoe's report, lately far more than 1 in 200 "
        "(chance allows 7.4): a device of the table needs attention."
    ),
    "sensor_health.silences": (
        "The shoe named no card for a while in 30 of the latest 217 rounds, having fallen silent 9 times: "
        "more often, or for longer, than a device does that falls silent in 1 round of 1,000. It needs "
        "attention."
    ),
    "shuffle_quality.slug": (
        "7 cards of shoe 252 came one after the other as they lay in the rack of shoe 251, from card 91 on "
        "(8c 6c Jc Td 2c 9c Th); shoe 251 (7 cards: 2s 6s 5h 7c 4d 2h 8s) had repeated an order, too; chance "
        "brings a run of seven in one of 4,002,909 shoes."
    ),
    "shuffle_quality.migrated": (
        "7 of Ks came out of shoe 252, by its own word and the rack's, where 6 decks have 6 of each and 312 in "
        "all: a card has come to it from other decks, as to shoe 251 (7 of Ks)."
    ),
    "shuffle_quality.links": (
        "76 times in the latest 36 rounds from the front of a shoe the card after another is of its rank, or "
        "of its suit and the next rank; chance allows 27.7: the shuffle keeps neighbours together."
    ),
    "cut_steering.follows_count": (
        "Dealer D puts the cover card by the count with which the cards were taken from play: over the latest "
        "40 shoes the correlation is 0.79, where chance has none."
    ),
    "cut_steering.hides_cards": (
        "In the latest 62 shoes that dealer D made ready, more tens and aces lay behind the cover card than "
        "chance puts there: 0.9 standard deviations a shoe on average."
    ),
    "preferential_shuffle.for_house": (
        "6 of the latest 17 shoes were reshuffled early, at a mean true count of 2.5: where the cards left "
        "favoured the players far more often than in the other rounds of these shoes."
    ),
}


@pytest.mark.parametrize("variant", TOLD)
def test_of_what_begins_late_the_latest_rounds_are_told(variant: str) -> None:
    _, alarm = until_alarm(variant, after_honest_play(variant, 1), 0)
    assert alarm is not None
    assert alarm.message == TOLD[variant]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_dealer_is_careless_by_the_errors_that_are_told_and_not_by_those_before(sign: int) -> None:
    careless, one_way = CASES["dealer_mispay.careless"], mispays("careless", 0.05, (sign,))
    state, rng = after_honest_play("dealer_mispay.careless", 1), Random(5)
    assert not any(one_way.play(state, rng, True) for _ in range(120)), "whose errors went both ways before"
    state, rng = careless.begin(), Random(5)
    assert not any(one_way.play(state, rng, number < 60) for number in range(10_000))
    _, alarm = until_alarm("dealer_mispay.careless", state, 0)
    assert alarm is not None, "whose errors went one way before"
    over, under = alarm.observed["for_patrons"], alarm.observed["for_house"]
    assert 4 * min(over, under) >= over + under


def test_every_family_is_held() -> None:
    assert TOLD.keys() == CASES.keys()


def _over(seen: str, chance: str) -> Callable[[Alarm], float]:
    return lambda alarm: alarm.observed[seen] / alarm.expected[chance]


def _of(seen: str, all_: str, chance: float) -> Callable[[Alarm], float]:
    return lambda alarm: alarm.observed[seen] / alarm.observed[all_] / chance


def _at_high_counts(alarm: Alarm) -> float:
    high = "at_true_count_of_1_or_more"
    share, usual = _of(high, "early_reshuffles", 1), _of(f"rounds_{high}", "rounds", 1)
    return share(alarm) / usual(alarm)


# What is told as seen, over what chance allows of as many.
RATES: Final[dict[str, Callable[[Alarm], float]]] = {
    "dealer_mispay.for_patrons": _over("for_patrons", "by_chance"),
    "dealer_mispay.for_house": _over("for_house", "by_chance"),
    "dealer_mispay.careless": _over("for_patrons", "by_chance"),
    "collusion.overpaid": _over("for_this_player", "of_these_by_chance"),
    "collusion.exchanged": _of("exchanged", "rounds_with_several_hands", collusion.HONEST),
    "collusion.decisions": _over("as_the_hole_card_orders", "as_the_hole_card_orders"),
    "hole_card_knowledge": _over("decisions_that_fit", "decisions_that_fit"),
    "called_void.for_patrons": _over("patrons_would_have_lost", "as_of_other_rounds"),
    "past_posting.side": _of("won", "staked", past_posting.SIDES["push22"]),
    "side_wager.push22": _over("hits", "by_chance"),
    "side_wager.push22_paid": _over("for_patrons", "by_chance"),
    "theoretical_win.patrons": lambda alarm: (
        -alarm.observed["win_per_wager_by_the_cards"] / theoretical_win.TOLERATED
    ),
    "masque_errors.wrong_lights": _over("wrong_lights", "wrong_lights_at_most"),
    "rank_composition.short": _over("missing", "missing_by_chance"),
    "sensor_health.draws": _over("words_lost", "lost_by_chance"),
    "sensor_health.silences": _of("fell_silent", "of_rounds", silences.FALLS),
    "shuffle_quality.links": _over("neighbours", "neighbours_by_chance"),
    "preferential_shuffle.for_house": _at_high_counts,
}


def _from_the_first(mixture: Mixture, among: object = None) -> RoundsTold:
    return RoundsTold(False, mixture.rounds, mixture.counted)


@pytest.mark.parametrize("variant", RATES)
def test_what_is_told_is_further_from_chance_than_it_is_from_the_first_round(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    took, late = until_alarm(variant, after_honest_play(variant, 1), 0)
    module = import_module(f"{collusion.__package__}.{variant.partition('.')[0]}")
    for one in (module, signals):
        monkeypatch.setattr(one, "heaviest", _from_the_first)
    took_too, whole = until_alarm(variant, after_honest_play(variant, 1), 0)
    assert late is not None
    assert whole is not None
    assert (took, late.e_value) == (took_too, whole.e_value), "the alarm is the same, whatever is told of it"
    assert "the latest" not in whole.message
    assert RATES[variant](late) > RATES[variant](whole)
    assert RATES[variant](late) > 1


class _All:
    """Every beginning with its products, as logs, and what was counted since: what a mixture need not keep."""

    def __init__(self, weights: list[float]) -> None:
        self.weights, self.products, self.begun = weights, list[list[float]](), list[tuple[int, Counts]]()
        self.rounds, self.counted, self.number = 0, [0, 0], 0

    def take(self, factors: list[float], stretch: int, counted: tuple[int, int]) -> None:
        number = self.rounds // stretch
        if not self.products or number > self.number:
            part = 1 / (2.11 * (number + 1) * log(number + 1) ** 2) if self.products else 1.0
            self.number = number
            self.products.append([log(part * one / 2) for one in self.weights])
            self.begun.append((self.rounds, list(self.counted)))
        for row in self.products:
            row[:] = [one + log(factor) for one, factor in zip(row, factors, strict=True)]
        self.rounds += 1
        self.counted = [one + more for one, more in zip(self.counted, counted, strict=True)]

    def heaviest(self) -> tuple[int, Counts]:
        at = max(range(len(self.products)), key=lambda place: max(self.products[place]))
        before, counted = self.begun[at]
        return self.rounds - before, [one - then for one, then in zip(self.counted, counted, strict=True)]


@pytest.mark.parametrize("stretch", [1, 7])
def test_the_stretch_is_that_of_the_heaviest_of_all_beginnings(stretch: int) -> None:
    rng, told = Random(8), set[bool]()
    for _ in range(20):
        mixture, all_ = fresh(3), _All([1 / 3] * 3)
        for number in range(150):
            mean = 0.3 if number > 90 or number < 20 else -0.3
            factors = [2.0 ** rng.gauss(mean, one) for one in (0.2, 0.5, 1.0)]
            counted = rng.randrange(5), rng.randrange(100)
            weigh(mixture, factors, stretch, 1, counted)
            all_.take(factors, stretch, counted)
            since = heaviest(mixture)
            assert (since.rounds, since.counted) == all_.heaviest()
            assert since.later == (since.rounds < mixture.rounds)
            told.add(since.later)
            assert len(mixture.starts) <= len(factors)
    assert told == {False, True}


def test_what_is_counted_between_rounds_belongs_to_the_stretch_under_way() -> None:
    mixture = fresh(1)
    for number in range(40):
        weigh(mixture, [0.5 if number < 20 else 2.0], 4, 1, (1,))
    assert heaviest(mixture) == RoundsTold(True, 20, [20])
    count(mixture, (5,))
    assert heaviest(mixture) == RoundsTold(True, 20, [25])
