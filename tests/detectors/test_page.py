"""docs/patterns.md lists what is registered, and `catwalk explain` tells it."""

from pathlib import Path

from deploy.audit.patterns_page import page
from processors.detectors.family import FAMILIES
from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_of_patterns_lists_what_is_registered() -> None:
    text = (ROOT / "docs" / "patterns.md").read_text("utf-8")
    assert page(text) == text, "run `make patterns-page`"


def test_every_family_and_variant_is_explained(catwalk: Catwalk) -> None:
    for family in FAMILIES.values():
        told = catwalk("explain", f"pattern.{family.name}", "--format", "json").json
        assert told["null"] == family.null
        assert (
            "level       1 in 10,000 for each table's stream"
            in catwalk("explain", f"pattern.{family.name}").out
        )
        for variant in family.variants:
            assert family.null in " ".join(catwalk("explain", f"pattern.{family.name}.{variant}").out.split())
