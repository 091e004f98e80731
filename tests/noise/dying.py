"""The measure of dead devices: each dies at every one of its words in a round, and comes back within a later one.

    python -m tests.noise.dying [--tables N] [--witness NAME] [--every N] [--show N]

A stretch is calm if it brings at most three findings, and no accusation and at most one alert but those of A69.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TextIO

from deploy.console.alerting import asks_for_alert
from producers.simulator.noise.lost import WITNESSES, is_of
from producers.simulator.noise.words import Word, recorded, words
from tests.noise import tables
from tests.noise.judged import Judged, Share
from tests.noise.tables import Dealt

TABLES = 5  # one of each ruleset
ROUNDS = 12
DIES_IN = (1, 4, ROUNDS)  # the first round, one with whole rounds on both sides, and the last
FOR_ROUNDS = (1, 3, 5)
FINDINGS, ALERTS = 3, 1  # of a stretch, at most


class Death(NamedTuple):
    """A device of a table that says nothing from one of its words up to another one, by their places in the stream."""

    dealt: Dealt
    witness: str
    dies: int
    speaks: int

    def said(self) -> list[Word]:
        """The words of the table in its order, those of the dead device lost."""
        return [
            word.met(f"silent_{self.witness}", lost=True)
            if self.dies <= at < self.speaks and is_of(word, self.witness)
            else word
            for at, word in enumerate(words(iter(self.dealt.lines)))
        ]

    def judged(self) -> Judged:
        """What the pipeline says of it."""
        return Judged(self.dealt, recorded(iter(self.said())))


@dataclass(slots=True)
class Told:
    """What was told of all deaths of one witness."""

    witness: str
    findings: Counter[int] = field(default_factory=Counter)  # stretches, by how many findings they bring
    alerts: Counter[int] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)  # of stretches with too many findings or alerts
    accused: Counter[str] = field(default_factory=Counter)  # by check
    decided: Share = field(default_factory=Share)  # rounds
    excessive: list[Death] = field(default_factory=list)

    def take(self, death: Death) -> None:
        """Judge one death, and count what it brings."""
        judged = death.judged()
        self.findings[len(judged.findings)] += 1
        standing = judged.left_standing()
        alerts = sum(asks_for_alert(one) and one not in standing for one in judged.findings)
        self.alerts[alerts] += 1
        accusations = judged.accusations()
        self.accused.update(one.check for one in accusations)
        for status in judged.statuses:
            self.decided.add(status != "indeterminate")
        if accusations or alerts > ALERTS or len(judged.findings) > FINDINGS:
            self.excessive.append(death)
            self.checks.update(f"{one.check} {one.verdict}" for one in judged.findings)


def deaths(dealt: Dealt, witness: str) -> Iterator[Death]:
    """A death at each word of the device in some rounds, up to a word of any device some rounds on, at random."""
    said = list(words(iter(dealt.lines)))
    chance = Random(f"{dealt.name} {witness}")
    for dies, word in enumerate(said):
        if word.round is None or not is_of(word, witness):
            continue
        if word.round not in DIES_IN and witness != "reader":  # which says a word in a round, or none
            continue
        for length in FOR_ROUNDS:
            places = [at for at, one in enumerate(said) if one.round == word.round + length]
            yield Death(dealt, witness, dies, chance.choice(places) if places else len(said))
            if not places:
                break  # longer is the same


def measured(
    lawful: Sequence[Dealt], witnesses: Iterable[str] = tuple(WITNESSES), every: int = 1
) -> list[Told]:
    """What is told of the deaths of each witness; of one in `every`."""
    found = []
    for witness in witnesses:
        told = Told(witness)
        for death in [one for dealt in lawful for one in deaths(dealt, witness)][::every]:
            told.take(death)
        found.append(told)
    return found


def rows(measure: Iterable[Told]) -> Iterator[str]:
    """A table of figures, a line each."""
    yield f"{'dead':12}{'stretches':>10}{'findings':>40}{'alerts':>24}{'accused':>9}{'decided':>9}"
    for one in measure:
        share = one.decided.right / max(1, one.decided.whole)
        counts = (_spread(one.findings), _spread(one.alerts))
        accused = one.accused.total()
        yield (
            f"{one.witness:12}{one.findings.total():>10}{counts[0]:>40}{counts[1]:>24}{accused:>9}{share:>9.1%}"
        )


def _spread(counts: Counter[int]) -> str:
    return " ".join(f"{number}:{count}" for number, count in sorted(counts.items()))


def neighbourhood(death: Death) -> Iterator[str]:
    """What a death brings, and the events around the loss."""
    judged, said = death.judged(), death.said()
    lost = [at for at, word in enumerate(said) if word.lost]
    yield (
        f"\n{death.dealt.name} ({death.dealt.ruleset}): {death.witness} dead from word {death.dies} to {death.speaks}, "
        f"rounds {said[lost[0]].round} to {said[lost[-1]].round}, {len(lost)} words lost"
    )
    for one in judged.findings:
        alert = "ALERT " if asks_for_alert(one) else ""
        yield f"  {alert}{one.check} {one.verdict}, round {one.round}, event {one.sequence}: {one.message}"
        yield f"      missing {one.missing!r}, because of {one.because_of!r}"


def main(arguments: Sequence[str] | None = None, out: TextIO = sys.stdout) -> int:
    """Measure what was asked for, and print it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=TABLES, help="lawful tables, the rulesets in turn")
    parser.add_argument(
        "--witness", action="append", choices=list(WITNESSES), help="this alone; may be repeated"
    )
    parser.add_argument("--every", type=int, default=1, help="of so many deaths only one")
    parser.add_argument("--show", type=int, default=0, help="so many of each witness that bring too much")
    options = parser.parse_args(arguments)
    measure = measured(
        tables.lawful(options.tables, ROUNDS), options.witness or tuple(WITNESSES), options.every
    )
    said = list(rows(measure))
    for one in measure:
        if one.excessive:
            said += ["", f"{one.witness}: {len(one.excessive)} bring too much"]
            said += [f"  {check:48} {count:>5}" for check, count in one.checks.most_common()]
            shown = one.excessive[:: max(1, len(one.excessive) // max(1, options.show))][: options.show]
            said += [line for death in shown for line in neighbourhood(death)]
    out.write("\n".join(said) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
