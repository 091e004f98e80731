"""The measure of bad sensors: lawful and breached table-shifts through each kind of noise at each rate.

    python -m tests.noise.measure [--rates 0.1,1,5] [--tables N] [--rounds N] [--kind NAME] [--breach-free]
    python -m tests.noise.measure --away 3,10,30 [--holes N] [--tables N] [--rounds N]
    ... --show CHECK

An accusation is a breach of people's duties found at a lawful table, but for what the silence of one device leaves
standing (A69): `tests.noise.judged` says which. A round is decided unless it is indeterminate.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import TextIO

from producers.simulator.noise.kinds import KINDS
from producers.simulator.noise.lost import SINGLE, WITNESSES
from producers.simulator.noise.words import Entry
from tests.noise import tables
from tests.noise.judged import Figures, Judged, Share
from tests.noise.neighbourhood import neighbourhood

RATED = tuple(name for name in KINDS if not name.startswith("silent"))
OFTEN = {"clock": (50.0,)}  # percent of the time: at less, most of these short tables would meet none of it
TABLES = 30
HOLES = 6  # moments of each table at which the recorder is away
Example = tuple[str, Judged]


class Measure:
    """Figures of all that was asked for, and an example of each false accusation."""

    def __init__(self, lawful: Sequence[tables.Dealt], breached: Sequence[tables.Dealt]) -> None:
        self.lawful = lawful
        found = [(dealt, Judged(dealt, tables.clean(dealt)).breach()) for dealt in breached]
        self.breached = [(dealt, number) for dealt, number in found if number is not None]
        self.unseen = [dealt.name for dealt, number in found if number is None]
        self.examples: dict[str, Example] = {}

    def rated(self, kind: str, percent: float) -> Figures:
        """One kind of noise at one rate, in percent."""
        figures = Figures(kind, f"{percent:g} %")
        for dealt in self.lawful:
            self._take(figures, dealt, tables.noisy(dealt, kind, percent / 100))
        for dealt, number in self.breached:
            figures.take_breached(Judged(dealt, tables.noisy(dealt, kind, percent / 100)), number)
        return figures

    def silent(self, witness: str) -> Figures:
        """One witness dead for some rounds of every table."""
        figures = Figures(f"silent_{witness}", f"{tables.SILENT_TO - tables.SILENT_FROM} rounds")
        for dealt in self.lawful:
            self._take(figures, dealt, tables.with_silence(dealt, witness))
        return figures

    def one_word(self, kind: str) -> Share:
        """Breaches still found without one word of a kind in their round."""
        share = Share()
        for dealt, number in self.breached:
            entries = tables.without_one(dealt, kind, number)
            if entries is not None:
                share.add(Judged(dealt, entries).finds(number))
        return share

    def away(self, seconds: float, holes: int = HOLES) -> Figures:
        """The recorder away once for so long, at so many moments of every table; a hole is a table here."""
        figures = Figures("recorder away", f"{seconds:g} s")
        for dealt in self.lawful:
            for number in range(holes):
                entries = tables.with_hole(dealt, seconds, number)
                if entries is not None:
                    self._take(figures, dealt, entries)
        return figures

    def _take(self, figures: Figures, dealt: tables.Dealt, entries: Iterator[Entry]) -> None:
        judged = Judged(dealt, entries)
        figures.take(judged)
        for finding in judged.accusations():
            self.examples.setdefault(finding.check, (f"{figures.kind} at {figures.rate}", judged))


def rows(figures: Iterable[Figures]) -> Iterator[str]:
    """A table of figures, a line each."""
    head = ("kind", "rate", "words met", "rounds", "accusations", "decided", "device/table", "witness/table")
    yield _row((*head, "breaches, round clean", "breaches, word lost"))
    for one in figures:
        by_table = [one.records[f"integrity.{name}"] / one.tables for name in ("device", "witness")]
        decided = f"{one.decided.right / max(1, one.decided.whole):.1%}"
        counts = [f"{count:,}" for count in (one.words, one.decided.whole, one.accused.total())]
        shares = [decided, *(f"{count:.2f}" for count in by_table), str(one.untouched), str(one.one_lost)]
        yield _row((one.kind, one.rate, *counts, *shares))


def _row(cells: Sequence[str]) -> str:
    widths = (17, 8, 9, 7, 11, 8, 12, 13, 21, 21)
    sides = "<<>>>>>>>>"
    return " ".join(f"{cell:{side}{width}}" for cell, side, width in zip(cells, sides, widths, strict=True))


def frequent(figures: Iterable[Figures], most: int = 25) -> Iterator[str]:
    """The most frequent false accusations: check, kind of noise with its rate, count."""
    counts = [
        (count, check, f"{one.kind} {one.rate}") for one in figures for check, count in one.accused.items()
    ]
    for count, check, where in sorted(counts, key=lambda each: (-each[0], each[1:]))[:most]:
        yield f"{check:32} {where:26} {count:>5}"


def by_ruleset(figures: Iterable[Figures]) -> Iterator[str]:
    """The rounds decided of each ruleset: a line for each kind of noise that leaves some undecided."""
    for one in figures:
        if one.decided.right < one.decided.whole:
            shares = (f"{name} {share}" for name, share in sorted(one.by_ruleset.items()))
            yield f"{one.kind} {one.rate}: {', '.join(shares)}"


def main(arguments: Sequence[str] | None = None, out: TextIO = sys.stdout) -> int:
    """Measure what was asked for, and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rates", default="0.1,1,5", help="percent, separated by commas")
    parser.add_argument("--tables", type=int, default=TABLES, help="lawful tables a kind and rate")
    parser.add_argument("--rounds", type=int, default=tables.ROUNDS, help="rounds of a lawful table")
    parser.add_argument(
        "--kind",
        action="append",
        choices=[*KINDS, tables.MIXED, *tables.PAIRS],
        help="this kind alone; may be repeated",
    )
    parser.add_argument("--breach-free", "--branch-free", action="store_true", help="no breached tables")
    parser.add_argument(
        "--away", help="seconds for which the recorder is away, separated by commas; no other kind"
    )
    parser.add_argument("--holes", type=int, default=HOLES, help="moments of a table at which it is away")
    parser.add_argument("--show", metavar="CHECK", help="the neighbourhood of one of its false accusations")
    options = parser.parse_args(arguments)
    rates = tuple(float(rate) for rate in options.rates.split(","))
    kinds = options.kind or [*RATED, tables.MIXED, *(f"silent_{witness}" for witness in WITNESSES)]
    holes = [float(seconds) for seconds in (options.away or "").split(",") if seconds]
    lawful_only = options.breach_free or options.show is not None or bool(holes)
    breached = [] if lawful_only else tables.breached()
    measure = Measure(tables.lawful(options.tables, options.rounds), breached)
    figures = [measure.away(seconds, options.holes) for seconds in holes]
    for kind in [] if holes else kinds:
        if kind.startswith("silent_"):
            figures.append(measure.silent(kind.removeprefix("silent_")))
        else:
            figures += [measure.rated(kind, rate) for rate in OFTEN.get(kind, rates)]
    said = [*rows(figures), "", "most frequent false accusations", *frequent(figures)]
    said += ["", "rounds decided by ruleset, where not all are", *by_ruleset(figures)]
    if holes:
        said += ["", "holes after which somebody is accused"]
        said += [f"{one.rate:32} {one.accusing} of {one.tables}" for one in figures]
    if measure.breached:
        said += ["", f"breaches found without one word of their round ({len(measure.breached)} tables)"]
        said += [f"{kind:32} {measure.one_word(kind)}" for kind in SINGLE]
        said.append(f"found in no round even without noise: {', '.join(measure.unseen) or 'none'}")
    if options.show is not None:
        said += neighbourhood(options.show, measure.examples.get(options.show))
    out.write("\n".join(said) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
