"""What the clauses of sections 7 to 11 make of a rack, one small table at a time."""

from __future__ import annotations

from benchmarks.rack_dealing import House
from tests.rack.asking import ask, hands, problem, told

FB = House("free_bet_672a", even_money=False)
TEMPORARY = House("free_bet_590", even_money=False)
DU = House("down_under_685a", even_money=False)


def test_one_hand_and_the_dealer_are_read_off_four_cards() -> None:
    answer = ask(problem("9c 8d Th 7s", FB))
    assert told(answer) == [{"1.1": "9c 8d", "D": "Th 7s"}]
    assert answer.unique
    assert answer.money_unique
    assert answer.agree_on == ("1.1", "D")
    assert (
        answer.message
        == "Exactly one lawful round leaves this rack: it proves every hand, and how every main wager ended."
    )


def test_descending_pickup_puts_the_last_seat_lowest_and_ascending_the_first() -> None:
    rack, known = "9c 8d 5h 6h 2c Th 7s", {"seats": [2, 5], "upcard": "Th"}
    down = ask(problem(rack, FB, **known))
    up = ask(problem(rack, House("free_bet_672a", pickup_order="seats_ascending"), **known))
    assert {"2.1": "5h 6h 2c", "5.1": "9c 8d", "D": "Th 7s"} in told(down)
    assert {"2.1": "9c 8d", "5.1": "5h 6h 2c", "D": "Th 7s"} in told(up)


def test_losers_are_picked_up_first() -> None:
    losers_first = House("free_bet_672a", even_money=False, pickup_order="losers_first")
    # 17 loses to 19 wherever it sat; 20 wins.
    answer = ask(problem("9c 8d Jc Qd Th 9s", losers_first, seats=[1, 2], upcard="Th"))
    assert told(answer) == [
        {"1.1": "9c 8d", "2.1": "Jc Qd", "D": "Th 9s"},
        {"1.1": "Jc Qd", "2.1": "9c 8d", "D": "Th 9s"},
    ]
    assert ask(problem("Jc Qd 9c 8d Th 9s", losers_first, seats=[1, 2], upcard="Th")).count == 0


def test_the_dealers_hand_may_lie_on_the_early_cards() -> None:
    first = House("free_bet_672a", even_money=False, dealer_cards="first")
    answer = ask(problem("Kd 6h 8s Th 7s 9c 8d", first, seats=[1, 2], upcard="Th"))
    assert told(answer) == [
        {"1.1": "9c 8d", "2.1": "Kd 6h 8s", "D": "Th 7s"},
        {"1.1": "Kd 6h 8s", "2.1": "9c 8d", "D": "Th 7s"},
    ]


def test_a_bust_waits_for_settlement_where_the_house_says_so() -> None:
    rack = "Kd 6h 8s 9c 8d Th 7s"
    at_once = ask(problem(rack, FB, seats=[1, 2], upcard="Th"))
    waits = ask(
        problem(rack, House("free_bet_672a", bust_collection="at_settlement"), seats=[1, 2], upcard="Th")
    )
    assert told(at_once) == [
        {"1.1": "9c 8d", "2.1": "Kd 6h 8s", "D": "Th 7s"},
        {"1.1": "Kd 6h 8s", "2.1": "9c 8d", "D": "Th 7s"},
    ]
    assert told(waits) == [
        {"1.1": "8s 9c 8d", "2.1": "Kd 6h", "D": "Th 7s"},
        {"1.1": "9c 8d", "2.1": "Kd 6h 8s", "D": "Th 7s"},
    ]


def test_a_paid_blackjack_lies_below_the_pickup_unless_push_22_may_hold_it() -> None:
    rack = "9c 8d As Kd Th 7s"  # as if seat 1's Blackjack had waited
    no_side_wager = House("free_bet_672a", even_money=False, side_wagers=())
    assert {"1.1": "As Kd", "2.1": "9c 8d", "D": "Th 7s"} in told(ask(problem(rack, FB, seats=[1, 2])))
    assert {"1.1": "As Kd", "2.1": "9c 8d", "D": "Th 7s"} not in told(
        ask(problem(rack, no_side_wager, seats=[1, 2]))
    )


def test_without_a_live_hand_the_dealer_draws_only_for_push_22() -> None:
    rack = "Kd 6h 8s Th 2s 9c"
    no_side_wager = House("free_bet_672a", even_money=False, side_wagers=())
    assert ask(problem(rack, FB, seats=[1], upcard="Th")).count == 1
    assert ask(problem(rack, no_side_wager, seats=[1], upcard="Th")).count == 0
    assert ask(problem("Kd 6h 8s Th 2s", no_side_wager, seats=[1], upcard="Th")).count == 1
    assert ask(problem("Kd 6h 8s Th 2s", DU, seats=[1], upcard="Th")).count == 0


def test_a_seat_whose_blackjack_was_racked_early_had_no_push_22() -> None:
    two_cards, drawn_out = "As Kd Th 2s", "As Kd Th 2s 9c"
    assert told(ask(problem(two_cards, FB, known=hands(D="Th 2s")))) == [{"1.1": "As Kd", "D": "Th 2s"}]
    # Drawn out, it must have been tucked: then it lies in the final pickup, in the same place of this rack.
    assert ask(problem(drawn_out, FB, known=hands(D="Th 2s 9c"))).count == 1
    assert ask(problem(drawn_out, FB, known=hands(D="Th 2s 9c"), early=2)).count == 0


def test_a_dealer_blackjack_ends_the_round_with_two_cards_each() -> None:
    answer = ask(problem("9c 8d 5h 6h As Kd", FB, seats=[1, 2]))
    assert told(answer) == [{"1.1": "5h 6h", "2.1": "9c 8d", "D": "As Kd"}]
    assert ask(problem("9c 8d 5h 6h 2c As Kd", FB, seats=[1, 2], upcard="As")).count == 0


def test_even_money_is_the_only_thing_racked_early_before_a_dealer_blackjack() -> None:
    house = House("free_bet_672a", even_money=True, side_wagers=())
    rack = "Ah Qd 9c 8d As Kd"  # seat 1's Blackjack below seat 2's 17
    first = {"1.1": "Ah Qd", "2.1": "9c 8d", "D": "As Kd"}
    second = {"1.1": "9c 8d", "2.1": "Ah Qd", "D": "As Kd"}
    stated = problem(rack, house, seats=[1, 2], upcard="As")
    assert told(ask(stated)) == [second, first]
    assert told(ask(stated | {"early": 0})) == [second]  # not paid even money, picked up in its turn
    assert told(ask(stated | {"table": {**stated["table"], "even_money": False}})) == [second]
    assert told(ask(stated | {"early": 2})) == [second, first]
    assert told(ask(problem("9c 8d Ah Qd As Kd", house, seats=[1, 2], upcard="As", early=2))) == []


def test_a_tucked_even_money_leaves_the_money_open_against_a_dealer_blackjack() -> None:
    rack = "Ah Qd As Kd"
    tucked = House("free_bet_672a", even_money=True)
    assert ask(problem(rack, tucked, upcard="As")).unique
    assert ask(problem(rack, tucked, upcard="As")).money_unique is False
    assert ask(problem(rack, tucked, upcard="As", early=0)).money_unique is False
    assert ask(problem(rack, tucked, upcard="As", early=2)).money_unique is True
    assert ask(problem(rack, FB, upcard="As")).money_unique is True


def test_split_tens_rack_a_busted_first_hand_at_once_and_other_pairs_tuck_it() -> None:
    known = hands(h1_1="Ts 6c 8d", h1_2="Jd 9h")
    assert ask(problem("Ts 6c 8d Jd 9h Th 7s", FB, seats=[1], known=known, early=3)).count == 1
    known = hands(h1_1="8s 6c Td", h1_2="8d Th")
    tucked = problem("8d Th 8s 6c Td Th 7s", FB, seats=[1], known=known)
    assert ask(tucked | {"early": 0}).count == 1
    at_once = problem("8s 6c Td 8d Th Th 7s", FB, seats=[1], known=known)
    assert ask(at_once).count == 0


def test_when_all_split_hands_bust_the_tucked_one_follows_the_last() -> None:
    known = hands(h1_1="8s 6c Td", h1_2="8d 6h Jc")
    assert ask(problem("8d 6h Jc 8s 6c Td Th 7s", FB, seats=[1], known=known, early=6)).count == 1
    assert ask(problem("8s 6c Td 8d 6h Jc Th 7s", FB, seats=[1], known=known, early=6)).count == 0
    waits = House("free_bet_672a", even_money=False, bust_collection="at_settlement")
    assert ask(problem("8d 6h Jc 8s 6c Td Th 7s", waits, seats=[1], known=known, early=0)).count == 1


def test_a_resplit_hand_is_played_before_the_hand_that_waited() -> None:
    known = hands(h1_1="8s Tc", h1_2="8d 9h", h1_3="8h 5c 6c", D="Th 7s")
    rack = "8h 5c 6c 8d 9h 8s Tc Th 7s"
    # 8s 8d, split; 8h, split again; Tc; then 1.3: 5c 6c; then 1.2: 9h.
    assert ask(problem(rack, FB, seats=[1], known=known, drawn="8s Th 8d 7s 8h Tc 5c 6c 9h")).count == 1
    # 1.2 before 1.3, though 1.1 was split twice: no.
    assert ask(problem(rack, FB, seats=[1], known=known, drawn="8s Th 8d 7s 8h Tc 9h 5c 6c")).count == 0
    # 1.2 split instead: 1.1 takes Tc, 1.2 takes 8h and is split, takes 9h; then 1.3.
    assert ask(problem(rack, FB, seats=[1], known=known, drawn="8s Th 8d 7s Tc 8h 9h 5c 6c")).count == 1


def test_down_under_splits_once_and_gives_split_aces_one_card() -> None:
    three = hands(h1_1="8s Tc", h1_2="8d 9h", h1_3="8h 5c 6c")
    assert ask(problem("8h 5c 6c 8d 9h 8s Tc Th 7s", DU, seats=[1], known=three)).count == 0
    aces = hands(h1_1="As 5c", h1_2="Ad 6h")
    assert ask(problem("Ad 6h As 5c Th 7s", DU, seats=[1], known=aces)).count == 1
    aces = hands(h1_1="As 5c", h1_2="Ad 6h 2c")
    assert ask(problem("Ad 6h 2c As 5c Th 7s", DU, seats=[1], known=aces)).count == 0


def test_the_down_under_dealer_stands_on_a_soft_22() -> None:
    for dealer in ("As Ad", "As 5d 6h", "9s 2d Ah"):
        stood = problem(f"9c 8d {dealer}", DU, seats=[1], known=hands(h1_1="9c 8d"))
        assert ask(stood).count == 1
        assert ask(problem(f"9c 8d {dealer} 7c", DU, seats=[1], known=hands(h1_1="9c 8d"))).count == 0
    conventional = hands(h1_1="9c 8d", D="As 5d 6h")  # 12 by 21: the free bet dealer draws on
    assert ask(problem("9c 8d As 5d 6h", FB, seats=[1], known=conventional)).count == 0
    assert ask(problem("9c 8d As 5d 6h 9s", FB, seats=[1], upcard="As")).count == 1


def test_a_surrender_can_leave_no_trace_but_in_the_money() -> None:
    rack = "9c 7d Th 7s"
    answer = ask(problem(rack, TEMPORARY, seats=[1], upcard="Th"))
    assert answer.unique
    assert answer.money_unique is False
    assert "no trace" in answer.message
    assert ask(problem(rack, TEMPORARY, seats=[1], upcard="Th", surrendered=[])).money_unique is True
    assert ask(problem(rack, TEMPORARY, seats=[1], upcard="Th", surrendered=["1.1"])).money_unique is True
    assert ask(problem(rack, FB, seats=[1], upcard="Th", surrendered=["1.1"])).count == 0


def test_a_surrendered_hand_against_a_dealer_blackjack_lies_in_the_final_pickup() -> None:
    stated = problem("9c 7d As Kd", TEMPORARY, seats=[1], surrendered=["1.1"])
    assert ask(stated | {"early": 0}).count == 1
    assert ask(stated | {"early": 2}).count == 0
    assert ask(stated).money_unique is True


def test_an_unreadable_card_stays_unreadable_and_takes_what_is_known() -> None:
    answer = ask(problem("9c ?? Th 7s", FB))
    assert told(answer) == [{"1.1": "9c ??", "D": "Th 7s"}]
    assert answer.money_unique is False
    assert ask(problem("9c ?? Th 7s", FB, known=hands(h1_1="9c 8d"))).money_unique is True
    assert ask(problem("9c ?? Th 7s", FB, drawn="9c Th 8d 7s")).money_unique is True
    # Sixteen to the dealer: whatever was drawn, it was no six.
    assert ask(problem("9c 8d Th ??", FB, known=hands(D="Th 6d"))).count == 0
    assert ask(problem("9c 8d Th ?? 5h", FB, seats=[1], known=hands(D="Th 6d 5h"))).count == 1


def test_seats_that_are_not_known_are_numbered_from_the_dealers_left() -> None:
    rack = "9c 8d 5h 6h 2c Th 7s"
    assert {"1.1": "5h 6h 2c", "2.1": "9c 8d", "D": "Th 7s"} in told(ask(problem(rack, FB, upcard="Th")))
    one_seat = House("free_bet_672a", seats=1, even_money=False)
    assert all(set(row) == {"1.1", "D"} or "1.2" in row for row in told(ask(problem(rack, one_seat))))
    assert ask(problem(rack, FB, upcard="Th")).money_unique is False


def test_a_limit_leaves_the_answer_open() -> None:
    rack = "9c 8d 5h 6h 2c Th 7s"
    whole = ask(problem(rack, FB))
    cut = ask(problem(rack, FB), limit=whole.count - 1)
    assert whole.complete
    assert whole.count > 1
    assert not cut.complete
    assert cut.unique is cut.money_unique is None
    assert cut.agree_on == ()
    assert [row.hands for row in cut.reconstructions] == [row.hands for row in whole.reconstructions][:-1]
    assert ask(problem(rack, FB), limit=whole.count).complete
