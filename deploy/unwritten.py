"""Settings of checkpoints, which nothing writes yet: whoever gives one believes that there are some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from deploy.errors import UserError

# Each with the variables that would set it.
UNWRITTEN: dict[str, tuple[str, ...]] = {
    "signing_key": ("CATWALK_SIGNING_KEY", "CATWALK_SIGNING_KEY_FILE"),
    "checkpoints": ("CATWALK_CHECKPOINTS", "CATWALK_CHECKPOINTS_FILE"),
}


def refuse_unwritten(
    given: Mapping[str, Any], environment: Mapping[str, str], file: str, content: Mapping[str, Any]
) -> None:
    """Refuse them on the command line, in the environment, or in the settings file of this name and content.

    An empty variable sets nothing.

    Raises:
        UserError: one of them is given.
    """
    for name, variables in UNWRITTEN.items():
        places = [f"setting {name}"] if name in given else []
        places += [f"environment {variable}" for variable in variables if environment.get(variable)]
        places += [f"{file}: {written}" for written in (name, f"{name}_file") if written in content]
        if places:
            raise unwritten(places[0], name)


def unwritten(place: str, name: str) -> UserError:
    """What a user reads who gave one of them at this place."""
    return UserError(place, "checkpoints are not written yet", f"remove {name}: nothing would be signed")
