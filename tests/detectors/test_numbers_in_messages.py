"""The sentence of a suspicion that tells of one hand, round, shoe or stake: nouns and verbs agree with one."""

from __future__ import annotations

from importlib import import_module
from typing import Final

import pytest

from processors.detectors.evidence.groups import Since
from processors.detectors.families import collusion, past_posting, theoretical_win
from processors.detectors.family import FAMILIES
from processors.detectors.favouring.signals import Fits, FitsTold, Signals
from processors.detectors.mixture import Mixture, RoundsTold
from tests.detectors.later.case import SEEN
from tests.detectors.later.play import CASES, until_alarm

# The figures are those of a stretch in which all that is counted is one, or two.
ONE: Final = {
    "dealer_mispay.for_patrons": (
        "Of 1 hand that dealer D settled, 1 was paid too much, or not collected ($0.01 to patrons); at 1 in "
        "1,000, chance allows 0.001."
    ),
    "dealer_mispay.for_house": (
        "Of 1 hand that dealer D settled, 1 was paid too little, or collected wrongly ($0.01 to the house); "
        "at 1 in 1,000, chance allows 0.001."
    ),
    "collusion.overpaid": (
        "Of 1 hand that dealer D overpaid or left uncollected while P played, 1 was that of P ($0.01); by his"
        " part of the hands, chance allows 1.0."
    ),
    "hole_card_knowledge": (
        "Of 1 decision of P that the hole card changes, 1 was what the hidden card orders; from the cards "
        "that nobody had seen, chance allows 1.0."
    ),
    "called_void.for_patrons": (
        "Of 1 round of dealer D that was called void once the cards had decided it, patrons would have lost 1"
        " ($0.01), 1 of them at every box; of 1 round beside it they lost 1, 1 of them at every box."
    ),
    "past_posting.side": (
        "Player P won 1 side wager, far more than the cards give to one who stakes before he knows them."
    ),
    "side_wager.push22": ("A dealer's 22 came in 1 round; chance allows 1.0."),
    "side_wager.push22_paid": (
        "Of 1 Push 22 wager, 2 were settled otherwise than the table of payouts says ($0.01 too much "
        "and $0.01 too little to patrons); at 1 in 1,000 each way, chance allows 0.002."
    ),
    "theoretical_win.patrons": (
        "Over 1 main wager in 1 round the cards gave the house +100.0 % of a wager; the rules and the "
        "players' decisions make it +100.0 %: chance hardly leaves so little."
    ),
    "masque_errors.wrong_lights": (
        "The Masque reader's light was wrong in 1 round, for a larger range than the hole card's; at 1 in "
        "1,000, chance allows 0.001."
    ),
    "sensor_health.draws": (
        "1 card drawn was missing from the shoe's report, lately far more than 1 in 200 (chance allows 0.0 in"
        " all): a device of the table needs attention."
    ),
    "rank_composition.ranks": (
        "Too many cards of A came out of the shoes for the decks that the record says: of 1 card read of 1 shoe, 1, "
        "where 0.1 are due; that is beyond chance."
    ),
    "sensor_health.silences": (
        "The shoe named no card for a while in 1 round, having fallen silent once: more often, or for longer,"
        " than a device does that falls silent in 1 round of 1,000. It needs attention."
    ),
    "cut_steering.hides_cards": (
        "In 1 shoe that dealer D made ready, more small cards lay behind the cover card than chance puts "
        "there: 1.0 standard deviations a shoe on average."
    ),
    "preferential_shuffle.for_house": (
        "1 shoe was reshuffled early, at a true count of 0.1: where the cards left favoured the players far "
        "more often than in the other rounds of this shoe."
    ),
}
LATEST_ONE: Final = {
    "dealer_mispay.for_patrons": (
        "Of the latest hand that dealer D settled, 1 was paid too much, or not collected ($0.01 to patrons); "
        "at 1 in 1,000, chance allows 0.001."
    ),
    "dealer_mispay.for_house": (
        "Of the latest hand that dealer D settled, 1 was paid too little, or collected wrongly ($0.01 to the "
        "house); at 1 in 1,000, chance allows 0.001."
    ),
    "collusion.overpaid": (
        "Of the latest hand that dealer D overpaid or left uncollected while P played, 1 was that of P "
        "($0.01); by his part of the hands, chance allows 1.0."
    ),
    "hole_card_knowledge": (
        "Of the latest decision of P that the hole card changes, 1 was what the hidden card orders; from the "
        "cards that nobody had seen, chance allows 1.0."
    ),
    "called_void.for_patrons": (
        "Of the latest round of dealer D that was called void once the cards had decided it, patrons would "
        "have lost 1 ($0.01), 1 of them at every box; of 1 round beside it they lost 1, 1 of them at every "
        "box."
    ),
    "past_posting.side": (
        "Player P won the latest side wager, far more than the cards give to one who stakes before he knows "
        "them."
    ),
    "side_wager.push22": ("A dealer's 22 came in the latest round; chance allows 1.0."),
    "side_wager.push22_paid": (
        "Of the latest Push 22 wager, 2 were settled otherwise than the table of payouts says ($0.01 too much"
        " and $0.01 too little to patrons); at 1 in 1,000 each way, chance allows 0.002."
    ),
    "theoretical_win.patrons": (
        "Over the latest main wager in 1 round the cards gave the house +100.0 % of a wager; the rules and "
        "the players' decisions make it +100.0 %: chance hardly leaves so little."
    ),
    "masque_errors.wrong_lights": (
        "The Masque reader's light was wrong in the latest round, for a larger range than the hole card's; "
        "at 1 in 1,000, chance allows 0.001."
    ),
    "sensor_health.draws": (
        "The latest card drawn was missing from the shoe's report, lately far more than 1 in 200 (chance "
        "allows 0.0): a device of the table needs attention."
    ),
    "rank_composition.ranks": (
        "Too many cards of A came out of the shoes for the decks that the record says: of 1 card read of the latest "
        "shoe, 1, where 0.1 are due; that is beyond chance."
    ),
    "sensor_health.silences": (
        "The shoe named no card for a while in the latest round, having fallen silent once: more often, or "
        "for longer, than a device does that falls silent in 1 round of 1,000. It needs attention."
    ),
    "cut_steering.hides_cards": (
        "In the latest shoe that dealer D made ready, more small cards lay behind the cover card than "
        "chance puts there: 1.0 standard deviations a shoe on average."
    ),
    "preferential_shuffle.for_house": (
        "The latest shoe was reshuffled early, at a true count of 0.1: where the cards left favoured the "
        "players far more often than in the other rounds of this shoe."
    ),
    "shuffle_quality.links": (
        "Once in the latest round from the front of a shoe the card after another is of its rank, or of its "
        "suit and the next rank; chance allows 1.0: the shuffle keeps neighbours together."
    ),
    "pace.slower": (
        "Dealer D is slower than the table by 0 % (2.72 seconds an act, the table 2.72), over her latest "
        "round: more than chance allows."
    ),
    "collusion.exchanged": (
        "In the latest round in which P had several hands while dealer D dealt, cards changed places between "
        "them ($0.01 too much); chance allows 0.001."
    ),
}
TWO: Final = {
    "dealer_mispay.for_patrons": (
        "Of 2 hands that dealer D settled, 2 were paid too much, or not collected ($0.02 to patrons); at 1 in"
        " 1,000, chance allows 0.002."
    ),
    "collusion.overpaid": (
        "Of 2 hands that dealer D overpaid or left uncollected while P played, 2 were those of P ($0.02); by "
        "his part of the hands, chance allows 2.0."
    ),
    "hole_card_knowledge": (
        "Of 2 decisions of P that the hole card changes, 2 were what the hidden card orders; from the cards "
        "that nobody had seen, chance allows 2.0."
    ),
    "called_void.for_patrons": (
        "Of 2 rounds of dealer D that were called void once the cards had decided them, patrons would have "
        "lost 2 ($0.02), 2 of them at every box; of 2 rounds beside them they lost 2, 2 of them at every box."
    ),
    "past_posting.side": (
        "Player P won 2 of 2 side wagers, far more than the cards give to one who stakes before he knows "
        "them."
    ),
    "side_wager.push22": ("A dealer's 22 came in 2 of 2 rounds; chance allows 2.0."),
    "masque_errors.wrong_lights": (
        "The Masque reader's light was wrong in 2 of 2 rounds, each time for a larger range than the hole "
        "card's; at 1 in 1,000, chance allows 0.002."
    ),
    "sensor_health.draws": (
        "2 of 2 cards drawn were missing from the shoe's report, lately far more than 1 in 200 (chance allows"
        " 0.0 in all): a device of the table needs attention."
    ),
    "sensor_health.silences": (
        "The shoe named no card for a while in 2 of 2 rounds, having fallen silent 2 times: more often, or "
        "for longer, than a device does that falls silent in 1 round of 1,000. It needs attention."
    ),
    "preferential_shuffle.for_house": (
        "2 shoes were reshuffled early, at a mean true count of 0.1: where the cards left favoured the "
        "players far more often than in the other rounds of these shoes."
    ),
}


def _message(variant: str) -> str:
    _, alarm = until_alarm(variant, CASES[variant].begin(), 0)
    assert alarm is not None
    return alarm.message


@pytest.mark.parametrize(
    ("later", "number", "variant", "message"),
    [
        (later, number, *told)
        for later, number, of in ((False, 1, ONE), (True, 1, LATEST_ONE), (False, 2, TWO))
        for told in of.items()
    ],
)
def test_a_sentence_agrees_with_what_is_counted(
    later: bool, number: int, variant: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(mixture: Mixture, _among: object = None) -> RoundsTold:
        return RoundsTold(later, number, [number] * len(mixture.counted))

    module = import_module(f"{collusion.__package__}.{variant.partition('.')[0]}")
    monkeypatch.setattr(module, "heaviest", told)
    assert _message(variant) == message


@pytest.mark.parametrize(
    ("later", "number", "made"),
    [(False, 1, "1 decision"), (True, 1, "the latest decision"), (False, 2, "2 of 2 decisions")],
)
def test_decisions_with_one_dealer_agree(later: bool, number: int, made: str) -> None:
    of, fits = FAMILIES["collusion"].entity, Fits(number, number, number / 2)
    assert of is not None
    said = Signals(99.0, 1.0, fits, fits, [], FitsTold(later, fits, fits))
    [alarm] = of.weigh(of.state(), SEEN, collusion.Note(signals=said), 1.0)
    assert alarm.message == (
        f"While dealer D dealt, P made {made} as the hole card ordered that nobody had seen, where chance allows "
        f"{number / 2}; with other dealers {number} of {number}, where it allows {number / 2}."
    )


@pytest.mark.parametrize(
    ("later", "number", "stakes", "others"),
    [
        (False, 1, "1 stake of player P that was raised, 1 won", "his 1 other 1"),
        (True, 1, "the latest stake of player P that was raised, 1 won", "his latest 1 other 1"),
        (False, 2, "2 stakes of player P that were raised, 2 won", "his 2 others 2"),
    ],
)
def test_stakes_agree(
    later: bool, number: int, stakes: str, others: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    since = Since(99.0, [number, number], [0, 0], later)
    monkeypatch.setattr(past_posting, "since_any_start", lambda *_: since)
    assert _message("past_posting.raised") == (
        f"Of {stakes}; of {others}: more than chance allows to stakes made before the result."
    )


def test_payments_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theoretical_win, "stretch_of", lambda moved, _other: moved.last[-1:])
    assert _message("theoretical_win.overpaid") == (
        "Since round 83, over 3 main wagers in 1 round, patrons got $5.00 more than was due at 1 box in 1 round (0 had "
        "pushed): honest errors move less than 1 % of the wagers."
    )
