"""The duties, a folder a subject; importing this package registers every check."""

# ruff: noqa: F401 - importing registers the checks of a module

import processors.law.duties.action.blackjack
import processors.law.duties.action.cards
import processors.law.duties.action.dealer
import processors.law.duties.action.dealer_cards
import processors.law.duties.action.decisions
import processors.law.duties.action.missed
import processors.law.duties.action.reveal
import processors.law.duties.action.surrender
import processors.law.duties.added_stakes.lammers
import processors.law.duties.added_stakes.stakes
import processors.law.duties.deal.complete
import processors.law.duties.deal.handling
import processors.law.duties.deal.order
import processors.law.duties.equipment.decks
import processors.law.duties.equipment.layout
import processors.law.duties.exposed.exposed
import processors.law.duties.insurance.insurance
import processors.law.duties.opening.opening
import processors.law.duties.rack.order
import processors.law.duties.rack.pickup
import processors.law.duties.rack.removal
import processors.law.duties.reader.device
import processors.law.duties.reader.masque
import processors.law.duties.reader.reader
import processors.law.duties.settlement.bust_collection
import processors.law.duties.settlement.order
import processors.law.duties.settlement.roles
import processors.law.duties.settlement.stake
import processors.law.duties.shoe.burning
import processors.law.duties.shoe.life
import processors.law.duties.shoe.rotation
import processors.law.duties.shuffle_cut.cutting
import processors.law.duties.shuffle_cut.idle
import processors.law.duties.shuffle_cut.shuffling
import processors.law.duties.stacks.deal
import processors.law.duties.stacks.five_cards
import processors.law.duties.stacks.shoe
import processors.law.duties.stacks.void_rounds
import processors.law.duties.stacks.wagers
import processors.law.duties.stub.stub
import processors.law.duties.submission.approvals
import processors.law.duties.submission.configuration
import processors.law.duties.wagers.wagers
