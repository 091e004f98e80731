"""`catwalk reconcile` goes on where it proved the store last, on real servers."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

from deploy.audit.proven import FILE
from deploy.audit.reconciliation import Held, reconcile_distributed
from deploy.settings import load
from tests.commands.run import Catwalk, catwalk
from tests.live.folding import in_turn, produce
from tests.live.test_end_to_end import published
from tests.live.test_reconcile import AT_ONCE, Environment
from tests.live.test_sink import execute
from tests.live.test_store_behind import environment
from tests.live.working import all_caught_up, prepared, workers

__all__ = ["catwalk", "environment"]


def test_what_was_proven_is_not_read_again_and_an_older_row_that_was_altered_is_named(
    environment: Environment, catwalk: Catwalk, tmp_path: Path
) -> None:
    prepared(environment)
    sent = list(in_turn(published()))
    half = len(sent) // 2
    kept = Path(environment["CATWALK_DATA"]) / FILE
    with workers(environment, tmp_path, "fold", "analyst", "sink"):
        produce(environment, sent[:half])
        all_caught_up(environment, kinds=("fold", "analyst", "sink"))
        whole, events = compared()
        assert (whole.found.identical, whole.since, events > 0, whole.unkept) == (True, None, True, "")
        assert kept.stat().st_mode & 0o077 == 0
        again, read = compared()
        assert (again.found, read) == (whole.found, 0)
        assert again.since is not None
        produce(environment, sent[half:])
        all_caught_up(environment, kinds=("fold", "analyst", "sink"))
        later, read = compared()
        assert (later.found.identical, later.since is not None, 0 < read < len(sent)) == (True, True, True)
        assert later.found.rows["events"] > whole.found.rows["events"]
    assert "what was proven by" in catwalk("reconcile").out
    assert catwalk("reconcile", "--whole", "--format", "json").json["proven"] is None
    [(subject,)] = execute(environment, "SELECT subject FROM `@`.rounds FINAL ORDER BY ALL LIMIT 1")
    execute(
        environment,
        f"ALTER TABLE `@`.events UPDATE id = 'x' WHERE subject = '{subject}' AND sequence = 5 {AT_ONCE}",
    )
    compared()
    assert not kept.exists(), "nothing is proven while a row is not what the ledger gives"
    shown = catwalk("reconcile", "--format", "json")
    assert [one["text"] for one in shown.json["differences"]] == [
        f"events of table {subject}, event 5: 1 row different"
    ]
    assert (shown.status, shown.json["proven"]) == (1, None)
    assert catwalk("reconcile", "--repair").status == 0


def compared() -> tuple[Held, int]:
    """A comparison that proves all that is there; and how many events it read."""
    events: list[int] = []
    held = reconcile_distributed(
        load({}).values, repair=False, seconds=60, advance=events.append, settled=dt.timedelta()
    )
    return held, sum(events)
