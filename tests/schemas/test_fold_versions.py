"""Which version of the fold is in force, by the records of its topic, whatever else stands there."""

from __future__ import annotations

import datetime as dt

import hypothesis.strategies as st
import msgspec
from hypothesis import given

from schemas.answers import FOLD_VERSION
from schemas.fold_versions import Entry, Retired, Switched, VersionsCompared, VersionsStanding, encoded, read

T0 = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)


def switched(fold: int, before: int, hour: int = 0) -> Switched:
    return Switched(fold=fold, before=before, at=T0 + dt.timedelta(hours=hour), by="ito@pit", comparison="ab")


def stand(*entries: Entry) -> VersionsStanding:
    return read(encoded(one) for one in entries)


def test_without_a_record_this_release_s_own_version_is_in_force() -> None:
    assert stand() == VersionsStanding()
    assert stand().fold == FOLD_VERSION


def test_a_switch_counts_if_it_names_the_version_that_was_in_force_until_then() -> None:
    first, second = switched(8, 0), switched(9, 8, 1)
    found = stand(first, second, switched(10, 8, 2))
    assert (found.fold, found.switch, found.earlier) == (9, second, (first,))
    assert stand(first, second, second).earlier == (first,), "sent twice it counts once"
    assert stand(first, switched(9, 0)).fold == 8, "nobody is the first a second time"


def test_a_version_was_last_in_force_when_it_was_last_switched_away_from() -> None:
    there, back, again = switched(9, 8, 1), switched(8, 9, 2), switched(9, 8, 3)
    found = stand(switched(8, 0), there, back, again)
    assert found.left_at(8) == again.at
    assert found.left_at(9) == back.at
    assert stand(switched(8, 0)).left_at(8) is None
    assert found.left_at(7) is None


def test_the_last_comparison_of_two_versions_and_the_last_removal_hold() -> None:
    one = VersionsCompared(old=8, new=9, at=T0, by="", digest="1" * 64, same=1, changed=0, added=0, gone=0)
    other = msgspec.structs.replace(one, digest="2" * 64)
    gone = Retired(fold=8, at=T0, by="")
    found = stand(one, other, gone)
    assert found.compared == {(8, 9): other}
    assert found.retired == {8: gone}


@given(st.lists(st.none() | st.binary(max_size=40), max_size=4), st.integers(0, 4))
def test_what_nobody_can_read_changes_nothing(noise: list[bytes | None], at: int) -> None:
    records: list[bytes | None] = [encoded(switched(8, 0)), encoded(switched(9, 8))]
    assert read([*records[:at], *noise, *records[at:]]) == read(records)


@given(st.lists(st.builds(switched, st.integers(1, 3), st.integers(0, 3)), max_size=12), st.integers(0, 12))
def test_read_in_two_parts_it_says_the_same(entries: list[Switched], at: int) -> None:
    values = [encoded(one) for one in entries]
    assert read(values[at:], read(values[:at])) == read(values)
