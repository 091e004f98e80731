"""The evidence bundle of one round: records, proofs, checkpoint, verdict, rules, and what verifies it, in one file."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import closing
from importlib import resources
from typing import Any, Final

import msgspec

from deploy.errors import UserError
from deploy.evidence.folding import (
    Found,
    find_round,
    finding_lines,
    hides_a_card,
    round_line,
    rules_of,
    shows_unseen,
)
from deploy.evidence.proofs import ProofPlaces, paths_of, signed_note, statement_of
from deploy.evidence.verify import FILES, FORMAT, canonical, digest_of, packed
from producers.sqlite_log import SqliteLog
from schemas.amounts import amount, verb
from schemas.events.codec import record_hash
from schemas.tlog.merkle import leaf_hash
from schemas.tlog.statements import read_statement

_README: Final = """\
Evidence of round {round} at table {subject}
{underline}

Made by Catwalk {release}. Everything here is text.

  round.json       the round as the house's fold reads it: hands, stakes, what was due and what was paid
  findings.ndjson  what was found in it, with the duties that were broken{left_out}
  events.ndjson    the records themselves, byte for byte: the round's, and what it rests on (configuration, day,
                   shoe, dealer)
  proof.json       that each record is in the table's tree, and the tree in the log, by hashes (RFC 6962)
  checkpoint.txt   what the log signed, and witnesses with it (C2SP)
  rules.json       the rules in force on that day, how unclear places are read, and the duties cited
  verify.py        checks all of it with Python 3.9 or later alone:

    python3 verify.py THIS.zip --key VKEY

VKEY is the verifier key of the log, in one line. Take it, and verify.py if you doubt this one, from somebody else than
who gave you this file: a regulator, a witness, or the publisher of Catwalk. SHA-256 of verify.py:
{verifier}

{withheld}"""
_LEFT_OUT: Final = """
                   ({count} more {rest} on records that are not in here)"""
_WITHHELD: Final = """\
{count} of the round {show} cards that nobody at the table saw. They are not in here: their places in the log are
proved by their hashes. What the discard rack held is left out of round.json for the same reason.
"""


def make_bundle(
    places: ProofPlaces,
    subject: str,
    number: int,
    release: str,
    advance: Callable[[int], None],
    begins: int | None = None,
) -> bytes:
    """The bundle as the bytes of its zip; the same ledger and log give the same bytes.

    Of two rounds of one number it is the one that begins with event `begins`, else the last.

    Raises:
        UserError: there is no such round, it is not over, no checkpoint has it yet, or a sealed card was never shown.
        NotAsWritten: the records are not those that were signed.
    """
    with closing(SqliteLog(places.ledger, read_only=True)) as log:
        found = find_round(subject, number, log.read_from(subject), advance, begins)
        first, last = found.result.first_sequence, found.result.last_sequence
        cited = {one for finding in found.findings for one in finding.sequences}
        entry, statement = statement_of(places, subject, max({last, *cited}), number)
        said = read_statement(statement)
        wanted = sorted({*found.rests_on, *range(first, last + 1), *cited})
        lines, paths = paths_of(log, said, wanted, places)
    if hides_a_card(lines[one] for one in wanted if first <= one <= last):
        why = "a card of it was sealed and never turned over: its records would show a card that nobody saw"
        raise UserError(f"round {number} of table {subject}", why, "no bundle is made of such a round")
    hidden = {one for one in wanted if shows_unseen(lines[one])}
    findings = tuple(one for one in found.findings if set(one.sequences) <= set(wanted) - hidden)
    checkpoint, path = signed_note(places, said, entry)
    records = [
        {"sequence": one, "path": [step.hex() for step in paths[one]]}
        | ({"hash": record_hash(lines[one]), "leaf": leaf_hash(lines[one]).hex()} if one in hidden else {})
        for one in wanted
    ]
    files = _texts(found, findings, len(hidden), release)
    files["events.ndjson"] = b"".join(lines[one] + b"\n" for one in wanted if one not in hidden)
    files["checkpoint.txt"] = checkpoint
    proof: dict[str, Any] = {
        "format": FORMAT,
        "subject": subject,
        "round": number,
        "first": first,
        "last": last,
        "size": said.size,
        "root": said.root,
        "records": records,
        "statement": statement.decode(),
        "entry": entry,
        "log_size": int(checkpoint.split(b"\n")[1]),
        "path": [step.hex() for step in path],
        "files": {name: hashlib.sha256(files[name]).hexdigest() for name in FILES if name in files},
    }
    files["proof.json"] = canonical(proof | {"digest": digest_of(proof)})
    return packed({name: files[name] for name in FILES})


def _texts(found: Found, findings: Sequence[Any], hidden: int, release: str) -> dict[str, bytes]:
    """What people read, and the verifier."""
    result = found.result
    line = round_line(found)
    if hidden:
        told = msgspec.json.decode(line)
        told["rack"] = None
        line = msgspec.json.encode(told) + b"\n"
    verifier = resources.files("deploy.evidence").joinpath("verify.py").read_bytes()
    title = f"Evidence of round {result.round} at table {result.subject}"
    less = len(found.findings) - len(findings)
    readme = _README.format(
        round=result.round,
        subject=result.subject,
        underline="=" * len(title),
        release=release,
        left_out=_LEFT_OUT.format(count=less, rest=verb(less, "rests")) if less else "",
        verifier=hashlib.sha256(verifier).hexdigest(),
        withheld=_WITHHELD.format(count=amount(hidden, "record"), show=verb(hidden, "shows"))
        if hidden
        else "",
    )
    return {
        "README.txt": readme.encode(),
        "round.json": line,
        "findings.ndjson": finding_lines(findings),
        "rules.json": canonical(msgspec.to_builtins(rules_of(found, findings))),
        "verify.py": verifier,
    }
