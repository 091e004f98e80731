"""`--noise` of `catwalk simulate`: which sensors are bad and how often, and the truth written beside the stream."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import IO

import msgspec

from deploy.errors import UserError
from producers.simulator.noise.words import Entry


def rates_of(given: Sequence[str]) -> dict[str, float]:
    """The rates of `KIND=RATE` arguments, each a share such as 0.01 or 1%.

    Raises:
        UserError: no such kind, no share from 0 to 1, or a kind named twice.
    """
    from producers.simulator.noise.kinds import KINDS

    rates: dict[str, float] = {}
    for text in given:
        name, _, share = text.partition("=")
        if name not in KINDS:
            near = get_close_matches(name, KINDS, 1)
            remedy = (
                f"write `{near[0]}`; `--noise list` has all kinds" if near else "`--noise list` has all kinds"
            )
            why = f"there is no kind of noise `{name}`" if name else "it names no kind of noise"
            raise UserError(f"--noise {text}", why, remedy)
        if name in rates:
            raise UserError(
                f"--noise {text}", f"{name} has the rate {rates[name]:g} already", f"name {name} once"
            )
        rates[name] = _share(text, name, share)
    return rates


def _share(given: str, name: str, text: str) -> float:
    try:
        rate = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        rate = -1.0
    if 0 <= rate <= 1:
        return rate
    why = f"`{text}` is no share from 0 to 1, or from 0% to 100%" if text else "it has no rate"
    raise UserError(f"--noise {given}", why, f"write `{name}=0.01` or `{name}=1%`")


def listed_noise(form: str) -> str:
    """Every kind of noise: what it does, and of what its rate is a share."""
    from producers.simulator.noise.kinds import KINDS

    if form == "json":
        return json.dumps(
            [{"name": name, "summary": kind.summary, "share_of": kind.share} for name, kind in KINDS.items()],
            indent=1,
        )
    width = max(map(len, KINDS))
    return "\n".join(
        f"{name:{width}}  {kind.summary} (share of {kind.share})" for name, kind in KINDS.items()
    )


def lines_with_truth(entries: Iterator[Entry], truth: IO[bytes], met: Counter[str]) -> Iterator[bytes]:
    """The lines of the record; what noise did to each word that it met goes to `truth`, its count to `met`."""
    for entry in entries:
        if entry.word.noise:
            met.update(entry.word.noise)
            truth.write(msgspec.json.encode(_truth(entry)) + b"\n")
        if entry.line is not None:
            yield entry.line


def _truth(entry: Entry) -> Mapping[str, object]:
    word = entry.word
    dealt = msgspec.json.decode(word.line)
    return {
        "noise": word.noise,
        "round": word.round,
        "lost": word.lost,
        "sequence": None if word.lost else entry.sequence,
        "after": entry.sequence if word.lost else entry.sequence - 1,
        "type": word.kind,
        "device": word.device,
        "time": dealt["time"],
        "data": dealt["data"],
    }
