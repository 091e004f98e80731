"""The parts of `make soak`, meant for half an hour of two cores each, by the folders of their tests.

Only `lawful` is meant to take longer: three to five hours, by the shifts that two cores deal and watch in a second.

`python -m tests.gate.parts` prints the parts, `python -m tests.gate.parts PART` the paths of one for pytest.
"""

from __future__ import annotations

import sys

PARTS = {
    "live": ("deploy", "live", "warehouse"),
    "mutations": ("checkpoints", "conservation", "golden", "mutations"),
    "noise": ("noise", "pipeline"),
    "browser": ("browser", "commands", "console", "drawing", "hands"),
    "random": (
        "detectors",
        "embedded",
        "play",
        "rack",
        "readings",
        "rulesets",
        "runtime",
        "schemas",
        "simulator",
    ),
    "accepted": ("accepted",),
    "lawful": ("lawful",),
}


def paths(part: str) -> list[str]:
    """The paths of a part.

    Raises:
        SystemExit: there is no such part.
    """
    if part not in PARTS:
        raise SystemExit(f"make soak: no part {part}; there are {', '.join(PARTS)}")
    return [f"tests/{folder}" for folder in PARTS[part]]


if __name__ == "__main__":
    print(*(paths(sys.argv[1]) if sys.argv[1:] else PARTS))  # noqa: T201 - what it was asked for
