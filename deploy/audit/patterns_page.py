"""The list of all detectors for docs/patterns.md, made from the registry: `python -m deploy.audit.patterns_page`."""

from __future__ import annotations

import sys

from deploy.audit.duties import sentence_of
from processors.detectors import families as _registered  # noqa: F401 - importing registers every family
from processors.detectors.family import FAMILIES, LEVEL, NAMES, Family
from processors.detectors.suspicion import check_of

BEGIN = "## All families\n"


def listed() -> str:
    """The part of the page that begins with its heading."""
    known = [FAMILIES[name] for name in NAMES if name in FAMILIES]
    return "\n".join([BEGIN, *(_of(family) for family in known)]).rstrip("\n") + "\n"


def _of(family: Family) -> str:
    checks = ", ".join(f"`{check_of(family, variant)}`" for variant in family.variants)
    rows = [
        ("checks", checks),
        ("names", ", ".join(family.about)),
        ("null", family.null),
        ("statistic", family.statistic),
        ("bound", f"{LEVEL:g} for each table's stream. {family.bound}"),
        ("could also be", "; ".join(family.innocent)),
        ("does not see", "; ".join(family.blind)),
        ("costs", family.cost),
    ]
    table = "\n".join(f"| {name} | {text} |" for name, text in rows)
    return f"### {family.name}\n\n{sentence_of(family)}\n\n| | |\n|---|---|\n{table}\n"


def page(text: str) -> str:
    """The page with its list made anew; what stands before the list is kept."""
    return text.partition(BEGIN)[0] + listed()


if __name__ == "__main__":
    sys.stdout.write(page(sys.stdin.read()))
