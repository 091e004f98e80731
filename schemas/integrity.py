"""What the record itself must be, in our own words: what a finding cites that no clause of the game governs."""

from __future__ import annotations

from typing import Final

INTEGRITY: Final[dict[str, str]] = {
    "integrity.chain": "Each record carries the hash of the exact bytes of the record before it.",
    "integrity.gap": "The sequences of a table run 1, 2, 3 ... with none missing.",
    "integrity.order": "The records of a table stand in the order of their sequences, each once.",
    "integrity.duplicate": "A record that stands in the stream twice is counted once.",
    "integrity.conflict": "No two records of a table carry the same sequence.",
    "integrity.stray": "Each record of a table follows another one of it; what follows none is not counted.",
    "integrity.writer": "The records of a table come under its newest claim; what an older one sends is not counted.",
    "integrity.partition": "The records of a table lie in the partition that its key gives; others are not counted.",
    "integrity.seal": "A card dealt face down is the card that its seal, made when it was drawn, opens to.",
    "integrity.witness": "What the shoe gave up and what the layout received are the same card.",
    "integrity.shoe": "Shoe, table, rack and removed cards together are the batch that was loaded, card by card.",
    "integrity.schema": "Every line is an event of the contract.",
    "integrity.clock": "A clock keeps within five minutes of the recorder's, and goes back only if it is set.",
    "integrity.device": "Each device says all that it witnesses; one that falls silent is named once for the stretch.",
    "integrity.name": "A configuration names known time zones, hours of the day and readings.",
    "integrity.grammar": "Each event stands where the lives of table, shoe, round, hand and device have room for it.",
    "integrity.signature": "A checkpoint of the chain is signed by a known key that is not revoked.",
    "integrity.store": "What the store holds of a table is what its ledger gives: no row of it was edited.",
}
