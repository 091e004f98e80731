"""What capture could not do."""

from __future__ import annotations

from schemas.errors import ActionableError


class CaptureError(ActionableError):
    """Something that capture could not do."""
