"""The relations of the first release: what the fold of a ledger leaves, and how far it has come.

A relation changes by a migration (`schemas.warehouse.migrations`), never by an edit here once a release has
created it. Keys are derived from event identity, so that a fold done again rewrites its rows and adds none.
Money is in integer cents; times are UTC with microseconds; `decided_at` is the time of the event that decided
the row, by the table's own clock, and never that of the machine that folded it.
"""

from __future__ import annotations

from schemas.warehouse.relation import DAY, MOMENT, Column, Relation

_WORD = "LowCardinality(String)"
_WORD_OR_NULL = "LowCardinality(Nullable(String))"
_SMALL_RUN = "Delta, ZSTD(1)"

_SUBJECT = Column("subject", _WORD, "gaming table")
_ROUND = Column("round", "UInt32", "number of the round at its table", _SMALL_RUN)
_FIRST = Column("first_sequence", "UInt32", "event with which the round began", _SMALL_RUN)
_SEQUENCE = Column("sequence", "UInt32", "event that decided it", _SMALL_RUN)
_DECIDED = Column("decided_at", MOMENT, "time of the event that decided the row", "DoubleDelta, ZSTD(1)")
_FOLDED = (
    Column("fold_version", "UInt32", "version of the fold that wrote the row; the newest stays"),
    Column("row_hash", "Int64", "first 8 bytes of SHA-256 over the row's other columns but fold_version"),
)
_RECORD = Column(
    "record", "String", "the whole line as `catwalk replay` writes it, without `file`", "ZSTD(3)"
)
_BY_MONTH = "toYYYYMM(decided_at)"

ROUNDS = Relation(
    name="rounds",
    grain="one row for each reconstructed round",
    columns=(
        _SUBJECT,
        _ROUND,
        _FIRST,
        Column("last_sequence", "UInt32", "event with which the round ended", _SMALL_RUN),
        _DECIDED,
        Column("shoe", "UInt32", "number of the shoe at its table", _SMALL_RUN),
        Column("ruleset", _WORD_OR_NULL, "rules in force; null where no configuration was seen"),
        Column("gaming_day", f"Nullable({DAY})", "accounting day; null where none was begun"),
        Column("status", _WORD, "consistent, breached, indeterminate or void"),
        Column("missing", "Array(String)", "what could not be seen"),
        Column("net_cents", "Int64", "patrons' result of the round; + the patrons won"),
        Column("findings", "Array(String)", "ids of the round's findings"),
        Column("head", "String", "SHA-256 of the record that ended the round"),
        _RECORD,
        *_FOLDED,
    ),
    key=("subject", "round", "first_sequence"),
    version="fold_version",
    partition_by=_BY_MONTH,
)

HANDS = Relation(
    name="hands",
    grain="one row for each hand of a round",
    columns=(
        _SUBJECT,
        _ROUND,
        _FIRST,
        Column("hand", _WORD, "<seat>.<n>, a position, or D for the dealer"),
        _DECIDED,
        Column("cards", "Array(LowCardinality(String))", "cards in deal order"),
        Column("total", "Nullable(UInt16)", "total of the cards; null in stack games"),
        Column("soft", "Nullable(Bool)", "whether an ace counts 11; null in stack games"),
        Column("result", _WORD_OR_NULL, "blackjack, bust, stand, double, surrender or dead"),
        Column("came_from", "Nullable(String)", "hand this one was split from"),
        Column("sequences", "Array(UInt32)", "events that prove the cards, one each"),
        *_FOLDED,
    ),
    key=("subject", "round", "first_sequence", "hand"),
    version="fold_version",
    partition_by=_BY_MONTH,
)

STAKES = Relation(
    name="stakes",
    grain="one row for each stake of a round",
    columns=(
        _SUBJECT,
        _ROUND,
        _FIRST,
        Column("ordinal", "UInt32", "place of the stake in its round, from 1"),
        _DECIDED,
        Column("seat", "UInt8", "seat that staked"),
        Column("hand", "Nullable(String)", "hand the stake lies on, where a seat has several"),
        Column("kind", _WORD, "main, insurance, double, split, lammer or a side wager"),
        Column("staked_cents", "Int64", "the stake"),
        Column("expected_outcome", _WORD_OR_NULL, "pay, collect or return as the rules ask; null: not known"),
        Column("expected_cents", "Nullable(Int64)", "money the rules ask to move"),
        Column("observed_outcome", _WORD_OR_NULL, "what was seen; null: nothing"),
        Column("observed_cents", "Nullable(Int64)", "money that was seen to move"),
        *_FOLDED,
    ),
    key=("subject", "round", "first_sequence", "ordinal"),
    version="fold_version",
    partition_by=_BY_MONTH,
)

RACKS = Relation(
    name="racks",
    grain="one row for each round: its cards in the discard rack, bottom first",
    columns=(
        _SUBJECT,
        _ROUND,
        _FIRST,
        _DECIDED,
        Column("expected_known", "Bool", "whether the lawful order can be said"),
        Column("expected", "Array(LowCardinality(String))", "lawful order; empty where it cannot be said"),
        Column("observed", "Array(LowCardinality(String))", "order in which the cards lie"),
        Column("agrees", "Nullable(Bool)", "whether the two agree; null where it cannot be said"),
        *_FOLDED,
    ),
    key=("subject", "round", "first_sequence"),
    version="fold_version",
    partition_by=_BY_MONTH,
)

FINDINGS = Relation(
    name="findings",
    grain="one row for each finding",
    columns=(
        _SUBJECT,
        _SEQUENCE,
        Column("finding_id", "String", "derived from the finding's content"),
        _DECIDED,
        Column("round", "Nullable(UInt32)", "round it concerns; null between rounds"),
        Column("seat", "Nullable(UInt8)", "seat it concerns"),
        Column("hand", "Nullable(String)", "hand it concerns"),
        Column("check_id", _WORD, "check that decided it"),
        Column("cites", "Array(LowCardinality(String))", "clauses it rests on"),
        Column("verdict", _WORD, "breached, indeterminate, interpretation or suspected"),
        Column("severity", _WORD, "critical, major, minor or info"),
        Column("money_cents", "Int64", "patron's view: + the house owes, - overpaid"),
        Column("message", "String", "one sentence for the floor", "ZSTD(3)"),
        Column("sequences", "Array(UInt32)", "events that are its evidence"),
        _RECORD,
        *_FOLDED,
    ),
    key=("subject", "sequence", "finding_id"),
    version="fold_version",
    partition_by=_BY_MONTH,
)

DEAD_LETTERS = Relation(
    name="dead_letters",
    grain="one row for each line that could not be read or contradicts the ledger",
    columns=(
        _SUBJECT,
        Column("sequence", "UInt32", "place in the table's chain; 0 where it has none"),
        Column("number", "UInt64", "number in the ledger's quarantine; 0 where it stands in a chain"),
        _DECIDED,
        Column("kind", _WORD, "unreadable or conflict"),
        Column("origin", "String", "file and line, or device, it came from"),
        Column("reason", "String", "what is wrong with it"),
        Column("path", "String", "where in the line the fault lies"),
        Column("digest", "String", "SHA-256 of its bytes"),
        Column("bytes_base64", "String", "its exact bytes", "ZSTD(3)"),
        *_FOLDED,
    ),
    key=("subject", "sequence", "number"),
    version="fold_version",
)

PROGRESS = Relation(
    name="progress",
    grain="one row for each table: how far its ledger is folded and stored, and the state to go on from",
    columns=(
        _SUBJECT,
        Column("next_sequence", "UInt32", "first event of the table that is not stored yet"),
        Column("position", "UInt64", "position in the whole ledger up to which everything is stored"),
        Column("chain_head", "String", "SHA-256 of the table's last stored record"),
        Column("snapshot_base64", "String", "state of the fold behind that record", "ZSTD(3)"),
        Column("fold_version", "UInt32", "version of the fold that wrote the snapshot"),
    ),
    key=("subject",),
    version="position",
)

APPLIED = Relation(
    name="migrations",
    grain="one row for each migration this store has seen",
    columns=(
        Column("number", "UInt32", "number of the migration"),
        Column("name", "String", "what it does"),
        Column("digest", "String", "SHA-256 of its declaration"),
    ),
    key=("number",),
    version="number",
    shard_by="number",
)

FIRST_RELEASE = (ROUNDS, HANDS, STAKES, RACKS, FINDINGS, DEAD_LETTERS, PROGRESS)
