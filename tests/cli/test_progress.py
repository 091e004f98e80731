"""Progress is for people: nothing where nobody sits, rate and time left where somebody does."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.progress import progress, rate_text

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import time
from deploy.progress import progress
with progress("replaying", 400, "events") as advance:
    for _ in range(4):
        advance(100)
        time.sleep(0.15)
print("done")
"""


def test_nothing_is_shown_where_nobody_sits(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("replaying", 10, "events") as advance:
        advance(10)
    assert capsys.readouterr() == ("", "")


def test_a_terminal_shows_what_is_done_its_rate_and_the_time_left() -> None:
    above, below = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, stdout=subprocess.PIPE, stderr=below, env=environment
    )
    os.close(below)
    shown = os.read(above, 1 << 16).decode()
    os.close(above)
    assert done.stdout == b"done\n"
    assert "replaying" in shown
    assert "events/s" in shown
    assert "0:00:0" in shown


@pytest.mark.parametrize(
    ("rate", "unit", "text"),
    [(None, "rounds", "- rounds/s"), (12345.6, "events", "12,346 events/s"), (2.5e6, "bytes", "2.5 MB/s")],
)
def test_a_rate_has_its_unit(rate: float | None, unit: str, text: str) -> None:
    assert rate_text(rate, unit) == text
