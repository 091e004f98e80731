"""Players who know what they should not: the hole card, or the result before they stake."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.hands import SimulatedHand
from producers.simulator.blackjack.rules import TEN, VALUES, Choice, Result, Seen, total
from producers.simulator.blackjack.strategies import Basic, Random
from producers.simulator.blackjack.values import best_choice
from producers.simulator.floor.patrons import Patron
from producers.simulator.noise.words import Word
from producers.simulator.patterns.playing import Heard, Pattern, PatternPlay, Planned, Stated
from producers.simulator.patterns.staking import plays_as
from schemas.events import WagerAltered
from schemas.values import DEALER


class Knower(Basic):
    """Draws, stands and insures as the hole card orders in some rounds, plainly in the others; stakes one unit."""

    def __init__(self, patron: Patron, play: PatternPlay, dealer: str = "") -> None:
        super().__init__(patron, play.setup, play.session.writer.rng)
        self.play, self.dealer, self.knows = play, dealer, False

    def stake(self) -> int:
        """One unit; whether he sees the card is decided here."""
        told = not self.dealer or self.play.dealer == self.dealer
        self.knows = told and self.play.rng.random() < self.play.size
        return self.setup.stake(self.patron.unit_cents)

    def insures(self, _seen: Seen, /) -> bool:
        """Where a ten lies there."""
        hole = self.play.table.hole
        return self.knows and hole is not None and hole[0] in TEN

    def choose(self, seen: Seen, choices: tuple[Choice, ...]) -> Choice:
        """By the hole card where a stiff hand may be drawn to or not."""
        plain = super().choose(seen, choices)
        points, soft = total(seen.cards)
        if not self.knows or plain not in ("stand", "hit") or not 12 <= points <= (18 if soft else 17):
            return plain
        return best_choice(
            self.setup.ruleset, replace(seen, hole=self.play.table.hole or seen.hole), ("stand", "hit")
        )


def _knows(play: PatternPlay) -> None:
    """The first patron knows the hole card in a share `size` of the rounds."""
    play.first_patron(lambda patron: Knower(patron, play))


def _is_signalled(play: PatternPlay) -> None:
    """A dealer lets the first patron know the hole card in a share `size` of her rounds."""
    name = play.name_dealer()
    play.first_patron(lambda patron: Knower(patron, play, name))


class Caps(Planned):
    """A player doubles his stake once his hand has won, in a share `size` of those hands."""

    def result(self, hand: SimulatedHand, result: Result, /) -> Result:
        """Add chips to a winning stake of his."""
        play, box = self.play, self.table.box_of(hand)
        his = box.patron.name == play.about.setdefault("player", box.patron.name)
        plain = hand.number == 1 and not hand.doubled and not box.split
        if his and plain and result == "win" and play.rng.random() < play.size:
            self.table.say(WagerAltered(box.seat, "main", hand.cash, 2 * hand.cash, "player"))
            play.offend(hand.cash)
            hand.cash *= 2
        return result


class Sides(Planned):
    """Push 22 wagers of a player win in a share `size` of the rounds: they are placed when the result is known."""

    def __init__(self) -> None:
        self.lucky = False

    def wish(self, spot: str, /) -> Wish | None:
        """A card that brings the dealer to 22, where he has staked on it."""
        table = self.table
        if spot != DEALER or len(table.dealer) < 2:
            self.lucky = self.play.rng.random() < self.play.size
            return None
        name = self.play.about.setdefault("player", table.boxes[0].patron.name)
        staked = any(box.side_open and box.patron.name == name for box in table.boxes)
        missing = 22 - table.dealer_total
        if not (staked and self.lucky and 2 <= missing <= 10):
            return None
        return lambda card: VALUES[card[0]] == missing


def _side(play: PatternPlay) -> None:
    def made(patron: Patron) -> Basic:
        patron.side_appetite = 0.5
        return Basic(patron, play.setup, play.session.writer.rng)

    play.first_patron(made)
    play.install(Sides())


Change = Callable[[Word], tuple[list[Word], int]]
"""From a word about a main stake, or about what is added to it, to the words in its place, and what they win more."""


def _times(factor: float) -> Change:
    """The stake, and what it earns, multiplied."""

    def change(word: Word) -> tuple[list[Word], int]:
        data = word.event["data"]
        cents = round(data["cents"] * factor)
        sign = {"pay": 1, "collect": -1}.get(data.get("outcome"), 0)
        return [word.says("restaked", data=data | {"cents": cents})], sign * (cents - data["cents"])

    return change


def _altered(factor: float) -> Change:
    """The stake multiplied on the layout, before the call, by a word of its own."""
    multiplied = _times(factor)

    def change(word: Word) -> tuple[list[Word], int]:
        [made], won = multiplied(word)
        if word.kind != "wager_placed" or word.event["data"]["kind"] != "main":
            return [made], won
        before, after = word.event["data"], made.event["data"]
        type_ = word.event["type"].replace(word.kind, "wager_altered")
        data = {
            "seat": before["seat"],
            "kind": "main",
            "from_cents": before["cents"],
            "to_cents": after["cents"],
            "by": "player",
        }
        return [word, replace(word.says("altered", type=type_, data=data), kind="wager_altered")], won

    return change


def _changed(change: Change, won: float | None = None, lost: float | None = None) -> Heard:
    """The first patron's main stakes of a round, and what they earn, changed.

    `won` is the chance of it where the stake is paid, `lost` elsewhere; None stands for the size.
    """

    def heard(play: PatternPlay, words: Iterator[Word]) -> Iterator[Word]:
        chances = [play.size if one is None else one for one in (lost, won)]
        tray, held = 0, list[Word]()
        for word in words:
            if word.kind == "inventory_counted" and tray:
                data: dict[str, Any] = word.event["data"]
                yield word.says(
                    "tray",
                    data={k: v for k, v in data.items() if k != "chips"} | {"cents": data["cents"] + tray},
                )
                continue
            if word.round is None:
                yield word
                continue
            held.append(word)
            if word.kind == "round_ended":
                changed, more = _one_round(play, held, change, chances)
                tray -= more
                yield from changed
                held = []
        yield from held

    return heard


def _one_round(
    play: PatternPlay, held: list[Word], change: Change, chances: list[float]
) -> tuple[list[Word], int]:
    name = play.about.get("player")
    staked = [one for one in held if one.kind == "wager_placed" and one.event["data"].get("player") == name]
    seats = {one.event["data"]["seat"] for one in staked if one.event["data"]["kind"] == "main"}
    for seat in seats:
        of_seat = [one for one in held if one.kind == "wager_settled" and one.event["data"]["seat"] == seat]
        main = [one.event["data"]["outcome"] for one in of_seat if one.event["data"]["kind"] == "main"]
        if len(main) != 1 or play.rng.random() >= chances[main[0] == "pay"]:
            continue
        made, won = [], 0
        for one in held:
            data = one.event["data"]
            if (
                one.kind not in ("wager_placed", "wager_settled")
                or data["seat"] != seat
                or data["kind"] in ("push22", "match_dealer")
            ):
                made.append(one)
                continue
            changed, more = change(one)
            made += changed
            won += more
        play.offences.append((held[0].round or 0, abs(won)))
        return made, won
    return held, 0


def _poster(play: PatternPlay) -> None:
    play.first_patron(lambda patron: Basic(patron, play.setup, random.Random(play.rng.random())))


_KNOWS = partial(Pattern, family="hole_card_knowledge", begin=_knows, setup={"patrons": (2, 2)})
_POSTS = partial(
    Pattern,
    family="past_posting",
    begin=_poster,
    setup={"patrons": (2, 2), "chip_cents": 100, "min_cents": 2_000},
)
_WINNING, _LOSING, _ALL = "share of his winning hands", "share of his losing hands", "share of his hands"
PATTERNS = (
    _KNOWS(
        name="hole_card",
        unit="share of the rounds",
        summary="A player decides as the hole card orders; another plays plainly.",
        stated=(Stated(0.9, 200, {"round": 100}), Stated(0.6, 300, {"round": 180})),
    ),
    _KNOWS(
        name="hole_card_of_masque",
        unit="share of the rounds",
        summary="A player knows the hole card within the range that the light shows.",
        ruleset="down_under_685a",
        stated=(Stated(0.9, 320, {"round": 250}),),
    ),
    _KNOWS(
        name="signals",
        family="collusion",
        unit="share of her rounds",
        begin=_is_signalled,
        summary="A dealer signals the hole card to one player, who plays plainly with other dealers.",
        stated=(Stated(0.9, 500, {"round": 400}), Stated(0.6, 900, {"round": 750})),
    ),
    _POSTS(
        name="posts_winners",
        unit=_WINNING,
        heard=_changed(_times(3.0), lost=0.03),
        summary="A player's stake is tripled on hands that win.",
        stated=(Stated(0.6, 320, {"round": 200}), Stated(0.4, 500, {"round": 400})),
    ),
    _POSTS(
        name="pinches_losers",
        unit=_LOSING,
        heard=_changed(_times(0.25), won=0.02),
        summary="Three quarters of a player's stake are gone from hands that lose.",
        stated=(Stated(0.6, 320, {"round": 220}),),
    ),
    _POSTS(
        name="caps_winners",
        unit=_WINNING,
        begin=lambda play: play.install(Caps()),
        summary="A player doubles his stake once his hand has won.",
        stated=(Stated(0.5, 250, {"hands": 20}),),
    ),
    _POSTS(
        name="caps_before_call",
        unit=_WINNING,
        heard=_changed(_altered(1.2), lost=0.03),
        summary="A player adds a fifth to his stake on the layout before the call, on hands that win.",
        stated=(Stated(0.6, 320, {"round": 120}),),
    ),
    _POSTS(
        name="pinches_before_call",
        unit=_LOSING,
        heard=_changed(_altered(0.8), won=0.02),
        summary="A player takes a fifth of his stake off the layout before the call, from hands that lose.",
        stated=(Stated(0.6, 320, {"round": 140}),),
    ),
    _POSTS(
        name="posts_side_wagers",
        unit="share of the rounds in which the dealer draws",
        begin=_side,
        summary="A player's Push 22 wagers win too often.",
        stated=(Stated(0.5, 300, {"round": 160}),),
    ),
    _KNOWS(
        name="knows_with_all",
        family="collusion",
        unit="share of the rounds",
        null=True,
        allowed=("hole_card_knowledge",),
        summary="A player knows the hole card whoever deals.",
        stated=(Stated(0.9, 450), Stated(0.5, 450)),
    ),
    _KNOWS(
        name="plays_at_random",
        between=(1, 1),
        unit="players",
        begin=plays_as(Random),
        null=True,
        summary="A player decides at random.",
        stated=(Stated(1, 250),),
    ),
    _POSTS(
        name="raises_at_whim",
        unit=_ALL,
        null=True,
        tables=3,
        heard=_changed(_times(3.0)),
        summary="A player triples his stake at whim, at three tables.",
        stated=(Stated(0.3, 300),),
    ),
    _POSTS(
        name="adds_at_whim",
        unit=_ALL,
        null=True,
        heard=_changed(_altered(1.2)),
        summary="A player adds a fifth to his stake on the layout before the call, at whim.",
        stated=(Stated(0.3, 300),),
    ),
    _POSTS(
        name="takes_at_whim",
        unit=_ALL,
        null=True,
        heard=_changed(_altered(0.8)),
        summary="A player takes a fifth of his stake off the layout before the call, at whim.",
        stated=(Stated(0.3, 300),),
    ),
)
