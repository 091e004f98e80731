"""Which code a count is of: digests of the detectors, and of what deals the tables."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DETECTORS = ROOT / "processors" / "detectors"
NOT_EVIDENCE = ("paging.py", "curve.py", "suspicion.py")
"""Modules of the detectors that only pass on or tell what was weighed."""


@cache
def detectors() -> str:
    """The version of the detectors: it changes with every line of what weighs."""
    return _digest(path for path in DETECTORS.rglob("*.py") if path.name not in NOT_EVIDENCE)


@cache
def tables() -> str:
    """The version of the simulated tables, and of how they are drawn."""
    here = Path(__file__).with_name("shifts.py")
    return _digest([here, *(ROOT / "producers" / "simulator").rglob("*.py")])


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()[:12]
