"""Hears a round again as it reads without a device's fault: its words in the order of their times, a lost one put back.

Nobody is accused of an act that one such reading explains without blaming anybody for something else (A65-A67). The
round is heard by the same checks, on a copy of the table as it stands.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from msgspec import Struct

from processors.core.fold import fold
from processors.core.folding.faces import log_as_read
from processors.core.grammar.lingering import LATEST
from processors.core.pairing import second_word
from processors.core.silence import goes_on
from processors.core.state import Logged, Round, Table, restore, snapshot
from processors.games.taking import PLAIN, Met, clear
from processors.law.awaiting import OUT_OF_ORDER
from processors.law.finding import Held
from processors.law.judge import Judge
from processors.law.judgments import Breach
from processors.law.rehear.lost_words import BORNE_OUT, LATE, LOST, Search, supposed
from schemas import events as e
from schemas.envelope import PAYLOADS, Envelope

MOST_WORDS = 8
FEW = 4  # words of a device in a round, of which most may be late by chance


class Act(NamedTuple):
    """What a breach is known by in every hearing: its check, its discriminator, the event that shows it."""

    check: str
    mark: str
    sequence: int


class Hearing(Struct, frozen=True):
    """The log as it was heard, the breaches asserted in it, and all that were seen, also as mere consequences.

    `held` is whatever was held against the table, doubts among it.
    """

    log: Sequence[Logged]
    asserted: dict[Act, Breach]
    seen: frozenset[Act]
    held: dict[Act, Held]


class Explained(Struct, frozen=True):
    """The breaches that stand, those that are gone, and the words that explain them; `by_order` if their times do.

    `upheld` are those that the order of times shows to be none, without showing any other: no word is missing.
    """

    stand: frozenset[Act]
    gone: frozenset[Act]
    words: tuple[str, ...]
    by_order: frozenset[Act]
    upheld: frozenset[Act]


class Rehearing:
    """A round of a table, heard again in other readings."""

    def __init__(self, table: Table, round_: Round, judge: Judge) -> None:
        """Take the table as it stands now."""
        self._round, self._judge = round_, judge
        self._log = log_as_read(round_)
        under_way, lingering = table.round, table.lingering
        table.round = table.lingering = None
        self._table = snapshot(table)
        table.round, table.lingering = under_way, lingering
        self._sides = table.config.side_wagers if table.config is not None else ()
        self._chip = judge.rules.chip_cents if judge.rules is not None else 1

    def may_explain(self, acts: Collection[Act]) -> frozenset[Act]:
        """Those of the breaches just seen that the order of times explains, or one word that may be late or lost."""
        first = self._hear(self._log)
        # Whether a device is late or its clock off, its next words will show.
        ordered = in_order_of_time(first.log, whoever=True)
        explained = set(acts).intersection(first.asserted)
        known = first.seen
        if ordered is not None:
            again = self._hear(ordered)
            known |= again.seen
            explained -= again.asserted.keys()
        else:
            explained.clear()
        for act in set(acts).intersection(first.asserted) - explained:
            if self._without(first, act, known, LATE) is not None:
                explained.add(act)
        return frozenset(explained)

    def by_faces(self) -> tuple[dict[Act, Held], dict[Act, Held]]:
        """What is held against the table as its devices read the cards, and as the rack read those they could not."""
        return self._hear(self._round.log).held, self._hear(self._log).held

    def explain(self, *, over: bool) -> Explained:
        """Look for the words that leave nobody to blame: late ones in their order, and lost wagers.

        Once the round is `over`, only wagers that another device bears out.
        """
        heard = first = self._hear(self._log)
        words: list[str] = []
        known = first.seen
        ordered = in_order_of_time(first.log)
        by_order: frozenset[Act] = frozenset()
        upheld: frozenset[Act] = frozenset()
        if ordered is not None:
            again = self._hear(ordered)
            by_order = frozenset(first.asserted.keys() - again.asserted.keys())
            if again.asserted.keys() <= first.asserted.keys():
                upheld = first.seen - again.seen
            if len(again.asserted) <= len(first.asserted):
                heard, known = again, known | again.seen
                words.append(OUT_OF_ORDER)
        hopeless: set[Act] = set()
        for _ in range(MOST_WORDS):
            target = next((act for act in heard.asserted if act not in hopeless), None)
            if target is None:
                break
            found = self._without(heard, target, known, BORNE_OUT if over else LOST)
            if found is None:
                hopeless.add(target)
                continue
            heard, word = found
            words.append(word)
        stand = frozenset(heard.asserted)
        return Explained(stand, first.seen - stand, tuple(dict.fromkeys(words)), by_order, upheld)

    def _without(
        self, heard: Hearing, target: Act, known: frozenset[Act], search: Search, *, further: bool = True
    ) -> tuple[Hearing, str] | None:
        """The hearing in which one more word explains a breach, and blames nobody for anything that was not seen.

        Where the word itself lacks a word, as a double its wager, a `further` one may be missing with it.
        """
        at = next((place for place, one in enumerate(heard.log) if one.sequence == target.sequence), None)
        if at is None:
            return None
        breach, data = heard.asserted[target], heard.log[at].data
        spots = {breach.hand or (f"{breach.seat}.1" if breach.seat else ""), getattr(data, "hand", "") or ""}
        number = min(0, min(one.sequence for one in heard.log)) - 1
        best: tuple[Hearing, str] | None = None
        for word in supposed(heard.log, at, spots - {""}, self._sides, self._chip, search):
            said = Logged(number, "", word.data, heard.log[word.place].time)
            again = self._hear([*heard.log[: word.place], said, *heard.log[word.place :]])
            strange = [act for act in again.asserted if act not in known and act[::2] != target[::2]]
            if target in again.asserted or len(strange) > further:
                continue
            if strange:
                both = self._without(again, strange[0], known, search, further=False)
                if both is None:
                    continue
                again = both[0]
            if best is None or len(again.asserted) < len(best[0].asserted):
                best = again, word.name
                if not again.asserted:
                    break
        return best

    def _hear(self, log: Sequence[Logged]) -> Hearing:
        table, judge, round_ = restore(self._table, PAYLOADS), self._judge, self._round
        table.shoe.loose, table.shoe.owed = [], []
        table.round = Round(round_.number, round_.first_sequence, round_.shoe)
        goes_on(table, table.round)
        table.round.unheard.update(round_.unheard)
        judge.forget()
        asserted: dict[Act, Breach] = {}
        seen: set[Act] = set()
        every: dict[Act, Held] = {}
        came = len(log) == len(round_.log) and all(
            one.sequence == other.sequence for one, other in zip(log, round_.log, strict=True)
        )
        for place, one in enumerate(log, round_.first_sequence):
            # A finding keeps its id, but where words stand in another order or a supposed one among them.
            sequence = one.sequence if came else place
            if type(one.data) is e.RoundStarted:
                continue
            event = Envelope("1.0", "", one.source, table.subject, one.time, sequence, "", one.data)
            for held in hear(table, event, judge):
                act = Act(held.entry.id, held.judgment.discriminator, one.sequence)
                every[act] = held
                if isinstance(held.judgment, Breach):
                    seen.add(act)
                    if held.verdict == "breached" or held.until_racked:
                        asserted[act] = held.judgment
            fold(table, event)
        judge.forget()
        return Hearing(log, asserted, frozenset(seen), every)


def hear(table: Table, event: Envelope, judge: Judge, met: Met = PLAIN) -> list[Held]:
    """What is held against a table at an event, once a card that nobody saw laid lies where it must."""
    if clear(table, event, judge.rules, met):
        judge.forget()
    kind, round_ = type(event.data), table.round
    # A second word of an act that is known already is no further act (A65, A67).
    unpaired = table.shoe.owed or (round_ is not None and round_.inferred)
    again = unpaired and (kind is e.CardDrawn or kind is e.CardPlaced) and second_word(table, event.data)
    return [] if again else judge.judge(table, event)


def in_order_of_time(log: Sequence[Logged], *, whoever: bool = False) -> list[Logged] | None:
    """The log with the words that came late put where their times say; None if none is late.

    A device most of whose words seem to be late has a clock that is off, and keeps its order, unless `whoever` it is.
    """
    late: dict[str, int] = {}
    said: dict[str, int] = {}
    newest = log[0].time
    for one in log:
        said[one.source] = said.get(one.source, 0) + 1
        if one.time < newest:
            late[one.source] = late.get(one.source, 0) + (newest - one.time < LATEST)
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
