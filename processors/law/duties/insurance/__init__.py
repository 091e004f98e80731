"""Insurance and even money: when they are offered and placed, how much, and when lost insurance is collected."""
