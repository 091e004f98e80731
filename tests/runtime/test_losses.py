"""What ends a worker's inner part, what ends its process, and what is known of a part that falls silent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from aiokafka.errors import KafkaConnectionError

from processors.runtime.brokers.lives import live, together
from processors.runtime.brokers.losses import ClientGaveUp, apart, let_go
from processors.runtime.brokers.reach import OLD, PartReach
from processors.runtime.brokers.watchdog import OwnLag, Stuck
from processors.runtime.watch.health import Health, HealthServer
from processors.runtime.watch.logs import Log
from processors.runtime.watch.metrics import WorkerMetrics
from tests.runtime.test_surroundings import ask, get


async def cancelled_within() -> None:
    """As aiokafka closes a consumer whose fetch failed: a task is cancelled and awaited."""
    task = asyncio.ensure_future(asyncio.sleep(60))
    await asyncio.sleep(0)
    task.cancel()
    await task


async def run_lives(
    each: list[Callable[[], Awaitable[None]]], *, answers: bool = True, stop: asyncio.Event | None = None
) -> tuple[int, Health]:
    """Lives as they are told, the last one again and again; how many there were."""
    lived, health = 0, Health()

    async def life() -> None:
        nonlocal lived
        lived += 1
        await each[min(lived, len(each)) - 1]()

    await live(life, stop or asyncio.Event(), lambda: answers, health, WorkerMetrics("sink"), Log("sink"))
    return lived, health


async def well() -> None:
    """It ends by itself, as after a stop."""


def failing(error: BaseException) -> Callable[[], Awaitable[None]]:
    async def life() -> None:
        raise error

    return life


def test_a_client_that_cancels_itself_is_a_loss_and_ends_nobody_who_asked_it() -> None:
    async def story() -> None:
        with pytest.raises(ClientGaveUp):
            await apart(cancelled_within())
        with pytest.raises(TimeoutError):
            await apart(asyncio.sleep(60), 0.01)
        waiting = asyncio.ensure_future(apart(asyncio.sleep(60)))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(story())


def test_a_client_that_cannot_be_closed_is_let_go_of_in_time_and_its_connections_too() -> None:
    closed = []

    class Connections:
        async def close(self) -> None:
            closed.append(True)

    class Consumer:
        _client = Connections()

        def __init__(self, how: Callable[[], Awaitable[None]]) -> None:
            self.stop = how

    async def story() -> None:
        await let_go(Consumer(cancelled_within))
        await let_go(Consumer(lambda: asyncio.sleep(60)), 0.01)

    asyncio.run(asyncio.wait_for(story(), 30))
    assert closed == [True, True]


@pytest.mark.parametrize(
    "loss",
    [failing(KafkaConnectionError()), failing(OSError()), failing(Stuck("sink", 60)), cancelled_within],
    ids=["kafka", "system", "stuck", "cancelled within"],
)
def test_a_loss_begins_the_inner_part_anew_and_the_process_goes_on(
    loss: Callable[[], Awaitable[None]],
) -> None:
    lived, health = asyncio.run(run_lives([loss, well]))
    assert lived == 2
    assert "anew" not in health.reasons


def test_a_task_that_is_cancelled_within_ends_what_it_belongs_to() -> None:
    async def story() -> None:
        await together(cancelled_within(), asyncio.sleep(60))

    lived, _ = asyncio.run(run_lives([story, well]))
    assert lived == 2


def test_a_defect_ends_the_process_at_once() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_lives([failing(ZeroDivisionError()), well]))


def test_a_life_that_fails_while_the_brokers_answer_is_not_begun_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def at_once(_seconds: float) -> None:
        """A pause between two lives."""

    monkeypatch.setattr("processors.runtime.brokers.clients.asyncio.sleep", at_once)
    with pytest.raises(KafkaConnectionError):
        asyncio.run(run_lives([failing(KafkaConnectionError())]))
    with pytest.raises(Stuck):
        asyncio.run(run_lives([failing(Stuck("sink", 60))]))
    lived, _ = asyncio.run(run_lives([failing(KafkaConnectionError())] * 50 + [well], answers=False))
    assert lived == 51, "brokers that are away are waited for"


def test_told_to_stop_it_ends_whatever_the_brokers_do() -> None:
    async def story() -> int:
        stop = asyncio.Event()
        asyncio.get_running_loop().call_later(0.3, stop.set)
        lives = [failing(KafkaConnectionError())]
        lived, _ = await asyncio.wait_for(run_lives(lives, answers=False, stop=stop), 30)
        return lived

    assert asyncio.run(story()) >= 1


def test_an_answer_grows_old_by_itself_and_readiness_with_it() -> None:
    now = [0.0]
    reach = PartReach("Kafka at b:1", lambda: now[0])
    health, metrics = Health(), WorkerMetrics("sink")
    health.well("start")
    health.watched.append(reach.why)
    metrics.ready.set_function(lambda: health.ready)

    async def answered() -> None:
        await reach.once(lambda: _returning(None))

    async def story() -> None:
        server = HealthServer(health, metrics)
        await server.start("127.0.0.1", 0)
        assert (await ask(server.port, get("/readyz")))[
            1
        ] == b"not ready: Kafka at b:1 has not answered yet\n"
        await answered()
        now[0] = OLD
        assert await ask(server.port, get("/readyz")) == (200, b"ready\n")
        now[0] = OLD + 1
        await reach.once(lambda: _returning("TimeoutError"))
        said = b"not ready: Kafka at b:1 has not answered for 11 s (TimeoutError)\n"
        assert await ask(server.port, get("/readyz")) == (503, said)
        assert (await ask(server.port, get("/healthz")))[0] == 200
        assert b'catwalk_ready{worker="sink"} 0.0' in (await ask(server.port, get("/metrics")))[1]
        await answered()
        assert b'catwalk_ready{worker="sink"} 1.0' in (await ask(server.port, get("/metrics")))[1]
        await server.stop()

    asyncio.run(story())


async def _returning(said: str | None) -> str | None:
    return said


def test_lag_that_cannot_be_asked_for_has_no_figure() -> None:
    class Meter:
        async def measure(self, _groups: object) -> None:
            raise KafkaConnectionError

    metrics = WorkerMetrics("sink")
    metrics.lag.labels("sink", "catwalk.rounds", "0").set(7)
    lag = OwnLag(Meter(), None, frozenset, metrics)  # type: ignore[arg-type]  # a meter that fails
    assert asyncio.run(lag.ask()) == "KafkaConnectionError"
    assert lag.waiting is None
    assert b"catwalk_lag_records{" not in metrics.text()
