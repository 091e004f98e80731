"""Count alarms at lawful table-shifts, in as many sittings as it takes.

    python -m benchmarks.honest OUT.ndjson --streams 500 --jobs 2     deals and watches 500 shifts more
    python -m benchmarks.honest.summary OUT.ndjson [MORE.ndjson]...   what was counted

OUT gets one line for each shift as soon as it is done. A sitting that ends early, by Ctrl-C or a kill, loses the
shifts under way alone; the next one deals the first seeds that are missing, from `--first` on. Sittings on several
machines are merged when each has its own `--first`.
"""

from __future__ import annotations

import argparse
from itertools import count, islice
from pathlib import Path

from benchmarks.honest import versions
from benchmarks.honest.shifts import shift
from benchmarks.honest.sittings import appended, work
from benchmarks.honest.summary import shifts


def sitting(out: Path, streams: int, jobs: int, first: int) -> int:
    """Deal and watch so many shifts more, and append them to the file; how many it has then."""
    detectors, tables = versions.detectors(), versions.tables()
    with appended(out) as file:
        done = {(one.seed, one.detectors, one.tables) for one in shifts([out])}
        missing = (n for n in count(first) if (n, detectors, tables) not in done)
        wanted = ((seed, detectors, tables) for seed in islice(missing, streams))
        return len(done) + work(file, wanted, shift, jobs)


def main() -> None:
    """Read the arguments and sit."""
    arguments = argparse.ArgumentParser(
        prog="python -m benchmarks.honest", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    arguments.add_argument("out", type=Path, help="file of counted shifts, appended to")
    arguments.add_argument("--streams", type=int, default=100, help="shifts to deal (default 100)")
    arguments.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    arguments.add_argument("--first", type=int, default=0, help="the first seed (default 0)")
    given = arguments.parse_args()
    total = sitting(given.out, given.streams, given.jobs, given.first)
    print(f"{given.out}: {total} table-shifts")  # noqa: T201 - what was asked for


if __name__ == "__main__":
    main()
