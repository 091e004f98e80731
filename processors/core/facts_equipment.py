"""What the record shows of approvals, people and devices."""

from __future__ import annotations

from msgspec import Struct


class EquipmentFacts(Struct):
    """Approvals on file, devices inspected and out of order, who answers for the table."""
