"""The search for hands: from the terms of the form to the list of hands."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType

import msgspec

from dashboards.accounts.roles import Role
from dashboards.accounts.visibility import DenyList, may_know
from dashboards.filters.hand_terms import (
    EVER,
    HandTerms,
    cursor_of,
    noted_of,
    numbers_of,
    place_after,
    played_of,
    span_of,
)
from dashboards.filters.names import meant, plain
from dashboards.filters.names import same as same_name
from dashboards.filters.when import AskedTime, NoTime, asked_time
from dashboards.folding.states import Now, States, UnknownTable
from dashboards.hands.found import Answer, FoundHand
from dashboards.hands.likely import may_be_wrong, most_like
from dashboards.hands.narrowing import NoHand, NoTerm, narrowed
from dashboards.hands.rows import HandRows
from dashboards.hands.told import Told, told_of
from dashboards.hands.told_time import ClosedTable, closed_for, hint_of_time
from dashboards.reader import search
from dashboards.reader.newest import WantedRounds, how_many, newest_rounds
from dashboards.reader.played import FindingAsked
from dashboards.reader.question import Reader
from dashboards.reader.search import FoundRow, Key
from dashboards.web.console import Console
from dashboards.wording.times import local_time, zone_called

PAGE = 50
MOST_AT_ONCE = 8  # hands of one minute that are listed
MOST_OF_TIME = 200  # ... and of a range of time
COUNTED = 1_000  # hands that are counted, where a page does not hold them all
_LONGEST_HAND = dt.timedelta(hours=6)  # a hand that ends later than so after a range was not under way in it
_NOTHING = "Nothing that was recorded then is what you ask for."


class Asking:
    """One search of one user."""

    def __init__(self, console: Console, user: str, role: Role) -> None:
        self._console = console
        self._user = user
        self._reader: Reader = console.records
        self._states: States = console.states
        self._role = role
        self._withheld: DenyList = console.desk.withheld_from(user)
        self._tables = console.desk.hidden_from(user, "table")
        self._dealers = console.desk.hidden_from(user, "dealer")
        self._rows = HandRows(console.records, console.states, role, self._withheld)
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
        if terms.time and terms.is_place and not terms.after:
            answer = self._by_time(terms, table or "", numbers, span[0].last)
        else:
            answer = self._listed(terms, table, numbers, span[0])
        if table is None or not terms.time or answer.wrong:
            return answer
        return msgspec.structs.replace(answer, closed=self._closed(table, terms.time, span[0].last))

    def _closed(self, table: str, text: str, newest: dt.datetime) -> ClosedTable | None:
        now = self._now(table)
        if now is None:
            return None
        return closed_for(self._reader, now, text, self._zone(table), max(newest, self._newest(table)))

    def told(self, text: str) -> Told:
        """What of a search a text names, and its words that were not understood."""
        tables = self.tables()

        def dealers() -> tuple[str, ...]:
            for span in search.span_of_rounds().ask(self._reader):
                since = max(span.last - dt.timedelta(days=31), EVER)
                rows = search.dealers_between(since, span.last).ask(self._reader)
                return tuple(row.dealer for row in rows if row.dealer not in self._dealers)
            return ()

        return told_of(text, tables, dealers)

    def tables(self) -> tuple[str, ...]:
        """The tables this user may see."""
        return tuple(name for name in self._states.names() if name not in self._tables)

    def clock(self, text: str) -> tuple[str, dt.datetime] | None:
        """The table that a text names, and its own last time; None where there is none."""
        table, _ = self._table(text)
        at = self._newest(table) if table else EVER
        return (table, at) if table and at > EVER else None

    def _table(self, text: str) -> tuple[str | None, tuple[str, ...]]:
        """The table a text names, whatever its case and dashes; else those it may have meant."""
        return meant(text, self.tables(), lambda one: plain(one) == plain(text)) if text else (None, ())

    def _dealer(
        self, text: str, since: dt.datetime, until: dt.datetime
    ) -> tuple[str | None, tuple[str, ...]]:
        """The dealer of this name, in any case; else those of that time who may have been meant."""
        if not text:
            return None, ()
        rows = search.dealers_between(since, until).ask(self._reader)
        known = [row.dealer for row in rows if row.dealer not in self._dealers]
        return meant(text, known, lambda one: same_name(one, text))

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
            rounds = self._rows.theirs(search.round_around(one.subject, one.sequence).ask(self._reader))
            hands += [msgspec.structs.replace(hand, at=one.sequence) for hand in self._rows.lines(rounds)]
        none = "No finding in a round has an id that begins so; at least 6 characters are needed."
        return Answer(hands=tuple(hands), hint="" if hands else none, point=True, matched=len(hands))

    def _by_time(
        self, terms: HandTerms, table: str, numbers: Mapping[str, int], newest: dt.datetime
    ) -> Answer:
        zone = zone_called(self._states.zone(table))
        try:
            asked = asked_time(terms.time, zone, max(newest, self._newest(table)))
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
            matched=sum(not one.near for one in told),
            more=len(told) == MOST_OF_TIME,
            oldest_first=True,
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
        later = self._rows.theirs(search.rounds_ending_from(table, start, end, most).ask(self._reader))
        begun = {}
        if later:
            times = search.times_of(table, [row.first_sequence for row in later]).ask(self._reader)
            begun = {one.sequence: one.time for one in times}
        going_on = self._going_on(table, start, end)
        inside = [row for row in later if begun.get(row.first_sequence, row.decided_at) < end]
        if inside or going_on:
            pairs = zip(self._rows.lines(inside), inside, strict=True)
            return [*(self._at_time(hand, row, start, end) for hand, row in pairs), *going_on]
        recent = search.round_ended_before(table, start, dt.timedelta(days=2))
        ever = search.round_ended_before(table, start, start - EVER)
        earlier = self._rows.theirs(recent.ask(self._reader) or ever.ask(self._reader))
        words = [*("the last before" for _ in earlier), "the first after"]
        hands = self._rows.lines([*earlier, *later[:1]])
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
        return [self._rows.going_on(now, began[0].time)]

    def _listed(
        self, terms: HandTerms, table: str | None, numbers: Mapping[str, int], span: search.SpanRow
    ) -> Answer:
        latest = not terms.asked()
        day = dt.date.fromisoformat(terms.day) if terms.day else None
        since, until = span_of(terms, day, span)
        point = bool(table) and "round" in numbers
        if point:
            since, until = span.first, span.last
        asked, zone = None, zone_called(None)
        if terms.time:
            try:
                asked, zone = self._asked_time(terms.time, table, span.last)
            except NoTime as error:
                return Answer(wrong={"time": str(error)})
            since, until = asked.spans[0][0], asked.spans[-1][1] + _LONGEST_HAND
        dealer, dealers = self._dealer(terms.dealer, since, until)
        if terms.dealer and dealer is None:
            hint = f"No dealer named {terms.dealer} dealt in the time that was looked through."
            return Answer(hint=hint, names=dealers, named="dealer", since=since, until=until)
        if ("patron", terms.patron) in self._withheld:
            return Answer(hint=_no_hand_of(terms.patron), since=since, until=until)
        wanted = self._wanted(terms, table, numbers, asked)
        wanted = msgspec.structs.replace(wanted, since=since, until=until, dealer=dealer, day=day)
        try:
            wanted, said = narrowed(wanted, terms, self._console, self._user, self._role)
        except NoTerm as error:
            return Answer(wrong={error.term: str(error)})
        except NoHand as error:
            return Answer(hint=str(error), since=since, until=until)
        wanted = self._under_way(wanted, asked)
        if asked is not None and not terms.after and may_be_wrong(wanted):
            like = self._like(wanted, asked, zone, said)
            if like.matched <= PAGE:
                return like
        rows = newest_rounds(self._reader, wanted, place_after(terms.after), PAGE + 1)
        hands = self._rows.lines(self._rows.theirs(rows[:PAGE]))
        if point and not terms.after:
            hands = [*self._unfinished(table or "", numbers["round"], rows), *hands]
        more = len(rows) > PAGE
        further = cursor_of(rows[PAGE - 1]) if more else ""
        matched = len(hands)
        if (more or terms.after) and not latest:
            matched = how_many(self._reader, wanted, COUNTED + 1, rows)
        nothing = "" if hands else self._nothing(table, numbers, terms.patron, point=point)
        of_time = hint_of_time(asked, table, span.last) if asked is not None else ""
        return Answer(
            hands=tuple(hands),
            hint=" ".join(one for one in (nothing, of_time, said) if one),
            since=since,
            until=asked.spans[-1][1] if asked is not None else until,
            further=further,
            point=point,
            latest=latest,
            matched=min(matched, COUNTED),
            more=matched > COUNTED,
            understood=asked.in_words(zone) if asked is not None else "",
            spans=asked.spans if asked is not None else (),
        )

    def _like(self, wanted: WantedRounds, asked: AskedTime, zone: dt.tzinfo, said: str) -> Answer:
        """The hands that fit best, and the rounds of those that fit all."""
        cards = self._role.sees_cards
        like, rounds = most_like(self._reader, wanted, cards=cards, known=self._rows.marks)
        return Answer(
            hands=tuple(self._rows.lines(rounds)),
            hint=f"{hint_of_time(asked, wanted.table, wanted.until)} {said}".strip(),
            since=like.since,
            until=like.until,
            matched=like.exact,
            understood=asked.in_words(zone),
            spans=asked.spans,
            like=like,
        )

    def _wanted(
        self, terms: HandTerms, table: str | None, numbers: Mapping[str, int], asked: AskedTime | None
    ) -> WantedRounds:
        """What the terms want of a round by itself; its day and dealer and the span are the caller's."""
        return WantedRounds(
            since=EVER,
            until=EVER,
            table=table,
            number=numbers.get("round"),
            shoe=numbers.get("shoe"),
            status=terms.status or None,
            seat=numbers.get("seat") if table is None or "round" not in numbers else None,
            patron=terms.patron or None,
            moments=asked.spans if asked is not None else (),
            played=played_of(terms, numbers),
            noted=self._noted(terms),
            without_tables=tuple(sorted(self._tables)),
            without_dealers=tuple(sorted(self._dealers)),
        )

    def _asked_time(self, text: str, table: str | None, newest: dt.datetime) -> tuple[AskedTime, dt.tzinfo]:
        zone = self._zone(table)
        return asked_time(text, zone, max(newest, self._newest(table) if table else EVER)), zone

    def _zone(self, table: str | None) -> dt.tzinfo:
        """The zone of a table, or that of all tables; where these have several, a time without a table is none."""
        tables = (table,) if table is not None else self.tables()
        names = sorted({one or "UTC" for one in self._states.zones(tables).values()})
        if len(names) > 1:
            raise NoTime(f"the tables keep several times ({', '.join(names)}): name the table with a time")
        return zone_called(names[0] if names else None)

    def _under_way(self, wanted: WantedRounds, asked: AskedTime | None) -> WantedRounds:
        """With the rounds that a stretch of time left under way; the span ends with the last of them."""
        if asked is None:
            return wanted
        found = [
            row
            for _, end in asked.spans
            for row in search.under_way_at(self._reader, end, _LONGEST_HAND, wanted.table)
        ]
        until = max([asked.spans[-1][1], *(row.latest for row in found)])
        edges = tuple(sorted({row.key for row in found}))
        return msgspec.structs.replace(wanted, edges=edges, until=until)

    def _noted(self, terms: HandTerms) -> FindingAsked | None:
        """What is asked of findings, among those that the user may know of."""
        return noted_of(
            terms,
            verdicts=tuple(sorted(self._role.verdicts)),
            only_with_money=self._role.only_with_money,
            without=tuple(sorted(name for kind, name in self._withheld if kind == "alert")),
        )

    def _nothing(self, table: str | None, numbers: Mapping[str, int], patron: str, *, point: bool) -> str:
        """Why no hand is there; `point`: a round was named."""
        if patron or not point:
            return _no_hand_of(patron) if patron else _NOTHING
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


def _no_hand_of(patron: str) -> str:
    """The same whether there is none, or the patron is withheld."""
    return f"{_NOTHING} No hand of that time is of a patron {patron}: a pseudonym is looked for whole."
