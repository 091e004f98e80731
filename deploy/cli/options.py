"""Options and types of arguments that several commands have, and how an answer for a program is written."""

from __future__ import annotations

import getpass
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec

Command = TypeVar("Command", bound=Callable[..., Any])
FILE: Final = click.Path(path_type=Path, dir_okay=False)
FOLDER: Final = click.Path(path_type=Path, file_okay=False)
PATH: Final = click.Path(path_type=Path)
SECONDS: Final = click.FloatRange(0.0)


def output_format(text: str | None = None) -> Callable[[Command], Command]:
    """`--format`, given to the command as `form`; `text` is its line of help."""
    return click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", help=text)


def member(keeps: str) -> Callable[[Command], Command]:
    """`--member`; `keeps` is what a worker keeps by it."""
    text = f"Name in the group: a restart within --session keeps its {keeps}."
    return click.option("--member", metavar="NAME", help=text)


session = click.option(
    "--session", default=15.0, type=click.FloatRange(6.0, 300.0), metavar="SECONDS",
    help="Silence after which the others take over.",
)  # fmt: skip
health_port = click.option(
    "--health-port", type=click.IntRange(0, 65535), help="Health and metrics.  [default: setting health_port]"
)


def whoever() -> str:
    """Who gives the command, for the record: user and machine."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        user = f"user {os.getuid()}"
    return f"{user}@{socket.gethostname()}"


def as_json(answer: object) -> str:
    """The answer as JSON that a person can read too."""
    return msgspec.json.format(msgspec.json.encode(answer), indent=1).decode()
