"""Titles of suspicions: who does what how often. `Pattern: ` stands before each."""

from __future__ import annotations

from dashboards.wording.short_titles.forms import Rows

PATTERN: Rows = (
    (
        "Of {all} hands that dealer {dealer} settled, {n} were {how} ({money}); {why}",
        "{dealer} mispaid {n} of {all} hands, {money}",
    ),
    (
        "Of {all} hands that dealer {dealer} overpaid or left uncollected while {player} played, {n} were those of"
        " {player} ({money}); {why}",
        "{n} of {all} hands {dealer} mispaid were {player}'s, {money}",
        "{n} of {all} hands {dealer} mispaid were {player}'s",
    ),
    (
        "In {n} rounds that dealer {dealer} dealt, cards changed places between the hands of {player} ({money}); {why}",
        "Cards of {player} changed places in {n} rounds of {dealer}",
    ),
    (
        "In 1 of the latest {all} rounds in which {player} had several hands while dealer {dealer} dealt, cards"
        " changed places between them ({money}); {why}",
        "Cards of {player} changed places in 1 round of {dealer}",
    ),
    (
        "In {n} of the latest {all} rounds in which {player} had several hands while dealer {dealer} dealt, cards"
        " changed places between them ({money}); {why}",
        "Cards of {player} changed places in {n} rounds of {dealer}",
    ),
    (
        "While dealer {dealer} dealt, {player} made {n} of {all} decisions as the hole card ordered that nobody had"
        " seen, {why}",
        "{player} played to {dealer}'s hole card, {n} of {all} decisions",
    ),
    (
        "Of {all} decisions of {player} that the hole card changes, {n} were what the hidden card orders; {why}",
        "{player} played to the hole card, {n} of {all} decisions",
    ),
    (
        "In the latest {all} rounds of player {player} he staked {seen} on average in {high} rounds at a true count"
        " of 1 or more, and {then} in {low} rounds below it; {why}",
        "{player} staked {seen} at a count of 1 or more, {then} below",
    ),
    (
        "In the latest {rounds} rounds of player {player} he played {n} of {all} rounds at a true count of 1 or more,"
        " and {low} of {below} below it; {why}",
        "{player} played {n} of {all} rounds at high counts, {low} of {below} else",
    ),
    (
        "{who} {places} by the count with which the cards were taken from play: {why}",
        "{who} {places} by the count",
    ),
    (
        "{who} {places} by the cards in the last quarter of the shoe that is made ready: {why}",
        "{who} {places} by the last quarter",
    ),
    (
        "In {all} shoes that dealer {dealer} made ready, more {what} lay {where} than chance puts there: {why}",
        "More {what} {where}, {all} shoes of {dealer}",
    ),
    (
        "Over {all} main wagers in {rounds} rounds the cards gave the house {won} of a wager; the rules and the"
        " players' decisions make it {due_won}: {why}",
        "Cards gave the house {won} of a wager; the rules make it {due_won}",
        "Cards gave the house {won}; the rules make it {due_won}",
    ),
    (
        "Since round {since}, over {n} main wagers in {rounds} rounds, patrons got {money} than was due at {boxes}"
        " boxes in {why}",
        "Patrons got {money} than due since round {since}",
    ),
    (
        "The tray is {off} the record, and has not been right since {since}: {why}",
        "The tray is {off} the record, not right since {since}",
        "Tray {off} the record, not right since {since}",
    ),
    (
        "Player {player} won {n} of {all} side wagers, {why}",
        "Player {player} won {n} of {all} side wagers",
    ),
    (
        "Of {all} stakes of player {player} that {did_what}, {n} {came}; of his {others} others {usual}: {why}",
        "{player} {came} {n} of {all} stakes that {did_what}",
    ),
    (
        "{n} of {all} {what} were missing from the {device}'s report, lately far more than 1 in 200 ({why}",
        "The {device} missed {n} of {all} {what}",
    ),
    (
        "{n} of {all} {what} were not read by the {device}, lately far more than 1 in 200 ({why}",
        "The {device} did not read {n} of {all} {what}",
    ),
    (
        "{n} of {all} pairs of a draw and a placement were in impossible order by the devices' clocks, lately far more"
        " than 1 in 200 ({why}",
        "{n} of {all} pairs of draw and placement in impossible order",
    ),
    (
        "{n} of {all} readings of the hole card were {failed} out of time, lately far more than 1 in 200 ({why}",
        "{n} of {all} hole card readings {failed} out of time",
    ),
    (
        "{n} of {all} {what} were {failed} out of time, lately far more than 1 in 200 ({why}",
        "{n} of {all} {what} {failed} out of time",
    ),
    (
        "{n} of {all} {what} were {failed}, lately far more than 1 in 200 ({why}",
        "{n} of {all} {what} were {failed}",
    ),
    (
        "The reader of the hole card said nothing for a while in {n} of {all} rounds, having fallen silent {times}:"
        " {why}",
        "Hole card reader silent for a while in {n} of {all} rounds",
    ),
    (
        "The {what} for a while in {n} of {all} rounds, having fallen silent {times}: {why}",
        "The {what} for a while in {n} of {all} rounds",
        "{what} for a while in {n} of {all} rounds",
    ),
    (
        "{what} came in {n} of {all} {where}; chance allows {fair}",
        "{what} came in {n} of {all} {where}",
    ),
    (
        "Of {all} {what} wagers, {n} were settled otherwise than the table of payouts says ({money} to patrons); {why}",
        "{n} of {all} {what} wagers mispaid, {money}",
    ),
    (
        "The Masque reader's light was wrong in {n} of {all} rounds, {why}",
        "Masque reader's light was wrong in {n} of {all} rounds",
    ),
    (
        "The Masque reader's light said {what} in {n} of {all} rounds; chance allows {fair}",
        "Masque light said {what} in {n} of {all} rounds, by chance {fair}",
    ),
    (
        "{lost} cards of {batch} came out of {shoe} neither by the shoe's word nor by the rack's; {why}",
        "{lost} cards of {batch} were not seen to leave {shoe}",
    ),
    (
        "{lost} cards of {batch} did not come out of {shoe}, neither by the shoe's word nor by the rack's; {why}",
        "{lost} cards of {batch} did not come out of {shoe}",
    ),
    (
        "{seen_cards} came out of {shoe}, by its own word and the rack's, where {decks} decks have {each} of each and"
        " {all} in all: {why}",
        "{seen_cards} came out of {shoe}; {decks} decks have {each} of each",
        "A card has come to {shoe} from other decks",
    ),
    (
        "{shoe} has given up {seen_cards}, by its own word and the rack's; its {decks} decks have {each} of each and"
        " {all} in all: {why}",
        "{shoe} gave up {seen_cards}; its {decks} decks have {each} of each",
        "A card of another batch seems to lie in {shoe}",
    ),
    (
        "Too {many} cards of {ranks} came out of {where} for the decks that the record says: {why}",
        "Too {many} cards of {ranks} came out of {where}",
    ),
    (
        "The shuffler holds {more} cards of {what} than its decks: of {n} first cards of {rounds} rounds, {came}, where"
        " {fair} are due; {why}",
        "The shuffler holds {more} cards of {what} than its decks",
    ),
    (
        "The shoes hold {more} cards of {ranks} than their decks: {why}",
        "The shoes hold {more} cards of {ranks} than their decks",
    ),
    (
        "Of {all} rounds of dealer {dealer} that were called void once the cards had decided them, patrons would have"
        " {result} {n} ({money}), {why}",
        "{dealer} called {all} rounds void; patrons would have {result} {n}",
    ),
    (
        "{some} shoes were reshuffled early, at a mean true count of {count}: where the cards left favoured {whom} far"
        " {why}",
        "{some} shoes reshuffled early when cards favoured {whom}",
    ),
    (
        "{n} cards of {shoe} came one after the other as they lay in {where}, from card {why}",
        "{n} cards of {shoe} came as they lay in {where}",
        "{n} cards of {shoe} came as in {where}",
    ),
    (
        "{n} cards of {shoe} came one after the other as they {came}, up to card {why}",
        "{n} cards of {shoe} came as they {came}",
    ),
    (
        "{n} times in {shoes} the card after another {lay}; chance allows {fair}: the shuffle keeps neighbours"
        " together",
        "Shuffle keeps neighbours together, {n} times in {shoes}",
        "Shuffle keeps neighbours together, {n} times",
    ),
    (
        "Dealer {dealer} is {way} than the table by {percent} % ({why}",
        "Dealer {dealer} is {way} than the table by {percent} %",
    ),
)
