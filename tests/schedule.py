"""The order in which modules are handed to the workers: long ones first, those that wait among those that compute."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

# Seconds that a module took in a whole run of six workers on two cores, less the part of its tests that have gone to
# `make soak` since; one that is not named took fewer than eight. Only the order rests on them.
SECONDS = {
    "architecture/test_layers.py": 10,
    "backup/test_machine.py": 14,
    "browser/test_accounts.py": 18, "browser/test_acts.py": 10, "browser/test_alert_access.py": 8,
    "browser/test_alerts.py": 48, "browser/test_dead_devices.py": 24, "browser/test_demo.py": 37,
    "browser/test_desk_lines.py": 36, "browser/test_disputes.py": 22, "browser/test_everywhere.py": 46,
    "browser/test_faults.py": 55, "browser/test_floor.py": 10, "browser/test_group_acts.py": 25,
    "browser/test_hands.py": 53, "browser/test_keys.py": 37, "browser/test_lost_words.py": 16,
    "browser/test_new_alerts.py": 13, "browser/test_patterns.py": 23, "browser/test_revenue.py": 42,
    "browser/test_scripts.py": 11, "browser/test_status.py": 19, "browser/test_tables.py": 27,
    "browser/test_whole_tasks.py": 21,
    "checkpoints/test_attacks.py": 19, "checkpoints/test_evidence.py": 8, "checkpoints/test_house_at_work.py": 25,
    "checkpoints/test_writing.py": 8,
    "commands/test_demo.py": 108, "commands/test_demo_desk.py": 41,
    "commands/test_private_files.py": 21, "commands/test_replay.py": 45, "commands/test_report_restitution.py": 22,
    "commands/test_report_revenue.py": 56, "commands/test_verify.py": 14,
    "conservation/test_tampering.py": 21,
    "console/test_api.py": 17, "console/test_cases.py": 10, "console/test_console_command.py": 18,
    "console/test_desk_accepted.py": 20, "console/test_desk_log.py": 26, "console/test_hand_rights.py": 31,
    "console/test_hands.py": 25, "console/test_not_proven.py": 23, "console/test_oidc.py": 13,
    "console/test_people.py": 38, "console/test_people_evidence.py": 10, "console/test_reports.py": 25,
    "console/test_revenue.py": 53, "console/test_revenue_behind.py": 26, "console/test_revenue_days.py": 13,
    "console/test_revenue_luck.py": 33, "console/test_served.py": 15, "console/test_tables.py": 25,
    "console/test_told_hands.py": 13, "console/test_two_people.py": 10,
    "deploy/test_image.py": 103,
    "detectors/evidence/test_validity.py": 23, "detectors/test_collusion.py": 29, "detectors/test_counting.py": 12,
    "detectors/test_curve.py": 9, "detectors/test_cut_steering.py": 12, "detectors/test_families.py": 65,
    "detectors/test_masque_errors.py": 10, "detectors/test_past_posting.py": 11,
    "detectors/test_preferential_shuffle.py": 10, "detectors/test_shuffle_quality.py": 20,
    "detectors/test_side_wager.py": 15, "detectors/test_stages.py": 42, "detectors/test_suite.py": 26,
    "detectors/test_theoretical_win.py": 13, "detectors/test_validity.py": 11,
    "drawing/test_felt.py": 12, "drawing/test_replay.py": 31,
    "embedded/test_crashes.py": 33, "embedded/test_fold.py": 13, "embedded/test_newest.py": 15,
    "embedded/test_people.py": 28, "embedded/test_queries.py": 31, "embedded/test_rebuild.py": 14,
    "embedded/test_reconcile.py": 25,
    "golden/test_answers.py": 12, "golden/test_messages.py": 41,
    "hands/test_hand.py": 15, "hands/test_lost_words.py": 10,
    "law/test_cases.py": 58, "law/test_sixth_ruleset.py": 12,
    "live/test_analyst.py": 31, "live/test_backup.py": 81, "live/test_brokers_away.py": 87,
    "live/test_brokers_killed.py": 37, "live/test_clocks.py": 28, "live/test_console.py": 109,
    "live/test_doctor.py": 16, "live/test_end_to_end.py": 71, "live/test_fold.py": 130,
    "live/test_forged.py": 37, "live/test_gateway.py": 65,
    "live/test_gateway_outage.py": 48, "live/test_health_page.py": 27, "live/test_kafka_rights.py": 77,
    "live/test_lag.py": 29, "live/test_members.py": 11, "live/test_migrate.py": 20, "live/test_people.py": 58,
    "live/test_poison.py": 20, "live/test_rebuild.py": 12, "live/test_reconcile.py": 35,
    "live/test_servers.py": 13, "live/test_sink.py": 62, "live/test_stack.py": 24, "live/test_store_behind.py": 39,
    "live/test_topics.py": 25,
    "mutations/test_action.py": 31, "mutations/test_added_stakes.py": 18, "mutations/test_dealing.py": 11,
    "mutations/test_decks.py": 33, "mutations/test_equipment.py": 26, "mutations/test_five_cards.py": 23,
    "mutations/test_reader.py": 12, "mutations/test_settle_order.py": 8, "mutations/test_stacks.py": 17,
    "noise/test_dying.py": 9, "noise/test_nobody_is_accused.py": 20,
    "notify/test_notify.py": 9,
    "pipeline/test_corruption.py": 8, "pipeline/test_device_health.py": 12, "pipeline/test_dispatch.py": 8,
    "pipeline/test_grammar.py": 11, "pipeline/test_hostile.py": 8, "pipeline/test_lost_words.py": 25,
    "pipeline/test_memory.py": 11, "pipeline/test_quiet.py": 8, "pipeline/test_rehearing.py": 37,
    "pipeline/test_rehearing_stacks.py": 12, "pipeline/test_silent_devices.py": 11,
    "pipeline/test_snapshots.py": 13, "pipeline/test_unread_cards.py": 23,
    "play/test_published.py": 17,
    "producers/test_crash.py": 12, "producers/test_feeds.py": 10,
    "rack/test_dealt_rounds.py": 13, "rack/test_proof.py": 12,
    "runtime/test_fold_crashes.py": 23, "runtime/test_fold_records.py": 31, "runtime/test_fold_simulated.py": 14,
    "runtime/test_grown_evidence.py": 13, "runtime/test_reconcile.py": 14, "runtime/test_sink.py": 18,
    "schemas/test_drift.py": 10,
    "simulator/test_blackjack_rounds.py": 9, "simulator/test_life.py": 14, "simulator/test_noise.py": 9,
    "simulator/test_preparation.py": 14, "simulator/test_scenarios.py": 12, "simulator/test_simulate_command.py": 15,
    "warehouse/test_chdb.py": 12, "warehouse/test_contract.py": 27,
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
