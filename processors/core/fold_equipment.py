"""Approvals, people and devices: facts that checks of procedure need, folded from their events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from processors.core.anomaly import Anomaly
from processors.core.state import Table

HANDLERS: dict[type, Callable[[Table, int, Any], tuple[Anomaly, ...]]] = {}
