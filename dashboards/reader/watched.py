"""What the watch list asks the store: whether a patron was ever seen, and who sat at a seat."""

from __future__ import annotations

from msgspec import Struct

from dashboards.reader.question import Question, stored


class PatronRow(Struct, frozen=True):
    """A patron's pseudonym."""

    patron: str


def patron_known(patron: str) -> Question[PatronRow]:
    """The patron, if any event names them."""
    return stored(PatronRow, "patrons", "WHERE patron = {patron:String} LIMIT 1", {"patron": patron})


def patron_at(subject: str, seat: int, sequence: int) -> Question[PatronRow]:
    """Who was named last at a seat, up to an event."""
    rest = (
        "WHERE subject = {subject:String} AND seat = {seat:UInt8} AND sequence <= {at:UInt32}"
        " ORDER BY sequence DESC LIMIT 1"
    )
    return stored(PatronRow, "patrons", rest, {"subject": subject, "seat": seat, "at": sequence})
