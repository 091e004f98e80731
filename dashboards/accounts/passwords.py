"""The rules for passwords: long, and not one that guessers try first; no rule of composition."""

from __future__ import annotations

import re
import unicodedata

from dashboards.accounts.roles import ROLE_NAMES

SHORTEST = 12
LONGEST = 256  # characters: Argon2 would hash a megabyte just as gladly
_LEFT = 6  # characters that must remain when all that is guessed first is taken out

# What guessers put together, by how often it is met in published leaks; names of this trade and of this product.
_COMMON = """
    password passwort passw0rd passwd pass word parola senha contrasena motdepasse qwerty qwertz azerty asdfgh asdf
    zxcvbn zxcv qazwsx wsx edc rfv tgb iloveyou loveyou love letmein welcome willkommen bienvenue admin administrator
    root user guest login master system server default secret changeme change please monkey dragon football baseball
    basketball soccer hockey superman batman spiderman pokemon starwars princess sunshine shadow michael jordan jennifer
    charlie jessica ashley nicole daniel thomas andrew matthew hunter killer freedom whatever computer internet samsung
    google facebook youtube microsoft windows apple android summer winter spring autumn january february march april
    june july august september october november december monday tuesday wednesday thursday friday saturday sunday
    mother father family friends forever babygirl baby girl boy angel flower butterfly chocolate cookie cheese banana
    orange purple yellow black white silver golden diamond money lucky happy hello world test testing temp trustno one
    two three four five six seven eight nine zero mustang ferrari porsche mercedes harley yankees liverpool chelsea
    arsenal barcelona mypassword mypass access enter open sesame
    casino blackjack baccarat roulette poker craps table tables dealer dealers shoe chips pit floor cage surveillance
    security camera cameras eye sky gaming vegas jackpot cards card house player banker auditor catwalk console demo
"""
COMMON_PARTS = frozenset(_COMMON.split()) | frozenset(ROLE_NAMES)
_ROWS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "yxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik",
    "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "qazwsxedcrfvtgbyhnujm",
    "!@#$%^&*()_+",
)
_SHORTEST_RUN = 3
_PLAIN = str.maketrans(
    {"0": "o", "1": "l", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i"}
)
_DATE = re.compile(r"(?:19|20)\d\d|\d{1,2}[./-]\d{1,2}")


def objection(name: str, password: str) -> str | None:
    """Why this user may not have this password; None if they may."""
    if not SHORTEST <= len(password) <= LONGEST:
        return f"a password has {SHORTEST} to {LONGEST} characters"
    low = unicodedata.normalize("NFKC", password).casefold()
    plain, own = low.translate(_PLAIN), name.casefold()
    if own in low or own.translate(_PLAIN) in plain:
        return "a password does not hold the user's name"
    if len(_without_repeats(low)) < _LEFT:
        return "that password repeats itself: it would be guessed at once"
    if min(_left(low), _left(plain)) < _LEFT:
        return "that password is made of what is guessed first: words in common use, rows of keys, dates"
    return None


def _left(text: str) -> int:
    """Different characters that remain, when common parts, rows of keys, dates and repeats are taken out."""
    text = _DATE.sub(" ", _without_runs(text))
    for part in sorted(COMMON_PARTS, key=len, reverse=True):
        text = text.replace(part, " ")
    letters = [c for c in _without_repeats(text) if c.isalpha()]
    return len(letters) + sum(c.isdigit() for c in text) // 2


def _without_runs(text: str) -> str:
    """The text without rows of keys, letters and digits, forwards and backwards."""
    kept, at = [], 0
    while at < len(text):
        length = max(_run(text, at), 1)
        if length < _SHORTEST_RUN:
            kept.append(text[at])
            at += 1
        else:
            kept.append(" ")
            at += length
    return "".join(kept)


def _run(text: str, at: int) -> int:
    best = 0
    for row in _ROWS:
        for line in (row, row[::-1]):
            length = best + 1
            while at + length <= len(text) and text[at : at + length] in line:
                best = length
                length += 1
    return best


def _without_repeats(text: str) -> str:
    """The shortest piece the text repeats, and within it each row of one character as one."""
    for length in range(1, len(text) // 2 + 1):
        piece = text[:length]
        if (piece * (len(text) // length + 1))[: len(text)] == text:
            text = piece
            break
    return re.sub(r"(.)\1+", r"\1", text)
