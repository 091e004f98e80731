"""The relations of the first release: what the fold of a ledger leaves, and how far it has come.

A relation changes by a migration (`schemas.warehouse.migrations`), never by an edit here once a release has
created it. Keys are derived from event identity, so that a fold done again rewrites its rows and adds none.
Money is in integer cents; times are UTC with microseconds; `decided_at` is the time of the event that decided
the row, by the table's own clock, and never that of the machine that folded it.
"""

from __future__ import annotations

from dataclasses import replace

from schemas.warehouse.relation import DAY, MOMENT, Column, Projection, Relation

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

EVENTS = Relation(
    name="events",
    grain="one row for each event of the ledger that the contract can read",
    columns=(
        _SUBJECT,
        Column("sequence", "UInt32", "place in the table's chain", _SMALL_RUN),
        Column("time", MOMENT, "when it happened, by the table's clock", "DoubleDelta, ZSTD(1)"),
        Column("type", _WORD, "type without its prefix: card_drawn"),
        Column("source", _WORD, "device that sent it"),
        Column("id", "String", "the device's own id of it", "ZSTD(3)"),
        Column("line", "String", "its exact bytes, as they are chained", "ZSTD(6)"),
        Column("fold_version", "UInt32", "version of the fold that wrote the row; the newest stays"),
        # A digest cannot be compressed: 8 bytes of it, which the next line's `prevhash` repeats, are enough here.
        Column("row_hash", "Int64", "first 8 bytes of SHA-256 of the line"),
    ),
    key=("subject", "sequence"),
    partition_by="toYYYYMM(time)",
)

# Few of all events, and asked for over long times: what a table's account is reckoned by, and its terms.
ACCOUNT_TYPES = (
    "table_configured", "gaming_day_started", "table_opened", "table_closed", "inventory_counted", "fill_received",
    "credit_sent", "chips_bought", "cash_converted", "drop_box_removed", "drop_counted",
)  # fmt: skip
ACCOUNT_EVENTS = replace(
    EVENTS,
    name="account_events",
    grain="one row for each event that configures a table or moves its account: the row that `events` has of it",
)

PATRONS = Relation(
    name="patrons",
    grain="one row for each event that names a patron",
    columns=(
        Column("patron", "String", "the house's pseudonym of the patron"),
        _SUBJECT,
        Column("sequence", "UInt32", "the event", _SMALL_RUN),
        Column("time", MOMENT, "when it happened", "DoubleDelta, ZSTD(1)"),
        Column("seat", "UInt8", "seat it names; 0 where it names none"),
        Column("type", _WORD, "type of the event without its prefix"),
        Column("fold_version", "UInt32", "version of the fold that wrote the row; the newest stays"),
        Column("row_hash", "Int64", "first 8 bytes of SHA-256 of the event's line"),
    ),
    key=("patron", "subject", "sequence"),
)

PATRONS_BY_SEAT = Projection(
    name="by_seat",
    columns=("subject", "seat", "sequence", "time", "patron", "type"),
    order=("subject", "seat", "sequence"),
)

_COUNT = "UInt64"
COUNTERS = Relation(
    name="counters",
    grain="one row for each gaming day, table, ruleset and dealer: what the rounds dealt then come to",
    columns=(
        Column("property", _WORD, "property; empty where no configuration was seen"),
        Column("gaming_day", DAY, "accounting day; 1970-01-01 where none was begun"),
        _SUBJECT,
        Column("ruleset", _WORD, "rules in force; empty where no configuration was seen"),
        Column("dealer", _WORD, "dealer; empty where nobody said who"),
        Column("rounds", _COUNT, "rounds reconstructed"),
        Column("rounds_breached", _COUNT, "of them, breached"),
        Column("rounds_indeterminate", _COUNT, "of them, indeterminate"),
        Column("rounds_void", _COUNT, "of them, void"),
        Column("hands", _COUNT, "patrons' hands"),
        Column("stakes", _COUNT, "stakes laid"),
        Column("handle_cents", "Int64", "money staked"),
        Column("paid_cents", "Int64", "winnings seen paid to patrons"),
        Column("collected_cents", "Int64", "stakes seen taken from patrons"),
        Column("net_cents", "Int64", "patrons' result; + the patrons won"),
        Column("judged", _COUNT, "stakes of which both what was due and what was done are known"),
        Column("overpaid", _COUNT, "of them, settled in the patron's favour"),
        Column("overpaid_cents", "Int64", "by so much in all"),
        Column("underpaid", _COUNT, "of them, settled in the house's favour"),
        Column("underpaid_cents", "Int64", "by so much in all"),
        Column("paces", _COUNT, "rounds that followed another of the same shoe and dealer"),
        Column("pace_ms", _COUNT, "milliseconds from the end of the one to the end of the other, in all"),
        Column("breached", _COUNT, "findings: breached"),
        Column("indeterminate", _COUNT, "findings: indeterminate"),
        Column("interpretation", _COUNT, "findings: interpretation"),
        Column("suspected", _COUNT, "findings: suspected"),
        Column("last_sequence", "UInt32", "last event that the row covers"),
        Column(
            "covers", _COUNT, "rounds and findings that the row covers; of two rows the one with more stays"
        ),
    ),
    key=("property", "gaming_day", "subject", "ruleset", "dealer"),
    version="covers",
)

TAKINGS = Relation(
    name="takings",
    grain="one row for each kind of stake in a round, and one for a round without stakes: what the stakes came to",
    columns=(
        _SUBJECT,
        _ROUND,
        _FIRST,
        Column("kind", _WORD, "main, insurance, double, split, lammer or a side wager; empty: no stake"),
        _DECIDED,
        Column("gaming_day", f"Nullable({DAY})", "accounting day; null where none was begun"),
        Column("ruleset", _WORD_OR_NULL, "rules in force; null where no configuration was seen"),
        Column("dealer", _WORD_OR_NULL, "dealer when the round ended; null where nobody said who"),
        Column("configured", "UInt32", "event that configured the table; 0 where none was seen", _SMALL_RUN),
        Column("status", _WORD, "consistent, breached, indeterminate or void"),
        Column("voided", "Bool", "whether the round was called off, whatever its status"),
        Column(
            "rounds", "UInt8", "1 on the first row of the round, 0 on the others: their sum counts rounds"
        ),
        Column("hands", "UInt16", "hands at seats that staked, on the first row of the round"),
        Column("stakes", "UInt32", "stakes of the kind"),
        Column("staked_cents", "Int64", "money staked"),
        Column("staked_squares", "Float64", "sum of the squares of the stakes, for a band"),
        Column("paid_cents", "Int64", "winnings seen paid"),
        Column("collected_cents", "Int64", "stakes seen taken"),
        Column("judged", "UInt32", "stakes of which both what was due and what was done are known"),
        Column("wrong", "UInt32", "of them, not settled as was due"),
        Column("for_house_cents", "Int64", "settled for the house beyond what was due"),
        Column("for_patron_cents", "Int64", "settled for the patrons beyond what was due, below 0"),
        Column("unknown", "UInt32", "stakes of which nothing was seen to come"),
        Column("unknown_cents", "Int64", "money staked on them"),
        Column("play_cents", "Int64", "what decisions gave the house against the play that is worth most"),
        Column("played_cents", "Int64", "money staked on the stakes of which that is worked out"),
        *_FOLDED,
    ),
    key=("subject", "round", "first_sequence", "kind"),
    partition_by=_BY_MONTH,
)

OF_ROUNDS = (
    Column("property", _WORD_OR_NULL, "property that the table's configuration names"),
    Column("dealer", _WORD_OR_NULL, "dealer when the round ended; null where nobody said who"),
)
OF_FINDINGS = (
    Column("ordinal", "UInt32", "place among the findings of its event, from 1; no part of the row's hash"),
)
OF_DEAD_LETTERS = (
    Column("line_number", "UInt64", "line of the table's ledger written as a file, from 1; 0: in none"),
    Column("byte_offset", "UInt64", "offset of that line"),
)

RECONCILED = Relation(
    name="reconciled",
    grain="one row for each table: what was found when the store was last held against the ledger",
    columns=(
        _SUBJECT,
        Column("held_at", MOMENT, "when, by the clock of the machine that compared; the last row stays"),
        Column("missing", _COUNT, "rows of the ledger that the store lacked"),
        Column("extra", _COUNT, "rows of the store that the ledger does not give"),
        Column("different", _COUNT, "rows that said something else than the ledger's"),
        Column("repaired", "Bool", "whether they were put right"),
        Column("first_of_all", "String", "the first stretch of them, in words; empty where there was none"),
    ),
    key=("subject",),
    version="held_at",
)
