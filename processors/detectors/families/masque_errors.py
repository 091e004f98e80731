"""A Masque reader whose light is wrong more often than a sound one's, in any range or in one, or is too often the same.

Each wrong light is a matter of 685a.12(h) by itself; a reader that errs again and again misleads every patron who plays
by it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from math import exp, log
from typing import Any, Final

from msgspec import Struct, field

from processors.core.state import Round
from processors.detectors.evidence.rates import log_ratios
from processors.detectors.family import LEVEL, AtTable, Family, register
from processors.detectors.mixture import (
    Mixture,
    fresh,
    heaviest,
    how_often,
    left,
    since_heaviest,
    standing_of,
    weigh,
    weighed,
)
from processors.detectors.shapes import About, Alarm, Closed, EvidenceStanding
from processors.detectors.weighty import WeightyAct, events_of, keep, rows_of
from processors.games.totals import range_of
from schemas.events import HoleCardRevealed
from schemas.values import DEALER

HONEST: Final = 1 / 1000
"""Null: the chance of a wrong light in a round, given all before it, is at most this."""
CHANCES: Final = {"small": 4 / 13, "medium": 4 / 13, "large": 5 / 13}
"""Null: the chance of each range, given all lights before it, ..."""
OFF: Final = 0.03
"""... or one up to this share higher or lower: small cards go first where a round takes many."""
RANGES: Final = tuple(CHANCES)
SHARES: Final = {"wrong_lights": 0.85, "lights": 0.15}
_EVERYWHERE = (1 / 200, 1 / 60, 1 / 20, 1 / 5)
_IN_ONE_RANGE = (1 / 12, 0.9)
_WEIGHTS = (0.1, 0.25, 0.2, 0.15, *((0.3 / 6,) * 6))
_MORE = (1.5, 2.5)
_LESS = (0.6, 0.2)
_STRETCH = 20  # rounds
_NONE: Final = (0,) * (2 + len(RANGES))


class Wrong(WeightyAct, frozen=True):
    """One wrong light, at the event that told it: the hole card, and the light.

    Those for hole cards of one range weigh alike at first, and more than the others once this range is the one.
    """

    card: str = ""
    light: str = ""

    def why(self) -> dict[str, Any]:
        """The hole card, the light, and the factor."""
        return {"hole_card": self.card, "light": self.light, **super().why()}


class State(Struct):
    """One table: the evidence, and the wrong lights that weigh most.

    Beside the evidence there are counted the wrong lights, those for a larger range than the hole card's, and all of
    them by the range of the hole card; and how often each light came.
    right: lights that were right, by range, and lately: lights, that are not in the evidence yet.
    """

    wrong: Mixture = field(default_factory=lambda: fresh(_WEIGHTS))
    lights: Mixture = field(default_factory=lambda: fresh(len(RANGES) * (len(_MORE) + len(_LESS))))
    right: dict[str, int] = field(default_factory=dict)
    lately: dict[str, int] = field(default_factory=dict)
    rounds: list[Wrong] = field(default_factory=list)


def _rates(of: str) -> list[float]:
    """The chance of a wrong light for a hole card of this range, by alternative."""
    return [*_EVERYWHERE, *(rate if one == of else HONEST for one in RANGES for rate in _IN_ONE_RANGE)]


def _of_light(light: str) -> list[float]:
    logs: list[float] = []
    for one, chance in CHANCES.items():
        logs += log_ratios(_MORE, chance * (1 + OFF), int(one == light))
        logs += log_ratios(_LESS, chance * (1 - OFF), int(one == light))
    return logs


# Logs of the likelihood ratios of a right light and of a light at all, and the ratios of a wrong one.
_RIGHT: Final = {one: [log((1 - rate) / (1 - HONEST)) for rate in _rates(one)] for one in RANGES}
_LIGHT: Final = {one: _of_light(one) for one in RANGES}
_WRONG: Final = {one: [rate / HONEST for rate in _rates(one)] for one in RANGES}


def _together(logs: dict[str, list[float]], counts: dict[str, int]) -> list[float]:
    """The ratios of rounds that are counted by range."""
    rows = [(count, logs[one]) for one, count in counts.items()]
    return [exp(sum(count * row[place] for count, row in rows)) for place in range(len(logs[RANGES[0]]))]


def _weigh_lights(state: State) -> float:
    """Weigh the lights that are not in the evidence yet."""
    counted = [state.lately.get(one, 0) for one in RANGES]
    value = weigh(state.lights, _together(_LIGHT, state.lately), _STRETCH, sum(counted), counted)
    state.lately.clear()
    return value


def _settle(state: State) -> None:
    """Weigh the rounds whose light was right since the last one was wrong."""
    if state.right:
        weigh(state.wrong, _together(_RIGHT, state.right), _STRETCH, sum(state.right.values()), _NONE)
        state.right.clear()


def _closed(state: State, closed: Closed) -> Iterator[Alarm]:
    reader = closed.round.reader
    return _read(state, closed, reader[1], reader[2]) if reader and reader[1] in CHANCES else iter(())


def _read(state: State, closed: Closed, light: str, sequence: int) -> Iterator[Alarm]:
    """Take a round with its light; rounds whose light was right are weighed together, up to the end of a stretch."""
    state.lately[light] = state.lately.get(light, 0) + 1
    if sum(state.lately.values()) >= _STRETCH:
        evidence = _weigh_lights(state) * SHARES["lights"]
        if evidence >= 1 / LEVEL:
            yield _lights_alarm(state, closed, evidence)
    card = hole_card(closed.round)
    right = range_of(card)
    if right is None or (right != light and not _opens(closed.round, card)):
        return
    if right == light:
        state.right[right] = state.right.get(right, 0) + 1
        if sum(state.right.values()) >= left(state.wrong, _STRETCH):
            _settle(state)
        return
    _settle(state)
    counted = (1, int(RANGES.index(light) > RANGES.index(right)), *(int(one == right) for one in RANGES))
    value, weight = weighed(state.wrong, _WRONG[right], _STRETCH, 1, counted)
    evidence = value * SHARES["wrong_lights"]
    place = closed.table.subject, closed.round.number, sequence, state.wrong.rounds
    keep(state.rounds, Wrong(*place, weight, card=card, light=light))
    if evidence >= 1 / LEVEL:
        yield _wrong_alarm(state, closed, evidence)


def hole_card(round_: Round) -> str:
    """The hole card as it was revealed; empty if it was not."""
    dealer = round_.hands.get(DEALER)
    if dealer is None or round_.hole_revealed is None or round_.hole_index >= len(dealer.cards):
        return ""
    return dealer.cards[round_.hole_index]


def _opens(round_: Round, card: str) -> bool:
    """Whether the card is the one that was sealed: else it was misread, or changed, and the light may be right."""
    if not round_.hole_seal:
        return True
    nonces = [one.data.nonce for one in round_.told(HoleCardRevealed)]
    return any(hashlib.sha256(f"{card}|{one}".encode()).hexdigest() == round_.hole_seal for one in nonces)


def _wrong_alarm(state: State, closed: Closed, evidence: float) -> Alarm:
    since, most = heaviest(state.wrong), since_heaviest(state.wrong, state.rounds)
    errors, larger, *by_range = since.counted
    allowed = since.rounds * HONEST
    return Alarm(
        variant="wrong_lights",
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=events_of(most, closed.table.subject),
        expected={"wrong_lights_at_most": round(allowed, 2), "chance": HONEST},
        observed={
            "rounds": since.rounds,
            "wrong_lights": errors,
            "shown_larger": larger,
            "shown_smaller": errors - larger,
            "of_range": dict(zip(RANGES, by_range, strict=True)),
            "weightiest": rows_of(most),
        },
        message=f"The Masque reader's light was wrong in {since.part(errors, 'round')}, "
        f"{_said(larger, errors - larger)}; at 1 in 1,000, chance allows {allowed:.2g}.",
    )


def _said(larger: float, smaller: float) -> str:
    if larger and smaller:
        return f"{how_often(larger)} for a larger range than the hole card's and {how_often(smaller)} for a smaller one"
    each = "" if larger + smaller == 1 else "each time "
    return f"{each}for a {'larger' if larger else 'smaller'} range than the hole card's"


def _lights_alarm(state: State, closed: Closed, evidence: float) -> Alarm:
    since = heaviest(state.lights)
    rounds, shown = since.rounds, dict(zip(RANGES, since.counted, strict=True))
    fair = {one: round(rounds * chance, 1) for one, chance in CHANCES.items()}
    odd = max(RANGES, key=lambda one: abs(shown[one] - fair[one]) / fair[one])
    return Alarm(
        variant="lights",
        about={"table": closed.table.subject},
        e_value=evidence,
        sequences=(),
        expected={"lights": fair},
        observed={"lights": shown, "rounds": rounds},
        message=f"The Masque reader's light said {odd} in {since.part(shown[odd], 'round')}; chance allows "
        f"{fair[odd]:.0f}.",
    )


def _standing(state: State, subject: str) -> Iterator[EvidenceStanding]:
    for name, mixture, logs, counts, weighty in (
        ("wrong_lights", state.wrong, _RIGHT, state.right, state.rounds),
        ("lights", state.lights, _LIGHT, state.lately, ()),
    ):
        more = sum(counts.values())
        if mixture.rounds + more:
            untaken = _together(logs, counts) if counts else ()
            about: About = {"table": subject}
            yield standing_of(mixture, name, about, SHARES[name], weighty=weighty, untaken=untaken, more=more)


register(
    Family(
        name="masque_errors",
        variants=tuple(SHARES),
        about=("table",),
        null="a wrong light comes in at most 1 of 1,000 rounds, whatever the hole card and whatever came before; the "
        "light is blue, red and yellow with chances of 4, 4 and 5 in 13, or up to 3 % higher or lower",
        statistic="Rounds in which the light was not that of the hole card's range, of those in which the hole card "
        "was revealed and opens its seal, in all and by the range of the hole card. Beside it how often each light "
        "came, whatever the hole card was.",
        bound="Likelihood ratios of each round, from the first and from any stretch of twenty (Ville). Wrong lights: "
        "four higher rates for all hole cards, and two for those of one range alone; 17/20 of the level. Lights: two "
        "rates above and two below that of each; 3/20 of it.",
        innocent=(
            "a reader that is dirty, badly lit or about to fail",
            "a hole card that was not laid straight into the reader",
            "worn or marked cards that a sound reader takes for others",
        ),
        blind=(
            "errors at 2 in 1,000 rounds or fewer",
            "whom the errors favour: a patron who does not know of them loses by an error either way",
            "a dealer's hand laid in another area than the light's: that is for the law's checks",
            "a reader that says nothing: that is for the health of the devices",
            "wrong lights in rounds whose hole card is not known: only the frequency of the lights tells of them",
        ),
        cost="A look at the light and the hole card; 22 ratios every twenty rounds with a Masque reader, and ten at a "
        "wrong light. Under 5 kB a table.",
        table=AtTable(state=State, closed=_closed, standing=_standing),
    )
)
