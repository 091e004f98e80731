"""How a stranger checks a report against the record: the range, the hashes, the rule, the commands."""

from __future__ import annotations

from msgspec import Struct

from dashboards.reports.evidence import Evidence
from dashboards.reports.vouching import Vouch, commands_of, step_of
from dashboards.wording.copying import copied
from schemas.amounts import amount, verb

_HALF = 32


class RecordRow(Struct, frozen=True, kw_only=True):
    """One record as it is printed; the hash in two lines of 32 digits."""

    sequence: str
    time: str
    source: str
    type: str
    hash: tuple[str, str]
    follows: bool


class Proving(Struct, frozen=True, kw_only=True):
    """The chapter on proof."""

    range: str
    before: str
    after: str
    whole: str
    intact: bool
    records: tuple[RecordRow, ...]
    steps: tuple[str, ...]
    commands: tuple[tuple[str, str], ...]


def proving(subject: str, evidence: Evidence, vouch: Vouch | None = None) -> Proving:
    """What to hold the report against, and how; `vouch` is what a checkpoint says of these records."""
    first, last = evidence.first, evidence.last
    intact = evidence.whole and bool(evidence.records)
    broken, records = (
        sum(not one.follows for one in evidence.records),
        amount(len(evidence.records), "record"),
    )
    return Proving(
        range=f"Events {first} to {last} of {subject}, {records}",
        before=evidence.before,
        after=evidence.after,
        whole="Each record carries the hash of the record before it."
        if intact
        else f"{broken} of {records} {verb(broken, 'does')} not follow from the one before them.",
        intact=intact,
        records=tuple(
            copied(
                RecordRow,
                one,
                sequence=str(one.sequence) if one.sequence else "–",
                time=one.time.removesuffix("Z").replace("T", " "),
                type=one.type.removeprefix("catwalk.v1.") or "no event",
                hash=(one.hash[:_HALF], one.hash[_HALF:]),
            )
            for one in evidence.records
        ),
        steps=(
            f"Ask for the exact lines of events {max(first - 1, 1)} to {last} of {subject}, as they stand in the"
            " ledger; one line of JSON is one record.",
            "Take the SHA-256 of the bytes of each line, without the line end. It must be the hash printed here.",
            "Each line names the hash of the line before it as its prevhash. The first of this range must name the"
            " head before; the hash of the last is the head after.",
            "Any change to a card, a stake or a time changes the hash of its line, and so every head after it. A"
            " signed checkpoint of a later head therefore vouches for this range as well.",
            *step_of(vouch),
        ),
        commands=(
            *commands_of(vouch),
            (
                f"catwalk evidence {subject} ROUND --out FILE.zip",
                "the round as one file that proves itself, where the house keeps checkpoints",
            ),
            (
                "catwalk verify LEDGER --keys KEYS",
                "chain and sequence of the whole ledger, and signed checkpoints where it has any",
            ),
            (
                f"catwalk export --subject {subject} --out DIR",
                "rounds and findings out of the store, for comparison",
            ),
            (
                "catwalk replay STREAM.ndjson --out DIR",
                "reconstruction and findings again, from the lines alone",
            ),
            (f"sed -n '{first}p' STREAM.ndjson | tr -d '\\n' | sha256sum", f"the hash of event {first}"),
        ),
    )
