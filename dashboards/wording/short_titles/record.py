"""Titles of the record itself: its chain, its clocks, its devices, and the cards that they count."""

from __future__ import annotations

from dashboards.wording.short_titles.forms import Rows

INTEGRITY: Rows = (
    (
        "Event {n} does not carry the hash of event {before}: one of them was altered",
        "Event {before} or event {n} was altered: the hash does not fit",
    ),
    (
        "The clock of the recorder shows a time beyond the years {years}",
        "Clock of the recorder shows a time beyond {years}",
    ),
    (
        "Event {n} of {device} repeats its event {before} under another id: {why}",
        "Event {n} of {device} repeats its event {before} under another id",
        "Event {n} of {device} repeats event {before} under another id",
    ),
    (
        "The {device} has said nothing since event {n}: in {rounds} in a row {why} and no reading is on record",
        "{device} silent since event {n}; no reading in {rounds}",
    ),
    (
        "The {device} has named no start or end of a round since event {n}: {why}",
        "{device} silent on rounds since event {n}",
    ),
    ("The {device} has named no card since event {n}: {why}", "{device} silent on cards since event {n}"),
    ("The {device} has named no wager since event {n}: {why}", "{device} silent on wagers since event {n}"),
    (
        "The {device} {does} again: what began at event {n} is over, after {rounds} with lost words",
        "{device} {does} again after {rounds}",
    ),
    (
        "The {device} {does} again with {others}: what began at event {n} is over, after {rounds} with lost words",
        "{device} {does} again after {rounds}",
    ),
    (
        "The reading of cards is unreliable since event {since}: {n} of the last {all} faces of cards could not be"
        " read",
        "Reading unreliable: {n} of the last {all} cards could not be read",
        "Readings fail: {n} of the last {all} cards could not be read",
    ),
    (
        "The {device} is unreliable since event {since}: {n} of the last {all} {what} were not reported",
        "{device} unreliable: {n} of the last {all} {what} not reported",
    ),
    (
        "Words of the {device} come late or by a wrong clock since event {n}: {why}",
        "{device} late or by a wrong clock since event {n}",
    ),
    (
        "Event {n} belongs to another round than {round}, in which {why}",
        "Event {n} belongs to another round than {round}",
    ),
    (
        "{round} starts although {before}, under way since event {n}, has not ended",
        "{round} starts although {before} has not ended",
    ),
    (
        "{round} starts after {before}: the rounds between them are not on record",
        "{round} starts after {before}; those between are missing",
    ),
    (
        "There is play at event {n} that belongs to no round: {why}",
        "Play at event {n} belongs to no round",
    ),
    (
        "The configuration names a reading of {place} that there is not, {name}; {rest}",
        "The configuration names an unknown reading of {place}, {name}",
        "Configuration names an unknown reading of {place}, {name}",
    ),
    (
        "The configuration names a {what} that there is not, {name}; {rest}",
        "The configuration names an unknown {what}, {name}",
    ),
    (
        "The configuration names an {what} that there is not, {name}; {rest}",
        "The configuration names an unknown {what}, {name}",
    ),
    (
        "The record chained after event {before} is numbered {n} instead of {due_n}",
        "Record after event {before} is numbered {n} instead of {due_n}",
    ),
    (
        "The line where event {n} should stand is no event of the contract: {why}",
        "Line in the place of event {n} is no event of the contract",
    ),
    (
        "The revealed hole card {card} is not the card that was sealed when it was drawn",
        "Revealed hole card {card} is not the card sealed when drawn",
    ),
    (
        "{n} {noun} {were} left in {shoe}; by count there should be {due_n}; {rest}",
        "{n} {noun} {were} left in {shoe}; by count there should be {due_n}",
    ),
    (
        "{n} {noun} {were} left in {shoe}; by count there should be {due_n}",
        "{n} {noun} {were} left in {shoe}; by count there should be {due_n}",
    ),
    ("{batch} is loaded though {why}; {rest}", "{batch} is loaded though {why}"),
    (
        "Card {card} was racked with the cards of {whose}, but did not lie there",
        "Card {card}, racked with {whose}, did not lie there",
    ),
    (
        "Card {card} has left the shoe {times} by now; {batch} holds it {due_times}",
        "Card {card} has left the shoe {times}; {batch} holds it {due_times}",
    ),
    (
        "A record numbered {n} follows none of the table's events up to {last_n}: it is not counted",
        "Record {n} follows none of the table's events; not counted",
    ),
    (
        "{n} cards were laid to {who}, but the shoe gave up none for them",
        "{n} cards laid to {who}; the shoe gave up none for them",
    ),
    (
        "Card {card} was laid to {who}, but the shoe gave up no card for it",
        "Card {card} was laid to {who}; the shoe gave up none for it",
    ),
    (
        "{whose} shows a card more than came to it, and the layout did not see it laid down; {rest}",
        "{whose} shows a card that the layout did not see laid down",
    ),
    (
        "{whose} shows a card more than came to it, and the shoe did not give it up; {rest}",
        "{whose} shows a card that the shoe did not give up",
    ),
    (
        "{whose} shows a stack more than came to it, and the layout did not see it laid down; {rest}",
        "{whose} shows a stack that the layout did not see",
    ),
    (
        "{whose} shows a stack more than came to it, and the shoe did not give it up; {rest}",
        "{whose} shows a stack that the shoe did not give up",
    ),
    (
        "A stack of {n} cards left the shoe, and the layout did not see it laid down; by the order of play it lies with"
        " {who}",
        "A stack of {n} cards was not seen laid to {who}",
    ),
    (
        "{card} left the shoe, and the layout did not see it laid down; by the order of play it lies with {who}",
        "{card} left the shoe and was not seen laid to {who}",
    ),
    (
        "A record came under {claim}, behind {other}: it is not counted",
        "A record under {claim} came behind {other}",
    ),
    (
        "A record lies in partition {n}, where its key does not lead: it is not counted",
        "A record lies in partition {n}, where its key does not lead",
    ),
    (
        "The store holds another row {place} of {what} than the ledger gives for table {table}",
        "The store holds another row {place} of {what} than the ledger",
    ),
)

# What a check or a detector says of itself when it breaks down; it accuses nobody.
BROKEN: Rows = (
    (
        "Check {name} could not judge this event: a defect of the check, not of the table",
        "A check could not judge this event, by a defect of its own",
    ),
    (
        "Detector {name} could not judge this event: a defect of the detector, not of the table; {rest}",
        "A detector could not judge this event, by its own defect",
    ),
)
