"""The order in which modules are handed to the workers: long ones first, those that wait among those that compute."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# Seconds by the clock on two cores that do nothing else; a module that is not named takes one or two. Only the order
# rests on them.
SECONDS = {
    "browser/test_accounts.py": 42, "browser/test_acts.py": 5, "browser/test_alert_access.py": 20,
    "browser/test_alerts.py": 66, "browser/test_altered.py": 6, "browser/test_demo.py": 23,
    "browser/test_disputes.py": 15, "browser/test_everywhere.py": 225, "browser/test_faults.py": 59,
    "browser/test_group_acts.py": 31, "browser/test_hands.py": 55, "browser/test_keys.py": 37,
    "browser/test_log.py": 6, "browser/test_revenue.py": 27, "browser/test_scripts.py": 10,
    "browser/test_status.py": 12, "browser/test_tables.py": 20, "browser/test_withheld.py": 4,
    "commands/test_demo.py": 100, "commands/test_demo_desk.py": 40, "commands/test_private_files.py": 16,
    "commands/test_replay.py": 16,
    "conservation/test_every_event.py": 6, "conservation/test_tampering.py": 22,
    "console/test_alert_pages.py": 3, "console/test_desk_accepted.py": 8, "console/test_hand_rights.py": 5,
    "console/test_hands.py": 5, "console/test_oidc.py": 5, "console/test_revenue.py": 9,
    "console/test_revenue_behind.py": 5, "console/test_served.py": 10,
    "drawing/test_felt.py": 3, "drawing/test_replay.py": 20,
    "embedded/test_crashes.py": 20, "embedded/test_newest.py": 8, "embedded/test_rebuild.py": 10,
    "live/test_analyst.py": 26, "live/test_brokers_away.py": 111, "live/test_brokers_killed.py": 80,
    "live/test_clocks.py": 32, "live/test_console.py": 90, "live/test_doctor.py": 16,
    "live/test_end_to_end.py": 70, "live/test_fold.py": 120, "live/test_fold_outage.py": 30,
    "live/test_gateway.py": 50, "live/test_gateway_outage.py": 110, "live/test_health_page.py": 22,
    "live/test_kafka_rights.py": 40, "live/test_lag.py": 40, "live/test_migrate.py": 14,
    "live/test_poison.py": 18, "live/test_rebuild.py": 12, "live/test_sink.py": 60, "live/test_stack.py": 28,
    "live/test_store_behind.py": 34, "live/test_topics.py": 10,
    "mutations/test_action.py": 6, "mutations/test_decks.py": 28, "mutations/test_equipment.py": 14,
    "mutations/test_five_cards.py": 35, "mutations/test_stacks.py": 30, "mutations/test_wagers.py": 5,
    "pipeline/test_corruption.py": 12, "pipeline/test_dispatch.py": 20, "pipeline/test_hostile.py": 8,
    "pipeline/test_silent_devices.py": 10, "pipeline/test_snapshots.py": 10, "pipeline/test_unread_cards.py": 14,
    "law/test_cases.py": 25, "rack/test_against_oracle.py": 7, "rack/test_proof.py": 14,
    "runtime/test_fold_crashes.py": 10, "runtime/test_fold_records.py": 18, "schemas/test_drift.py": 4,
    "noise/test_measure.py": 6, "simulator/test_blackjack_rounds.py": 14, "simulator/test_life.py": 10,
    "simulator/test_noise.py": 15, "simulator/test_scenarios.py": 18,
    "simulator/test_simulate_command.py": 9, "warehouse/test_contract.py": 20,
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
    seconds = {name: sum(SECONDS.get(module, 1) for module in modules) for name, modules in turns.items()}
    begun: list[tuple[float, str]] = []
    for waits in (True, False):
        names = [name for name in turns if name.startswith(WAITING) is waits]
        whole, gone = sum(seconds[name] for name in names), 0
        for name in sorted(names, key=lambda name: -seconds[name]):
            begun.append((gone / whole, name))
            gone += seconds[name]
    order = [name for _, name in sorted(begun, key=lambda one: one[0])]
    items[:] = [item for name in order for module in turns[name].values() for item in module]
