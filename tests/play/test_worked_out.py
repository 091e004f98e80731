"""What decisions gave the house, on the main wagers of rounds that the pipeline has folded."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import msgspec
import pytest
from msgspec import UNSET

from processors.pipeline import TablePipeline
from processors.play.boxes import STAKED, edge_of
from processors.play.composition import ENDLESS
from processors.play.game import Game
from processors.play.hands import play_of
from processors.runtime.store.takings import takings_of
from producers.simulator.blackjack_engine import BlackjackEngine
from producers.simulator.session import Scenario, Session
from schemas.rounds import RoundResult, StakeResult
from schemas.values import Ruleset
from tests.law.record import SUBJECT
from tests.law.script import play
from tests.pipeline.simulated import lines_of_table
from tests.play.choices import Facing, worths
from tests.play.games import FREE, TEMPORARY, UNDER
from tests.play.test_brute_force import CARDS, Tried

MAIN = 2500
CENT = 0.51 / MAIN  # play is told in whole cents
GAMES: dict[Ruleset, Game] = {"free_bet_672a": FREE, "free_bet_590": TEMPORARY, "down_under_685a": UNDER}


def _round(ruleset: str, *steps: str, table: dict[str, object] | None = None) -> RoundResult:
    """The last round of a script."""
    pipeline = TablePipeline(SUBJECT, proofs=False, detect=False)
    rounds: list[RoundResult] = []
    for line in play(steps, ruleset, table).lines:
        rounds += pipeline.advance(line).rounds
    return [*rounds, *pipeline.finish().rounds][-1]


def _mains(result: RoundResult) -> dict[int, StakeResult]:
    return {stake.seat: stake for stake in result.stakes if stake.kind == "main"}


def _given(result: RoundResult, seat: int = 3) -> float:
    """What the decisions of a seat gave the house, in main wagers."""
    stake = _mains(result)[seat]
    assert stake.play is not UNSET
    assert all(one.play is UNSET for one in result.stakes if one.kind != "main")
    return stake.play / stake.staked_cents


@pytest.mark.parametrize(
    ("ruleset", "steps"),
    [
        ("free_bet_672a", ("deal 3:TsTd D:7cKh", "stand 3")),
        ("free_bet_672a", ("deal 3:6s5d D:6cKh", "double 3 Ts", "dealer 5d")),
        ("free_bet_672a", ("deal 3:8s8d D:6cKh", "split 3 Ts", "stand 3", "deal 3.2 9c", "stand 3.2", "dealer 5d")),
        ("free_bet_672a", ("deal 3:AsKd D:7cKh", "blackjack 3")),
        ("free_bet_672a", ("deal 3:Ts5d D:AcKh",)),
        ("free_bet_590", ("deal 3:Ts6d D:TcKh", "surrender 3")),
        ("down_under_685a", ("deal 3:AsAd D:9c7h", "split 3 Ts", "deal 3.2 5c", "dealer 9d")),
        ("down_under_685a", ("deal 3:Ts6d D:Tc5h", "stand 3", "dealer 9d")),
    ],
)  # fmt: skip
def test_who_decides_best_or_has_nothing_to_decide_gives_nothing(
    ruleset: str, steps: tuple[str, ...]
) -> None:
    assert _given(_round(ruleset, "wager 3", *steps, "finish")) == 0


def test_each_wrong_choice_gives_what_trying_every_card_makes_of_it() -> None:
    seven, six = Tried(FREE, "7c", CARDS), Tried(FREE, "6c", CARDS)
    ten = Tried(TEMPORARY, "Tc", [card for card in CARDS if card[0] != "A"])
    twenty, twelve, eleven = ["Ts", "Td"], ["Ts", "2d"], ["6s", "5d"]
    cases = [
        ("free_bet_672a", ("deal 3:TsTd D:7cKh", "hit 3 5c"), seven.stand(twenty, 1, 1) - seven.hit(twenty, 1, 1)),
        ("free_bet_672a", ("deal 3:Ts2d D:7cKh", "stand 3"), seven.hit(twelve, 1, 1) - seven.stand(twelve, 1, 1)),
        ("free_bet_672a", ("deal 3:6s5d D:6cKh", "hit 3 Ts"), six.double(eleven, 1, 1) - six.hit(eleven, 1, 1)),
        ("free_bet_590", ("deal 3:TsTd D:TcKh", "surrender 3"), ten.stand(twenty, 1, 1) + 0.5),
        ("free_bet_590", ("deal 3:Ts6d D:TcKh", "stand 3"), -0.5 - ten.stand(["Ts", "6d"], 1, 1)),
    ]  # fmt: skip
    for ruleset, steps, cost in cases:
        last = ("dealer 5d",) if steps[0].endswith("6cKh") else ()
        found = _given(_round(ruleset, "wager 3", *steps, *last, "finish"))
        assert found == pytest.approx(cost, abs=CENT), steps
        assert found > 0


def test_a_hand_on_a_lammer_gives_less_than_one_on_chips() -> None:
    seven = Tried(FREE, "7c", CARDS)
    for hand, loses in (("3.1", 1), ("3.2", 0)):
        cards = ["8s" if loses else "8d", "Ts" if loses else "Tc"]
        plays = {name: f"stand {name}" if name != hand else f"hit {name} 3c" for name in ("3.1", "3.2")}
        steps = ("deal 3:8s8d D:7cKh", "split 3 Ts", plays["3.1"], "deal 3.2 Tc", plays["3.2"])
        cost = seven.stand(cards, 1, loses, unsplit=False) - seven.hit(cards, 1, loses)
        assert _given(_round("free_bet_672a", "wager 3", *steps, "finish")) == pytest.approx(cost, abs=CENT)


def test_a_pair_of_aces_that_is_not_split_gives_what_the_split_is_worth_more() -> None:
    found = worths(play_of(UNDER, ENDLESS), Facing(cards=("As", "Ad"), up="9c", known="medium"))
    result = _round("down_under_685a", "wager 3", "deal 3:AsAd D:9c7h", "hit 3 9s", "dealer 9d", "finish")
    assert _given(result) == pytest.approx(found["split"] - found["hit"], abs=CENT)
    assert found["split"] - found["hit"] > 0.1


@pytest.mark.parametrize("part", [Fraction(1), Fraction(2, 5)])
def test_a_double_for_less_is_worth_a_part_of_what_the_whole_one_is(part: Fraction) -> None:
    seven, cards = Tried(FREE, "7c", CARDS), ["Ts", "2d"]
    one_card = sum(seven.stand([*cards, card], 1, 1) / 13 for card in CARDS)
    cost = seven.hit(cards, 1, 1) - (1 + float(part)) * one_card
    steps = ("deal 3:Ts2d D:7cKh", f"double 3 paid {int(part * MAIN)} 8c")
    assert _given(_round("free_bet_672a", "wager 3", *steps, "finish")) == pytest.approx(cost, abs=CENT)


@pytest.mark.parametrize("hole", ["Kh", "9h"])
def test_even_money_gives_the_same_whatever_lies_there(hole: str) -> None:
    steps = ("wager 3", f"deal 3:AsKd D:Ac{hole}", "even_money 3", "peek", "finish")
    result = _round("free_bet_672a", *steps, table={"even_money": True})
    assert _given(result) == pytest.approx(1.5 * 9 / 13 - 1, abs=CENT)


def test_a_surrender_gives_nothing_where_a_blackjack_takes_all() -> None:
    assert _given(_round("free_bet_590", "wager 3", "deal 3:TsTd D:TcAh", "surrender 3", "finish")) == 0


TWO = ("wager 2", "wager 3", "deal 2:Ts2c 3:Td2h D:7cKh")
DEALT_FACE_UP = (
    "decide 3 hit", "card_drawn card=4h", "card_exposed card=4h where=in_shoe",
    "card_placed hand=3.1 card=4h face_up=true",
)  # fmt: skip


@pytest.mark.parametrize(
    ("ruleset", "steps"),
    [
        ("free_bet_672a", (*TWO, "hit 2 ??", "stand 2", "stand 3", "reveal", "collect 2", "collect 3", "end")),
        ("free_bet_672a", (*TWO, "lost decide 2 stand", "stand 3")),
        ("free_bet_672a", (*TWO, "hit 2 3c without player_decision", "stand 2", "stand 3")),
        ("free_bet_672a", (*TWO, "hit 2 3c without card_placed", "stand 2", "stand 3")),
        ("free_bet_672a", (*TWO, "hit 2 9c", "hit 2 2c", "stand 3")),
        ("free_bet_672a", (*TWO, "decide 2 hit", "dead 2 missed", "stand 3")),
        ("free_bet_672a", (*TWO, "double 2 8c without wager_placed", "stand 3")),
    ],
)  # fmt: skip
def test_a_box_of_which_something_is_not_told_has_no_figure_and_its_neighbour_has(
    ruleset: str, steps: tuple[str, ...]
) -> None:
    result = _round(ruleset, *steps, *(() if steps[-1] == "end" else ("finish",)))
    assert _mains(result)[2].play is UNSET
    assert _given(result, 3) == pytest.approx(
        _given(_round(ruleset, *TWO, "stand 2", "stand 3", "finish"), 3)
    )
    assert _given(result, 3) > 0


STANDS = ("stand 3", "deal 3.2 9c", "stand 3.2", "dealer 9d")


@pytest.mark.parametrize(
    ("ruleset", "steps"),
    [
        ("down_under_685a", ("deal 3:8s8d D:6c9h", "split 3 Ts without wager_placed", *STANDS)),
        ("free_bet_672a", ("deal 3:8s8d D:6c9h", "split 3 Ts without lammer_placed", *STANDS)),
        ("free_bet_672a", ("deal 3:TsTd D:6c9h", "split 3 8s without wager_placed", *STANDS)),
        ("down_under_685a", ("deal 3:TsTd D:6c9h", "split 3 paid 500 8s", *STANDS)),
        ("free_bet_672a", ("deal 3:TsTd D:6c9h", "split 3 free 8s", *STANDS)),
        ("free_bet_672a", ("deal 3:Ks9d D:6c9h", "split 3 paid 2500 8s", *STANDS)),
        ("free_bet_672a", ("deal 3:6s4d D:Tc9h", "double 3 paid 1000 8c")),
        ("free_bet_672a", ("deal 3:Ts2d D:6c9h", "double 3 free 8c", "dealer 9d")),
        ("free_bet_672a", ("deal 3:Ts2d D:6c9h", "double 3 paid 2600 8c", "dealer 9d")),
    ],
)  # fmt: skip
def test_a_double_or_split_that_was_not_laid_by_the_rules_has_no_figure(
    ruleset: str, steps: tuple[str, ...]
) -> None:
    assert {stake.play for stake in _round(ruleset, "wager 3", *steps, "finish").stakes} == {UNSET}


def test_even_money_on_a_hand_that_is_no_blackjack_has_no_figure() -> None:
    steps = ("wager 3", "deal 3:TsKd D:Ac9h", "even_money 3", "peek", "stand 3", "finish")
    result = _round("free_bet_672a", *steps, table={"even_money": True})
    assert {stake.play for stake in result.stakes} == {UNSET}


@pytest.mark.parametrize(
    ("ruleset", "steps"),
    [
        ("free_bet_672a", ("deal 3:Td2h D:??Kh", "stand 3", "reveal", "collect 3", "end")),
        ("free_bet_672a", ("deal 3:Td2h D:7cKh", "boxed 4h without cards_racked", "stand 3", "finish")),
        ("free_bet_672a", ("deal 3:Td2h D:7cKh", *DEALT_FACE_UP, "stand 3", "finish")),
        ("free_bet_672a", ("deal 3:Td2h D:7cKh", "misdrawn 4h", "decide 3 hit", "lay 3 4h", "stand 3", "finish")),
        ("down_under_685a", ("deal 3:Td2h D:7c5h", "peek without hole_card_read", "stand 3", "finish")),
        ("down_under_685a", ("deal 3:Td2h D:7c5h", "reader large", "stand 3", "finish")),
        ("down_under_685a", ("deal 3:Td2h D:7c5h", "reader small medium", "stand 3", "dealer 9d", "finish")),
        ("fortune_670a10", ("wager 4", "deal", "finish")),
    ],
)  # fmt: skip
def test_a_round_of_which_exact_play_cannot_tell_has_no_figure(ruleset: str, steps: tuple[str, ...]) -> None:
    assert {stake.play for stake in _round(ruleset, "wager 3", *steps).stakes} == {UNSET}


@pytest.mark.parametrize("hand", ["stand 3", "hit 3 Tc"])
def test_a_card_face_up_in_the_shoe_that_is_racked_changes_no_figure(hand: str) -> None:
    """No hand gets it, and of an endless shoe it tells nothing: players see it as they see a neighbour's card."""
    dealt = ("wager 3", "deal 3:Td2h D:7cKh")
    without = _round("free_bet_672a", *dealt, hand, "finish")
    result = _round("free_bet_672a", *dealt, "boxed 4h 4h", hand, "finish")
    assert (_given(result), _given(result) > 0) == (_given(without), hand.startswith("stand"))


def test_of_a_round_that_breaks_off_the_boxes_that_were_decided_alone_have_a_figure() -> None:
    result = _round("free_bet_672a", *TWO, "hit 2 Tc", "hit 3 3c")
    assert (result.status, _mains(result)[3].play) == ("indeterminate", UNSET)
    assert _given(result, 2) == 0  # to hit a hard 12 against a seven is right, and the bust is lost already


def test_takings_sum_what_was_given_at_stakes_whose_outcome_was_seen() -> None:
    whole = _round("free_bet_672a", *TWO, "stand 2", "stand 3", "finish")
    [main] = [row for row in takings_of(whole) if row["kind"] == "main"]
    given = [stake.play for stake in _mains(whole).values() if stake.play is not UNSET]
    assert (main["play_cents"], main["played_cents"]) == (sum(given), 2 * MAIN)
    assert sum(given) > 0
    unseen = msgspec.structs.replace(
        whole,
        stakes=tuple(
            msgspec.structs.replace(stake, observed=None) if stake.seat == 2 else stake
            for stake in whole.stakes
        ),
    )
    [main] = [row for row in takings_of(unseen) if row["kind"] == "main"]
    assert (main["play_cents"], main["played_cents"]) == (given[1], MAIN)


class _Styled(Scenario):
    """All patrons play in one way."""

    def __init__(self, style: str) -> None:
        self._style = style

    def begin(self, session: Session) -> None:
        assert isinstance(session.engine, BlackjackEngine)
        session.engine.table.players.style = self._style


def _luck(ruleset: Ruleset, style: str, tables: int, rounds: int) -> tuple[float, float, int]:
    """How many standard deviations of itself the luck is, with and without what decisions gave; and boxes that gave."""
    luck, without, gave = list[float](), list[float](), 0
    for seed in range(tables):
        pipeline = TablePipeline(f"S-{seed}", proofs=False, detect=False)
        for line in lines_of_table(ruleset, seed, rounds, _Styled(style)):
            for result in pipeline.advance(line).rounds:
                mains = _mains(result)
                assert all(stake.play is not UNSET for stake in mains.values())
                edge = edge_of(GAMES[ruleset])
                given = sum(stake.play for stake in mains.values() if stake.play is not UNSET)
                won = -sum(
                    stake.due_cents  # what is due: no error of settlement is in it
                    for stake in result.stakes
                    if stake.kind in STAKED and stake.due_cents is not None
                )
                beyond = won - edge * sum(stake.staked_cents for stake in mains.values())
                luck.append(beyond - given)
                without.append(beyond)
                gave += sum(bool(stake.play) for stake in mains.values())
    return _deviations(luck), _deviations(without), gave


def _deviations(parts: list[float]) -> float:
    return sum(parts) / sqrt(sum(part * part for part in parts))


@pytest.mark.parametrize("ruleset", GAMES)
def test_the_luck_of_who_errs_is_luck_only_beside_what_his_decisions_gave(ruleset: Ruleset) -> None:
    luck, without, gave = _luck(ruleset, "random", 3, 150)
    assert abs(luck) < 3 < without
    assert gave > 400


@pytest.mark.parametrize("ruleset", GAMES)
def test_who_plays_what_is_worth_most_gives_nothing_and_has_luck_alone(ruleset: Ruleset) -> None:
    luck, without, gave = _luck(ruleset, "basic", 1, 150)
    assert luck == without
    assert abs(luck) < 3
    assert gave == 0


@pytest.mark.parametrize("cut", [0.3, 0.7])
def test_a_fold_that_was_stopped_and_went_on_gives_the_same(cut: float) -> None:
    lines = list(lines_of_table("down_under_685a", 5, 25, _Styled("random")))
    kept, whole = list[RoundResult](), list[RoundResult]()
    for results, stop in ((whole, len(lines)), (kept, int(cut * len(lines)))):
        pipeline = TablePipeline("S-5", {"A1": "conventional"}, detect=False)
        for number, line in enumerate(lines):
            if number == stop:
                pipeline = TablePipeline.restore(pipeline.snapshot(), {"A1": "conventional"})
            results += pipeline.advance(line).rounds
    assert msgspec.json.encode(kept) == msgspec.json.encode(whole)
    assert any(stake.play for result in whole for stake in _mains(result).values())


def test_the_game_is_that_of_the_readings_which_the_fold_was_given() -> None:
    """By A1 an ace of the dealer counts 1 above 22, or above 21."""
    lines = play(
        ["wager 3", "deal 3:Ts8d D:Ac5h", "hit 3 2c", "stand 3", "dealer 3d", "finish"], "down_under_685a"
    ).lines
    given = []
    for policy in ("literal", "conventional"):
        pipeline = TablePipeline(SUBJECT, {"A1": policy}, proofs=False, detect=False)
        [result] = [one for line in lines for one in pipeline.advance(line).rounds]
        given.append(_given(result))
    assert given[0] != given[1]
