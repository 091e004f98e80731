"""What decides each provision: a check, or a reason on file why it is a definition or cannot be observed.

Checks say themselves what they decide. What no check decides is declared as data, by `definitions.toml` (a meaning
that named checks rest on) and `not_observable.toml` (a duty of which no event tells, with the sensor that would).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Literal

import msgspec
from msgspec import Struct

from processors.law.check import Check
from processors.law.citations import CITATIONS
from schemas.provisions import PROVISIONS, Provision

Status = Literal["check", "configuration", "attestation", "definition", "not_observable", "open"]
DECLARATIONS = ("definitions.toml", "not_observable.toml")


class Declared(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Roles whose provisions no check decides, and why."""

    roles: tuple[str, ...]
    reason: str
    used_by: tuple[str, ...] = ()
    sensor: str = ""


class _File(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    definition: tuple[Declared, ...] = ()
    not_observable: tuple[Declared, ...] = ()


class Declaration(Struct, frozen=True):
    """What is declared of one provision."""

    status: Literal["definition", "not_observable"]
    reason: str
    used_by: tuple[str, ...]
    sensor: str


class Row(Struct, frozen=True, omit_defaults=True):
    """One provision and what decides it."""

    provision_id: str
    ruleset: str
    status: Status
    by: tuple[str, ...]
    reason: str
    sensor: str = ""


class BadDeclaration(ValueError):
    """A declaration that cannot be; the message says which and why."""


def read_declarations(texts: Mapping[str, str]) -> dict[str, Declaration]:
    """Declarations by provision, from the texts of the files by their names.

    Raises:
        BadDeclaration: not TOML, an unknown key, a role that does not exist, or one declared twice.
    """
    found: dict[str, Declaration] = {}
    for name, text in texts.items():
        try:
            file = msgspec.convert(tomllib.loads(text), _File)
        except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
            raise BadDeclaration(f"{name}: {error}") from error
        for status, entries in (("definition", file.definition), ("not_observable", file.not_observable)):
            for entry in entries:
                _declare(found, name, status, entry)
    return found


def _declare(found: dict[str, Declaration], name: str, status: str, entry: Declared) -> None:
    if status == "definition" and not entry.used_by:
        raise BadDeclaration(f"{name}: the definition {entry.roles[0]} names no check that uses it")
    if status == "not_observable" and not entry.sensor:
        raise BadDeclaration(f"{name}: {entry.roles[0]} names no sensor that would show it")
    for role in entry.roles:
        if role not in CITATIONS:
            raise BadDeclaration(f"{name}: there is no role {role}; see citations.csv")
        for clause in (clause for ids in CITATIONS[role].cites.values() for clause in ids):
            if clause in found:
                raise BadDeclaration(f"{name}: {role} is declared twice")
            found[clause] = Declaration(status, entry.reason, entry.used_by, entry.sensor)  # type: ignore[arg-type]  # the two literals above


def deciding(registry: Mapping[str, Check], provision: str) -> tuple[str, ...]:
    """Checks that decide a provision, by id."""
    by = (check for check in registry.values() if any(provision in ids for ids in check.provisions.values()))
    return tuple(sorted(check.id for check in by))


def coverage(registry: Mapping[str, Check], declared: Mapping[str, Declaration]) -> list[Row]:
    """One row for each provision, in the order of the register."""
    return [_row(provision, registry, declared.get(provision.id)) for provision in PROVISIONS.values()]


def _row(provision: Provision, registry: Mapping[str, Check], declared: Declaration | None) -> Row:
    by = deciding(registry, provision.id)
    status: Status = "open"
    reason, sensor = "no check decides it, and no reason is on file", ""
    if by:
        # What a definition or a permission rules out is decided like any other duty.
        kinds: dict[str, Status] = {"configuration": "configuration", "attestation": "attestation"}
        status = kinds.get(provision.observable, "check")
        reason = " ".join(registry[check].doc.partition("\n")[0] for check in by)
    elif declared is not None:
        status, reason, sensor = declared.status, declared.reason, declared.sensor
        by = users(registry, declared.used_by, provision.ruleset)
    return Row(provision.id, provision.ruleset, status, by, reason, sensor)


def users(registry: Mapping[str, Check], patterns: Iterable[str], ruleset: str) -> tuple[str, ...]:
    """Checks of a ruleset whose ids fit one of the patterns (`settlement.*`)."""
    wanted, own = tuple(patterns), (check.id for check in registry.values() if ruleset in check.provisions)
    return tuple(sorted(id for id in own if any(fnmatchcase(id, pattern) for pattern in wanted)))


def idle(registry: Mapping[str, Check], declared: Mapping[str, Declaration]) -> list[str]:
    """Declarations that say nothing true any more: decided by a check, or resting on checks that do not exist."""
    found = []
    for provision, entry in declared.items():
        by = deciding(registry, provision)
        if by:
            found.append(f"{provision} is declared {entry.status}, but {', '.join(by)} decides it")
        ruleset = PROVISIONS[provision].ruleset
        found += [
            f"{provision}: no check of {ruleset} is called {pattern}"
            for pattern in entry.used_by
            if not users(registry, (pattern,), ruleset)
        ]
    return found
