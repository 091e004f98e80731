"""What a user reads when something cannot be done: one line that says what, why, and what to do."""

from __future__ import annotations

from typing import IO, Any, Final

import click

DONE: Final = 0
FOUND: Final = 1  # done, and what was asked about was found, or a verification failed
IMPOSSIBLE: Final = 2  # could not be done
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it
READER_GONE: Final = 141  # 128 + SIGPIPE, as shells report it


class UserError(click.ClickException):
    """Something that could not be done and that the user can put right; ends the command with status 2.

    Args:
        what: what could not be done, or the thing it could not be done to (`out/rounds.ndjson`).
        why: what was found there.
        remedy: what to do, in the imperative.
    """

    exit_code = IMPOSSIBLE

    def __init__(self, what: str, why: str, remedy: str) -> None:
        super().__init__(f"{what}: {why}; {remedy}")
        self.what, self.why, self.remedy = what, why, remedy

    def __reduce__(self) -> tuple[type[UserError], tuple[str, str, str]]:
        """Cross from a worker process as the three parts it is made of."""
        return type(self), (self.what, self.why, self.remedy)

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the one line to `file`, by default stderr."""
        click.echo(one_line(self.what, self.why, self.remedy), file=file, err=file is None)


class NotAsWritten(UserError):
    """Something was done, and what it was held against does not fit: ends the command with status 1."""

    exit_code = FOUND


def one_line(what: str, why: str, remedy: str) -> str:
    """`catwalk: <what>: <why>; <remedy>`, however many lines the parts had."""
    return " ".join(f"catwalk: {what}: {why.rstrip('. ')}; {remedy}".split())


def from_usage(error: click.ClickException) -> UserError:
    """Say what click found wrong with the arguments in our one line."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "catwalk"
    what = path.removeprefix("catwalk").strip() or "arguments"
    return UserError(what, error.format_message(), f"see `{path} --help`")


def from_system(error: OSError) -> UserError:
    """Say what the operating system refused in our one line."""
    what = str(error.filename) if error.filename is not None else "input or output"
    why = error.strerror or str(error) or type(error).__name__
    remedy = _SYSTEM_REMEDIES.get(type(error), "check the path, the disk and the rights on it")
    return UserError(what, why, remedy)


_SYSTEM_REMEDIES: dict[type[OSError], str] = {
    FileNotFoundError: "check the path",
    FileExistsError: "choose another path or move what is there",
    IsADirectoryError: "give a file, not a folder",
    NotADirectoryError: "give a folder, not a file",
    PermissionError: "check the rights on it, or run as a user who has them",
    ConnectionRefusedError: "check that the server runs and the address is right",
    TimeoutError: "check that the server runs and the address is right",
}
