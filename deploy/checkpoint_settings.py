"""Settings of checkpoints, of which half does nothing: whoever gives one believes that there are some."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from deploy.errors import UserError

KEY: Final = "signing_key"
FOLDER: Final = "checkpoints"
# A key and a folder are files already: a variable that names a file with their name would be read by nobody.
_UNREAD: Final = ("CATWALK_SIGNING_KEY_FILE", "CATWALK_CHECKPOINTS_FILE")


def refuse_half_set(
    given: Mapping[str, Any], environment: Mapping[str, str], file: str, content: Mapping[str, Any], mode: str
) -> None:
    """Refuse a key without a folder and a folder without a key, wherever they are given; empty is not given.

    Raises:
        UserError: one of them is given alone, or by a name that nobody reads, or for a mode that writes none.
    """
    for name in _UNREAD:
        if environment.get(name):
            right = name.removesuffix("_FILE")
            raise UserError(f"environment {name}", f"{right} names the file itself", f"set {right} instead")
    places = {name: _place(name, given, environment, file, content) for name in (KEY, FOLDER)}
    if places[KEY] and not places[FOLDER]:
        raise UserError(
            places[KEY], "a key signs nothing without a folder", f"set {FOLDER} too, or remove {KEY}"
        )
    if places[FOLDER] and not places[KEY]:
        why = "nothing is written there without a key that signs it"
        raise UserError(
            places[FOLDER], why, f"set {KEY} too (`catwalk keygen` makes one), or remove {FOLDER}"
        )
    if places[KEY] and mode == "distributed":
        why = "checkpoints of topics are not written yet"
        raise UserError(places[KEY], why, f"remove {KEY} and {FOLDER}: nothing would be signed")


def _place(
    name: str, given: Mapping[str, Any], environment: Mapping[str, str], file: str, content: Mapping[str, Any]
) -> str:
    """Where the setting is given; empty where it is not."""
    variable = f"CATWALK_{name.upper()}"
    if name in given:
        return f"setting {name}" if given[name] else ""
    if variable in environment:
        return f"environment {variable}" if environment[variable] else ""
    return f"{file}: {name}" if content.get(name) else ""
