"""The order in which the checks of one event are asked.

A cause is asked before what may be no more than its consequence, and a check before those that heed its mark. Findings
of one event stand in this order, also in the list of their round.
"""

from __future__ import annotations

COURSE: tuple[str, ...] = (
    # Breaches that change the round and follow from nothing.
    "added_stakes.moved", "reader.used", "exposed.boxed", "exposed.error", "insurance.size",
    "insurance.even_money_unknown", "wagers.in_time", "wagers.untouched", "wagers.offered", "wagers.participation",
    "wagers.chips",
    # Breaches that change the round, and may follow from another.
    "deal.order", "deal.complete", "action.decision", "action.card", "added_stakes.stake", "added_stakes.lammer",
    "added_stakes.present", "reader.when", "reader.truth", "reader.no_more_cards", "reader.masque_remedy",
    "reader.masque_shown", "settlement.match_when", "action.dealer_draws", "action.dealer_stands",
    "action.dealer_drawn", "action.dealer_accident", "insurance.when", "insurance.even_money_when",
    "rack.blackjack", "rack.even_money", "rack.tuck", "rack.split_bust", "action.surrender_decided",
    "settlement.surrender_halves", "action.void", "action.reveal", "action.missed", "action.blackjack",
    # Breaches that change nothing, and follow from nothing.
    "deal.hands", "deal.cards_handled", "equipment.table_positions", "wagers.boxes_limited",
    "submission.rules_in_force", "submission.side_wagers_authorised", "submission.match_decks",
    "submission.paytable_selected", "submission.even_money_selected", "submission.approvals_on_file",
    "reader.inspected", "reader.sound", "equipment.decks_number", "equipment.decks_look", "shoe.burn_due",
    "shoe.burn_manner", "shoe.round_completed", "shuffle_cut.cut_offer", "shuffle_cut.cut_depth",
    "shuffle_cut.cut_cover_card", "shuffle_cut.cut_again", "reader.device", "reader.hole_hidden",
    "reader.masque_area", "stacks.shoe_prepared", "stacks.shoe_loaded", "stacks.shoe_location",
    "equipment.table_position_named", "equipment.shuffler_registered", "reader.fault", "wagers.entry_refused",
    "stacks.void_round_played_on", "stacks.void_round_determined", "stacks.void_round_returns",
    "stacks.void_round_deck", "stacks.five_cards_hands", "stacks.five_cards_face_down", "stacks.five_cards_order",
    "opening.steps", "opening.manner", "opening.apart", "shuffle_cut.idle_face_down", "shuffle_cut.idle_steps",
    "shuffle_cut.idle_swap", "insurance.offered", "equipment.layout_complete", "shoe.rotation_waiting",
    "shoe.rotation_turns", "shoe.rotation_rack", "shoe.rotation_age", "shoe.load", "shoe.early_reshuffle",
    "shoe.rest_to_rack", "shoe.next_round", "shoe.dealt_from", "shuffle_cut.shuffle_whole",
    "shuffle_cut.shuffle_machine_marked", "shuffle_cut.shuffle_one_stack", "shuffle_cut.shuffle_device",
    "shuffle_cut.shuffle_random", "shuffle_cut.shuffle_whole_rack", "stacks.wagers_announced",
    "stacks.wagers_in_time", "stacks.wagers_locked", "stacks.wagers_counted", "stacks.wagers_amounts",
    "stacks.wagers_envy", "stacks.start", "stacks.face_down", "stacks.order", "stacks.six_cards", "stub.removed",
    "stub.counted", "stub.face_down", "stub.unseen", "stub.racked", "stub.counted_in_time", "stub.unwagered",
    "stub.unwagered_unseen", "wagers.spoken", "wagers.cash_converted", "wagers.unconfirmed",
    # Breaches that may follow from another.
    "settlement.stake", "settlement.lammer", "settlement.complete", "settlement.lammers_off", "reader.needless",
    "settlement.match_order", "action.dealer_announces", "insurance.collected", "rack.hand", "rack.after_settling",
    "rack.order", "settlement.order", "action.surrender_marked",
)  # fmt: skip
PLACE: dict[str, int] = {check: place for place, check in enumerate(COURSE)}
