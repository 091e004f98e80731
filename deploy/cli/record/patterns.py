"""`--pattern` of `catwalk simulate`: streams in which something is done that no single round shows, and their truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deploy.errors import UserError

if TYPE_CHECKING:
    from producers.simulator.patterns.playing import Pattern, Stated

EVERYTHING = "all"
EXPECT = "expect.json"
Chosen = list[tuple[str, "Pattern", "Stated"]]
Write = Callable[[Path, Iterator[bytes]], int]


def chosen(given: Sequence[str]) -> Chosen:
    """The scenarios of `NAME[=SIZE]` arguments; `all` stands for every one at every stated size.

    Raises:
        UserError: no such pattern, or no such size.
    """
    from producers.simulator.patterns.catalogue import CATALOGUE, title

    found: dict[str, tuple[Pattern, Stated]] = {}
    for text in given:
        if text == EVERYTHING:
            every = [(one, stated) for one in CATALOGUE.values() for stated in one.stated]
        else:
            name, equals, size = text.partition("=")
            if name not in CATALOGUE:
                near = get_close_matches(name, CATALOGUE, 1)
                remedy = f"write `{near[0]}`; " if near else ""
                raise UserError(
                    f"--pattern {text}", "there is none of that name", f"{remedy}see `--pattern list`"
                )
            pattern = CATALOGUE[name]
            every = [(pattern, pattern.at(_size(text, size, pattern) if equals else None))]
        found |= {title(*one): one for one in every}
    return [(name, *one) for name, one in found.items()]


def _size(given: str, text: str, pattern: Pattern) -> float:
    least, most = pattern.between
    allowed = f"{least:g}" if least == most else f"{least:g} to {most:g}"
    try:
        size = float(text)
    except ValueError:
        why = f"`{text}` is no number"
    else:
        if least <= size <= most:
            return size
        why = f"the size {text} means nothing there"
    raise UserError(f"--pattern {given}", why, f"write {allowed}: {pattern.unit}")


def written(
    scenarios: Chosen, out: Path, seed: int, rounds: int | None, write: Write
) -> list[dict[str, Any]]:
    """Write each scenario to DIR/<scenario>/<table>.ndjson and its truth to DIR/expect.json; what was written.

    `expect.json` keeps what it has of other scenarios.

    Raises:
        UserError: the folder has an `expect.json` that is none.
    """
    from producers.simulator.patterns.catalogue import truth
    from producers.simulator.patterns.playing import scenes

    expect = _expected(out / EXPECT)
    rows: list[dict[str, Any]] = []
    for name, pattern, stated in scenarios:
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        for stale in folder.glob("*.ndjson*"):
            stale.unlink()
        played = []
        for scene in scenes(pattern, stated.size, seed, rounds):
            path = folder / f"{scene.subject}.ndjson"
            events = write(path, scene.lines)
            rows.append({"file": str(path), "scenario": name, "events": events, "bytes": path.stat().st_size})
            played.append(scene)
        expect[name] = truth(pattern, stated, played)
        (out / EXPECT).write_text(json.dumps(expect, indent=1) + "\n")
    return rows


def _expected(path: Path) -> dict[str, Any]:
    if not path.exists():
        return {}
    try:
        expect = json.loads(path.read_text())
    except ValueError:
        expect = None
    if isinstance(expect, dict):
        return expect
    raise UserError(
        str(path), "it holds no truth about scenarios", "name another folder with --out, or move it away"
    )


def listed_patterns(form: str) -> str:
    """Every pattern and look-alike: its family, what is done, and the sizes that are stated."""
    from producers.simulator.patterns.catalogue import CATALOGUE

    if form == "json":
        rows = [
            {
                "name": one.name,
                "family": one.family,
                "look_alike": one.null,
                "summary": one.summary,
                "size": one.unit,
                "stated": [{"size": size.size, "rounds": size.rounds, "by": size.by} for size in one.stated],
            }
            for one in CATALOGUE.values()
        ]
        return json.dumps(rows, indent=1)
    width = max(map(len, CATALOGUE))
    families = max(len(one.family) for one in CATALOGUE.values())
    lines = []
    for one in CATALOGUE.values():
        sizes = ", ".join(f"{size.size:g}" for size in one.stated)
        like = "only looks like it: " if one.null else ""
        lines.append(
            f"{one.name:{width}}  {one.family:{families}}  {like}{one.summary} ({sizes}: {one.unit})"
        )
    return "\n".join(lines)
