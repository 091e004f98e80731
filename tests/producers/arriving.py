"""Lines as they arrive at a recorder."""

from collections.abc import Iterable

from producers.answers import Answer
from producers.recorder import Arrival, Recorder


def arrivals(lines: Iterable[bytes], origin: str = "here") -> list[Arrival]:
    """The lines of one frame, each with its place."""
    return [Arrival(line, f"{origin}:{n}") for n, line in enumerate(lines, 1)]


def record_one(recorder: Recorder, line: bytes) -> Answer:
    """The answer to a frame of one line."""
    (answer,) = recorder.record_lines(arrivals([line]))
    return answer
