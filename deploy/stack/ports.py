"""Ports on the loopback address: which are free, and which to take."""

from __future__ import annotations

import random
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from typing import Final

from deploy.errors import UserError

LOOPBACK: Final = "127.0.0.1"
# Below the range from which systems give ports to outgoing connections: one of those could take the port of
# a server that is down for a moment.
_RANGE: Final = (20_000, 32_000)
_TRIES: Final = 200


def is_free(port: int) -> bool:
    """Whether a server could listen on that port now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def answers(port: int, seconds: float = 0.5) -> bool:
    """Whether something accepts connections on that port."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout=seconds):
            return True
    except OSError:
        return False


def choose(count: int) -> tuple[int, ...]:
    """So many free ports, all different.

    Raises:
        UserError: there are not so many.
    """
    chosen: list[int] = []
    with ExitStack() as held:
        for _ in range(_TRIES):
            if len(chosen) == count:
                return tuple(chosen)
            port = random.SystemRandom().randrange(*_RANGE)
            probe = held.enter_context(socket.socket())
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            chosen.append(port)
    raise UserError("ports", f"no {count} free ones from {_RANGE[0]} to {_RANGE[1]}", "name them yourself")


def refuse_taken(ports: Sequence[int], option: str) -> None:
    """Check that servers could listen there.

    Raises:
        UserError: something else listens on one of them.
    """
    for port in ports:
        if not is_free(port):
            remedy = f"stop what listens there, or give {option} another port (0 chooses free ones)"
            raise UserError(f"port {port}", "something listens on it", remedy)
