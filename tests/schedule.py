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
    "browser/test_accounts.py": 47, "browser/test_acts.py": 12, "browser/test_alert_access.py": 31,
    "browser/test_alerts.py": 60, "browser/test_altered.py": 8, "browser/test_demo.py": 38,
    "browser/test_disputes.py": 26, "browser/test_everywhere.py": 259, "browser/test_faults.py": 86,
    "browser/test_group_acts.py": 35, "browser/test_hands.py": 39, "browser/test_keys.py": 46,
    "browser/test_revenue.py": 55, "browser/test_status.py": 22, "browser/test_tables.py": 32,
    "commands/test_demo.py": 133, "commands/test_demo_desk.py": 50, "commands/test_private_files.py": 16,
    "commands/test_replay.py": 19, "commands/test_spelling.py": 9,
    "conservation/test_every_event.py": 18, "conservation/test_tampering.py": 120,
    "console/test_api.py": 14, "console/test_console_command.py": 19, "console/test_desk_accepted.py": 20,
    "console/test_desk_log.py": 21, "console/test_hand_rights.py": 24, "console/test_hands.py": 16,
    "console/test_not_proven.py": 10, "console/test_oidc.py": 14, "console/test_reports.py": 12,
    "console/test_revenue.py": 68, "console/test_revenue_behind.py": 70, "console/test_revenue_luck.py": 12,
    "console/test_served.py": 12, "console/test_tables.py": 16,
    "drawing/test_felt.py": 9, "drawing/test_replay.py": 94,
    "embedded/test_crashes.py": 76, "embedded/test_fold.py": 11, "embedded/test_newest.py": 37,
    "embedded/test_queries.py": 10, "embedded/test_rebuild.py": 14,
    "golden/test_messages.py": 58,
    "hands/test_hand.py": 17,
    "law/test_cases.py": 106,
    "live/test_analyst.py": 29, "live/test_brokers_away.py": 106, "live/test_brokers_killed.py": 61,
    "live/test_clocks.py": 25, "live/test_console.py": 142, "live/test_doctor.py": 13, "live/test_end_to_end.py": 73,
    "live/test_fold.py": 178, "live/test_fold_outage.py": 34, "live/test_gateway.py": 62,
    "live/test_gateway_outage.py": 123, "live/test_health_page.py": 26, "live/test_kafka_rights.py": 51,
    "live/test_lag.py": 48, "live/test_migrate.py": 15, "live/test_poison.py": 19, "live/test_queries.py": 9,
    "live/test_rebuild.py": 11, "live/test_sink.py": 65, "live/test_stack.py": 35, "live/test_store_behind.py": 35,
    "live/test_topics.py": 11,
    "mutations/test_action.py": 23, "mutations/test_added_stakes.py": 14, "mutations/test_dealing.py": 19,
    "mutations/test_decks.py": 163, "mutations/test_equipment.py": 80, "mutations/test_five_cards.py": 116,
    "mutations/test_reader.py": 8, "mutations/test_stacks.py": 110, "mutations/test_wagers.py": 10,
    "pipeline/test_corruption.py": 25, "pipeline/test_dispatch.py": 67, "pipeline/test_hostile.py": 40,
    "pipeline/test_silent_devices.py": 15, "pipeline/test_simulated.py": 10, "pipeline/test_snapshots.py": 20,
    "pipeline/test_total.py": 9, "pipeline/test_unread_cards.py": 34,
    "producers/test_chain_topic.py": 9, "producers/test_crash.py": 14, "producers/test_feeds.py": 9,
    "rack/test_against_oracle.py": 18, "rack/test_dealt_rounds.py": 12, "rack/test_proof.py": 41,
    "runtime/test_fold_crashes.py": 24, "runtime/test_fold_records.py": 52, "runtime/test_fold_simulated.py": 13,
    "runtime/test_sink.py": 13,
    "schemas/test_drift.py": 12,
    "simulator/test_blackjack_rounds.py": 32, "simulator/test_life.py": 21, "simulator/test_preparation.py": 9,
    "simulator/test_scenarios.py": 40, "simulator/test_simulate_command.py": 25,
    "warehouse/test_chdb.py": 13, "warehouse/test_contract.py": 45,
}  # fmt: skip
WAITING = (
    "browser",
    "commands",
    "live",
)  # folders whose tests wait for processes and servers most of the time
BROWSERS = 3  # modules of the browser tests go together, for a Chromium is started for each turn at them
TOGETHER = ("architecture/",)  # folders whose modules share what one worker reads


def module_of(nodeid: str) -> str:
    """The module of a test, as a path below `tests`."""
    return nodeid.partition("::")[0].removeprefix("tests/")


@cache
def turn(module: str) -> str:
    """What one worker takes in one turn: a module, a folder, or some modules of those with a browser."""
    if module.startswith(TOGETHER):
        return module.partition("/")[0]
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
