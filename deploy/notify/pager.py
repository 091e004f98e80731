"""Which alerts are sent when: each new one that is grave enough, on every channel, again until it is taken."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.desk.queue import RANK
from dashboards.ledger.acts import DESK, PageSent
from dashboards.ledger.ledger import DeskUnavailable
from deploy.notify.channels import Channel, NotDelivered
from deploy.notify.message import page_of
from schemas.check_names import current
from schemas.findings import Severity

AT_ONCE: Final = 100  # alerts of one message: one that comes with many others must not become many mails
FIRST_PAUSE: Final = 5.0  # seconds; each further one is twice as long
LONGEST_PAUSE: Final = 300.0
LOOK_EVERY: Final = 1.0


@dataclass(frozen=True, slots=True)
class Rules:
    """What is sent: alerts of `severity` and graver, none that was raised longer ago than `within`.

    What no server takes within that time is given up. `console` is the address of links, empty for none.
    """

    severity: Severity = "critical"
    within: dt.timedelta = dt.timedelta(minutes=60)
    console: str = ""


class Pager:
    """One channel and what it has yet to send; what was sent stands on the desk's record, so a restart repeats nothing.

    A process that is killed between a server's answer and its record sends that one message again: none is lost.
    """

    def __init__(
        self,
        desk: Desk,
        channel: Channel,
        rules: Rules,
        clock: Callable[[], dt.datetime],
        pause: float = FIRST_PAUSE,
    ) -> None:
        """`pause` is in seconds, between a first attempt that failed and the second."""
        self._desk, self._channel, self._rules, self._clock = desk, channel, rules, clock
        self._first_pause = pause
        self._pause = 0.0
        self._not_before: dt.datetime | None = None
        self._attempts: dict[str, int] = {}
        self.trouble: str | None = None

    def follow(self, ended: threading.Event, every: float = LOOK_EVERY) -> None:
        """Send until `ended`; a desk or a server that is away is waited for.

        Raises:
            DeskAltered: the desk's ledger is not the one that was written.
        """
        while not ended.is_set():
            try:
                self._desk.catch_up()
                self.step()
            except DeskUnavailable as error:
                self.trouble = str(error)
            ended.wait(every)

    def step(self) -> int:
        """Send what is due, and keep on the record what came of it; how many alerts were taken.

        Raises:
            DeskUnavailable, DeskAltered: it could not be kept.
        """
        now = self._clock()
        self._give_up(now)
        due = self._due(now)
        if not due or (self._not_before is not None and now < self._not_before):
            return 0
        for alert in due:
            self._attempts[alert.id] = self._attempts.get(alert.id, 0) + 1
        try:
            said = self._channel.send([page_of(alert, self._rules.console) for alert in due])
        except NotDelivered as error:
            self._failed(due, str(error), now)
            return 0
        self.trouble, self._pause, self._not_before = None, 0.0, None
        for alert in due:
            self._keep(alert, "delivered", said)
        return len(due)

    def _due(self, now: dt.datetime) -> list[Alert]:
        """New alerts that are grave enough and were not sent, the gravest first, then the oldest."""
        found = [
            alert
            for alert in self._desk.snapshot().alerts
            if alert.status == "new"
            and self._is_paged(alert, now)
            and now - alert.raised_at <= self._rules.within
            and self._outcome(alert) in (None, "failed")
        ]
        return sorted(found, key=lambda alert: (RANK[alert.finding.severity], alert.raised_at))[:AT_ONCE]

    def _is_paged(self, alert: Alert, now: dt.datetime) -> bool:
        """Whether an alert is sent: by its severity, unless a tuning of its check says otherwise now."""
        check = current(alert.finding.check)
        tuning = self._desk.look(lambda state: state.tunings.in_force(check, "page", now))
        if tuning is not None:
            return tuning.way == "page always"
        return RANK[alert.finding.severity] <= RANK[self._rules.severity]

    def _failed(self, due: list[Alert], why: str, now: dt.datetime) -> None:
        self.trouble = f"{self._channel.name} to {self._channel.to}: {why}"
        self._pause = min(LONGEST_PAUSE, self._pause * 2 or self._first_pause)
        self._not_before = now + dt.timedelta(seconds=self._pause)
        for alert in due:
            if self._outcome(alert) is None:  # further attempts are counted in the last record
                self._keep(alert, "failed", why)

    def _give_up(self, now: dt.datetime) -> None:
        """Say of what failed and is too old by now that it never arrived."""
        for alert in self._desk.snapshot().alerts:
            if self._outcome(alert) == "failed" and now - alert.raised_at > self._rules.within:
                self._keep(alert, "given up", self.trouble or "nobody took it in time")

    def _outcome(self, alert: Alert) -> str | None:
        kept = self._desk.pages(alert.id)
        name, whom = self._channel.name, self._channel.to
        # Before people had their mails one by one, one record named all of them.
        together = (came for (way, to), came in kept.items() if way == name and whom in to.split(", "))
        return kept.get((name, whom)) or next(together, None)

    def _keep(self, alert: Alert, outcome: str, said: str) -> None:
        sent = PageSent(
            alert=alert.id,
            channel=self._channel.name,
            to=self._channel.to,
            outcome=outcome,  # type: ignore[arg-type]  # the three there are
            attempts=max(1, self._attempts.get(alert.id, 0)),
            said=said[:300],
        )
        self._desk.note(sent, DESK)
        if outcome != "failed":
            self._attempts.pop(alert.id, None)
