"""One scenario of one seed, played and watched: when it was found, and what else was said."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from msgspec import Struct

from processors.detectors.stages.entity_stage import EntityStage
from processors.pipeline import Outcome, TablePipeline
from producers.simulator.patterns.catalogue import CATALOGUE, title, truth
from producers.simulator.patterns.playing import Pattern, Stated, scenes
from schemas.findings import Finding


class Found(Struct, frozen=True, kw_only=True):
    """What came of one scenario.

    round, hands: of the alarm that names the right one, the round at which it rose and the offences up to it; None if
    there was none in the stream. in_time: by what is stated. false: suspicions at a look-alike, of families that may
    not speak; strays: of a pattern's family about somebody else. others: suspicions of other families, by check.
    """

    scenario: str
    pattern: str
    family: str
    size: float
    seed: int
    rounds: int
    round: int | None
    hands: int | None
    in_time: bool
    false: list[str]
    strays: list[str]
    others: list[str]
    seconds: float


def suspicions(lines: Iterator[bytes], subject: str, people: EntityStage) -> Iterator[Finding]:
    """What the detectors suspect in a stream, as it comes."""
    pipeline = TablePipeline(subject, proofs=False)

    def of(outcome: Outcome) -> Iterator[Finding]:
        yield from (one for one in outcome.findings if one.check.startswith("pattern."))
        for one in outcome.observations:
            yield from people.weigh(one)

    for line in lines:
        yield from of(pipeline.advance(line))
    yield from of(pipeline.finish())


def named(finding: Finding) -> str:
    """The suspicion in short: its check and whom it names."""
    about = finding.about if isinstance(finding.about, dict) else {}
    return " ".join([finding.check.removeprefix("pattern."), *map(str, about.values())])


def find(pattern: Pattern, stated: Stated, seed: int) -> Found:
    """Play a scenario and watch it."""
    begun = time.process_time()
    people, played = EntityStage(), list(scenes(pattern, stated.size, seed))
    found = [one for scene in played for one in suspicions(scene.lines, scene.subject, people)]
    entry = truth(pattern, stated, played)
    about = entry["about"]
    hit = next((one for one in found if not pattern.null and _names(pattern, about, one)), None)
    round_ = None if hit is None else hit.round or 0
    hands = None
    if round_ is not None:
        hands = sum(number <= round_ for _, number, _ in entry["offences"])
    place = {"round": round_, "hands": hands}
    in_time = hit is not None and all((place[kind] or 0) <= latest for kind, latest in stated.by.items())
    family = [one for one in found if one.check.split(".")[1] == pattern.family]
    strays = [named(one) for one in family if not pattern.null and _somebody_else(about, one)]
    false = [named(one) for one in found if pattern.null and one.check.split(".")[1] not in pattern.allowed]
    return Found(
        scenario=title(pattern, stated),
        pattern=pattern.name,
        family=pattern.family,
        size=stated.size,
        seed=seed,
        rounds=sum(entry["tables"].values()),
        round=round_,
        hands=hands,
        in_time=in_time or pattern.null,
        false=false,
        strays=strays,
        others=sorted({named(one) for one in found if one not in family and not pattern.null}),
        seconds=round(time.process_time() - begun, 2),
    )


def _names(pattern: Pattern, about: dict[str, str | int], finding: Finding) -> bool:
    said = finding.about if isinstance(finding.about, dict) else {}
    right = all(str(said.get(kind)) == str(whom) for kind, whom in about.items())
    return finding.verdict == "suspected" and finding.check.split(".")[1] == pattern.family and right


def _somebody_else(about: dict[str, str | int], finding: Finding) -> bool:
    said = finding.about if isinstance(finding.about, dict) else {}
    return any(
        kind in said and str(said[kind]) != str(whom) for kind, whom in about.items() if kind != "shoe"
    )


def chosen(only: Sequence[str]) -> list[tuple[str, Pattern, Stated]]:
    """The suite: every pattern and look-alike at every stated size; `only`: those of these names or families."""
    every = [(title(one, stated), one, stated) for one in CATALOGUE.values() for stated in one.stated]
    return [row for row in every if not only or {row[0], row[1].name, row[1].family} & set(only)]


def scenario(name: str) -> tuple[Pattern, Stated]:
    """The scenario of that name.

    Raises:
        KeyError: there is none.
    """
    for known, pattern, stated in chosen([]):
        if known == name:
            return pattern, stated
    raise KeyError(name)
