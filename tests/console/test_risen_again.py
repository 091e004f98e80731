"""A suspicion that was closed as cleared rises again from later evidence: once, by the desk, as a new alert."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from dashboards.desk.alerts import Alert
from dashboards.desk.closing import is_cleared
from dashboards.desk.desk import Desk
from dashboards.desk.summary import entry
from dashboards.ledger.acts import Disposed, Disposition, Noted, Reopened
from dashboards.suspicions.risen import SINCE_CLOSING, risen_words, rounds_title
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.again import MOST_ACTS, RisingAgain, needed
from deploy.console.alerting_topic import TopicAlerting
from processors.detectors.family import FAMILIES
from processors.detectors.mixture import fresh, weigh
from processors.detectors.shapes import CheckedStanding
from processors.detectors.weighty import WeightyRound, rows_of
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.findings import Finding, finding_id
from tests.console.conftest import Clock
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_alerting_topic import Topic

_LEVEL = 0.05
_RATES = (0.2, 0.4)  # against the honest 0.1


def a_suspicion(about: dict[str, str | int] | None = None) -> Finding:
    check, whom = "pattern.dealer_mispay.for_patrons", about or {"dealer": "D105"}
    return replace(
        a_finding(check=check, verdict="suspected", money_cents=0),
        finding_id=finding_id("BJ-12", check, 1, str(whom)),
        cites=(),
        about=whom,
        e_value=20_000.0,
        message="Of 300 hands that dealer D105 settled, 9 were mispaid for patrons; chance allows 0.3.",
    )


class Held:
    """The most evidence that there was by now, as a detector holds it."""

    def __init__(self, e_value: float) -> None:
        self.e_value, self.known = e_value, True

    def look(self, _waiting: Sequence[Finding]) -> None:
        pass

    def highest(self, _finding: Finding) -> float:
        return self.e_value

    def standing(self, finding: Finding, _since: dt.datetime) -> CheckedStanding | None:
        return _standing(finding, self.e_value) if self.known else None

    def close(self) -> None:
        pass


def _standing(finding: Finding, e_value: float, *, due: bool = True) -> CheckedStanding:
    about = finding.about
    assert isinstance(about, dict)
    return CheckedStanding(
        check=finding.check,
        about=about,
        e_value=e_value,
        highest=e_value,
        alarm_at=1e4,
        rounds=9,
        raised=True,
        due=due,
    )


def _close(desk: Desk, alert_id: str, disposition: Disposition = "no error") -> Alert:
    alert = desk.alert(alert_id)
    assert alert is not None
    act = Disposed(alert=alert.id, version=alert.version, disposition=disposition, note="looked at")
    return desk.act(act, "hale").alert


def _look(desk: Desk, e_value: float, page_at: float = 1e4, *, due: bool = True) -> list[Alert]:
    """The open alerts once a console that was started just now has looked, twice."""
    for _ in range(2):
        RisingAgain(desk, lambda _: page_at).look(lambda one, _since: _standing(one, e_value, due=due))
    return [one for one in desk.snapshot().alerts if one.open]


@pytest.fixture
def desk(log: SqliteDeskLog, clock: Clock) -> Desk:
    made = Desk(log, clock)
    made.raise_alerts([a_raise(a_suspicion())])
    return made


def test_later_evidence_raises_a_cleared_suspicion_again_and_again_after_it_was_cleared_anew(
    desk: Desk, clock: Clock, tmp_path: Path
) -> None:
    first = a_suspicion()
    assert len(_look(desk, 1e30)) == 1, "while it is open nothing rises beside it"
    closed = _close(desk, first.finding_id)
    assert _look(desk, 3e4) == [], "what there is by now is kept"
    clock.forward(3600)
    assert _look(desk, 2.9e8) == [], "not yet 10,000 times as much"
    [again] = _look(desk, 3.1e8)
    assert again.id != first.finding_id
    assert again.again is not None
    assert (again.again.alerts, again.again.by, again.again.at) == (
        (first.finding_id,),
        "hale",
        closed.closed_at,
    )
    assert (again.again.disposition, again.again.e_value) == ("no error", 3e4)
    assert (again.finding.check, again.finding.about) == (first.check, first.about)
    assert again.finding.e_value == 3.1e8
    assert again.finding.message == first.message
    before = desk.alert(first.finding_id)
    assert before is not None
    assert (again.decided_at, again.raised_at) == (before.decided_at, clock()), (
        "its event is the first alarm's"
    )

    other = SqliteDeskLog(tmp_path / "desk.db")
    restarted = Desk(other, clock)
    assert restarted.snapshot() == desk.snapshot()
    assert len(_look(restarted, 1e20)) == 1, "the same suspicion is open already"
    _close(restarted, again.id)
    assert _look(restarted, 1e20) == []
    [third] = _look(restarted, 1.1e24)
    assert third.again is not None
    assert third.again.alerts == (first.finding_id, again.id)
    other.close()


@pytest.mark.parametrize(
    ("disposition", "about", "cleared"),
    [
        ("no error", {"table": "BJ-12"}, True),
        ("sensor fault", {"player": "P-1"}, True),
        ("sensor fault", {"table": "BJ-12"}, False),
        ("dealer error", {"dealer": "D105"}, False),
        ("fraud suspected", {"dealer": "D105"}, False),
    ],
)
def test_what_was_confirmed_does_not_rise_again(
    log: SqliteDeskLog, clock: Clock, disposition: Disposition, about: dict[str, str | int], cleared: bool
) -> None:
    made, finding = Desk(log, clock), a_suspicion(about)
    made.raise_alerts([a_raise(finding)])
    assert is_cleared(_close(made, finding.finding_id, disposition)) == cleared
    _look(made, 2e4)
    assert len(_look(made, 1e12)) == cleared


def test_what_names_a_shoe_does_not_rise_again(log: SqliteDeskLog, clock: Clock) -> None:
    made, finding = Desk(log, clock), a_suspicion({"table": "BJ-12", "shoe": 7})
    made.raise_alerts([a_raise(finding)])
    _close(made, finding.finding_id)
    _look(made, 2e4)
    assert _look(made, 1e12) == []


def test_evidence_is_counted_from_the_closing_that_holds_and_a_closing_taken_back_counts_nothing(
    desk: Desk, clock: Clock
) -> None:
    finding = a_suspicion()
    _close(desk, finding.finding_id)
    _look(desk, 2e4)
    clock.forward(60)
    alert = desk.alert(finding.finding_id)
    assert alert is not None
    alert = desk.act(Noted(alert=alert.id, version=alert.version, note="still"), "hale").alert
    desk.act(Reopened(alert=alert.id, version=alert.version, reason="look again"), "ito")
    assert [one.id for one in _look(desk, 1e12)] == [finding.finding_id], "it is open: people look at it"
    _close(desk, finding.finding_id)
    assert _look(desk, 1e12) == [], "all of that was there when it was closed the second time"
    assert len(_look(desk, 1.1e16)) == 1


def test_what_rises_again_names_the_rounds_after_the_closing_and_none_before(
    log: SqliteDeskLog, clock: Clock
) -> None:
    before = [WeightyRound("BJ-12", at, 10 * at, at, 9.0, 500, (1,)) for at in range(1, 21)]
    after = [WeightyRound("BJ-12", at, 10 * at, at, at % 3, 500, (2,)) for at in range(21, 40)]
    first = replace(a_suspicion(), observed={"hands": 300, "rounds": rows_of(before[-10:])})
    desk = Desk(log, clock)
    desk.raise_alerts([a_raise(first)])

    def look(e_value: float, rounds: list[WeightyRound]) -> None:
        def standing(finding: Finding, _since: dt.datetime) -> CheckedStanding:
            return replace(_standing(finding, e_value), weighty=tuple(rounds), mark=rounds[-1].at)

        RisingAgain(desk, lambda _: 1e4).look(standing)

    _close(desk, first.finding_id)
    look(2e4, before)
    look(1e12, [*before, *after])
    [again] = [one.finding for one in desk.snapshot().alerts if one.open]
    assert isinstance(again.observed, dict)
    assert [one["round"] for one in again.observed["rounds"]] == [38, 35, 32, 29, 26, 23, 37, 34, 31, 28]
    assert {tuple(one["seats"]) for one in again.observed["rounds"]} == {(2,)}
    assert set(again.sequences) == {again.sequence, *(10 * one["round"] for one in again.observed["rounds"])}
    assert rounds_title(again, first) == "Weighed since it was cleared"
    _close(desk, again.finding_id)
    look(1e12, [*before, *after])
    look(1e20, [*before, *after])
    [third] = [one.finding for one in desk.snapshot().alerts if one.open]
    assert rounds_title(third, again) == "Named by the alarm before", "no later round is known"


def test_where_rounds_are_a_number_later_rounds_stand_beside_it(log: SqliteDeskLog, clock: Clock) -> None:
    """As in suspicions about ranks that an earlier release raised, which listed none."""
    table: dict[str, str | int] = {"table": "BJ-12"}
    check, observed = "pattern.rank_composition.ranks", {"read": 900, "rounds": 300}
    first = replace(a_suspicion(table), check=check, observed=observed)
    later = WeightyRound("BJ-12", 301, 3_010, 301, 2.0, 500)
    desk = Desk(log, clock)
    desk.raise_alerts([a_raise(first)])
    _close(desk, first.finding_id)

    def look(e_value: float) -> None:
        now = replace(_standing(first, e_value), weighty=(later,), mark=300)
        RisingAgain(desk, lambda _: 1e4).look(lambda _finding, _since: now)

    look(2e4)
    look(1e12)
    [again] = [one.finding for one in desk.snapshot().alerts if one.open]
    assert again.observed == {**observed, "weightiest": rows_of([later])}


def test_what_its_family_would_not_raise_now_does_not_rise_again(desk: Desk) -> None:
    _close(desk, a_suspicion().finding_id)
    _look(desk, 2e4)
    assert _look(desk, 1e20, due=False) == []
    assert len(_look(desk, 1e20)) == 1


def test_however_many_were_cleared_one_append_stays_small_and_the_next_looks_go_on(
    log: SqliteDeskLog, clock: Clock
) -> None:
    made = Desk(log, clock)
    found = [a_suspicion({"dealer": f"D-{at}"}) for at in range(2 * MOST_ACTS + 1)]
    made.raise_alerts([a_raise(one) for one in found])
    for one in found:
        _close(made, one.finding_id)
    again = RisingAgain(made, lambda _: 1e4)
    for e_value in (2e4, 1e12):
        held, sizes = Held(e_value), []
        for done in (False, False, True):
            before = made.records
            assert again.look(held.standing) == done
            sizes.append(made.records - before)
        assert sizes == [MOST_ACTS, MOST_ACTS, 1]
    assert len([one for one in made.snapshot().alerts if one.open]) == len(found)


def test_what_changes_at_the_desk_while_evidence_is_read_is_left_to_the_next_look(desk: Desk) -> None:
    closed = _close(desk, a_suspicion().finding_id)
    _look(desk, 2e4)

    def standing(finding: Finding, _since: dt.datetime) -> CheckedStanding:
        desk.act(Reopened(alert=closed.id, version=closed.version, reason="look again"), "ito")
        return _standing(finding, 1e12)

    assert not RisingAgain(desk, lambda _: 1e4).look(standing)
    assert [one.id for one in desk.snapshot().alerts] == [closed.id]
    assert RisingAgain(desk, lambda _: 1e4).look(lambda finding, _since: _standing(finding, 1e12))


def test_a_family_that_never_pages_does_not_rise_again(desk: Desk) -> None:
    _close(desk, a_suspicion().finding_id)
    _look(desk, 2e4)
    assert _look(desk, 1e20, page_at=float("inf")) == []


def test_two_consoles_that_read_the_same_evidence_raise_one_alert(
    desk: Desk, clock: Clock, tmp_path: Path
) -> None:
    _close(desk, a_suspicion().finding_id)
    second = SqliteDeskLog(tmp_path / "desk.db")
    other = Desk(second, clock)
    _look(desk, 2e4)
    _look(other, 3e4)
    assert len(_look(desk, 1e9)) == len(_look(other, 1e9)) == 1
    other.catch_up()
    assert len([one for one in other.snapshot().alerts if one.open]) == 1
    second.close()


def test_behind_the_topic_a_cleared_suspicion_rises_again_and_a_state_of_before_is_not_counted_from(
    desk: Desk,
) -> None:
    held = Held(1.0)
    held.known = False
    alerting = TopicAlerting(
        Topic(), desk, WorkerMetrics("console"), turn=0.0, evidence=held, weigh_every=0.0
    )

    def step(e_value: float) -> int:
        held.e_value = e_value
        alerting.step(lambda _seconds: None)
        return len([one for one in desk.snapshot().alerts if one.open])

    _close(desk, a_suspicion().finding_id)
    assert step(1e9) == 0, "written before the closing: it may lack what led to it"
    held.known = True
    assert step(1e9) == step(2e12) == 0
    assert step(1.1e13) == step(1e20) == 1


def test_the_log_says_what_was_kept_and_what_rose_from_what(desk: Desk, log: SqliteDeskLog) -> None:
    first = a_suspicion().finding_id
    _close(desk, first)
    _look(desk, 2e4)
    [again] = _look(desk, 1e9)
    told = [entry(record) for record in desk.history(first, 10)]
    assert [one.action for one in told] == ["alert raised", "closed", "evidence kept", "alert risen again"]
    assert f"risen again after alert {first}, closed as no error by hale" in " ".join(told[-1].detail)
    assert [entry(one).action for one in desk.history(again.id, 10)] == ["alert risen again"]


def test_a_bound_from_the_closing_on_is_told_where_there_is_one() -> None:
    checks = {f"{name}.{one}" for name, family in FAMILIES.items() for one in family.variants} | {*FAMILIES}
    assert checks >= SINCE_CLOSING
    bounded = risen_words("pattern.dealer_mispay.for_patrons", 3e8, 1.5e4)
    assert "after a closing at most once in 15,000" in bounded
    for check in ("counting.stakes", "past_posting.raised", "collusion.overpaid", "rank_composition.foreign"):
        told = risen_words(f"pattern.{check}", 3e8, 1.5e4)
        assert "at most once in 300 million, counted from the first round" in told
        assert "15,000" not in told
    assert "another device" in risen_words("pattern.sensor_health.gaps", 3e8, 1.5e4)
    assert "another rank" in risen_words("pattern.rank_composition.ranks", 3e8, 1.5e4)
    assert "another part of the shoe" in risen_words("pattern.cut_steering.hides_cards", 3e8, 1.5e4)


def _honest(generator: random.Random, rounds: int) -> list[float]:
    """The evidence against one honest dealer after each round."""
    mixture = fresh(len(_RATES))
    factors = {True: [rate / 0.1 for rate in _RATES], False: [(1 - rate) / 0.9 for rate in _RATES]}
    return [weigh(mixture, factors[generator.random() < 0.1], 4) for _ in range(rounds)]


def test_of_honest_streams_that_were_cleared_no_more_than_the_level_rise_again() -> None:
    """Each is cleared when its evidence is first high, or at a fixed round, whichever comes first."""
    generator, streams = random.Random(359), 1200
    again = from_nothing = raised = 0
    for _ in range(streams):
        course = _honest(generator, 400)
        at = next((step for step, value in enumerate(course) if value >= 4 or step == 100), 0)
        later = max(course[at + 1 :])
        again += later >= needed(max(course[: at + 1]), _LEVEL)
        if course[at] >= 4:
            raised += 1
            from_nothing += later >= 1 / _LEVEL
    assert raised > 100
    assert again <= _LEVEL * streams
    assert from_nothing > 2 * _LEVEL * raised, "counted from the first round the same level would not hold"


def test_the_least_of_two_mixtures_rises_again_on_no_more_than_the_square_of_the_level() -> None:
    """Under a null of several rates only the evidence of all time has a bound: from its highest it is level squared."""
    generator, streams, level = random.Random(360), 1500, 0.2
    again = 0
    for _ in range(streams):
        one, other = fresh(1), fresh(1)
        high = None
        for _ in range(250):
            wrong = generator.random() < 0.1
            values = [
                weigh(mixture, [(rate / null) if wrong else (1 - rate) / (1 - null)], 4)
                for mixture, rate, null in ((one, 0.3, 0.1), (other, 0.3, 0.15))
            ]
            least = min(values)
            if high is None and least >= 1 / level:
                high = least
            elif high is not None and least >= needed(high, level):
                again += 1
                break
    assert again <= level**2 * streams
