"""Titles of cards before and between the rounds: decks, shuffles, cuts and loads."""

from __future__ import annotations

from dashboards.wording.short_titles.forms import Rows

EQUIPMENT: Rows = (
    (
        "The round begins with wrong decks: a batch shuffler needs {n} batches, but the table is configured for"
        " {seen_n}",
        "Batches configured for the table: {seen_n}; its shuffler needs {n}",
        "Batches configured: {seen_n}; a batch shuffler needs {n}",
    ),
    ("The round begins with wrong {what}: {how}", "{how}"),
    (
        "Layout and table lack the words that {what}, and no approved sign is on file",
        "Not on layout or table: {what}",
    ),
    (
        "Layout and table lack the words that the dealer {what}",
        "Not on layout or table: the dealer {what}",
        "Not on layout or table: {what}",
    ),
    ("Layout and table lack the words that {what}", "Not on layout or table: {what}"),
    (
        "Layout and table lack the name or logo of the certificate holder",
        "Not on layout or table: certificate holder's name or logo",
    ),
    (
        "Layout and table lack an area for the side wager at each position",
        "The side wager lacks an area at each position",
    ),
    ("Layout and table lack the {what}, and no approved sign is on file", "Not on layout or table: {what}"),
    (
        "A device shuffles, but the table's rules submission has none",
        "A device shuffles; the rules submission has none",
    ),
)

OPENING: Rows = (
    (
        "Batch {batch} was washed while {other} lay spread on the same table",
        "Batch {batch} was washed with {other} spread on the same table",
    ),
    (
        "Batch {batch} was used although {who} verified it, not the assigned floorperson {due_who}",
        "{who} verified batch {batch}, not the assigned floorperson {due_who}",
        "{who} verified batch {batch}, not the floorperson {due_who}",
    ),
    (
        "Batch {batch} was used although {who} inspected it, not the dealer {due_who}",
        "{who} inspected batch {batch}, not the dealer {due_who}",
    ),
    (
        "Batch {batch} was used although {who} viewed it, not the first player to arrive",
        "{who} viewed batch {batch}, not the first player to arrive",
    ),
    (
        "{batch} was used with {what} only after {other}",
        "{batch} was used; its {what} came only after {other}",
        "{batch}: {what} came only after {other}",
    ),
    ("{batch} was used with {list}", "{batch} was used with {list}", "{batch} used with {list}"),
)

SHOE: Rows = (
    (
        "Cards were dealt without burning one after {what} or for the new dealer {who}",
        "No card was burned for the load or for the new dealer {who}",
        "No card burned for the load or for the new dealer {who}",
    ),
    (
        "Cards were dealt without burning one after the shoe was loaded again in the round",
        "No card was burned after the reload within the round",
    ),
    (
        "Cards were dealt without burning one {when}",
        "No card was burned {when}",
        "No card burned {when}",
    ),
    (
        "One card was burned for the load and the new dealer {who} together",
        "One card burned for load and new dealer {who} together",
    ),
    (
        "A card was burned for a new dealer, but no new dealer still owed one",
        "A card was burned for a new dealer; none still owed one",
    ),
    (
        "A second card was burned for the new dealer, who came with the new batch",
        "A second card was burned for the dealer of the new batch",
    ),
    (
        "{shoe} was dealt past its cover card, which was never taken out",
        "{shoe} was dealt past its cover card, never taken out",
    ),
    (
        "{shoe} was replaced in the middle of a round with {n} {noun} left in it",
        "{shoe} was replaced within a round with {n} {noun} left",
    ),
    (
        "{shoe} was reshuffled before its cover card came out, without an order",
        "{shoe} was reshuffled before its cover card, with no order",
    ),
    (
        "The cover card of {shoe} came out with {n} {noun} left; at least {due_n} are to be left",
        "Cover card of {shoe} came out with {n} left; at least {due_n} due",
    ),
    (
        "The cover card of {shoe} came out with {n} {noun} left; it had been put in with {due_n} below it",
        "Cover card of {shoe} came out with {n} left; put in at {due_n}",
    ),
    (
        "The cover card of {shoe} was taken out only after cards from behind it",
        "Cover card of {shoe} came out after cards from behind it",
    ),
    (
        "The {what} was ordered by the dealer {who}, not by a floorperson",
        "Dealer {who} ordered the {what}, not a floorperson",
    ),
    (
        "{batch} was loaded for {shoe} with no recut, which the floor had ordered",
        "{batch} was loaded for {shoe} without the recut ordered",
    ),
    (
        "{batch} was loaded for {shoe} with {what} only after {other}",
        "{batch}, {shoe}: {what} came only after {other}",
        "{batch}, {shoe}: {what} only after {other}",
    ),
    ("{batch} was loaded for {shoe} with {list}", "{batch} was loaded for {shoe} with {list}"),
    (
        "Round {n} was begun from {shoe} although a reshuffle had been ordered",
        "Round {n} began from {shoe} after a reshuffle was ordered",
    ),
    (
        "Round {n} was begun from {shoe} although the cover card had come out in round {before}",
        "Round {n} began from {shoe}; cover card came out in round {before}",
        "Round {n} on {shoe}, whose cover card came out in round {before}",
    ),
    (
        "Round {n} was begun from {shoe} although the table had been idle and its cards stayed in the shoe",
        "Round {n} began from {shoe}, left loaded at the idle table",
    ),
    (
        "Cards of {batch} were dealt more than {hours} hours after its decks were opened",
        "{batch} was dealt more than {hours} hours after its opening",
    ),
    (
        "A card of {batch} went into the rack, where cards of {other} still lay",
        "A card of {batch} was racked with cards of {other} there",
    ),
    (
        "{batch} was loaded for {shoe} though it had served the shoe before this one",
        "{batch} was loaded for {shoe} and for the shoe before it",
    ),
    (
        "The round was called void although it was to be finished once the shoe was loaded again",
        "Round called void, though to be finished after the reload",
    ),
    (
        "The round was called void although it was to be finished when the cover card came out",
        "Round called void, though to be finished at the cover card",
    ),
)

SHUFFLE_CUT: Rows = (
    (
        "{seat} cut a stack that was cut already; no floorperson had ordered it",
        "{seat} cut a stack already cut; no floorperson ordered it",
    ),
    (
        "{who} made the recut; it was for {due_who}, who made the cut, or for the next in line",
        "{who} made the recut; it was for {due_who} or the next",
    ),
    (
        "The {what} was ordered by the dealer {who}, not by a floorperson",
        "Dealer {who} ordered the {what}, not a floorperson",
    ),
    (
        "The cover card was put in with {n} {noun} of {all} below it; at least {due_n} must be",
        "Cover card put in with {n} of {all} below; at least {due_n} are due",
        "Cover card put in with {n} of {all} below; at least {due_n} due",
    ),
    (
        "{who} cut with {top} {noun} on top and {below} below; at least {due_n} must be on each side of a stack of"
        " {all}",
        "{who} cut {top} {noun} on top, {below} below; at least {due_n} are due",
    ),
    (
        "After {before} the cut was offered to {who}, not to the next player counterclockwise",
        "Cut offered to {who} after {before}, not to the next player",
        "Cut offered to {who} after {before}, out of turn",
    ),
    (
        "The stack was cut by {who} without having been offered to a player",
        "{who} cut a stack that had been offered to no player",
    ),
    (
        "{batch} was spread face up at the idle table, and no player had asked for it",
        "{batch} was spread face up; no player had asked for it",
    ),
    (
        "After the table was idle, {batch} was used with a viewing at {seat}, where the first player back does not sit",
        "Idle {batch} was viewed at {seat}, not by the first player back",
        "Idle {batch} viewed at {seat}, not by the first player back",
    ),
    (
        "After the table was idle, {batch} was used with no {what}, which a player had asked for",
        "Idle {batch} was used without the {what} asked for",
    ),
    (
        "After the table was idle, {batch} was used with {list}",
        "Idle {batch} was used with {list}",
        "Idle {batch} used with {list}",
    ),
    (
        "A player had asked for {batch} to be spread and reshuffled; it was loaded without that",
        "{batch} loaded without the spread and reshuffle asked for",
    ),
    (
        "{batch} was loaded, but had not been taken out of the shuffler",
        "{batch} was loaded without being taken out of the shuffler",
    ),
    (
        "Round {n} was begun before the shuffle of the returned cards was complete",
        "Round {n} began before the returned cards were all shuffled",
    ),
    ("Round {n} was begun before {what}", "Round {n} began before {what}"),
    (
        "Cards were shuffled by hand while the broken shuffler stood neither covered nor signed",
        "Hand shuffle; broken shuffler was neither covered nor signed",
    ),
    (
        "{n} cards of {shoe} in a row ({cards}) came in an order that was known; {why}",
        "{n} cards of {shoe} in a row came in a known order",
    ),
    (
        "A shuffle of {batch} was recorded as complete that had never begun",
        "Shuffle of {batch} was recorded complete but never begun",
    ),
    (
        "{n} {noun} of the rack {were} taken for the new stack; the rack holds {all}",
        "{n} {noun} {were} taken for the new stack; the rack holds {all}",
    ),
    (
        "{shoe} was loaded within a round, but not with the cards of the rack",
        "{shoe} was loaded within a round, not from the rack",
    ),
)
