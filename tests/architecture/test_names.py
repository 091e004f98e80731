"""A class that other folders use shares its name with no other such class: its name stands for one thing."""

from pathlib import Path

import pytest

from tests.architecture.tracked import ROOT
from tests.architecture.uses import namesakes

FIRST = {"schemas/a.py": "class Held: pass"}
SECOND = {"producers/b.py": "class Held: pass"}
BOTH = {
    "deploy/c.py": "from schemas.a import Held\nHeld()",
    "deploy/d.py": "from producers import b\ndef f(held: b.Held): pass",
}
ONE_OF_THEM = {
    "used in its own folder": {"producers/e.py": "from producers.b import Held\nHeld()"},
    "imported and not used": {"deploy/d.py": "from producers.b import Held"},
    "a function": {
        "producers/b.py": "def Held(): pass",
        "deploy/d.py": "from producers.b import Held\nHeld()",
    },
    "a class in a class": {
        "producers/b.py": "class B:\n    class Held: pass",
        "deploy/d.py": "from producers.b import B\nB.Held()",
    },
    "passed on by another module": {
        "producers/b.py": "from schemas.a import Held as Held",
        "deploy/d.py": "from producers.b import Held\nHeld()",
    },
}


def _namesakes(root: Path, files: dict[str, str]) -> list[str]:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return list(map(str, namesakes(root)))


def test_a_class_that_other_folders_use_has_no_namesake() -> None:
    assert "\n".join(map(str, namesakes(ROOT))) == ""


def test_a_namesake_is_found_with_what_to_do(tmp_path: Path) -> None:
    assert _namesakes(tmp_path, FIRST | SECOND | BOTH) == [
        "schemas/a.py:1: Held is the name of a class of producers/b.py, too; "
        "rename one of the two: outside of its folder a class's name stands for one thing"
    ]


@pytest.mark.parametrize("case", ONE_OF_THEM)
def test_a_class_that_alone_is_used_elsewhere_may_have_namesakes(case: str, tmp_path: Path) -> None:
    used = {"deploy/c.py": BOTH["deploy/c.py"]}
    assert _namesakes(tmp_path, FIRST | SECOND | used | ONE_OF_THEM[case]) == []
