"""Workers that crash, lose partitions without hearing of it, and come back, in an order drawn from a seed.

Whatever the order: what was sent, told apart by its bytes, is what one undisturbed worker sends.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable

import pytest

from processors.runtime.fold.driver import FoldOptions
from tests.runtime.tables import lively
from tests.runtime.world import Crash, Process, World, distinct, run_to_end

RECORDS = lively(110)


def undisturbed() -> World:
    world = World(list(RECORDS))
    run_to_end(world)
    return world


CLEAN = undisturbed()


class Play:
    """One history: a worker that has the partition, others that think they have it, and what befalls them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.world = World(list(RECORDS))
        self.generation = 1
        self.zombies: list[Process] = []
        self.owner = self.acting = self.begin()
        self.crashes = 0

    def begin(self) -> Process:
        options = FoldOptions(
            slice_events=self.chance.choice((1, 5, 40)),
            checkpoint_seconds=self.chance.choice((0.5, 1.0, 4.0)),
        )
        return Process(self.world, options, self.generation)

    async def deliver(self, process: Process) -> None:
        process.clock.now += self.chance.uniform(0.0, 1.0)
        until = process.position + self.chance.randint(1, 30)
        await process.driver.take(process.deliveries(process.position, until))
        process.position = min(until, self.world.end)

    def succeed(self, *, heard: bool) -> None:
        """The partition goes to a new worker; the old one hears of it, or goes on."""
        self.generation += 1
        if not heard:
            self.owner.fenced = True
            self.zombies.append(self.owner)
        self.owner = self.begin()

    async def act(self) -> None:
        self.acting = self.owner
        match self.chance.randint(0, 11):
            case 0:
                self.world.crash_at = len(self.world.steps) + self.chance.randint(0, 12)
            case 1:
                self.succeed(heard=False)
            case 2:
                await self.owner.driver.revoke()
                self.succeed(heard=True)
            case 3:
                self.world.compact()
            case 4 | 5 if self.zombies:
                self.acting = self.chance.choice(self.zombies)
                await self.deliver(self.acting)
            case 6 if self.zombies:
                self.acting = self.zombies.pop()
                await self.acting.driver.finish()
            case 7:
                await self.owner.driver.finish()
                self.succeed(heard=True)
            case _:
                await self.deliver(self.owner)

    async def run(self) -> None:
        for _ in range(60):
            await self._survived(self.act)
        self.world.crash_at = -1
        while not await self._survived(self.end):
            pass  # what was being sent when the last crash struck may only now be missed

    async def end(self) -> None:
        """The worker that has the partition comes to its end."""
        self.acting = self.owner
        while self.owner.position < self.world.end:
            await self.deliver(self.owner)
        await self.owner.driver.finish()

    async def _survived(self, act: Callable[[], Awaitable[None]]) -> bool:
        try:
            await act()
        except Crash:
            self.crashes += 1
            if self.acting is self.owner:
                self.succeed(heard=True)
            elif self.acting in self.zombies:
                self.zombies.remove(self.acting)
            return False
        return True


def play(seed: int) -> Play:
    done = Play(seed)
    asyncio.run(done.run())
    assert distinct(done.world.sent) == distinct(CLEAN.sent), f"seed {seed}"
    assert done.world.committed == done.world.end, f"seed {seed}"
    return done


@pytest.mark.thorough
def test_sixty_histories_end_like_an_undisturbed_one() -> None:
    played = [play(seed) for seed in range(60)]
    assert sum(one.crashes for one in played) > 50
    assert sum(len(one.zombies) for one in played) > 50
    assert sum(one.world.reread for one in played) > 0
    assert sum(len(one.world.sent) - len(CLEAN.sent) for one in played) > 0


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("block", range(10))
def test_thousands_of_histories_end_like_an_undisturbed_one(block: int) -> None:
    for seed in range(1000 + block * 1000, 2000 + block * 1000):
        play(seed)
