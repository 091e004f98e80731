"""Play the suite of patterns and look-alikes, and write down when each was found; in as many sittings as it takes.

    python -m benchmarks.patterns OUT.ndjson --seeds 12 --jobs 2 [--only NAME]...

NAME is a pattern, a scenario or a family. OUT gets one line for each scenario and seed. `catwalk bench patterns` has
the same options and prints the figures; `python -m benchmarks.patterns.page --played OUT.ndjson --write PAGE.md` makes
tables and pictures of what was played.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.patterns.finding import chosen
from benchmarks.patterns.power import play


def main() -> None:
    """Read the arguments and play."""
    arguments = argparse.ArgumentParser(
        prog="python -m benchmarks.patterns", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    arguments.add_argument("out", type=Path, help="file of played scenarios, appended to")
    arguments.add_argument("--seeds", type=int, default=12, help="seeds of each scenario (default 12)")
    arguments.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    arguments.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    arguments.add_argument(
        "--only", action="append", default=[], help="only this pattern, scenario or family"
    )
    given = arguments.parse_args()
    seeds = range(given.first, given.first + given.seeds)
    made = play(given.out, [title for title, *_ in chosen(given.only)], seeds, given.jobs)
    print(f"{given.out}: {made} played")  # noqa: T201 - what was asked for


if __name__ == "__main__":
    main()
