"""How a player decides with a dealer and with others, joined over tables: the evidence, and the alarm of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from processors.detectors.evidence.logs import plain
from processors.detectors.family import LEVEL
from processors.detectors.favouring.signals import Fits, FitsTold, Signals
from processors.detectors.mixture import RoundsTold
from processors.detectors.shapes import About, Alarm, EvidenceStanding, Observation
from processors.detectors.weighty import WeightyRound, events_of, heaviest_since, keep, rows_of

WEIGHT: Final = 0.06
"""The share of the level."""
_TABLES = 8  # of which it is told what weighs most


class PairDecisions(Struct):
    """How a player decides with this dealer and with others: the evidence as a log, its part of the level, the rounds.

    telling: the rounds with her that weigh most, placed by the decisions with her and with others. tables: by table,
    what weighs most of it.
    """

    log_e: float = 0.0
    log_peak: float = 0.0
    share: float = 0.0
    hers: Fits = field(default_factory=Fits)
    others: Fits = field(default_factory=Fits)
    telling: list[WeightyRound] = field(default_factory=list)
    tables: dict[str, FitsTold] = field(default_factory=dict)

    @property
    def asked(self) -> int:
        """Decisions with her, and with others."""
        return self.hers.asked + self.others.asked


def weigh_decisions(state: PairDecisions, seen: Observation, said: Signals) -> Iterator[Alarm]:
    """Evidence of several tables multiplies: each speaks of rounds of its own."""
    state.share = state.share or said.share
    state.log_e += said.change
    state.log_peak = max(state.log_peak, state.log_e)
    state.hers.add(said.hers)
    state.others.add(said.others)
    state.tables.pop(seen.subject, None)  # the table spoken of last stands last
    state.tables[seen.subject] = said.weighty
    if len(state.tables) > _TABLES:
        del state.tables[next(iter(state.tables))]
    for one in said.telling:
        keep(state.telling, replace(one, subject=seen.subject, at=state.asked))
    evidence = plain(state.log_e) * WEIGHT * state.share
    if evidence >= 1 / LEVEL:
        yield _alarm_of_decisions(state, seen, evidence)


def _alarm_of_decisions(state: PairDecisions, seen: Observation, evidence: float) -> Alarm:
    dealer, player, hers, others = seen.whom["dealer"], seen.whom["player"], state.hers, state.others
    later = all(one.later for one in state.tables.values())
    if later:
        hers, others = Fits(), Fits()
        for one in state.tables.values():
            hers.add(one.hers)
            others.add(one.others)
    after = {subject: one.after for subject, one in state.tables.items()}
    most = heaviest_since([one for one in state.telling if one.round > after.get(one.subject, 0)])
    made = RoundsTold(later, hers.asked, []).part(hers.fits, "decision")
    return Alarm(
        variant="decisions",
        about={"dealer": dealer, "player": player},
        e_value=evidence,
        sequences=events_of(most, seen.subject),
        expected={
            "as_the_hole_card_orders": round(hers.chance, 1),
            "with_others": "as often as with this dealer, or by chance",
        },
        observed={
            "decisions": hers.asked,
            "as_the_hole_card_orders": hers.fits,
            "decisions_with_others": others.asked,
            "as_the_hole_card_orders_with_others": others.fits,
            "by_chance_with_others": round(others.chance, 1),
            "rounds": rows_of(most),
        },
        message=f"While dealer {dealer} dealt, {player} made {made} as the hole card ordered that nobody had seen, "
        f"where chance allows {hers.chance:.1f}; with other dealers {others.fits} of {others.asked}, where it allows "
        f"{others.chance:.1f}.",
    )


def standing_of_decisions(state: PairDecisions, about: About) -> Iterator[EvidenceStanding]:
    """The evidence of how a player decides with this dealer; none before he decided anything with her."""
    if state.hers.asked:
        part = WEIGHT * state.share
        yield EvidenceStanding(
            variant="decisions",
            about=about,
            e_value=plain(state.log_e) * part,
            highest=plain(state.log_peak) * part,
            rounds=state.asked,
            weighty=state.telling,
            mark=state.asked,
        )
