"""Links to the video of a camera at a moment, and to the recording of a round beside the hand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Literal
from urllib.parse import quote, urlsplit

from msgspec import Struct

LEAD = dt.timedelta(seconds=5)  # of a recording before the first event of the round
TAIL = dt.timedelta(seconds=10)  # ... and behind the last: what is done about it is seen too
_PLAYLIST = ".m3u8"


class Footage(Struct, frozen=True):
    """The recording of one camera over a round; `kind` is how a browser has to read it."""

    camera: str
    address: str
    kind: Literal["hls", "file"]


def video_link(template: str, camera: str, at: dt.datetime, subject: str, sequence: int) -> str:
    """The property's link with `{camera}`, `{time}` (UTC), `{subject}` and `{sequence}` filled in."""
    return _filled(template, camera=camera, time=_moment(at), subject=subject, sequence=str(sequence))


def footage_of(
    template: str, cameras: Sequence[str], first: dt.datetime, last: dt.datetime, subject: str
) -> tuple[Footage, ...]:
    """The recording by each camera of a round whose events lie between these times; none without a template.

    `{camera}`, `{from}`, `{until}` (UTC) and `{subject}` are filled in. It begins `LEAD` before the first event.
    """
    if not template:
        return ()
    kind: Literal["hls", "file"] = "hls" if urlsplit(template).path.endswith(_PLAYLIST) else "file"
    span = {"from": _moment(first - LEAD), "until": _moment(last + TAIL)}
    return tuple(
        Footage(camera, _filled(template, camera=camera, subject=subject, **span), kind) for camera in cameras
    )


def seconds_into(first: dt.datetime, at: dt.datetime) -> float:
    """How far into the recording of a round that began at `first` a moment is."""
    return round((at - first + LEAD).total_seconds(), 3)


def footage_source(template: str) -> str:
    """Whence recordings come, as a policy of content names it: `https://video.example`, or `'self'`.

    Raises:
        ValueError: that cannot be said of the template, or it is none; the text says why.
    """
    parts = urlsplit(template)
    if "{camera}" not in template:
        raise ValueError("it lacks {camera}: every camera would show the same")
    if not parts.scheme and not parts.netloc and template.startswith("/"):
        return "'self'"
    if parts.scheme not in ("https", "http") or not parts.netloc or set(parts.netloc) & set("{}@;, '"):
        raise ValueError("it names no one server by https:// or http:// from which all recordings come")
    return f"{parts.scheme}://{parts.netloc}"


def _moment(at: dt.datetime) -> str:
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _filled(template: str, **values: str) -> str:
    for name, value in values.items():
        template = template.replace("{" + name + "}", quote(value, safe=""))
    return template
