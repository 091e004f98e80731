"""Links to the video of a camera at a moment."""

from __future__ import annotations

import datetime as dt
from urllib.parse import quote


def video_link(template: str, camera: str, at: dt.datetime, subject: str, sequence: int) -> str:
    """The property's link with `{camera}`, `{time}` (UTC), `{subject}` and `{sequence}` filled in."""
    moment = at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    values = {"camera": camera, "time": moment, "subject": subject, "sequence": str(sequence)}
    for name, value in values.items():
        template = template.replace("{" + name + "}", quote(value, safe=""))
    return template
