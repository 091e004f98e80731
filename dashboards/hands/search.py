"""The search for hands: from the terms of the form to the list of hands."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

import msgspec

from dashboards.accounts.roles import Role
from dashboards.accounts.visibility import DenyList, may_know
from dashboards.folding.states import Now, States, UnknownTable
from dashboards.hands.found import Answer, FoundHand, SeatLine
from dashboards.hands.terms import EVER, HandTerms, cursor_of, numbers_of, place_after, span_of
from dashboards.hands.when import AskedTime, NoTime, asked_time
from dashboards.reader import search
from dashboards.reader.newest import WantedRounds, newest_rounds
from dashboards.reader.question import Reader
from dashboards.reader.search import FoundRow, Key
from dashboards.web.console import Console
from dashboards.web.names import near, plain
from dashboards.web.names import same as same_name
from dashboards.wording.money import dollars
from dashboards.wording.times import local_time, zone_called

PAGE = 50
MOST_AT_ONCE = 8  # hands of one minute that are listed
MOST_OF_TIME = 200  # ... and of a range of time
_NOTHING = "Nothing that was recorded then is what you ask for."


class Asking:
    """One search of one user."""

    def __init__(self, console: Console, user: str, role: Role) -> None:
        self._console = console
        self._reader: Reader = console.records
        self._states: States = console.states
        self._role = role
        self._withheld: DenyList = console.desk.withheld_from(user)
        self._tables = console.desk.hidden_from(user, "table")
        self._dealers = console.desk.hidden_from(user, "dealer")
        self._looked: dict[str, Now | None] = {}  # one search sees a table as it stood when it first looked

    def answer(self, terms: HandTerms, unknown: Mapping[str, str] = MappingProxyType({})) -> Answer:
        """The hands of a search, newest first; where fields are `unknown`, the errors and no hand."""
        numbers, wrong = numbers_of(terms)
        wrong |= unknown
        span = search.span_of_rounds().ask(self._reader)
        if not span or not span[0].rounds:
            return Answer(wrong=wrong, hint="No round is stored yet.")
        table, names = self._table(terms.table)
        if terms.table and table is None:
            return Answer(wrong=wrong, hint=f"There is no table {terms.table}.", names=names)
        if wrong:
            return Answer(wrong=wrong)
        if terms.finding:
            return self._by_finding(terms.finding.strip().lower())
        if terms.time:
            return self._by_time(terms, table, numbers, span[0].last)
        return self._listed(terms, table, numbers, span[0])

    def tables(self) -> tuple[str, ...]:
        """The tables this user may see."""
        return tuple(name for name in self._states.names() if name not in self._tables)

    def _table(self, text: str) -> tuple[str | None, tuple[str, ...]]:
        """The table a text names, whatever its case and dashes; else those it may have meant."""
        return _meant(text, self.tables(), lambda one: plain(one) == plain(text)) if text else (None, ())

    def _dealer(
        self, text: str, since: dt.datetime, until: dt.datetime
    ) -> tuple[str | None, tuple[str, ...]]:
        """The dealer of this name, in any case; else those of that time who may have been meant."""
        if not text:
            return None, ()
        rows = search.dealers_between(since, until).ask(self._reader)
        known = [row.dealer for row in rows if row.dealer not in self._dealers]
        return _meant(text, known, lambda one: same_name(one, text))

    def _by_finding(self, start: str) -> Answer:
        rows = search.finding_named(start).ask(self._reader) if len(start) >= 6 else []
        shown = [
            one
            for one in rows
            if may_know(self._role, self._withheld, one.finding_id, one.verdict, one.money_cents)
            and ("table", one.subject) not in self._withheld
        ]
        hands = []
        for one in shown:
            rounds = self._theirs(search.round_around(one.subject, one.sequence).ask(self._reader))
            hands += [msgspec.structs.replace(hand, at=one.sequence) for hand in self._hands(rounds)]
        none = "No finding in a round has an id that begins so; at least 6 characters are needed."
        return Answer(hands=tuple(hands), hint="" if hands else none, point=True)

    def _by_time(
        self, terms: HandTerms, table: str | None, numbers: Mapping[str, int], newest: dt.datetime
    ) -> Answer:
        if table is None:
            return Answer(wrong={"table": "name the table with a time"})
        zone = zone_called(self._states.zone(table))
        try:
            newest = max(newest, self._newest(table))
            asked = asked_time(terms.time, zone, newest)
        except NoTime as error:
            return Answer(wrong={"time": str(error)})
        hands: dict[Key, FoundHand] = {}
        for start, end in asked.spans:
            for hand in self._around(table, start, end, MOST_OF_TIME if asked.is_range else MOST_AT_ONCE):
                hands.setdefault((hand.subject, hand.round, hand.first_sequence), hand)
        found = [one for one in hands.values() if not one.near]
        told = tuple((found or list(hands.values()))[:MOST_OF_TIME])
        told, hint = self._seated(told, table, zone, numbers.get("seat"), asked)
        return Answer(
            hands=told,
            hint=hint,
            point=not asked.is_range,
            understood=asked.in_words(zone),
            spans=asked.spans,
        )

    def _seated(
        self, found: tuple[FoundHand, ...], table: str, zone: dt.tzinfo, seat: int | None, asked: AskedTime
    ) -> tuple[tuple[FoundHand, ...], str]:
        """The hands in which the seat of the search staked, or all where it staked in none; and the hints."""
        told, hints = found, []
        if len(asked.spans) > 1:
            hints.append("The clock showed this time twice that night; hands of both are listed.")
        if any(one.near for one in told) or not told:
            hints.append(self._no_hand(table, asked, zone, told))
        elif seat is not None:
            seated = tuple(one for one in told if not one.seats or seat in {line.seat for line in one.seats})
            if not seated:
                hints.append(f"Seat {seat} staked nothing then.")
            told = seated or told
        if asked.is_range and len(found) == MOST_OF_TIME:
            hints.append(f"These are its first {MOST_OF_TIME} hands; name a shorter range for the others.")
        return told, " ".join(hints)

    def _newest(self, table: str) -> dt.datetime:
        now = self._now(table)
        return EVER if now is None or now.table.time is None else now.table.time.astimezone(dt.UTC)

    def _now(self, table: str) -> Now | None:
        if table not in self._looked:
            self._looked[table] = None
            with suppress(UnknownTable):
                self._looked[table] = self._states.now(table)
        return self._looked[table]

    def _no_hand(self, table: str, asked: AskedTime, zone: dt.tzinfo, near: Sequence[FoundHand]) -> str:
        when = asked.in_words(zone) if asked.is_range else local_time(asked.starts[0], zone)
        said = f"No hand was under way at {table} at {when}."
        return said + (" The nearest are listed." if near else " None is near.")

    def _around(self, table: str, start: dt.datetime, end: dt.datetime, most: int) -> list[FoundHand]:
        """Rounds under way from `start` to `end`, else the last before and the first after."""
        later = self._theirs(search.rounds_ending_from(table, start, end, most).ask(self._reader))
        recent = search.round_ended_before(table, start, dt.timedelta(days=2))
        ever = search.round_ended_before(table, start, start - EVER)
        earlier = self._theirs(recent.ask(self._reader) or ever.ask(self._reader))
        begun = {}
        if later:
            times = search.times_of(table, [row.first_sequence for row in later]).ask(self._reader)
            begun = {one.sequence: one.time for one in times}
        going_on = self._going_on(table, start, end)
        inside = [row for row in later if begun.get(row.first_sequence, row.decided_at) < end]
        if inside or going_on:
            pairs = zip(self._hands(inside), inside, strict=True)
            return [*(self._at_time(hand, row, start, end) for hand, row in pairs), *going_on]
        words = [*("the last before" for _ in earlier), "the first after"]
        hands = self._hands([*earlier, *later[:1]])
        return [msgspec.structs.replace(one, near=word) for one, word in zip(hands, words, strict=False)]

    def _at_time(self, hand: FoundHand, row: FoundRow, start: dt.datetime, end: dt.datetime) -> FoundHand:
        """The hand, with the event of that time where the search names a second."""
        if end - start > dt.timedelta(seconds=1):
            return hand
        asked = search.event_at(row.subject, row.first_sequence, row.last_sequence, start, end)
        at = asked.ask(self._reader)
        return msgspec.structs.replace(hand, at=at[0].sequence) if at else hand

    def _going_on(self, table: str, start: dt.datetime, end: dt.datetime) -> list[FoundHand]:
        now = self._now(table)
        round_ = now.table.round if now is not None else None
        if now is None or round_ is None or now.table.time is None or start > now.table.time:
            return []
        began = search.times_of(table, [round_.first_sequence]).ask(self._reader)
        if not began or began[0].time >= end or ("dealer", now.table.dealer) in self._withheld:
            return []
        zone = zone_called(self._states.zone(table))
        seats = sorted({stake.seat for stake in round_.stakes.values()})
        one = FoundHand(
            subject=table,
            round=round_.number,
            first_sequence=round_.first_sequence,
            ended_at=None,
            local=f"began {local_time(began[0].time, zone)}",
            seats=tuple(SeatLine(seat, "", "", open=True) for seat in seats),
            net="–",
            net_cents=0,
            status="going on",
            findings=0,
            worst="",
            dealer=now.table.dealer,
            shoe=round_.shoe,
        )
        return [one]

    def _listed(
        self, terms: HandTerms, table: str | None, numbers: Mapping[str, int], span: search.SpanRow
    ) -> Answer:
        latest = not terms.asked()
        day = dt.date.fromisoformat(terms.day) if terms.day else None
        since, until = span_of(terms, day, span)
        point = bool(table) and "round" in numbers
        if point:
            since, until = span.first, span.last
        dealer, dealers = self._dealer(terms.dealer, since, until)
        if terms.dealer and dealer is None:
            hint = f"No dealer named {terms.dealer} dealt in the time that was looked through."
            return Answer(hint=hint, names=dealers, named="dealer", since=since, until=until)
        wanted = WantedRounds(
            since=since,
            until=until,
            table=table,
            number=numbers.get("round"),
            dealer=dealer,
            shoe=numbers.get("shoe"),
            day=day,
            status=terms.status or None,
            seat=numbers.get("seat") if not point else None,
            patron=terms.patron or None,
            without_tables=tuple(sorted(self._tables)),
            without_dealers=tuple(sorted(self._dealers)),
        )
        rows = newest_rounds(self._reader, wanted, place_after(terms.after), PAGE + 1)
        hands = self._hands(self._theirs(rows[:PAGE]))
        if point and not terms.after:
            hands = [*self._unfinished(table or "", numbers["round"], rows), *hands]
        further = cursor_of(rows[PAGE - 1]) if len(rows) > PAGE else ""
        hint = "" if hands else self._nothing(table, numbers) if point else _NOTHING
        if terms.patron and not hands:
            hint += f" No hand of that time is of a patron {terms.patron}: a pseudonym is looked for whole."
        return Answer(
            hands=tuple(hands),
            hint=hint,
            since=since,
            until=until,
            further=further,
            point=point,
            latest=latest,
        )

    def _nothing(self, table: str | None, numbers: Mapping[str, int]) -> str:
        """Why a round that was named is not there."""
        now = self._now(table or "")
        newest = f"; its newest is {now.table.last_round}" if now is not None and now.table.last_round else ""
        return f"{table} has no round {numbers['round']}{newest}."

    def _unfinished(self, table: str, number: int, rows: Iterable[FoundRow]) -> list[FoundHand]:
        now = self._now(table)
        round_ = now.table.round if now is not None else None
        if now is None or round_ is None or round_.number != number or now.table.time is None:
            return []
        if any(row.first_sequence == round_.first_sequence for row in rows):
            return []
        return self._going_on(table, now.table.time, now.table.time + dt.timedelta(seconds=1))

    def _theirs(self, rows: Iterable[FoundRow]) -> list[FoundRow]:
        """Without rounds of tables and dealers that are withheld from the user."""
        hidden = self._withheld
        return [r for r in rows if hidden.isdisjoint({("table", r.subject), ("dealer", r.dealer or "")})]

    def _hands(self, rows: Sequence[FoundRow]) -> list[FoundHand]:
        """Rows that the user may see, each with what stands beside it."""
        if not rows:
            return []
        staked: dict[Key, list[search.StakedRow]] = defaultdict(list)
        for one in search.staked_in(rows).ask(self._reader):
            staked[one.key].append(one)
        results: dict[tuple[Key, int], list[str]] = defaultdict(list)
        if self._role.sees_cards:
            for hand in search.results_in(rows).ask(self._reader):
                if hand.hand[:1].isdigit() and hand.result is not None:
                    results[hand.key, int(hand.hand[0])].append(hand.result)
        known = self._marks(rows)
        return [self._hand(row, staked[row.key], results, known) for row in rows]

    def _marks(self, rows: Sequence[FoundRow]) -> dict[str, str]:
        """Severity by id of the rows' findings that the user may know of."""
        ids = [name for row in rows for name in row.findings]
        if not ids:
            return {}
        found = search.marks(sorted({row.subject for row in rows}), ids).ask(self._reader)
        return {
            one.finding_id: one.severity
            for one in found
            if may_know(self._role, self._withheld, one.finding_id, one.verdict, one.money_cents)
        }

    def _hand(
        self,
        row: FoundRow,
        staked: Sequence[search.StakedRow],
        results: Mapping[tuple[Key, int], Sequence[str]],
        known: Mapping[str, str],
    ) -> FoundHand:
        mine = [known[name] for name in row.findings if name in known]
        order = ("critical", "major", "minor", "info")
        zone = zone_called(self._states.zone(row.subject))
        return FoundHand(
            subject=row.subject,
            round=row.round,
            first_sequence=row.first_sequence,
            ended_at=row.decided_at,
            local=local_time(row.decided_at, zone),
            seats=tuple(
                SeatLine(
                    one.seat, " / ".join(results.get((row.key, one.seat), ())), dollars(one.won_cents),
                    open=bool(one.unsettled),
                )
                for one in staked
            ),
            net=dollars(row.net_cents),
            net_cents=row.net_cents,
            status=row.status,
            findings=len(mine),
            worst=min(mine, key=order.index, default=""),
            dealer=row.dealer or "",
            shoe=row.shoe,
        )  # fmt: skip


def _meant(
    text: str, known: Sequence[str], alike: Callable[[str], bool]
) -> tuple[str | None, tuple[str, ...]]:
    """The known name that a text stands for; where that is not one, those it may have meant."""
    if text in known:
        return text, ()
    same = [one for one in known if alike(one)]
    return (same[0], ()) if len(same) == 1 else (None, tuple(same) or near(text, known))
