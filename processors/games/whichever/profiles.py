"""The profile of every ruleset, whatever its game."""

from __future__ import annotations

from processors.games.blackjack.profile import BLACKJACK_PROFILES, BlackjackProfile
from processors.games.stacks.profile import STACKS_PROFILES, StacksProfile

Profile = BlackjackProfile | StacksProfile
PROFILES: dict[str, Profile] = {**BLACKJACK_PROFILES, **STACKS_PROFILES}


def holds_where(ruleset: str, fact: str | None) -> bool:
    """Whether a fact (an attribute of a profile) is true of a ruleset; without a fact, always.

    Raises:
        LookupError: no profile knows such a fact.
    """
    if fact is None:
        return True
    if not any(hasattr(profile, fact) for profile in PROFILES.values()):
        raise LookupError(f"no profile has {fact}; see profile.py in processors/games/blackjack and /stacks")
    return bool(getattr(PROFILES[ruleset], fact, False))
