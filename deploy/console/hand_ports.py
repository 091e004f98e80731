"""What the console's replayer is handed: the register of checks as data, the rack solver, what decisions gave."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator

from msgspec import UNSET

from dashboards.replayer.duties import Duties, Duty
from dashboards.replayer.rack_port import RackAsked, RackDeviation, RackTold
from processors.core.state import Round
from processors.games.blackjack.rules import BlackjackRules
from processors.law import duties as _registered  # noqa: F401 - importing registers every check
from processors.law.check import REGISTRY
from processors.play.game import game_of
from processors.play.giving import givings
from processors.rack.solving import RackProblem, RackTable, solve
from schemas.payload import short_name
from schemas.rounds import GivingDecision, RoundResult

MOST_ANSWERS = 200  # lawful reconstructions that are listed; beyond, it is said that there are more
_SHOWN = 12


def duties_by_ruleset() -> dict[str, Duties]:
    """For each ruleset the checks that read each type of event, with the clauses they decide.

    A check that reads few types of event comes first: it says most of this one.
    """
    found: dict[str, dict[str, list[Duty]]] = defaultdict(lambda: defaultdict(list))
    for entry in sorted(REGISTRY.values(), key=lambda one: (len(one.reads), one.id)):
        for ruleset, provisions in entry.provisions.items():
            for payload in entry.reads:
                found[ruleset][short_name(payload)].append(Duty(entry.id, provisions))
    return {
        ruleset: {event: tuple(duties) for event, duties in events.items()}
        for ruleset, events in found.items()
    }


def solve_rack(asked: RackAsked) -> RackTold:
    """Ask the solver, for as long as it may take."""
    config = asked.config
    deadline = time.monotonic() + asked.seconds
    problem = RackProblem(
        ruleset=config.ruleset,
        table=RackTable(
            seats=config.seats,
            side_wagers=config.side_wagers,
            even_money=config.even_money,
            pickup_order=config.pickup_order,
            dealer_cards=config.dealer_cards,
            bust_collection=config.bust_collection,
        ),
        rack=asked.rack,
        seats=asked.seats,
        upcard=asked.upcard,
        gaming_day=asked.day,
    )
    answer = solve(problem, limit=MOST_ANSWERS, expired=lambda: time.monotonic() > deadline)
    nearest = None if answer.nearest is UNSET else answer.nearest
    deviations = nearest.deviations if nearest is not None else ()
    return RackTold(
        message=answer.message,
        count=answer.count,
        complete=answer.complete,
        hands=tuple(one.hands for one in answer.reconstructions[:_SHOWN]),
        agree_on=answer.agree_on,
        differ_on=answer.differ_on,
        nearest=nearest.hands if nearest is not None else None,
        deviations=tuple(RackDeviation(one.provision, one.hand, one.message) for one in deviations),
    )


def givings_of(rules: BlackjackRules, round_: Round, result: RoundResult) -> Iterator[GivingDecision]:
    """The decisions of a round that gave the house something."""
    return givings(game_of(rules), round_, result.stakes)
