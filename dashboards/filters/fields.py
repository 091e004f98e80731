"""The fields of the address of each list, by the list; those of the list of hands are its terms."""

from __future__ import annotations

OF_ALERTS = ("tab", "severity", "q", "since", "order", "before", "alert", "line")
OF_LOG = ("q", "who", "what", "about", "day", "from", "to", "before")
