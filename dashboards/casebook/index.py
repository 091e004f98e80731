"""The cases of a desk and what finds them: by status, owner, member, word, and by what deny lists may name."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from dashboards.casebook.case import Case

DenyKey = tuple[str, str]  # kind and value, as deny lists have them
MemberKey = tuple[str, str]
_WORD = re.compile(r"[\w$][\w.:/-]*")
_LONGEST = 64


class FoundCases(NamedTuple):
    """Some of the cases that were found, the last changed first, and how many there are in all."""

    shown: tuple[Case, ...]
    total: int


def words_of(text: str) -> set[str]:
    """The words of a text as they are looked for: without case, and of names with dashes their parts too."""
    whole = {word.strip(".:/-")[:_LONGEST] for word in _WORD.findall(text.lower())}
    return {word for word in whole | {part for one in whole for part in re.split(r"[.:/-]", one)} if word}


@dataclass(slots=True)
class CaseIndex:
    """Kept act by act; a search walks the cases that bear a word and never all."""

    cases: dict[str, Case] = field(default_factory=dict)
    _touched: dict[str, int] = field(default_factory=dict)  # case -> its last record
    # In each of these the last changed case stands last.
    _of_status: defaultdict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    _of_owner: defaultdict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    _of_member: defaultdict[MemberKey, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    _denied_by: defaultdict[DenyKey, set[str]] = field(default_factory=lambda: defaultdict(set))
    _keys: dict[str, frozenset[DenyKey]] = field(default_factory=dict)
    _bearing: dict[str, set[str]] = field(default_factory=dict)  # word -> cases
    _words: list[str] = field(default_factory=list)  # sorted

    def put(self, case: Case, sequence: int, told: str) -> None:
        """Take a case as it now stands; `told` are the words that the act of this record brought."""
        before = self.cases.get(case.id)
        if before is not None:
            self._of_status[before.status].pop(case.id, None)
            self._of_owner[before.owner].pop(case.id, None)
            for one in before.members:
                self._of_member[one.kind, one.value].pop(case.id, None)
        self.cases[case.id] = case
        self._touched[case.id] = sequence
        self._of_status[case.status][case.id] = None
        if case.open:
            self._of_owner[case.owner][case.id] = None
        for one in case.members:
            self._of_member[one.kind, one.value][case.id] = None
        for word in words_of(f"{case.id} {told}"):
            if word not in self._bearing:
                self._bearing[word] = set()
                insort(self._words, word)
            self._bearing[word].add(case.id)

    def keyed(self, case: str, keys: Iterable[DenyKey]) -> None:
        """Say by which alerts, tables, dealers and patrons a case is withheld."""
        for key in self._keys.get(case, ()):
            self._denied_by[key].discard(case)
        self._keys[case] = frozenset(keys)
        for key in self._keys[case]:
            self._denied_by[key].add(case)

    def hidden(self, withheld: Collection[DenyKey]) -> set[str]:
        """The cases that are not there for someone from whom this is withheld."""
        found: set[str] = set()
        for key in withheld:
            found |= self._denied_by.get(key, set())
        return found

    def of_member(self, kind: str, value: str) -> tuple[Case, ...]:
        """The cases that an alert, a hand or a dispute belongs to."""
        return tuple(map(self.cases.__getitem__, self._of_member.get((kind, value), {})))

    def pool(self, show: str, user: str) -> dict[str, None]:
        """The ids of cases under a name: a status, or `mine`: those of this user that are not closed."""
        return self._of_owner.get(user, {}) if show == "mine" else self._of_status.get(show, {})

    def find(
        self, pool: dict[str, None], words: str, withheld: Collection[DenyKey], skip: int, most: int
    ) -> FoundCases:
        """The cases of a pool that bear all these words, or words that begin so, the last changed first."""
        hidden = self.hidden(withheld)
        wanted = [word.strip(".:/-") for word in words.lower().split()]
        shown: Iterator[str]
        if not any(wanted):
            total = len(pool) - sum(one in pool for one in hidden)
            shown = (one for one in reversed(pool) if one not in hidden)
        else:
            found = [one for one in self._bearing_all(wanted) if one in pool and one not in hidden]
            found.sort(key=self._touched.__getitem__, reverse=True)
            total, shown = len(found), iter(found)
        page = islice(shown, skip, skip + most)
        return FoundCases(tuple(map(self.cases.__getitem__, page)), total)

    def _bearing_all(self, wanted: Iterable[str]) -> set[str]:
        found: set[str] | None = None
        for word in filter(None, wanted):
            of_word = self._bearing_one(word[:_LONGEST])
            found = of_word if found is None else found & of_word
            if not found:
                return set()
        return found or set()

    def _bearing_one(self, start: str) -> set[str]:
        found: set[str] = set()
        at = bisect_left(self._words, start)
        while at < len(self._words) and self._words[at].startswith(start):
            found |= self._bearing[self._words[at]]
            at += 1
        return found
