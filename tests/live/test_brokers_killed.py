"""Three brokers, killed and started again in turn while events flow: no process ends, nothing is lost or doubled."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deploy.settings import PREFIX
from deploy.stack.stack import Stack
from tests.live.checker import check
from tests.live.figures import tell
from tests.live.folding import Environment, Worker, migrate, simulated, worker
from tests.live.gateways import Ledger
from tests.live.test_three_brokers import dealt_in_turn, in_sync
from tests.live.working import Proxy, all_caught_up

KINDS = ("fold", "analyst", "sink")
PACE = 60.0  # events a second
AWAY = (0.5, 2.0, 4.0)  # seconds that a broker is dead, one after the other
Dealt = tuple[str, int, bytes]


class Feed:
    """Lines on their way into a gateway, at their pace, until they are enough."""

    def __init__(self, gateway: subprocess.Popen[bytes], lines: Sequence[Dealt]) -> None:
        self._gateway, self._lines = gateway, lines
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._deal)
        self.tables: dict[bytes, list[bytes]] = {}  # what was written

    @contextmanager
    def dealing(self) -> Iterator[None]:
        self._thread.start()
        try:
            yield
        finally:
            self._enough.set()
            self._thread.join()

    def _deal(self) -> None:
        pipe = self._gateway.stdin
        assert pipe is not None
        for subject, _, line in self._lines:
            if self._enough.wait(1 / PACE):
                break
            pipe.write(line + b"\n")
            pipe.flush()
            self.tables.setdefault(subject.encode(), []).append(line)
        self._enough.wait()
        pipe.close()
        self._gateway.stdin = None  # `communicate` would close it once more


def deployed(stack: Stack, folder: Path, proxy: Proxy) -> tuple[Ledger, Environment]:
    """Topics with three copies, relations, and what points a process at them."""
    ledger = Ledger(stack.kafka_addresses, "", folder / "data", copies=3)
    environment = {
        **ledger.environment,
        **{f"{PREFIX}{name}": value for name, value in (
            ("MODE", "distributed"), ("CLICKHOUSE_HOST", "127.0.0.1"),
            ("CLICKHOUSE_PORT", str(proxy.port)), ("CLICKHOUSE_DATABASE", "catwalk"))},
    }  # fmt: skip
    migrate(environment)
    return ledger, environment


@pytest.mark.parametrize("kills", [2, pytest.param(12, marks=[pytest.mark.soak, pytest.mark.timeout(900)])])
@pytest.mark.timeout(600)
def test_brokers_killed_in_turn_end_no_process_and_lose_or_double_nothing(
    own_stack: Callable[..., Stack], tmp_path: Path, kills: int
) -> None:
    stack = own_stack(3)
    proxy = Proxy("127.0.0.1", stack.plan.clickhouse_port)
    ledger, environment = deployed(stack, tmp_path, proxy)
    lines = dealt_in_turn(simulated(tmp_path / "simulated", 6, 8 * kills, 5, environment))
    begun = time.monotonic()
    with ExitStack() as held:
        workers = {
            kind: held.enter_context(worker(environment, tmp_path / f"{kind}.log", kind=kind))
            for kind in KINDS
        }
        for one in workers.values():
            one.ready()
        gateway = held.enter_context(ledger.start("-", "--seconds", 120, stdin=subprocess.PIPE))
        held.callback(gateway.kill)
        feed = Feed(gateway, lines)
        with feed.dealing():
            for number in range(kills):
                in_sync(stack.kafka_addresses)
                at_work(workers, gateway)
                broker = stack.brokers[number % 3]
                broker.process.kill()
                time.sleep(AWAY[number % len(AWAY)])
                broker.start()
                broker.wait()  # until it serves again: those who are asked before do not know yet that it was gone
        _, err = gateway.communicate(timeout=200)
        assert gateway.returncode == 0, err
        all_caught_up(environment, 120.0, KINDS)
        took = time.monotonic() - begun
        assert {kind: one.stop() for kind, one in workers.items()} == dict.fromkeys(KINDS, 0)
    verdict = check(environment, feed.tables)
    tell("brokers killed", kills)
    tell("seconds from the first kill until all was stored", round(took))
    tell("events", verdict.rows["events"])
    assert verdict.wrong == []
    assert b"Traceback" not in err
    for one in workers.values():
        assert without_traceback(one.log)


def at_work(workers: Mapping[str, Worker], gateway: subprocess.Popen[bytes]) -> None:
    """Each is the process it was."""
    for kind, one in workers.items():
        assert one.process.poll() is None, f"{kind} ended: {one.log.read_text()[-3000:]}"
    assert gateway.poll() is None, "the gateway ended"


def without_traceback(log: Path) -> bool:
    said = log.read_text()
    assert "Traceback" not in said, said[max(0, said.index("Traceback") - 1000) :][:4000]
    return True
