"""What a check holds tables to, or what a pattern is, in one sentence: for pages that name no check by its id."""

from __future__ import annotations

import inspect
from importlib import import_module

from processors.detectors import families as _detectors  # noqa: F401 - importing registers every family
from processors.detectors.family import FAMILIES, Family
from processors.law import duties as _registered  # noqa: F401 - importing registers every check
from processors.law.check import REGISTRY, Check
from schemas.check_names import current
from schemas.integrity import INTEGRITY


def duty_of(check: str) -> str:
    """The sentence of a check under its present or a former id; the id itself where this release has no such check."""
    name = current(check)
    if name in INTEGRITY:
        return INTEGRITY[name]
    if name in REGISTRY:
        return held_to(REGISTRY[name])
    kind, _, rest = name.partition(".")
    called, _, variant = rest.partition(".")
    family = FAMILIES.get(called) if kind == "pattern" else None
    if family is None:
        return name
    return sentence_of(family) + (f" ({variant.replace('_', ' ')})" if variant else "")


def held_to(entry: Check) -> str:
    """What a check holds tables to: the first paragraph of what it says of itself, in one line."""
    return _line(inspect.cleandoc(entry.doc))


def sentence_of(family: Family) -> str:
    """What a family of detectors is about: the first paragraph of its module, in one line."""
    return _line(inspect.getdoc(import_module(f"processors.detectors.families.{family.name}")) or "")


def _line(text: str) -> str:
    return text.partition("\n\n")[0].replace("\n", " ")
