"""Titles of how the hands are dealt, played, read and taken away."""

from __future__ import annotations

from dashboards.wording.short_titles.forms import Rows

ACTION: Rows = (
    (
        "The Blackjack of {hand} was announced while {other} was unfinished",
        "Blackjack of {hand} announced with {other} unfinished",
    ),
    (
        "{hand} got its missed card late without the player's choice on record",
        "{hand} got its missed card late with no choice on record",
    ),
    (
        "{hand} refused an exposed card and gets no more cards this round",
        "{hand} got a card after it had refused an exposed one",
    ),
    (
        "The dealer had {n} and needed the card that was racked as accidental",
        "The dealer needed a card on {n}; it was racked as accidental",
    ),
    (
        "The dealer stood on {n} and drew a card; only at {due_at} may it be set aside",
        "Dealer on {n} drew a card; only at {due_at} may it be set aside",
    ),
    (
        "Card {card}, which the dealer drew on {n}, was not racked, though he stood",
        "The dealer stood on {n}, but {card}, which he drew, was not racked",
        "The dealer drew {card} on {n} and stood, but did not rack it",
    ),
    (
        "Card {card}, which the dealer drew on {n}, was not laid into his hand",
        "The dealer drew {card} on {n} and did not lay it into his hand",
    ),
    (
        "The dealer drew on {n} though no live hand or side wager was left for his count to decide",
        "The dealer drew on {n} with no live hand or side wager left",
    ),
    (
        "The dealer stopped at {n}; he draws to {due_at} to decide the Push 22 wagers",
        "The dealer stopped at {n}; for Push 22 he draws to {due_at}",
    ),
    (
        "Hand {hand} is a split ace, which gets one card only, yet chose to {act}",
        "Split ace {hand} chose to {act}; it gets one card only",
    ),
    (
        "{hand} chose to {act} while it waited for the card it had asked for",
        "{hand} chose to {act} while it waited for its card",
    ),
    (
        "{hand} refused an exposed card and gets no more, yet chose to {act}",
        "{hand} chose to {act} after it had refused an exposed card",
    ),
    (
        "{hand} asked for a card and had none when the dealer settled it or took its cards",
        "{hand} was settled or taken without the card it asked for",
    ),
    (
        "The dealer had not turned up his hole card when he {what}",
        "The hole card was not turned up when the dealer {what}",
    ),
    (
        "The dealer had not turned up his hole card when his cards were racked",
        "The hole card was not up when the dealer's cards were racked",
    ),
    (
        "The dealer had not turned up his hole card when {what}",
        "The hole card was not turned up when {what}",
        "Hole card was not turned up when {what}",
    ),
    (
        "{hand} was treated as surrendered, but no surrender is on record",
        "{hand} was treated as surrendered; none is on record",
    ),
    (
        "{seat} surrendered under an ace or ten-value card, and its wager was not laid on the cards before the hole"
        " card was read",
        "{seat}'s surrendered wager was not laid on its cards in time",
    ),
    (
        "{seat} surrendered under an ace or ten-value card, and its wager was settled before the hole card was read",
        "{seat}'s surrender was settled before the hole card was read",
    ),
    (
        "{hand} was called dead without the player's choice on record",
        "{hand} was called dead with no player's choice on record",
    ),
)

DEAL: Rows = (
    (
        "Play went on though {hand} has {held} and was not called dead",
        "{hand} has {held} and was not called dead; play went on",
    ),
    (
        "The card of the dealer was laid down with the hand that draws; only the two positions nearest the shoe may"
        " have that",
        "The dealer's card was laid down with the drawing hand",
    ),
    (
        "The card of {whose} was laid down with the hand that draws; only the two positions nearest the shoe may have"
        " that",
        "Card of {whose} was laid down with the drawing hand",
    ),
    (
        "{seat} was dealt its second card before the dealer had his first",
        "{seat} got its second card before the dealer had his first",
    ),
    (
        "The dealer took his {which} card before {hand} had its {which}",
        "Dealer took his {which} card before {hand} had its {which}",
    ),
    (
        "The dealer took the first card he had missed within the second pass, not after it",
        "The dealer took his missed first card within the second pass",
    ),
)

EXPOSED: Rows = (
    (
        "Card {card} lay face up in the shoe and was not racked before play went on",
        "Card {card} lay face up in the shoe and was not racked in time",
    ),
    (
        "A card drawn in error and not seen lay there; another card was drawn before it was dealt",
        "Another card was drawn before one drawn in error was dealt",
    ),
    (
        "Card {card} was drawn in error and seen; another card was drawn before it was dealt",
        "Another card was drawn before {card}, drawn in error, was dealt",
        "Another card was drawn before {card}, drawn in error, went out",
    ),
    (
        "A card drawn in error and not seen was racked; it is the next card to be dealt",
        "An unseen card drawn in error was racked, not dealt next",
    ),
    (
        "Card {card}, drawn in error and seen, was neither dealt nor racked",
        "Card {card}, drawn in error, was neither dealt nor racked",
    ),
    (
        "Card {card}, drawn in error and seen, was racked although the dealer could use it",
        "Card {card}, drawn in error, was racked; the dealer could use it",
        "Racked: {card}, drawn in error, which the dealer could use",
    ),
    (
        "Card {card}, drawn in error and seen, was racked although players who had not refused it still played",
        "Card {card}, drawn in error, was racked; not all had refused it",
    ),
    (
        "{seat} refused a card, but none had been drawn in error and seen",
        "{seat} refused a card; none had been drawn in error and seen",
    ),
    (
        "The dealer draws, so he could use the card {card} drawn before his hole card showed; it was racked",
        "Racked: {card}, drawn before the hole card, of use to the dealer",
        "Card {card}, drawn before the hole card showed, was racked",
    ),
    (
        "The dealer draws, so he could use the card {card} that the players had refused; it was racked",
        "Card {card}, refused by the players, was racked; the dealer draws",
        "Card {card}, refused by players, was racked; the dealer draws",
    ),
)

RACK: Rows = (
    (
        "The cards of {whose} were racked before {what} was settled",
        "{whose} was racked before {what} was settled",
        "{whose} racked before {what} was settled",
    ),
    (
        "The Blackjack of {hand} was paid, but its cards were not tucked under the Push 22 wager",
        "Paid Blackjack of {hand} was not tucked under Push 22",
    ),
    (
        "The Blackjack of {hand} was paid, but its cards were not {done}",
        "Paid Blackjack of {hand} was not {done}",
    ),
    (
        "{hand} was paid even money, but its cards were not tucked under the Push 22 wager",
        "{hand}, paid even money, was not tucked under Push 22",
    ),
    (
        "{hand} was paid even money, but its cards were not {done}",
        "{hand}, paid even money, was not {done}",
    ),
    (
        "The cards of {whose} were racked as {seen_cards}; they were dealt as {dealt}",
        "{whose} was racked as {seen_cards}; dealt as {dealt}",
        "{whose} was not racked as dealt, {dealt}",
        "{whose} was not racked as it was dealt",
    ),
    (
        "Whether the cards of {whose} were racked in deal order cannot be said: {why}",
        "Whether {whose} was racked in deal order cannot be said",
    ),
    (
        "At place {n} of the pickup the rack holds the cards of {seen_hand} instead of those of {due_hand}",
        "The rack holds {seen_hand} at place {n}, not {due_hand}",
    ),
    (
        "At place {n} of the pickup the rack holds nothing instead of those of {due_hand}",
        "The rack holds nothing at place {n}, not {due_hand}",
    ),
    (
        "The first split {hand} busted with no lammer at its box, but its cards were not racked at once",
        "Busted first split {hand} was not racked at once",
    ),
    (
        "The first split {hand} busted with no lammer at its box, but its wager was not collected at once",
        "Wager of busted first split {hand} not collected at once",
    ),
    (
        "The wager of the busted first split {hand} was settled while another hand of {seat} still plays",
        "Busted split {hand} was settled while {seat} still plays",
    ),
    (
        "The busted split {hand} was racked while another hand of {seat} plays",
        "Busted split {hand} was racked while {seat} still plays",
        "Busted split {hand} racked while {seat} still plays",
    ),
    (
        "The cards of {hand} were racked although its {what} wager is still open",
        "{hand} was racked; its {what} wager is still open",
    ),
    (
        "The cards of {hand} were tucked under the {what} wager, but {seat} has no {what} wager",
        "{hand} was tucked under {what}, which {seat} has not wagered",
        "{hand} was tucked under {what}; {seat} has none",
    ),
    (
        "The cards of {hand} were tucked under the {what} wager, but a paid Blackjack is tucked under the Push 22"
        " wager",
        "Paid Blackjack of {hand} was tucked under the {what} wager",
        "Paid Blackjack of {hand} tucked under the {what} wager",
    ),
    (
        "The cards of {hand} were tucked under the {what} wager, but no lammer lies by this box, so {rest}",
        "{hand} tucked under the {what} wager; no lammer lies by it",
    ),
    (
        "The cards of {hand} were tucked under the {what} wager, but the hand is no busted split hand",
        "{hand} tucked under the {what} wager; it is no busted split",
    ),
    (
        "The cards of {hand} were tucked under the {what} wager, but a later split hand that busts is racked at once",
        "Later split {hand} tucked under the {what} wager, not racked",
        "Later split {hand} tucked under the {what} wager",
    ),
)

READER: Rows = (
    (
        "A {device} said {what}; this game has a {device}, which says {allowed}",
        "A {device} said {what}; it says {allowed}",
        "{device} said {what}, not {allowed}",
    ),
    (
        "A {device} said {what}; this game has a {other}, which says {allowed}",
        "A {device} said {what}; this game has a {other}",
        "{device} said {what}; this game has a {other}",
    ),
    (
        "The {device} was put back in use as cleared, neither repaired nor replaced",
        "{device} put back in use, neither repaired nor replaced",
    ),
    (
        "The first round of the gaming day begins, and {who} inspected the {device}, but no floorperson is assigned to"
        " the table",
        "{who} inspected the {device}; no floorperson is assigned",
    ),
    (
        "The first round of the gaming day begins, and the {device} was not inspected",
        "{device} was not inspected before the day's first round",
        "{device} not inspected before the day's first round",
    ),
    (
        "The first round of the gaming day begins, and the {device} was inspected by {who}, not by the floorperson"
        " assigned, {due_who}",
        "{device} was inspected by {who}, not by floorperson {due_who}",
        "{device} inspected by {who}, not by floorperson {due_who}",
    ),
    (
        "The dealer's hand was laid in the area {area} before the reader had shown its range",
        "Dealer's hand lay in {area} before the reader showed a range",
    ),
    (
        "The light said {area}, but the dealer's hand was not laid in that area before play went on",
        "The light said {area}; the dealer's hand was not laid there",
    ),
    (
        "The hole card {card} is {range}, but the light said {said}; {hand} was neither ordered to play on nor called"
        " dead",
        "Card {card} is {range}, light said {said}; {hand} got no remedy",
    ),
    (
        "The hole card {card} is {range}, but it lay in the area {said}; {hand} was neither ordered to play on nor"
        " called dead",
        "Card {card} is {range} but lay in {said}; {hand} got no remedy",
    ),
    (
        "The dealer shows {card} and the light was yellow, but the hole card was not shown before play went on",
        "Hole card not shown; dealer shows {card} and light was yellow",
    ),
    (
        "The hole card {card} was shown before anybody acted, but it is shown so early only where up card and light are"
        " both Large; the dealer shows {up} and the light said {said}",
        "Hole card {card} shown early; dealer shows {up}, light said {said}",
        "Hole card {card} shown early over {up}, the light said {said}",
    ),
    (
        "The hole card was read under {card}, and no floorperson was told before play went on",
        "Hole card was read under {card}; no floorperson was told",
    ),
    (
        "The reader said Blackjack, but the hole card was not shown and play went on",
        "The reader said Blackjack; the hole card was not shown",
    ),
    (
        "The {device} was found tampered with or not working and stayed in use",
        "{device} stayed in use, tampered with or not working",
    ),
)
