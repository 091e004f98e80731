"""A noisy record through the pipeline: what it accuses people of, what it leaves undecided, what it still finds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from processors.pipeline import TablePipeline
from producers.simulator.noise.words import Entry, Word
from schemas.findings import Finding
from schemas.rounds import RoundResult
from tests.mutations.rechain import cites
from tests.noise.tables import Dealt

_MADE_READY = (
    "opening.", "shuffle_cut.", "shoe.load", "shoe.rotation_waiting", "shoe.dealt_from", "stacks.shoe_prepared",
)  # fmt: skip
"""Checks of steps that only the console tells of."""
_ON_FILE = {
    "submission.approvals_on_file": "approval_recorded",
    "equipment.layout_complete": "approval_recorded",
    "stacks.shoe_location": "approval_recorded",
    "reader.inspected": "device_inspected",
    "equipment.decks_number": "decks_received",
}
"""Checks of what is put on file before the first round, with the console's word of it: no other device tells of it, and
nothing that follows differs where it never was, so its silence stays what the text makes of it."""


class Judged:
    """What the pipeline said of one table, beside what became of its words."""

    def __init__(self, dealt: Dealt, entries: Iterable[Entry]) -> None:
        self.dealt = dealt
        self.entries = list(entries)
        self.findings: list[Finding] = []
        self.statuses: list[str] = []
        self.debts: list[str] = []  # stakes that moved otherwise than they are said to be due
        # Proofs add nothing to a round's status, patterns accuse nobody.
        pipeline = TablePipeline(dealt.subject, proofs=False, detect=False)
        outcomes = [pipeline.advance(entry.line) for entry in self.entries if entry.line is not None]
        for outcome in (*outcomes, pipeline.finish()):
            self.findings += outcome.findings
            self.statuses += [result.status for result in outcome.rounds]
            self.debts += [debt for result in outcome.rounds for debt in _debts(result)]

    @cached_property
    def noise(self) -> dict[int | None, list[Word]]:
        """The words that noise met, by round."""
        found: dict[int | None, list[Word]] = defaultdict(list)
        for entry in self.entries:
            if entry.word.noise:
                found[entry.word.round].append(entry.word)
        return found

    @cached_property
    def _readings_lost(self) -> int:
        return sum(
            word.lost and word.kind == "hole_card_read" for words in self.noise.values() for word in words
        )

    @cached_property
    def racked(self) -> set[int | None]:
        """The rounds of which some hand is known to have been racked."""
        return {
            entry.word.round for entry in self.entries if entry.line and entry.word.kind == "cards_racked"
        }

    def accusations(self) -> list[Finding]:
        """Breaches of people's duties, but for those that A69 leaves standing."""
        return [finding for finding in self._breaches() if not self._is_what_the_text_makes_of_it(finding)]

    def left_standing(self) -> list[Finding]:
        """Breaches that a missing word makes of the text (A69)."""
        return [finding for finding in self._breaches() if self._is_what_the_text_makes_of_it(finding)]

    def _breaches(self) -> list[Finding]:
        return [
            finding
            for finding in self.findings
            if finding.verdict == "breached" and not finding.check.startswith("integrity.")
        ]

    def _is_what_the_text_makes_of_it(self, finding: Finding) -> bool:
        """A69: a hand or stub not racked while the round's others were; one total, reading or stub taken out.

        A hit, a stand or a surrender that the console alone tells, steps by which cards are made ready, and what is put
        on file before the first round.
        """
        met = [word for word in self.noise.get(finding.round, []) if word.lost]
        if finding.check.startswith("action.") and any(map(_console_alone_tells, met)):
            return True
        if finding.check.startswith(_MADE_READY):
            return any(word.noise == ("recorder",) for word in (*met, *self.noise.get(None, [])))
        if finding.check in _ON_FILE and (finding.round is None):
            kept = _ON_FILE[finding.check]
            return any(word.noise == ("recorder",) and word.kind == kept for word in met)
        if finding.check == "action.dealer_announces":
            return [word.kind for word in met] == ["dealer_total_announced"]
        if finding.check == "shoe.rest_to_rack":
            between = [word.kind for word in self.noise.get(None, []) if word.lost]
            return [word.kind for word in met] + between * bool(finding.round) == ["shoe_emptied"]
        if finding.check == "stub.removed":
            return [word.kind for word in met] == ["stub_removed"]
        if finding.check == "reader.used":
            return self._readings_lost == 1
        racks = [word for word in met if word.kind == "cards_racked"]
        unracked = [word.event["data"] for word in racks if len(racks) == 1 or word.noise == ("racked",)]
        if finding.round not in self.racked:
            return False
        if finding.check == "stub.racked":
            return any(data["reason"] == "stub" for data in unracked)
        if finding.check == "stub.unwagered":
            return any(data["hand"] == str(finding.seat) for data in unracked)
        return finding.check.startswith("rack.") and any(data["hand"] == finding.hand for data in unracked)

    def breach(self) -> int | None:
        """The first round with a breach that the table's scenario is about."""
        return min(self._rounds_breached(), default=None)

    def finds(self, number: int) -> bool:
        """Whether such a breach is found in that round."""
        return number in self._rounds_breached()

    def _rounds_breached(self) -> set[int]:
        return {
            finding.round
            for finding in self.findings
            if finding.verdict == "breached"
            and finding.round is not None
            and cites(finding, *self.dealt.breaks)
        }


def _debts(result: RoundResult) -> list[str]:
    return [
        f"round {result.round}, {stake.kind} of {stake.hand or stake.seat}: {stake.expected}, had {stake.observed}"
        for stake in result.stakes
        if stake.expected is not None and stake.observed is not None and stake.due_cents != stake.seen_cents
    ]


def _console_alone_tells(word: Word) -> bool:
    """Whether the word is a decision of which cards, chips and rack show nothing."""
    return word.kind == "player_decision" and word.event["data"]["kind"] in ("hit", "stand", "surrender")


@dataclass(slots=True)
class Share:
    """So many of so many."""

    right: int = 0
    whole: int = 0

    def add(self, right: bool) -> None:
        """One more."""
        self.right += right
        self.whole += 1

    def __str__(self) -> str:
        return f"{self.right / self.whole:.1%} of {self.whole:,}" if self.whole else "-"


@dataclass(slots=True)
class Figures:
    """What one kind of noise at one rate did to all tables."""

    kind: str
    rate: str
    tables: int = 0
    words: int = 0
    accusing: int = 0  # tables at which somebody is accused
    decided: Share = field(default_factory=Share)
    by_ruleset: dict[str, Share] = field(default_factory=dict)  # rounds decided
    accused: Counter[str] = field(default_factory=Counter)  # by check
    records: Counter[str] = field(default_factory=Counter)  # findings about the record itself, by check
    untouched: Share = field(default_factory=Share)  # breaches found where the round has no noise
    one_lost: Share = field(default_factory=Share)  # ... and where exactly one of its words was lost

    def take(self, judged: Judged) -> None:
        """Count a lawful table."""
        self.tables += 1
        self.words += sum(map(len, judged.noise.values()))
        for status in judged.statuses:
            self.decided.add(status != "indeterminate")
            self.by_ruleset.setdefault(judged.dealt.ruleset, Share()).add(status != "indeterminate")
        accusations = judged.accusations()
        self.accusing += bool(accusations)
        self.accused.update(finding.check for finding in accusations)
        self.records.update(f.check for f in judged.findings if f.check.startswith("integrity."))

    def take_breached(self, judged: Judged, number: int) -> None:
        """Count a table with a breach in that round."""
        met = judged.noise.get(number, [])
        if not met:
            self.untouched.add(judged.finds(number))
        elif len(met) == 1 and met[0].lost:
            self.one_lost.add(judged.finds(number))
