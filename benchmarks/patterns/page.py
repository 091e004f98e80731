"""A page of how soon patterns are found and how often chance alarms, from what was played and counted.

    python -m benchmarks.patterns.page [--played PLAYED.ndjson] [--honest COUNTED.ndjson] --write PAGE.md

Only what was done with the latest version of the detectors in each file is shown, with the number of seeds and shifts.
What was played goes between the marks `<!-- measured: begin -->` and `<!-- measured: end -->` of the page, the counts
at lawful shifts between those with the word `counted`. A part whose file is not given stays as it is. Pictures go to
a folder of the page's name beside it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from math import inf
from pathlib import Path

from benchmarks.honest.shifts import Shift
from benchmarks.honest.summary import as_text, shifts, summaries
from benchmarks.patterns.drawing import draw_false_alarms, draw_power
from benchmarks.patterns.power import Played, Power, played, powers
from processors.detectors.family import FAMILIES


def latest(rows: Sequence[Played]) -> list[Played]:
    """Those of the version of detectors and tables that was played last."""
    version = (rows[-1].detectors, rows[-1].tables) if rows else ("", "")
    return [row for row in rows if (row.detectors, row.tables) == version]


def table(rows: Sequence[Power]) -> list[str]:
    """How soon each pattern of a family was found, in Markdown."""
    lines = [
        "| scenario | size | stated | median | 95 % | in time | found |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        times = [f"{one:g}" if one < inf else "not found" for one in (row.median, row.late)]
        lines.append(
            f"| {row.scenario} | {row.size:g} ({row.unit}) | {row.counts} {row.by:g} | {times[0]} | {times[1]} | "
            f"{row.in_time} of {row.seeds} | {row.found} |"
        )
    return lines


def write_powers(rows: Sequence[Power], folder: Path) -> str:
    """How soon patterns are found, and what was said at look-alikes; the pictures are written to the folder."""
    patterns = [row for row in rows if not row.null]
    seeds = sorted({row.seeds for row in rows})
    number = f"{seeds[0]}" if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    parts = [
        f"{len(patterns)} scenarios of patterns and {len(rows) - len(patterns)} look-alikes, {number} seeds each."
    ]
    for name in FAMILIES:
        family = [row for row in patterns if row.family == name]
        if not family:
            continue
        parts += ["", f"### {name}", "", *table(family), ""]
        for counts in sorted({row.counts for row in family}):
            some = [row for row in family if row.counts == counts]
            picture = folder / f"{name}-{counts}.svg"
            unit = "rounds" if counts == "round" else "offences"
            curves = [(row.scenario, row.times, row.by) for row in some]
            picture.write_text(draw_power(f"{name}: found after so many {unit}", curves, unit) + "\n")
            parts.append(
                f"![{name}: the share of seeds found after so many {unit}]({folder.name}/{picture.name})"
            )
    nulls = [row for row in rows if row.null]
    parts += [
        "",
        "### Look-alikes",
        "",
        "| scenario | family | seeds | with a false alarm |",
        "|---|---|---|---|",
    ]
    parts += [f"| {row.scenario} | {row.family} | {row.seeds} | {row.false} |" for row in nulls]
    return "\n".join(parts)


def write_counts(counted: Sequence[Shift], folder: Path) -> str:
    """How often chance alarms at lawful shifts; the picture is written to the folder."""
    peaks = [(name, [one.peaks[name] for one in counted if name in one.peaks]) for name in FAMILIES]
    highest = sorted((one for one in peaks if one[1]), key=lambda one: -max(one[1]))[:8]
    curves = draw_false_alarms("Evidence at lawful shifts", highest, len(counted))
    (folder / "false-alarms.svg").write_text(f"{curves}\n")
    return "\n".join([
        as_text(summaries(counted)[0]),
        "",
        f"![The share of lawful shifts with so much evidence]({folder.name}/false-alarms.svg)",
        "",
        "The picture has the eight families with the most evidence. Grey is the promise about one dealer, patron, "
        "pair, table, shoe or device: evidence of 100 for at most 1 in 100 of them. A shift has several of each, "
        "and the highest evidence about any of them counts.",
    ])  # fmt: skip


def put(page: Path, mark: str, text: str) -> None:
    """Write the text between the marks of that word.

    Raises:
        SystemExit: the page has no such marks.
    """
    begin, end = f"<!-- {mark}: begin -->\n", f"\n<!-- {mark}: end -->"
    before, begun, rest = page.read_text().partition(begin)
    _, ended, after = rest.rpartition(end)
    if not (begun and ended):
        raise SystemExit(
            f"{page}: found no {begin.strip()} with {end.strip()} after it; write both into the page"
        )
    page.write_text(f"{before}{begin}{text}{end}{after}")


def main() -> None:
    """Read the files and write the page."""
    arguments = argparse.ArgumentParser(
        prog="python -m benchmarks.patterns.page", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    arguments.add_argument("--played", type=Path, help="what `python -m benchmarks.patterns` wrote")
    arguments.add_argument("--honest", type=Path, help="what `python -m benchmarks.honest` wrote")
    arguments.add_argument("--write", type=Path, required=True, help="the page, between whose marks it goes")
    given = arguments.parse_args()
    folder = given.write.parent / given.write.stem
    folder.mkdir(parents=True, exist_ok=True)
    if given.played is not None:
        rows = powers(row.found for row in latest(list(played([given.played]))))
        put(given.write, "measured", write_powers(rows, folder))
    if given.honest is not None:
        counted = list(shifts([given.honest]))
        counted = [one for one in counted if one.detectors == counted[-1].detectors]
        put(given.write, "counted", write_counts(counted, folder))


if __name__ == "__main__":
    main()
