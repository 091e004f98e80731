"""Where each matter stands in each chapter, for breaches that are written once for all of them."""

SECTIONS: dict[str, dict[str, str]] = {
    "free_bet_590": {
        "ch": "590", "surrender": "590.9", "double": "590.10", "split": "590.11", "odds": "590.12", "irr": "590.13",
    },
    "free_bet_672a": {
        "ch": "672a", "double": "672a.9", "split": "672a.10", "odds": "672a.11", "irr": "672a.12",
    },
    "down_under_685a": {
        "ch": "685a", "double": "685a.9", "split": "685a.10", "odds": "685a.11", "irr": "685a.12",
    },
}  # fmt: skip
