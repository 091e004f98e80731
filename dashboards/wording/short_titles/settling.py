"""Titles of what is paid, collected and wagered."""

from __future__ import annotations

from dashboards.wording.short_titles.forms import Rows

SETTLEMENT: Rows = (
    (
        "For the {wager}, {due} is to be paid ({why}), but {seen} was paid",
        "{wager} was paid {seen}; {due} was due",
    ),
    (
        "For the {wager}, {due} is to be paid ({why}), but {seen} was paid, then {then} was paid",
        "{wager} was paid {seen}, then {then}; {due} was due",
    ),
    (
        "For the {wager}, {due} is to be {do} ({why}), but {seen} was {do}",
        "{wager}: {seen} was {do}; {due} was due",
    ),
    (
        "For the {wager}, {due} is to be {do} ({why}), but {seen} was {did}",
        "{wager}: {seen} was {did}; {due} was to be {do}",
        "{wager}: {seen} {did}; {due} to be {do}",
        "{wager}: {seen} {did}, not {due} {do}",
    ),
    (
        "For the {wager}, {due} is to be {do} ({why}), but {seen} was {did}, then {then} was {next}",
        "{wager}: {seen} {did}, {then} {next}; {due} to be {do}",
    ),
    (
        "For the {wager}, {due} is to be {do} ({why}), but {seen} was {did}, then {then} was {next},"
        " then {last} was {end}",
        "{wager}: {seen} {did}, {then} {next}, {last} {end}",
        "{wager} was {did}, {next}, then {end}; {due} to be {do}",
        "{wager} was {did}, {next}, then {end}",
    ),
    (
        "For the {wager}, {due} is to be paid ({why}); when the round ended it had not been settled",
        "{wager} was not settled; {due} was due",
    ),
    (
        "For the {wager}, {due} is to be {do} ({why}); when the round ended it had not been settled",
        "{wager} was not settled; {due} was to be {do}",
        "{wager} not settled; {due} was to be {do}",
    ),
    (
        "For the {wager}, {due} is to be {do} ({why}); when the round ended {seen} had been {did}",
        "{wager}: {seen} was {did}; {due} was to be {do}",
        "{wager}: {seen} {did}; {due} to be {do}",
    ),
    (
        "The round ended with the {wager} undecided: it depends on {what}",
        "The round ended with {wager} undecided",
    ),
    (
        "For the {wager}, {due} is to be paid ({why}); it was taken unpaid",
        "{wager} was taken unpaid; {due} was due",
    ),
    (
        "For the {wager}, {due} is to be paid ({why}); {seen} was paid",
        "{wager} was paid {seen}; {due} was due",
    ),
    (
        "For the {wager}, {due} is to be paid ({why}); it was not paid before the round ended",
        "{wager} was not paid in its round; {due} was due",
    ),
    (
        "The {wager} is to leave the table unpaid ({why}); {seen} was paid",
        "{wager} was paid {seen}; nothing was due",
    ),
    (
        "The {wager} was {done} before it was decided: it depends on {what}",
        "{wager} was {done} before it was decided",
        "{wager} {done} before it was decided",
    ),
    (
        "The {wager} was already settled; {seen} {done}",
        "{wager} was already settled; {seen} {done}",
    ),
    (
        "The main wager of {hand}, which busted, was collected {when}; this table collects busts {due_when}",
        "Busted {hand} was collected {when}, not {due_when}",
    ),
    (
        "The {wager} was returned undecided, as the round was called void",
        "{wager} was returned undecided: the round was called void",
        "{wager} was returned undecided in a void round",
    ),
    (
        "The {wager} still lay on the table when the round ended",
        "{wager} still lay there when the round ended",
    ),
    ("What the {wager} is due cannot be said", "What {the_wager} is due cannot be said"),
    (
        "Whether the {wager} was settled rightly cannot be said",
        "Whether {the_wager} was settled rightly cannot be said",
    ),
    (
        "{seat}'s Match-the-Dealer wager was settled after {other}; the order is counterclockwise, {first} first",
        "{seat}'s Match-the-Dealer settled after {other}; {first} is first",
        "{seat}'s Match-the-Dealer was settled after {other}",
    ),
    (
        "{seat}'s {what} wager was still open when play went on",
        "{seat}'s {what} was still open when play went on",
    ),
    (
        "At {seat} a winning wager was paid before the losing one was collected",
        "{seat}'s win was paid before its loss was collected",
    ),
    (
        "{seat}'s losing wager was collected only after {other} had been paid",
        "{seat}'s loss was collected only after {other} was paid",
    ),
    (
        "{seat} was settled after {other}; the order is counterclockwise, {first} first",
        "{seat} was settled after {other}; {first} comes first",
    ),
    (
        "{seen} was {done} at {seat} for a {what} wager that nobody placed",
        "{seat}: {seen} was {done} for a {what} wager nobody placed",
        "{seat}: {seen} {done} for {what} that nobody placed",
        "{seat}: {seen} {done} for {what} nobody placed",
        "{seat}: {seen} {done} for no {what}",
    ),
    (
        "Of the surrendered wager of {hand} one half was not {done} before play went on",
        "Half of surrendered {hand} was not {done} in time",
    ),
    (
        "The surrendered wager of {hand} was settled only after the hole card was shown",
        "Surrendered {hand} settled after the hole card was shown",
    ),
)

WAGERS: Rows = (
    (
        "{seen} of the cash of {seat}'s spoken wager ({stake}) was not exchanged for chips",
        "{seat}: {seen} of spoken cash was not exchanged for chips",
    ),
    (
        "{seat} was refused a wager for late entry, but that patron wagered on the round before",
        "{seat} was refused late entry but wagered the round before",
    ),
    (
        "{seat} was refused a wager for late entry, but no round has been played since the cards were shuffled",
        "{seat} was refused late entry; no round since the shuffle",
    ),
    (
        "{seat} placed {seen} ({what}) after the first card of the round",
        "{seat} placed {seen} ({what}) after the first card",
    ),
    (
        "{seat} raised its wager by {seen} ({what}) after betting was closed",
        "{seat} raised its {what} wager by {seen} after betting closed",
    ),
    (
        "{seat} placed a {what} wager, which this table does not offer",
        "{seat} placed a {what} wager, not offered at this table",
        "{seat} placed {what}, not offered at this table",
    ),
    (
        "Player {player} wagers on boxes {boxes}; {limit} adjacent {box} allowed",
        "Player {player} wagers on boxes {boxes}; {limit} allowed",
    ),
    (
        "A spoken wager of {seen} at {seat} was confirmed; this game takes none",
        "Spoken wager of {seen} at {seat} confirmed; none is taken",
    ),
    (
        "{seat}'s spoken wager of {seen} counted, but no dealer confirmed it",
        "{seat}'s spoken {seen} counted; no dealer confirmed it",
    ),
    (
        "The {wager} was changed from {seen} to {then} before it was settled",
        "{wager} was changed from {seen} to {then} unsettled",
        "{wager} changed from {seen} to {then} unsettled",
        "{wager} changed from {seen} to {then}",
    ),
    (
        "The main wager of {hand} was moved to {other} before it was settled",
        "{hand}'s wager was moved to {other} unsettled",
    ),
    (
        "The rules submission does not say on how many adjacent boxes a player may wager",
        "The rules submission names no limit of adjacent boxes",
    ),
)

INSURANCE: Rows = (
    (
        "{seat} lost its insurance, but it was not collected before play went on",
        "{seat}'s lost insurance was not collected in time",
    ),
    (
        "{seat} took even money although the player has insurance, which even money takes the place of",
        "{seat} took even money although the player has insurance",
    ),
    (
        "{seat} took even money and was paid only after the hole card had been read",
        "{seat}'s even money was paid after the hole card was read",
    ),
    (
        "{act} although the hole card had already been read",
        "{act} after the hole card was read",
    ),
    (
        "{seat} was offered even money although the rules submission does not select it",
        "{seat} was offered even money, not in the rules submission",
    ),
    (
        "{seat} was paid even money although the player had not taken it",
        "{seat} was paid even money the player had not taken",
    ),
    (
        "{seat} has {seen} on insurance; its wager of {stake} allows {due}",
        "{seat} has {seen} on insurance; {due} is allowed",
    ),
    (
        "{seat} placed insurance although it had taken even money, which stands instead",
        "{seat} placed insurance after it had taken even money",
    ),
)

ADDED_STAKES: Rows = (
    (
        "A {what} lammer was laid by {hand}, which did not {act}",
        "{what} lammer laid by {hand}, which did not {act}",
    ),
    (
        "A {what} lammer was laid by {hand}, which is no new hand of a split",
        "{what} lammer laid by {hand}, no new hand of a split",
    ),
    (
        "A lammer was laid for a double on {cards}; only {free} double free",
        "A lammer was laid for a double on {cards}, which is not free",
    ),
    (
        "No {what} lay by {hand} when the card of its {act} was drawn",
        "{hand} got the card of its {act} with no {what} laid",
    ),
    (
        "{seat}: {seen} was taken for {what}, which is free",
        "{seat}: {seen} taken for {what}, which is free",
    ),
)

SUBMISSION: Rows = (
    (
        "The approval of the device that shuffles by itself {rest}",
        "Approval of the self-shuffling device {rest}",
    ),
    (
        "The approval of the place of drop box and tip box {rest}",
        "Approval of the drop and tip box place {rest}",
    ),
    (
        "The approval of {what} is dated {day}, after its first use",
        "Approval of {what} is dated {day}, after first use",
    ),
    (
        "The rules submission selects {what}, which chapter {chapter} does not know",
        "Rules submission selects {what}, unknown to chapter {chapter}",
    ),
    (
        "{what} is offered at a table of {decks} {noun}; it may be offered with {due} decks only",
        "{what} offered with {decks} {noun}; allowed with {due}",
    ),
    (
        "Match-the-Dealer is offered at a table of {decks} {noun}; it may be offered with {allowed} decks only",
        "Match-the-Dealer offered with {decks} {noun}; allowed with {allowed}",
        "Match-the-Dealer offered with {decks} {noun}, not {allowed}",
    ),
    (
        "{what} is offered with the paytable {seen_table}; it must be {allowed}",
        "{what} is offered with paytable {seen_table}; it must be {allowed}",
    ),
    (
        "The rules submission is under chapter {chapter}, which is in force {when}, not on {day}",
        "Submission is under chapter {chapter}, not in force on {day}",
    ),
)
