"""Titles of games that are dealt in stacks: the deal, the wagers before it, and the stub after it."""

from __future__ import annotations

from dashboards.wording.short_titles.forms import Rows

STACKS: Rows = (
    (
        "A card was taken from the shoe with the hand away from the shoe",
        "A card was taken from the shoe with the hand away from it",
    ),
    (
        "A {what} wager was made, and no card was dealt to the bonus area",
        "{what} was wagered; no card went to the bonus area",
    ),
    (
        "A card was dealt to the bonus area without a {what} wager",
        "Card dealt to the bonus area with no {what} wager",
    ),
    (
        "{hand} was dealt {n} {noun} instead of {due_n}, and the round went on",
        "{hand} was dealt {n} {noun}, not {due_n}, and the round went on",
        "{hand} was dealt {n} {noun} instead of {due_n}",
    ),
    (
        "A stack went to {who} when it was the turn of {due_who}",
        "A stack went to {who} in the turn of {due_who}",
    ),
    (
        "The approval of the dealing shoe's location is only from {day}",
        "Approval of the shoe's location is only from {day}",
    ),
    (
        "Dealing started at {who}, who is served last at this table",
        "Dealing started at {who}, who is served last",
    ),
    (
        "Dealing was to start at {due_who}; the first stack went to {who}",
        "First stack went to {who}; dealing starts at {due_who}",
    ),
    (
        "The deal began from a shoe that had not been loaded since its last stub was taken out",
        "The deal began from a shoe not loaded since its last stub",
    ),
    (
        "{shoe} was loaded with {batch} before its {what} complete",
        "{shoe}: {batch} loaded before its {what} done",
    ),
    (
        "The first stack was dispensed with no starting position determined",
        "First stack dispensed with no starting position determined",
    ),
    (
        "The starting position {n} was determined before betting was closed",
        "Starting position {n} determined before betting was closed",
    ),
    (
        "The starting position was determined by {how}, which is no listed method",
        "Starting position determined by {how}, no listed method",
    ),
    (
        "The starting position was set to {n}, which is no position of this table",
        "Starting position set to {n}, no position of this table",
    ),
    (
        "{batch} was counted as {n} {noun} in round {before} and is still at the table as round {now} begins",
        "{batch} was counted as {n} {noun} and is still at the table",
    ),
    (
        "It was found that every hand had its cards, but {hand} had {n} {noun} instead of {due_n}",
        "Hands found in order; {hand} had {n} {noun} instead of {due_n}",
    ),
    (
        "The round was declared void after a bad count without finding out whether it was misdealt",
        "Round declared void with no finding whether it was misdealt",
    ),
    (
        "The stub was counted as {n} {noun} instead of {due_n} ({why}), and the round was not declared void",
        "Stub counted as {n} {noun}, not {due_n}; round not declared void",
    ),
    (
        "The round is void: the {wager} is returned in full; it was not",
        "Void round: {wager} was not returned in full",
    ),
    (
        "The round is void: the {wager} is returned in full; {seen} was returned",
        "Void round: {seen} of {wager} was returned, not all of it",
    ),
    (
        "The round is void: the {wager} is returned in full; {seen} was {done}",
        "Void round: {seen} of {wager} was {done}, not returned",
        "Void round: {seen} of {wager} {done}, not returned",
    ),
    (
        "{seen} of progressive chips went to the inventory for wagers of {due}",
        "{seen} of progressive chips was taken in for wagers of {due}",
        "{seen} of progressive chips taken in for wagers of {due}",
    ),
    (
        "{what} was counted, and did not go to the inventory before the deal",
        "{what} was not in the inventory by the deal",
    ),
    (
        "{what} were counted, and did not go to the inventory before the deal",
        "{what} were not in the inventory by the deal",
    ),
    (
        "{what} put into the inventory before being counted against the system",
        "{what} put into the inventory uncounted",
    ),
    (
        "The deal began although {n} {what} were counted and the system had accepted {due_n}",
        "The deal began with {n} {what} counted, {due_n} accepted",
        "Deal began with {n} {what} counted, {due_n} accepted",
    ),
    (
        "The deal began although {n} {what} was counted and the system had accepted {due_n}",
        "The deal began with {n} {what} counted, {due_n} accepted",
        "Deal began with {n} {what} counted, {due_n} accepted",
    ),
    (
        "The {what} were not counted against the system before the deal but went to the inventory",
        "{what} went to the inventory uncounted",
    ),
    (
        "The {what} were not counted against the system before the deal",
        "{what} were not counted before the deal",
    ),
    (
        "{seat} has {what}; {others} (one lies by each wager of {due} or more only)",
        "Envy lammers are wrong at {seat} and elsewhere",
    ),
    (
        "{seat} raised its wager by {seen} ({what}) after betting was closed",
        "{seat} raised its {what} wager by {seen} after betting closed",
        "{seat} raised {what} by {seen} after betting closed",
    ),
    (
        "{seat} wagered {seen} ({what}) after betting was closed",
        "{seat} wagered {seen} ({what}) after betting was closed",
        "{seat} wagered {seen} ({what}) after betting closed",
    ),
    (
        "{seat} wagered {seen} ({what}) after {when}",
        "{seat} wagered {seen} ({what}) after {when}",
        "{seat} wagered {seen} after {when}",
    ),
)

STUB: Rows = (
    (
        "This is the {which} without a count of the stub, and {why}",
        "{which} without a count of the stub",
    ),
    (
        "The stub was counted only after it had been put in the discard rack",
        "The stub was counted only after it had been racked",
    ),
    (
        "{who} has no wager; {n} of the {all} {noun} of its stack {were} put in the discard rack",
        "{who} has no wager; {n} of its {all} {noun} {were} racked",
    ),
    (
        "Card {card} was shown of {who}, which have no wagers",
        "Card {card} was shown of {who}, without wagers",
    ),
)
