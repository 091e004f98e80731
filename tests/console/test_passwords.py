"""Passwords that will do, and those that everybody tries first."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboards.accounts.passwords import LONGEST, SHORTEST, objection


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery",
        "tangerine lamp 7",
        "blue ocean swims",
        "x7$kq9Lm2vRt",
        "Der Kühlschrank brummt leise",
        "猫は窓から空を見ています今日",
        "n0t-in-4ny-l1st-i-know",
        "the dealer hid my umbrella",
    ],
)
def test_a_few_words_of_ones_own_will_do_and_nothing_is_asked_of_their_letters(password: str) -> None:
    assert objection("hale", password) is None


@pytest.mark.parametrize(
    "password",
    [
        "password1234",
        "P@ssw0rd1234",
        "Password!2026",
        "qwertyuiop12",
        "1q2w3e4r5t6y",
        "123456789012",
        "abcdefghijkl",
        "zyxwvutsrqponm",
        "qazwsxedcrfv",
        "iloveyou1234",
        "letmein12345",
        "welcome2026!",
        "adminadmin12",
        "Blackjack2026!",
        "CasinoDealer1",
        "surveillance99",
        "catwalkcatwalk",
        "baccarat-table-7",
        "aaaaaaaaaaaaaaaa",
        "abcabcabcabcabc",
        "hunter2hunter2",
        "dragondragon1",
        "Liverpool12345",
        "january2026!!!",
        "01/02/2026-03/04/2026",
        "１２３４５６７８９０１２",
    ],
)
def test_what_is_guessed_first_will_not_do(password: str) -> None:
    why = objection("hale", password)
    assert why is not None
    assert "guessed" in why


@pytest.mark.parametrize("password", ["hale and hearty men", "my HALE password is", "it was h4le who did it"])
def test_the_users_own_name_will_not_do(password: str) -> None:
    assert objection("hale", password) == "a password does not hold the user's name"


@given(st.text(max_size=SHORTEST - 1) | st.text(min_size=LONGEST + 1, max_size=LONGEST + 9))
def test_short_and_endless_ones_will_not_do(password: str) -> None:
    assert objection("hale", password) == f"a password has {SHORTEST} to {LONGEST} characters"


@given(st.integers(0, 2**128 - 1))
def test_what_a_password_manager_makes_will_do(number: int) -> None:
    letters = "bcdfghjkmnpqrtvwxz"
    password = "".join(letters[number // 18**place % 18] for place in range(30))
    assert objection("hale", password) is None or len(set(password)) < 8
