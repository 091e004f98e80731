"""A recording that is asked to end: the frame at work is finished, the next one is not begun."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from deploy.capture.leaving import Leaving

ASKED = pytest.mark.parametrize(
    ("asked", "raised"), [(signal.SIGTERM, SystemExit), (signal.SIGINT, KeyboardInterrupt)]
)


@ASKED
def test_the_frame_at_work_is_finished_and_no_other_is_begun(
    asked: signal.Signals, raised: type[BaseException]
) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    leaving = Leaving()
    done: list[int] = []

    def record() -> None:
        with leaving.heard():
            for frame in leaving.between([1, 2, 3]):
                if frame == 2:
                    signal.raise_signal(asked)
                done.append(frame)

    with pytest.raises(raised) as ended:
        record()
    assert done == [1, 2]
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)] == before
    if raised is SystemExit:
        assert ended.value.args == (143,)


@ASKED
def test_a_lock_is_never_left_by_a_signal(asked: signal.Signals, raised: type[BaseException]) -> None:
    """`Event.set` takes a lock by a method of its own, and a signal may come before the method returns."""

    class Slow(threading.Condition):
        def __enter__(self) -> bool:
            taken = super().__enter__()
            signal.raise_signal(asked)
            return taken

    leaving, condition = Leaving(), Slow()

    def record() -> None:
        with leaving.heard():
            for _ in leaving.between([1, 2]):
                with condition:
                    pass

    with pytest.raises(raised):
        record()
    assert condition.acquire(blocking=False), "who needs the lock next waits for ever"


@ASKED
def test_a_frame_that_is_waited_for_is_waited_for_no_longer(
    asked: signal.Signals, raised: type[BaseException]
) -> None:
    leaving = Leaving()
    done: list[int] = []

    def frames() -> Iterator[int]:
        yield 1
        signal.raise_signal(asked)
        raise AssertionError("waited on")

    with pytest.raises(raised), leaving.heard():
        done.extend(leaving.between(frames()))
    assert done == [1]


@ASKED
def test_a_rest_ends_at_once(asked: signal.Signals, raised: type[BaseException]) -> None:
    leaving = Leaving(sleep=lambda _seconds: signal.raise_signal(asked))
    with pytest.raises(raised), leaving.heard():
        leaving.rest(60)


def test_a_signal_behind_the_last_frame_is_answered_at_the_end() -> None:
    leaving = Leaving()
    done: list[int] = []

    def record() -> None:
        with leaving.heard():
            done.extend(leaving.between([1, 2]))
            signal.raise_signal(signal.SIGTERM)
            done.append(3)

    with pytest.raises(SystemExit, match="143"):
        record()
    assert done == [1, 2, 3]
