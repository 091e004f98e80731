"""Small streams, made without the code under test."""

import hashlib
import json
from typing import Any

GENESIS = "0" * 64
TIME = "2026-11-21T10:00:{second:02d}.{micro:06d}Z"


def device_event(n: int, subject: str = "FB90-1", device: str = "console", **changes: Any) -> bytes:
    """The n-th event of a device, as it sends it."""
    event: dict[str, Any] = {
        "specversion": "1.0",
        "id": f"{device}-{n}",
        "source": f"pa/parkside/pit-2/{subject}/{device}",
        "type": "catwalk.v1.card_burned",
        "subject": subject,
        "time": TIME.format(second=n % 60, micro=n),
        "data": {"card": "As", "reason": "load"},
    }
    return encode(event | changes)


def encode(event: dict[str, Any]) -> bytes:
    return json.dumps(event, separators=(",", ":")).encode()


def joined(lines: list[bytes]) -> bytes:
    """The lines as a file."""
    return b"".join(line + b"\n" for line in lines)


def digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def chained(line: bytes, sequence: int, prevhash: str) -> bytes:
    """A device's event with its chain, in the place where the published streams have it."""
    return encode(json.loads(line) | {"sequence": sequence, "prevhash": prevhash})


def stream(length: int, subject: str = "FB90-1", start: int = 1, prevhash: str = GENESIS) -> list[bytes]:
    """A chained stream of one table; `start` and `prevhash` continue another."""
    lines: list[bytes] = []
    for sequence in range(start, start + length):
        line = chained(device_event(sequence, subject), sequence, prevhash)
        prevhash = digest(line)
        lines.append(line)
    return lines


def chain_faults(lines: list[bytes]) -> list[str]:
    """What is wrong with the chain of these records of one table, told without the code under test."""
    faults = []
    prevhash = GENESIS
    for sequence, line in enumerate(lines, 1):
        event = json.loads(line)
        if event["sequence"] != sequence:
            faults.append(f"{sequence} is numbered {event['sequence']}")
        if event["prevhash"] != prevhash:
            faults.append(f"{sequence} does not follow")
        prevhash = digest(line)
    return faults
