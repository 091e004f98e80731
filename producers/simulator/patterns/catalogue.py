"""Every pattern and every look-alike by name, and the truth about a played one in the published form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from producers.simulator.patterns import calling, knowing, paying, recording, shuffling, staking, steering
from producers.simulator.patterns.playing import Pattern, Scene, Stated

_ALL = (
    *paying.PATTERNS,
    *calling.PATTERNS,
    *staking.PATTERNS,
    *knowing.PATTERNS,
    *shuffling.PATTERNS,
    *steering.PATTERNS,
    *recording.PATTERNS,
)
CATALOGUE: dict[str, Pattern] = {
    one.name: one for one in sorted(_ALL, key=lambda one: (one.null, one.family))
}


def title(pattern: Pattern, stated: Stated) -> str:
    """The name of a scenario: the pattern's, with the size where that is not the usual one."""
    return pattern.name if stated == pattern.usual else f"{pattern.name}_{stated.size:g}"


def truth(pattern: Pattern, stated: Stated, played: Iterable[Scene]) -> dict[str, Any]:
    """What is true of the tables of a scenario that was played to its end: its entry in `expect.json`.

    family, about, by: what is to be found, of whom and by when; empty for a look-alike. power: where `by` comes from.
    offences: of the patterns that are counted so, table, round and cents of each.
    """
    tables = list(played)
    play = tables[0].play
    entry = {
        "family": pattern.family,
        "about": {} if pattern.null else play.about,
        "by": {} if pattern.null else stated.by,
        "power": "as stated in the simulator's catalogue" if stated.by else "",
        "null": pattern.null,
        "note": f"{pattern.summary} Size {stated.size:g}: {pattern.unit}.",
        "tables": {scene.subject: scene.play.session.number for scene in tables},
        "table_shifts": sum(scene.days for scene in tables),
        "events": sum(scene.events for scene in tables),
    }
    if pattern.null:
        return entry | ({"allowed": list(pattern.allowed)} if pattern.allowed else {})
    return entry | {
        "offences": [
            [scene.subject, number, cents] for scene in tables for number, cents in scene.play.offences
        ]
    }
