"""Tables, trays, shoes and devices: honest rounds, and those of a pattern."""

from __future__ import annotations

from math import log
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import msgspec

from processors.core.conservation import CARDS_OF_A_DECK
from processors.detectors.cutting.places import Act, begun, weights
from processors.detectors.families import (
    cut_steering,
    inventory_drift,
    masque_errors,
    preferential_shuffle,
    rank_composition,
    sensor_health,
    shuffle_quality,
    side_wager,
    theoretical_win,
)
from processors.detectors.families.preferential_shuffle import Row, State
from processors.detectors.following.steps import Rounds, step
from processors.detectors.mixture import fresh, weigh
from processors.detectors.sensing import silences
from processors.detectors.sensing.kinds import KINDS
from processors.detectors.shapes import Alarm
from processors.detectors.shuffling import lacking
from processors.detectors.shuffling.neighbours import Bets
from processors.detectors.shuffling.orders import Known, references
from processors.detectors.shuffling.wholeness import LOST, MISREAD, Foreign
from processors.detectors.winning.boxes import PlayedBox
from processors.games.totals import range_of
from processors.play.boxes import BoxPlay
from schemas.rounds import Settlement, StakeResult
from tests.detectors.counted import dealt
from tests.detectors.later.case import ALARM, Case, due


def _stake(kind: str, wrong: bool) -> StakeResult:
    due, left = Settlement(outcome="collect", cents=500), Settlement(outcome="return", cents=500)
    return StakeResult(
        seat=1, hand="1.1", kind=kind, staked_cents=500, expected=due, observed=left if wrong else due
    )


def _round_of(stakes: list[StakeResult], wrong: bool, number: int = 1, **more: Any) -> Any:
    round_ = SimpleNamespace(**{"breached": wrong, "number": number, "stakes": {}, **more})
    table = SimpleNamespace(subject="T")
    return SimpleNamespace(result=SimpleNamespace(stakes=stakes), round=round_, sequence=number, table=table)


def side_wagers_paid(size: float) -> Case:
    """One wager a round, of which 1 in 1,000 is mispaid honestly."""

    def play(state: side_wager.State, rng: Random, wrong: bool) -> Alarm | None:
        bad = rng.random() < (size if wrong else 1 / 1000)
        closed = _round_of([_stake("push22", bad)], bad)
        return due(side_wager._settled(state, "push22", closed), "push22_paid")

    return Case(side_wager.State, play)


def twenty_twos(size: float) -> Case:
    chance = 0.0726

    def play(state: side_wager.State, rng: Random, wrong: bool) -> Alarm | None:
        case = [rng.random() < (size if wrong else chance)]
        return due(side_wager._count(state, "push22", case, _round_of([], False)), "push22")

    return Case(lambda: side_wager.State(chances={"push22": chance}), play)


def pushes(size: float) -> Case:
    """Three boxes a round; 1 in 1,000 payments is wrong honestly."""

    def play(state: theoretical_win.State, rng: Random, wrong: bool) -> Alarm | None:
        bad = [rng.random() < (size if wrong else 1 / 1000) for _ in range(3)]
        stakes = [
            msgspec.structs.replace(_stake("main", one), seat=seat, hand=f"{seat}.1")
            for seat, one in enumerate(bad, start=1)
        ]
        state.rounds, state.boxes = state.rounds + 1, state.boxes + 3
        return due(theoretical_win._paid(state, _round_of(stakes, any(bad), state.rounds), 3), "overpaid")

    return Case(theoretical_win.State, play)


def wins(drift: float) -> Case:
    """Three boxes a round, which the pattern lets win more often than exact play does."""

    def play(state: theoretical_win.State, rng: Random, wrong: bool) -> Alarm | None:
        chance = 0.5 + (drift if wrong else 0.0) / 2
        found = [PlayedBox(1.0 if rng.random() < chance else -1.0, BoxPlay()) for _ in range(3)]
        return due(theoretical_win._won(state, _round_of([], False), found, 0.0), "patrons")

    return Case(theoretical_win.State, play)


def counts_of_the_tray(size: int) -> Case:
    """A count every 40 rounds, of which 1 in 20 is off honestly; the pattern takes as much before each."""

    def begin() -> dict[str, Any]:
        return {"tray": inventory_drift.State(expected=0, seen=1), "gone": 0, "round": 0}

    def play(state: dict[str, Any], rng: Random, wrong: bool) -> Alarm | None:
        tray = state["tray"]
        state["gone"] += size if wrong else 0
        off = -state["gone"] + (rng.randrange(-10_000, 10_001, 500) if rng.random() < 0.05 else 0)
        state["round"] += 40
        place = "T", state["round"], state["round"]
        alarm = due(inventory_drift._weigh(tray, off - tray.base, place), "loss")
        inventory_drift.note(tray, off)
        return alarm

    return Case(begin, play, 40)


def lights(size: float) -> Case:
    """A hole card a round; of an honest reader's lights 1 in 2,000 is wrong."""
    by_range = {range_of(card): card for card in CARDS_OF_A_DECK}
    ranges = list(masque_errors.RANGES)

    def play(state: masque_errors.State, rng: Random, wrong: bool) -> Alarm | None:
        right = rng.choices(ranges, (4, 4, 5))[0]
        bad = rng.random() < (size if wrong else 1 / 2000)
        light = rng.choice([one for one in ranges if one != right]) if bad else right
        dealer = SimpleNamespace(cards=["5c", by_range[right]])
        closed = _round_of([], False, hole_revealed=1, hole_index=1, hole_seal="", hands={"D": dealer})
        return due(masque_errors._read(state, closed, light, 1), "wrong_lights")

    return Case(masque_errors.State, play)


def stripped(aces: int) -> Case:
    """A shoe of six decks of which three quarters are read; the pattern's has fewer aces."""
    whole = [card for card in CARDS_OF_A_DECK for _ in range(6)]
    few = [card for card in whole if card[0] != "A"] + [card for card in whole if card[0] == "A"][aces:]
    batch = SimpleNamespace(decks=6)

    def play(state: rank_composition.State, rng: Random, wrong: bool) -> Alarm | None:
        drawn = rng.sample(few if wrong else whole, 234)
        return due(rank_composition._ranks(state, "T", batch, drawn), "ranks")  # type: ignore[arg-type]

    return Case(rank_composition.State, play, 40)


def left_behind(cards: int) -> Case:
    """A shoe of which the words of as many cards are lost as honestly may be, or these cards are missing too."""
    shoe, batch = SimpleNamespace(number=1), SimpleNamespace(name="B", cards=312)

    def play(state: rank_composition.State, rng: Random, wrong: bool) -> Alarm | None:
        lost = sum(rng.random() < LOST for _ in range(312)) + cards * wrong
        return due(rank_composition._short(state, "T", shoe, batch, lost), "short")  # type: ignore[arg-type]

    return Case(rank_composition.State, play, 40)


def slugs(cards: int) -> Case:
    """A shoe of six decks, dealt to its cover card; by the pattern with so many cards as the last rack had them."""
    closed = _round_of([], False, told=lambda *_: ())

    def begin() -> shuffle_quality.State:
        return shuffle_quality.State(
            batch="B", copies=6, loaded=312, fresh=250, drawn=_shuffled(Random("rack"))
        )

    def play(state: shuffle_quality.State, rng: Random, wrong: bool) -> Alarm | None:
        rack = state.drawn
        order = _shuffled(rng)
        if wrong:
            slug = rack[50 : 50 + cards]
            for card in slug:
                order.remove(card)
            order[90:90] = slug
        state.shoe, state.looked, state.runs, state.drawn = state.shoe + 1, 0, {}, order
        state.over.begin()
        known = references((Known("rack", state.shoe - 1, "B", "".join(rack)),), "B")
        return due(shuffle_quality._slugs(state, closed, order[:250], known), "slug")

    return Case(begin, play, 40)


def _shuffled(rng: Random) -> list[str]:
    return rng.sample(list(CARDS_OF_A_DECK) * 6, 312)


_KING: Final = Foreign({"Ks": 7}, 0, -log(312 * MISREAD))


def _dealt_from(shoe: int) -> Any:
    batch = SimpleNamespace(name="B", decks=6, cards=312)
    of = SimpleNamespace(number=shoe, batch="B", loaded_at=shoe)
    return SimpleNamespace(subject="T", shoe=of, batches={"B": batch})


def foreign_cards() -> Case:
    """A shoe of six decks with a seventh king of spades, by the word of shoe and rack."""

    def play(state: rank_composition.State, rng: Random, wrong: bool) -> Alarm | None:
        state.others.begin()
        table = _dealt_from(state.others.mixture.rounds)
        return due(rank_composition._foreign(state, table, _KING if wrong else None, 1), "foreign")

    return Case(rank_composition.State, play, 40)


def migrated_cards() -> Case:
    def play(state: shuffle_quality.State, rng: Random, wrong: bool) -> Alarm | None:
        lacking.loaded(state.decks)
        table = _dealt_from(state.decks.others.mixture.rounds)
        found = lacking._migrated(state.decks, table, _KING if wrong else None)
        alarms = (one for said in found for one in shuffle_quality._decks_alarm(state, said, table, (1,)))
        return due(alarms, "migrated")

    return Case(shuffle_quality.State, play, 40)


def words_lost(size: float) -> Case:
    kind = "draws"

    def play(state: sensor_health.Tally, rng: Random, wrong: bool) -> Alarm | None:
        lost = sum(rng.random() < (size if wrong else sensor_health.HONEST / 2) for _ in range(12))
        number = state.mixture.rounds + state.well + 1
        place = "T", number, number, number
        value = sensor_health._count(state, kind, 12, lost, place) * KINDS[kind].share
        return sensor_health._alarm(kind, state, _round_of([], False), value) if value >= ALARM else None

    return Case(lambda: sensor_health.Tally(fresh(len(sensor_health.ALTERNATIVES))), play)


def falls_silent(size: float) -> Case:
    """A device that is silent for some rounds again and again."""

    def play(state: dict[str, Any], rng: Random, wrong: bool) -> Alarm | None:
        now = rng.random() < (0.7 if state["silent"] else size if wrong else silences.FALLS / 2)
        state["silent"], state["hands"] = now, state["hands"] + 1
        place = "T", state["hands"], state["hands"]
        said = silences.take(state["table"], {"shoe": "x"} if now else {}, place)
        value = max((value for _, value in said), default=0.0) * sensor_health.SILENCE
        closed = _round_of([], False)
        return sensor_health._silence_alarm("shoe", state["table"], closed, value) if value >= ALARM else None

    return Case(lambda: {"table": silences.SilencesOfTable(), "silent": False, "hands": 0}, play)


def few_riffles(size: float) -> Case:
    """Ten pairs a round, of which so many lie as they lay before: 1 in 13 by chance."""

    def play(state: shuffle_quality.State, rng: Random, wrong: bool) -> Alarm | None:
        bets = Bets()
        for _ in range(10):
            bets.bet(1 / 13, rng.random() < (size if wrong else 1 / 13))
        name = next(iter(state.links))
        counted = bets.hits, bets.chance
        value = weigh(state.links[name], bets.factors(), shuffle_quality.STRETCH, 1, counted)
        value *= shuffle_quality.SHARES[name]
        closed = _round_of([], False, told=lambda *_: ())
        return shuffle_quality._link_alarm(state, closed, name, value) if value >= ALARM else None

    return Case(shuffle_quality.State, play)


def cover_by_count(correlation: float) -> Case:
    """A shoe's cover card; its place goes with the count, or does not."""

    def begin() -> cut_steering.Person:
        return cut_steering.Person(1, begun(weights(cut_steering.KINDS.values())))

    placed, table = cut_steering.Placed("D", "", 0.0, 0, 1), SimpleNamespace(subject="T")

    def play(state: cut_steering.Person, rng: Random, wrong: bool) -> Alarm | None:
        count, r = rng.gauss(0, 1), correlation if wrong else 0.0
        place = 0.29 + 0.02 * (r * count + (1 - r * r) ** 0.5 * rng.gauss(0, 1))
        held = cut_steering._held(state, "cover_card", Act(1, place, count), placed, table)  # type: ignore[arg-type]
        return due(held, "follows_count")

    return Case(begin, play, 30)


def hides_cards(shift: float) -> Case:
    """The count of the cards behind the cover card of a shoe, and of the first quarter, in deviations."""

    def begin() -> cut_steering.Person:
        return cut_steering.Person(1, begun(weights(cut_steering.KINDS.values())))

    placed = cut_steering.Placed("D", "", 0.0, 0, 1)

    def play(state: cut_steering.Person, rng: Random, wrong: bool) -> Alarm | None:
        parts = rng.gauss(shift if wrong else 0.0, 1), rng.gauss(0, 1)
        return due(cut_steering._hidden(state, 1, placed, "T", parts), "hides_cards")

    return Case(begin, play, 30)


def reshuffles_high_counts(least: float) -> Case:
    """A shoe that is reshuffled early now and then, or always at a true count of so much."""
    rng, known, shoes, table = Random(14), Rounds(), [], SimpleNamespace(subject="T")
    for _ in range(60):
        rows, running = [], 0
        for one in dealt(rng):
            drift = step(known, 2, one.cards, one.tags, running, one.left).drift
            running += one.tags
            rows.append(Row(one.cards, one.left - one.cards, running, round(drift, 2)))
        shoes.append([row for row in rows if row.left > 80])

    def play(state: State, rng: Random, wrong: bool) -> Alarm | None:
        rows = rng.choice(shoes)
        stops = [row.running * 52 / row.left >= least if wrong else rng.random() < 0.03 for row in rows[:-1]]
        chosen = any(stops)
        state.loaded, state.rows = 312, rows[: stops.index(True) + 1] if chosen else rows
        return due(preferential_shuffle._weighed(state, table, 1, chosen=chosen), "for_house")  # type: ignore[arg-type]

    return Case(State, play, len(shoes[0]))


TABLES: Final = {
    "side_wager.push22": twenty_twos(0.2),
    "side_wager.push22_paid": side_wagers_paid(0.08),
    "theoretical_win.overpaid": pushes(0.08),
    "theoretical_win.patrons": wins(0.3),
    "inventory_drift.loss": counts_of_the_tray(7_500),
    "masque_errors.wrong_lights": lights(0.067),
    "rank_composition.ranks": stripped(8),
    "rank_composition.short": left_behind(8),
    "rank_composition.foreign": foreign_cards(),
    "sensor_health.draws": words_lost(0.02),
    "sensor_health.silences": falls_silent(0.03),
    "shuffle_quality.links": few_riffles(0.2),
    "shuffle_quality.slug": slugs(7),
    "shuffle_quality.migrated": migrated_cards(),
    "cut_steering.follows_count": cover_by_count(0.8),
    "cut_steering.hides_cards": hides_cards(-1.0),
    "preferential_shuffle.for_house": reshuffles_high_counts(2.0),
}
