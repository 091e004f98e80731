"""Every part of a property breaks in every way: nothing is lost or doubled, and what is away is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from deploy.stack.stack import Stack
from tests.live.faults import Fault, play
from tests.live.sites import Site, site_on
from tests.live.test_console import BREACHES, tables_of
from tests.live.test_three_brokers import dealt_in_turn

IN_EVERY_RUN = (
    Fault(("gateway", "fold", "analyst", "console"), "killed", "with records in hand"),
    Fault(("sink",), "killed", "behind rows unacknowledged"),
    Fault(("brokers", "store"), "frozen"),
)
IN_SOAK: dict[str, tuple[Fault, ...]] = {
    "gateway and console": (
        Fault(("gateway",), "killed"),
        Fault(("console",), "killed"),
    ),
    "fold": (
        Fault(("fold",), "killed", "with records in hand"),
        Fault(("fold",), "killed", "behind results alone"),
        Fault(("fold",), "frozen"),
    ),
    "analyst": (
        Fault(("analyst",), "killed", "with records in hand"),
        Fault(("analyst",), "frozen"),
    ),
    "sink": (
        Fault(("sink",), "killed", "with records in hand"),
        Fault(("sink",), "killed", "behind rows unacknowledged"),
        Fault(("sink",), "frozen"),
    ),
    "all": (
        Fault(("fold", "sink"), "killed", "with records in hand"),
        Fault(("gateway", "fold", "analyst", "sink", "console"), "killed"),
    ),
    "brokers": (
        Fault(("brokers",), "killed"),
        Fault(("brokers",), "frozen"),
        Fault(("brokers", "store"), "killed"),
        Fault(("brokers", "store"), "frozen"),
    ),
    "three brokers": (Fault(("brokers",), "killed in turn"),) * 4,
    "store": (
        Fault(("store",), "killed"),
        Fault(("store",), "frozen"),
        Fault(("store",), "cut off"),
        Fault(("store",), "unanswered"),
        Fault(("store",), "silent"),
        Fault(("store",), "slow"),
        Fault(("store",), "refusing"),
    ),
}


def words(site: Site, fault: Fault) -> None:
    """What else is said while servers are away."""
    if "brokers" not in fault.parts:
        return
    for one in site.workers.values():
        assert one.measure("catwalk_ready") == 0
        assert "catwalk_lag_records{" not in one.get("metrics")[1], "it is not known"
        assert one.measure("catwalk_lag_age_seconds") > 5
    assert f"Kafka at {site.stack.kafka_addresses}: nothing can be forwarded since " in site.said.read_text()


@pytest.mark.parametrize(
    "faults",
    [
        pytest.param(IN_EVERY_RUN, id="each part once"),
        *(
            pytest.param(faults, id=part, marks=[pytest.mark.soak, pytest.mark.timeout(900)])
            for part, faults in IN_SOAK.items()
        ),
    ],
)
def test_whatever_breaks_all_is_stored_counted_and_raised_once_and_who_waits_names_what_is_away(
    own_stack: Callable[..., Stack], tmp_path: Path, faults: Sequence[Fault]
) -> None:
    coming = [(subject, line) for subject, _, line in dealt_in_turn(tables_of(*BREACHES))]
    stack = own_stack(3 if faults[0].how == "killed in turn" else 1)
    with site_on(stack, tmp_path, coming) as site:
        play(site, faults, words)
