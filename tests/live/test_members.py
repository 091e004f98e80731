"""Two workers with one name on real brokers: the second ends and says who has it, the first goes on undisturbed."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from deploy.configured.workers import brokers_of
from deploy.settings import load
from processors.runtime.brokers.lag import admin_of
from processors.runtime.brokers.membership import elsewhere
from schemas.answers import FOLD_VERSION
from schemas.topics import GROUPS
from tests.live.working import Process, prepared
from tests.sampling import one_in


@pytest.mark.parametrize("kind", one_in(3, ["fold", "analyst", "sink"]))
def test_the_second_worker_of_one_name_refuses_and_the_first_goes_on(
    live_environment: dict[str, str], tmp_path: Path, kind: str
) -> None:
    prepared(live_environment)
    named = ("--member", "one", "--session", "6")
    first = Process(live_environment, tmp_path, kind, *named)
    try:
        first.at_work()
        second = Process(live_environment, tmp_path, kind, *named)
        try:
            assert second.process.wait(60) == 2
        finally:
            second.kill()
        said = second.log.read_text().splitlines()[-1]
        assert said.startswith(
            f"catwalk: catwalk {kind} --member one: process {first.process.pid} of this machine"
        )
        assert asyncio.run(seen_from_elsewhere(live_environment, kind)) == {"127.0.0.1"}
        assert first.process.poll() is None
        assert first.log.read_text().count('"event":"assigned"') <= 1, "nobody threw it out"
        first.kill()
        third = Process(live_environment, tmp_path, kind, *named)
        try:
            third.at_work()
            assert third.stop() == 0
        finally:
            third.kill()
    finally:
        first.kill()


async def seen_from_elsewhere(environment: dict[str, str], kind: str) -> Collection[str]:
    """Where the member is, as the brokers tell a machine that is another one."""
    [group] = [group for group in GROUPS if group.worker == kind]
    async with admin_of(brokers_of(load(environment=environment).values)) as admin:
        answers: list[Any] = await admin.describe_consumer_groups(
            [group.named(environment["CATWALK_KAFKA_PREFIX"], FOLD_VERSION)]
        )
    return elsewhere([member for answer in answers for one in answer.groups for member in one[5]], "one", ())
