"""`catwalk console user`: who may sign in to the console, from the command line of its own machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import click

from dashboards.accounts.accounts import AccountError, Accounts
from dashboards.accounts.roles import ROLE_NAMES
from deploy.console.desk_memory import users_folder
from deploy.console.server import accounts_of
from deploy.errors import UserError
from deploy.private_files import keep_private
from deploy.settings import load

_ROLE = click.Choice(ROLE_NAMES)


@click.group("user")
def users() -> None:
    """Who may sign in."""


@users.command("add")
@click.argument("name")
@click.option("--role", type=_ROLE, required=True, help="What the user may see and do.")
def add(name: str, role: str) -> None:
    """Create a user; the password is asked for, or is the first line of standard input."""
    password = _password()
    with _accounts(name, "correct that and try again") as accounts:
        accounts.add(name, role, password)
    click.echo(f"catwalk: user {name}, role {role}", err=True)


@users.command("password")
@click.argument("name")
def password(name: str) -> None:
    """Give a user another password; all their sign-ins end."""
    given = _password()
    with _accounts(name, "correct that and try again") as accounts:
        accounts.set_password(name, given)


@users.command("role")
@click.argument("name")
@click.argument("role", type=_ROLE)
def role(name: str, role: str) -> None:
    """Give a user another role; all their sign-ins end."""
    with _accounts(name) as accounts:
        accounts.set_role(name, role)


@users.command("disable")
@click.argument("name")
def disable(name: str) -> None:
    """Let a user in no more, and out at once."""
    with _accounts(name) as accounts:
        accounts.disable(name)


@users.command("enable")
@click.argument("name")
def enable(name: str) -> None:
    """Let a user in again who was disabled."""
    with _accounts(name) as accounts:
        accounts.enable(name)


@users.command("reset-factor")
@click.argument("name")
def reset_factor(name: str) -> None:
    """Take a user's second factor and recovery codes away; all their sign-ins end, and they enrol another one."""
    with _accounts(name) as accounts:
        accounts.reset_factor(name)


@users.command("list")
def listed() -> None:
    """All users: name, role, and whether disabled or with a second factor."""
    with closing(accounts_of(_folder())) as accounts:
        for person in accounts.people():
            told = [person.name, person.role]
            told += ["disabled"] * person.disabled + ["second factor"] * person.factor
            click.echo("\t".join(told))


@contextmanager
def _accounts(name: str, remedy: str = "`catwalk console user list` names all users") -> Iterator[Accounts]:
    """The accounts, and what they refuse said in one line."""
    with closing(accounts_of(_folder())) as accounts:
        try:
            yield accounts
        except AccountError as error:
            raise UserError(f"user {name}", str(error), remedy) from error


def _folder() -> Path:
    folder = users_folder(load().values)
    keep_private(folder)
    return folder


def _password() -> str:
    if sys.stdin.isatty():
        given: str = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
        return given
    return sys.stdin.readline().rstrip("\r\n")
