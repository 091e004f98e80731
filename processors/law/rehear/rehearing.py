"""Hears a round again as it reads without a device's fault: its words in the order of their times, a lost one put back.

Nobody is accused of an act that one such reading explains without blaming anybody for something else (A65-A67). The
round is heard by the same checks, on a copy of the table as it stands.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from processors.core.anomaly import Anomaly
from processors.core.devices.silence import goes_on
from processors.core.devices.thresholds import FEW, LATEST, MOST_SUPPOSED
from processors.core.devices.words import SPEAKS
from processors.core.facts_decks import STACK_GAMES
from processors.core.folding.faces import log_as_read
from processors.core.folding.in_force import numbers_on
from processors.core.snapshots import restore, snapshot
from processors.core.state import Logged, Round, Table
from processors.core.witnesses import Witness
from processors.law.finding.awaiting import OUT_OF_ORDER
from processors.law.finding.finding import HeldJudgment
from processors.law.judge.judge import Judge
from processors.law.judgments import Breach, Indeterminate
from processors.law.rehear import late_steps, lost_stack_words, lost_words, unseen_cards
from processors.law.rehear.hearing import Act, Ear, Hearing, SoFar, Tried
from processors.law.rehear.lost_wagers import BORNE_OUT, LATE, LOST, Search, Supposed
from schemas.events.envelope import PAYLOADS
from schemas.findings import finding_id
from schemas.rulesets.numbers import StackGameNumbers

Explanation = tuple[Hearing, tuple[Supposed, ...]]
"""A hearing with a supposed word, and what was put in."""


class LostWords(NamedTuple):
    """Words that a device may not have said, by their names; `dead` if the device said no word after them."""

    names: tuple[str, ...]
    dead: bool


class UnseenCards(NamedTuple):
    """The hearing with the cards in place that rack or showdown have and nobody saw come, and the cards' names."""

    hearing: Hearing
    names: tuple[str, ...]


class Explained(Struct, frozen=True):
    """What became of the breaches of a round, and by which words.

    gone: breaches that words explain.
    words: the words, as a finding names them, unseen cards among them.
    by_order: breaches that the order of times explains.
    beside: breaches that remain after every lost word that might have caused them is put back.
    upheld: breaches that are none, by the order of times or by unseen cards, which show no other breach: no word is
    missing.
    seen: every breach that the round shows as it was told, mere consequences too, as it is held against the table.
    lost: the lost words of each device.
    """

    gone: frozenset[Act]
    words: tuple[str, ...]
    by_order: frozenset[Act]
    beside: Mapping[Act, HeldJudgment]
    upheld: frozenset[Act]
    seen: Mapping[Act, HeldJudgment]
    lost: Mapping[Witness, LostWords]


class Rehearing:
    """A round of a table, heard again in other readings."""

    def __init__(self, table: Table, round_: Round, judge: Judge, end: Logged | None = None) -> None:
        """Take the table as it stands now; `end` is the end of the round, where it is not folded yet."""
        self._round, self._judge, self._subject = round_, judge, table.subject
        self._log = log_as_read(round_) if end is None else [*log_as_read(round_), end]
        under_way, lingering = table.round, table.lingering
        table.round = table.lingering = None
        self._table = snapshot(table)
        table.round, table.lingering = under_way, lingering
        self._config = table.config
        rules = judge.rules.on(table, round_.day)
        self._rules, self._chip = rules, rules.chip_cents if rules is not None else 1

    def may_explain(self, acts: Collection[Act]) -> frozenset[Act]:
        """Those of the breaches just seen that the order of times explains, or one word that may be late or lost."""
        first, again = self._first, self._in_order(whoever=True)
        acts = first.asserted.keys() & acts
        explained = acts - again.asserted.keys() if again is not None else set()
        known = first.seen | again.seen if again is not None else first.seen
        for act in acts - explained:
            if any(True for _ in self._explaining(first, act, known, LATE)):
                explained.add(act)
        return frozenset(explained)

    def by_faces(self) -> tuple[dict[Act, HeldJudgment], dict[Act, HeldJudgment]]:
        """What is held against the table as its devices read the cards, and as the rack read those they could not."""
        return self._hear(self._round.log).held, self._first.held

    def explain(self, *, over: bool, causes: Collection[str] = ()) -> Explained:
        """Look for the words that leave nobody to blame: late words in their order, unseen cards, and lost words.

        over: the round has ended, so that unseen cards are looked for, and lost wagers only if a device bears them out.
        causes: the ids of the breaches from which others seem to follow.
        """
        first = self._first
        # Whether most of a device's words are late, its next ones in the round may show.
        again = self._surely if over else self._in_order(whoever=True)
        heard, known = self._best(again)
        words = [OUT_OF_ORDER] if heard is not first else []
        by_order: frozenset[Act] = frozenset()
        upheld: frozenset[Act] = frozenset()
        if again is not None and (over or again.log == in_order_of_time(first.log)):
            by_order = frozenset(first.asserted.keys() - again.asserted.keys())
            if again.asserted.keys() <= first.asserted.keys():
                upheld = first.seen - again.seen
        if over and self.unseen is not None:
            heard = self.unseen.hearing
            words += self.unseen.names
            known |= heard.seen
            upheld |= first.seen - heard.seen - heard.held.keys()
        heard, lost = self._with_lost_words(heard, known, BORNE_OUT if over else LOST)
        words += [name for of_one in lost.values() for name in of_one.names]
        beside = heard
        for target in heard.asserted:
            if target in beside.asserted and self._id(target, heard) in causes:
                further = self._without(beside, target, known, LATE)
                beside = further[0] if further is not None else beside
        gone = first.seen - heard.asserted.keys()
        seen = {act: first.held[act] for act in first.seen}
        return Explained(gone, tuple(dict.fromkeys(words)), by_order, beside.asserted, upheld, seen, lost)

    @cached_property
    def unseen(self) -> UnseenCards | None:
        """The cards that rack or showdown have and nobody saw come, laid where lawful play passes them over.

        None if the cards explain no breach, or if a breach shows with them that was not known.
        More cards than left the shoe without a word are not supposed.
        """
        shown = unseen_cards.ShownCards(self._round)
        most = shown.undrawn()
        if most <= 0:
            return None
        heard, known = self._best(self._surely)
        laid = self._passed_over(heard.log, shown)
        if not 0 < len(laid) <= most:
            return None
        again = self._hear(with_words(heard.log, laid))
        if heard.asserted.keys() <= again.asserted.keys() or not again.asserted.keys() <= known:
            return None
        return UnseenCards(again, tuple(word.name for word in laid))

    def lay(self, table: Table) -> tuple[Anomaly, ...]:
        """Lay the unseen cards in the round; the anomalies tell of the words that the cards lack."""
        if self.unseen is None:
            return ()
        first, heard = self._round.first_sequence, self.unseen.hearing
        supposed = {first + place for place, one in enumerate(heard.log) if one.sequence < 0}
        return unseen_cards.lay(table, self._round, heard.hands, supposed)

    @cached_property
    def _first(self) -> Hearing:
        """The round as its words came."""
        return self._hear(self._log)

    @cached_property
    def _surely(self) -> Hearing | None:
        return self._in_order(whoever=False)

    def _in_order(self, *, whoever: bool) -> Hearing | None:
        """The round in the order of its times; None if no word is late."""
        ordered = in_order_of_time(self._first.log, whoever=whoever)
        return self._hear(ordered) if ordered is not None else None

    def _best(self, again: Hearing | None) -> tuple[Hearing, frozenset[Act]]:
        """The round in the order of its times, unless it breaks more so; and the breaches that are known by then."""
        first = self._first
        if again is None or len(again.asserted) > len(first.asserted):
            return first, first.seen
        return again, first.seen | again.seen

    def _with_lost_words(
        self, heard: Hearing, known: frozenset[Act], search: Search
    ) -> tuple[Hearing, dict[Witness, LostWords]]:
        """The hearing with words put back that explain breaches, and these words of each device."""
        hopeless: set[Act] = set()
        lost: dict[Witness, LostWords] = {}
        for _ in range(MOST_SUPPOSED):
            target = next((act for act in heard.asserted if act not in hopeless), None)
            if target is None:
                break
            found = self._without(heard, target, known, search)
            if found is None:
                hopeless.add(target)
                continue
            for word in found[1]:
                device = SPEAKS[type(word.data)]
                before = lost[device].names if device in lost else ()
                names = tuple(dict.fromkeys((*before, word.name)))
                lost[device] = LostWords(names, dead=not _speaks(heard.log[word.place :], device))
            heard = found[0]
        return heard, lost

    def _id(self, act: Act, heard: Hearing) -> str:
        return finding_id(self._subject, heard.asserted[act].entry.formerly, act.sequence, act.mark)

    def _without(
        self, heard: Hearing, target: Act, known: frozenset[Act], search: Search, *, further: bool = True
    ) -> Explanation | None:
        """The hearing with one more word that explains a breach and leaves fewest; the first of several."""
        best: Explanation | None = None
        for one in self._explaining(heard, target, known, search, further=further):
            if best is None or len(one[0].asserted) < len(best[0].asserted):
                best = one
                if not one[0].asserted:
                    break
        return best

    def _explaining(
        self, heard: Hearing, target: Act, known: frozenset[Act], search: Search, *, further: bool = True
    ) -> Iterator[Explanation]:
        """The hearings in which one more word explains a breach, and no breach shows that was not known.

        The word may lack a word itself, as a double lacks its wager: with `further`, that word is put back as well.
        It may also be a stand, because words of a device are lost in a row.
        """
        at = next((place for place, one in enumerate(heard.log) if one.sequence == target.sequence), None)
        if at is None:
            return
        breach = heard.asserted[target].judgment
        tries = list(self._supposed(heard.log, at, breach, search, stands=not further))
        if not tries:
            return
        begun = self._up_to(heard.log, {min(word.place for word in words) for words in tries})
        for words in tries:
            tried = Tried(target, known, most=further)
            first = min(word.place for word in words)
            again = self._hear_on(begun, with_words(heard.log, words), first, tried)
            if again is not None and tried.strange:
                both = self._without(again, tried.strange[0], known, search, further=False)
                again = both[0] if both is not None else None
            if again is not None:
                yield again, words

    def _supposed(
        self, log: Sequence[Logged], at: int, breach: Breach | Indeterminate, search: Search, *, stands: bool
    ) -> Iterator[tuple[Supposed, ...]]:
        """The words, mostly one alone, that would explain the breach at a place of the log."""
        config = self._config
        if config is None:
            return
        if search != BORNE_OUT:
            cards = self._passed_over(log[: at + 1])
            yield from ((word,) for word in cards)
            if len(cards) > 1:
                yield tuple(cards)
        if config.ruleset in STACK_GAMES:
            numbers = numbers_on(config.ruleset, StackGameNumbers, self._round.day)
            yield from lost_stack_words.supposed(log, at, config, numbers, self._chip, search)
            return
        named = {
            breach.hand or (f"{breach.seat}.1" if breach.seat else ""),
            getattr(log[at].data, "hand", "") or "",
        } - {""}
        words = list(lost_words.supposed(log, at, named, config.side_wagers, self._chip, search))
        if search == LATE:
            words += late_steps.supposed(log, at, named)
        elif stands:
            words += lost_words.stands(log, at)
        yield from ((word,) for word in words)

    def _passed_over(
        self, log: Sequence[Logged], shown: unseen_cards.ShownCards | None = None
    ) -> list[Supposed]:
        """The cards that acts of the log pass over, or only those that are `shown`."""
        return unseen_cards.passed_over(self._ear(), log, self._round.first_sequence, self._rules, shown)

    def _hear(self, log: Sequence[Logged]) -> Hearing:
        round_, ear = self._round, self._ear()
        came = [one.sequence for one in log] == [one.sequence for one in self._log]
        for place, one in enumerate(log, round_.first_sequence):
            # A finding keeps its id, but where words stand in another order or a supposed one among them.
            ear.hear(one, one.sequence if came else place)
        return ear.hearing(log)

    def _hear_on(
        self, begun: Mapping[int, SoFar], log: Sequence[Logged], first: int, tried: Tried
    ) -> Hearing | None:
        """Hear a log whose events before place `first` were heard already; None where what is `tried` is in vain."""
        ear, number = Ear.after(begun[first], self._judge), self._round.first_sequence
        for place in range(first, len(log)):
            ear.hear(log[place], number + place, tried)
            if tried.vain:
                return None
        return ear.hearing(log)

    def _up_to(self, log: Sequence[Logged], places: Collection[int]) -> dict[int, SoFar]:
        """What was heard before each of these places of a log into which a word is put there."""
        ear, number, begun = self._ear(), self._round.first_sequence, {}
        for place in range(max(places) + 1):
            if place in places:
                begun[place] = ear.so_far()
            if place < len(log):
                ear.hear(log[place], number + place)
        return begun

    def _ear(self) -> Ear:
        """An ear that has heard nothing of the round yet."""
        table, round_ = restore(self._table, PAYLOADS), self._round
        table.shoe.loose, table.shoe.owed = [], []
        table.round = Round(round_.number, round_.first_sequence, round_.shoe, round_.day, round_.configured)
        goes_on(table, table.round)
        table.round.unheard.update(round_.unheard)
        return Ear(table, self._judge)


def _speaks(log: Sequence[Logged], device: Witness) -> bool:
    """Whether one of these words came from the device; supposed words did not."""
    return any(SPEAKS.get(type(one.data)) == device and one.sequence > 0 for one in log)


def with_words(log: Sequence[Logged], words: Collection[Supposed]) -> list[Logged]:
    """The log with words put in, each before the event at its place; their sequences are below all others and 0."""
    number, said = min(0, min(one.sequence for one in log)) - 1, list(log)
    for nth, word in enumerate(sorted(words, key=lambda word: word.place)):
        said.insert(word.place + nth, Logged(number - nth, "", word.data, log[word.place].time))
    return said


def in_order_of_time(log: Sequence[Logged], *, whoever: bool = False) -> list[Logged] | None:
    """The log with the words that came late put where their times say; None if none is late.

    A device most of whose words seem to be late has a clock that is off, and keeps its order, unless `whoever` it is.
    """
    said = Counter(one.source for one in log)
    late = Counter[str]()
    newest = log[0].time
    for one in log:
        if one.time < newest:
            late[one.source] += newest - one.time < LATEST
        newest = max(newest, one.time)
    moving = {
        source
        for source, count in late.items()
        if whoever or 4 * count <= 3 * said[source] or said[source] < FEW
    }
    ordered: list[Logged] = []
    for one in log:
        place = len(ordered)
        if one.source in moving:
            while place and one.time < ordered[place - 1].time <= one.time + LATEST:
                place -= 1
        ordered.insert(place, one)
    return ordered if ordered != list(log) else None
