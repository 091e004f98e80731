"""The events around a false accusation, with what became of each."""

from __future__ import annotations

import json
from collections.abc import Iterator

from producers.simulator.noise.words import Entry
from tests.noise.judged import Judged

BEFORE, AFTER = 22, 8


def neighbourhood(check: str, example: tuple[str, Judged] | None) -> Iterator[str]:
    """Thirty events around the first false accusation by a check; further up, the last word that noise met."""
    if example is None:
        yield f"{check} accuses nobody here"
        return
    where, judged = example
    finding = next(each for each in judged.accusations() if each.check == check)
    yield f"\n{check} at {judged.dealt.name}, round {finding.round}, {where}: {finding.message}"
    decided = next(
        at for at, entry in enumerate(judged.entries) if entry.line and entry.sequence >= finding.sequence
    )
    begin = max(0, decided - BEFORE)
    shown = judged.entries[begin : decided + AFTER]
    if not any(entry.word.noise for entry in shown[: decided - begin + 1]):
        earlier = [entry for entry in judged.entries[:begin] if entry.word.noise]
        yield from (_line(entry, "") for entry in earlier[-1:])
        yield "..."
    for at, entry in enumerate(shown, begin):
        yield _line(entry, ">>" if at == decided else "")


def _line(entry: Entry, mark: str) -> str:
    word = entry.word
    fate = "LOST" if word.lost else ",".join(word.noise) or mark
    place = "" if word.lost else str(entry.sequence)
    time = word.event["time"][11:23]
    return f"{fate:10} {place:>6} {time} {word.device:8} {word.kind:24} {json.dumps(word.event['data'])}"
