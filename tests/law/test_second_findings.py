"""Messages of a check's second finding in a round: a case holds all findings of its check against one message."""

from tests.law.harness import advance
from tests.law.script import play


def test_a_dealer_who_comes_after_the_second_pass_began_is_told_so_under_down_under() -> None:
    steps = ["wager 2", "wager 4", "close", "deal 2 Ts", "deal 4 8s", "deal 2 9d", "deal D 7c"]
    found = [one for one in advance(play(steps, "down_under_685a").lines) if one.check == "deal.order"]
    assert [(one.message, one.verdict) for one in found] == [
        ("Seat 2 was dealt its second card before the dealer had his first.", "breached"),
        ("The dealer took his first card after the second pass had begun.", "indeterminate"),
    ]
    assert found[1].because_of == found[0].finding_id
