"""The families of detectors, a module each; importing this package registers every one."""

# ruff: noqa: F401 - importing registers the family of a module

import processors.detectors.families.called_void
import processors.detectors.families.collusion
import processors.detectors.families.counting
import processors.detectors.families.cut_steering
import processors.detectors.families.dealer_mispay
import processors.detectors.families.hole_card_knowledge
import processors.detectors.families.inventory_drift
import processors.detectors.families.masque_errors
import processors.detectors.families.pace
import processors.detectors.families.past_posting
import processors.detectors.families.preferential_shuffle
import processors.detectors.families.rank_composition
import processors.detectors.families.sensor_health
import processors.detectors.families.shuffle_quality
import processors.detectors.families.side_wager
import processors.detectors.families.theoretical_win
