"""Every module and name of the source has a user in the source; a name that tests alone use belongs to the tests."""

import re
from pathlib import Path

import pytest

from tests.architecture.tracked import ROOT
from tests.architecture.uses import unused

# What is planted as schemas/a.py, and the part of it that nothing uses.
UNUSED = {
    "a function": ("def f(): pass", "f"),
    "a class": ("class C: pass", "C"),
    "a constant": ("MOST = 4", "MOST"),
    "a function that calls itself": ("def f(): f()", "f"),
    "a class that makes itself": ("class C:\n    def __eq__(self, other): return C()", "C"),
    "a function inside a function": ("def __f__():\n    def g(): pass", "g"),
    "a cached function": ("from functools import cache\n@cache\ndef f(): pass", "f"),
    "a data class": ("from dataclasses import dataclass\n@dataclass\nclass C: pass", "C"),
    "a method": ("class C:\n    def m(self): pass\nC()", "C.m"),
    "a property": ("class C:\n    @property\n    def m(self): pass\nC()", "C.m"),
    "a method that calls itself": ("class C:\n    def m(self): self.m()\nC()", "C.m"),
    "a method of a data type": (
        "from msgspec import Struct\nclass C(Struct):\n    def m(self): pass\nC()",
        "C.m",
    ),
    "a method of an error": ("class C(Exception):\n    def m(self): pass\nC()", "C.m"),
    "a method with the name of a function": (
        "class C:\n    def m(self): pass\ndef m(): pass\nC(), m()",
        "C.m",
    ),
    "a name that another module imports alone": ("def imported(): pass", "imported"),
    "a name of which another module has its own": ("def own(): pass", "own"),
}
USED = {
    "a function that is called": "def f(): pass\nf()",
    "a function that another module calls": "def called(): pass",
    "a function that another module calls under another name": "def renamed(): pass",
    "a function that another module calls by its module": "def behind_a_dot(): pass",
    "a function that a package passes on": "def passed_on(): pass",
    "a constant of a module that is held in a variable": "HANDLERS = ()",
    "a function that a decorator registers": "from x import app\n@app.command('f')\ndef f(): pass",
    "a dunder": "__all__ = ()\ndef __getattr__(name): pass",
    "a method that is called": "class C:\n    def m(self): pass\nC().m()",
    "a method that a template names": "class C:\n    def shown(self): pass\nC()",
    "a method that a library calls": "import ast\nclass C(ast.NodeVisitor):\n    def visit(self): pass\nC()",
    "a method that a library calls at one remove": (
        "from x import Base\nclass B(Base): pass\nclass C(B):\n    def m(self): pass\nC()"
    ),
}
AROUND = {
    "schemas/__main__.py": "from schemas.a import imported, called, renamed as other\n"
    "from schemas import a, passed, modules\nfrom schemas.parts import passed_on\nimport schemas.cli\n"
    "called(), other(), a.behind_a_dot(), passed_on()\n[each.HANDLERS for each in modules]\n"
    "def _own():\n    own = 1\n    return own\n_own()\n",
    "schemas/parts/__init__.py": "from schemas.a import passed_on as passed_on",
    "dashboards/page.html": "{{ line.shown }}",
}

STARTED = {
    "imported": ("deploy/b.py", "import schemas.a"),
    "imported for a name": ("deploy/b.py", "def __f__():\n    from schemas.a import x"),
    "imported out of its package": ("deploy/b.py", "from schemas import a"),
    "named by a text": ("deploy/b.py", "'schemas.a'"),
    "started by its file": ("deploy/b.py", "'a.py'"),
    "started by make": ("Makefile", "\tpython -m schemas.a > a.json"),
    "started in an image": ("deploy/Dockerfile", "RUN python -m schemas.a"),
    "started as a page says": ("docs/a.md", "Run `python -m schemas.a`."),
    "an entry point": ("pyproject.toml", 'a = "schemas.a:main"'),
}
NOT_STARTED = {
    "imported by tests": ("tests/b.py", "import schemas.a"),
    "named by itself": ("schemas/a.py", "'schemas.a'"),
    "named by history": ("CHANGELOG.md", "`python -m schemas.a` is new"),
    "told of on a page": ("docs/a.md", "schemas.a has what is needed"),
    "with a namesake": ("deploy/b.py", "import schemas.ab, producers.a"),
}


def _plant(root: Path, files: dict[str, str]) -> None:
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def _found(root: Path) -> list[str]:
    return [str(one).partition("; ")[0] for one in unused(root)]


def test_every_module_and_name_of_the_source_has_a_user() -> None:
    assert "\n".join(map(str, unused(ROOT))) == ""


@pytest.mark.parametrize("case", UNUSED)
def test_a_name_that_nothing_refers_to_is_found(case: str, tmp_path: Path) -> None:
    text, name = UNUSED[case]
    _plant(tmp_path, AROUND | {"schemas/a.py": text})
    (found,) = _found(tmp_path)
    begins = re.search(rf"(?:def |class |^){name.rpartition('.')[2]}\b", text, re.M)
    assert begins
    line = text.count("\n", 0, begins.start()) + 1
    assert found == f"schemas/a.py:{line}: nothing refers to {name}"


@pytest.mark.parametrize("case", USED)
def test_a_name_that_has_a_user_is_not_found(case: str, tmp_path: Path) -> None:
    _plant(tmp_path, AROUND | {"schemas/a.py": USED[case]})
    assert _found(tmp_path) == []


@pytest.mark.parametrize("case", NOT_STARTED)
def test_a_module_that_nothing_starts_is_found(case: str, tmp_path: Path) -> None:
    path, text = NOT_STARTED[case]
    _plant(tmp_path, {"schemas/a.py": "", path: text, "deploy/__main__.py": "import deploy.b"})
    assert _found(tmp_path) == ["schemas/a.py:1: nothing imports or starts schemas.a"]


@pytest.mark.parametrize("case", STARTED)
def test_a_module_that_is_imported_or_started_is_not_found(case: str, tmp_path: Path) -> None:
    path, text = STARTED[case]
    _plant(tmp_path, {"schemas/a.py": "", path: text, "deploy/__main__.py": "import deploy.b"})
    assert _found(tmp_path) == []


def test_a_command_stands_in_the_table_of_commands(tmp_path: Path) -> None:
    _plant(tmp_path, {"deploy/cli/main.py": "('audit.rack',)", "deploy/cli/audit/rack.py": ""})
    _plant(tmp_path, {"deploy/cli/__main__.py": "import deploy.cli.main", "deploy/cli/audit/lost.py": ""})
    assert _found(tmp_path) == ["deploy/cli/audit/lost.py:1: nothing imports or starts deploy.cli.audit.lost"]


def test_what_to_do_is_said(tmp_path: Path) -> None:
    _plant(tmp_path, {"schemas/a.py": ""})
    assert [str(one).partition("; ")[2] for one in unused(tmp_path)] == [
        "delete it with its tests, or move it to the tests if only they need it"
    ]
