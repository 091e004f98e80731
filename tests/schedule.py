"""The order in which modules are handed to the workers: long ones first, those that wait among those that compute."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# Seconds that a module took in a whole run of six workers on two cores; one that is not named took fewer than eight.
# Only the order rests on them.
SECONDS = {
    "browser/test_accounts.py": 24, "browser/test_alert_access.py": 18, "browser/test_alerts.py": 43,
    "browser/test_altered.py": 11, "browser/test_dead_devices.py": 32, "browser/test_demo.py": 19,
    "browser/test_disputes.py": 13, "browser/test_everywhere.py": 130, "browser/test_faults.py": 80,
    "browser/test_group_acts.py": 24, "browser/test_hands.py": 49, "browser/test_keys.py": 20,
    "browser/test_lost_words.py": 8, "browser/test_revenue.py": 24, "browser/test_status.py": 18,
    "browser/test_tables.py": 27,
    "commands/test_demo.py": 96, "commands/test_demo_desk.py": 87, "commands/test_private_files.py": 13,
    "commands/test_replay.py": 23,
    "conservation/test_every_event.py": 10, "conservation/test_tampering.py": 25,
    "console/test_api.py": 11, "console/test_console_command.py": 19, "console/test_desk_accepted.py": 13,
    "console/test_desk_log.py": 21, "console/test_hand_rights.py": 21, "console/test_hands.py": 29,
    "console/test_not_proven.py": 29, "console/test_oidc.py": 13, "console/test_reports.py": 16,
    "console/test_revenue.py": 31, "console/test_revenue_behind.py": 37, "console/test_revenue_luck.py": 15,
    "console/test_served.py": 12, "console/test_tables.py": 15, "console/test_two_people.py": 8,
    "drawing/test_replay.py": 71,
    "embedded/test_crashes.py": 58, "embedded/test_fold.py": 21, "embedded/test_newest.py": 24,
    "embedded/test_queries.py": 11, "embedded/test_rebuild.py": 14, "embedded/test_reconcile.py": 37,
    "golden/test_answers.py": 12, "golden/test_messages.py": 169, "golden/test_recomputed.py": 8,
    "hands/test_hand.py": 15, "hands/test_lost_words.py": 10,
    "law/test_cases.py": 121,
    "live/test_analyst.py": 28, "live/test_brokers_away.py": 101, "live/test_brokers_killed.py": 59,
    "live/test_clocks.py": 28, "live/test_console.py": 111, "live/test_doctor.py": 10, "live/test_end_to_end.py": 80,
    "live/test_fold.py": 152, "live/test_fold_outage.py": 30, "live/test_gateway.py": 75,
    "live/test_gateway_outage.py": 100, "live/test_health_page.py": 28, "live/test_kafka_rights.py": 59,
    "live/test_lag.py": 48, "live/test_members.py": 21, "live/test_migrate.py": 13, "live/test_poison.py": 18,
    "live/test_rebuild.py": 11, "live/test_reconcile.py": 50, "live/test_sink.py": 84, "live/test_stack.py": 29,
    "live/test_store_behind.py": 38, "live/test_topics.py": 13,
    "mutations/test_action.py": 71, "mutations/test_added_stakes.py": 55, "mutations/test_dealer.py": 9,
    "mutations/test_dealing.py": 38, "mutations/test_decks.py": 41, "mutations/test_equipment.py": 98,
    "mutations/test_five_cards.py": 38, "mutations/test_reader.py": 44, "mutations/test_settle_order.py": 34,
    "mutations/test_stacks.py": 28, "mutations/test_wagers.py": 13,
    "noise/test_nobody_is_accused.py": 29, "noise/test_same_table.py": 9,
    "pipeline/test_corruption.py": 30, "pipeline/test_device_health.py": 21, "pipeline/test_dispatch.py": 55,
    "pipeline/test_grammar.py": 14, "pipeline/test_hostile.py": 17, "pipeline/test_lost_words.py": 80,
    "pipeline/test_quiet.py": 10, "pipeline/test_rehearing.py": 78, "pipeline/test_rehearing_stacks.py": 48,
    "pipeline/test_silent_devices.py": 25, "pipeline/test_simulated.py": 11, "pipeline/test_snapshots.py": 28,
    "pipeline/test_total.py": 36, "pipeline/test_unread_cards.py": 66,
    "producers/test_chain_topic.py": 9, "producers/test_crash.py": 19,
    "rack/test_against_oracle.py": 10, "rack/test_proof.py": 35,
    "runtime/test_fold_crashes.py": 25, "runtime/test_fold_records.py": 83, "runtime/test_reconcile.py": 23,
    "runtime/test_sink.py": 12,
    "schemas/test_drift.py": 10,
    "simulator/test_blackjack_rounds.py": 30, "simulator/test_life.py": 14, "simulator/test_noise.py": 25,
    "simulator/test_preparation.py": 15, "simulator/test_scenarios.py": 40, "simulator/test_simulate_command.py": 17,
    "simulator/test_stack_games.py": 10,
    "warehouse/test_chdb.py": 12, "warehouse/test_contract.py": 26,
}  # fmt: skip
WAITING = (
    "browser",
    "commands",
    "live",
)  # folders whose tests wait for processes and servers most of the time
BROWSERS = 3  # modules of the browser tests go together, for a Chromium is started for each turn at them
TOGETHER = ("architecture/",)  # folders whose modules share what one worker reads

# ... and modules that break the rounds of the same streams, which are heard and kept once.
OF_ROUNDS = tuple(
    f"mutations/test_{name}.py"
    for name in ("action", "added_stakes", "dealer", "dealing", "exposed", "reader", "settle_order", "wagers")
)


def module_of(nodeid: str) -> str:
    """The module of a test, as a path below `tests`."""
    return nodeid.partition("::")[0].removeprefix("tests/")


@cache
def turn(module: str) -> str:
    """What one worker takes in one turn: a module, a folder, or some modules of those with a browser."""
    if module.startswith(TOGETHER):
        return module.partition("/")[0]
    if module in OF_ROUNDS:
        return "mutations of rounds"
    if not module.startswith("browser/"):
        return module
    return f"browser {_browsers().get(module, 0)}"


@cache
def _browsers() -> dict[str, int]:
    """Of each long module with a browser the turn it is part of; turns take about as long as each other."""
    taken = [0] * BROWSERS
    found: dict[str, int] = {}
    for name in sorted(SECONDS, key=lambda name: -SECONDS[name]):
        if name.startswith("browser/"):
            found[name] = taken.index(min(taken))
            taken[found[name]] += SECONDS[name]
    return found


class Turns(LoadScopeScheduling):  # type: ignore[misc]  # which comes without types
    """Hands out turns in the order the tests are in; a worker takes the next when it is nearly done with one."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        """As pytest-xdist makes it."""
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return turn(module_of(nodeid))


def arrange(items: list[pytest.Item]) -> None:
    """Put turns in order: of those that wait and of those that compute the same share has begun at any time.

    So workers neither all wait nor all compute, and short turns come last.
    """
    turns: defaultdict[str, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        module = module_of(item.nodeid)
        turns[turn(module)][module].append(item)
    seconds = {name: sum(SECONDS.get(module, 3) for module in modules) for name, modules in turns.items()}
    begun: list[tuple[float, str]] = []
    for waits in (True, False):
        names = [name for name in turns if name.startswith(WAITING) is waits]
        whole, gone = sum(seconds[name] for name in names), 0
        for name in sorted(names, key=lambda name: -seconds[name]):
            begun.append((gone / whole, name))
            gone += seconds[name]
    order = [name for _, name in sorted(begun, key=lambda one: one[0])]
    items[:] = [item for name in order for module in turns[name].values() for item in module]
