"""Folders make no circle of imports, and those of a package stand in one order."""

from pathlib import Path

import pytest

from tests.architecture.folders import ORDERS, Rows, broken_orders, folder_circles, imports_between_folders

ROOT = Path(__file__).resolve().parents[2]
ORDER: dict[str, Rows] = {"schemas": (("top",), ("left", "right"), (".",))}
IN_ORDER = {
    "schemas/top/a.py": "import schemas.left.a\nimport schemas.right.deep.a\nimport schemas.own",
    "schemas/left/a.py": "import schemas.own",
    "schemas/right/deep/a.py": "from schemas import own",
    "schemas/own.py": "",
}

# What is planted -> files, the circle, and the line that is named as closing it.
CIRCLES = {
    "two folders": (
        {
            "schemas/a/x.py": "import schemas.b.y",
            "schemas/b/y.py": "",
            "schemas/b/z.py": "\nfrom schemas.a import x",
        },
        "schemas/a, schemas/b import from one another",
        "schemas/a/x.py:1: imports schemas.b.y",
    ),
    "three folders, each through the next": (
        {
            "deploy/a/x.py": "import deploy.b.y",
            "deploy/b/y.py": "import schemas.c",
            "deploy/b/z.py": "",
            "schemas/c.py": "import schemas.d",
            "schemas/d.py": "import deploy.a.w",
            "deploy/a/w.py": "",
        },
        "deploy/a, deploy/b, schemas import from one another",
        "deploy/a/x.py:1: imports deploy.b.y",
    ),
    "a folder and its subfolder": (
        {"schemas/x.py": "from schemas.a import y", "schemas/a/y.py": "import schemas.z", "schemas/z.py": ""},
        "schemas, schemas/a import from one another",
        "schemas/x.py:1: imports schemas.a.y",
    ),
    "an import inside a function": (
        {
            "schemas/a/x.py": "def f():\n    import schemas.b.y",
            "schemas/b/y.py": "",
            "schemas/b/z.py": "import schemas.a.x",
        },
        "schemas/a, schemas/b",
        "schemas/a/x.py:2: imports schemas.b.y",
    ),
    "an import for types alone": (
        {
            "schemas/a/x.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from schemas.b.y import Y",
            "schemas/b/y.py": "",
            "schemas/b/z.py": "import schemas.a.x",
        },
        "schemas/a, schemas/b",
        "schemas/a/x.py:3: imports schemas.b.y",
    ),
    "a relative import": (
        {"schemas/a/x.py": "from ..b import y", "schemas/b/y.py": "", "schemas/b/z.py": "import schemas.a.x"},
        "schemas/a, schemas/b",
        "schemas/a/x.py:1: imports schemas.b.y",
    ),
    "a circle of modules": (
        {"schemas/a/x.py": "import schemas.b.y", "schemas/b/y.py": "import schemas.a.x"},
        "schemas/a, schemas/b",
        "schemas/a/x.py:1: imports schemas.b.y",
    ),
}

# What is planted -> a file, its text, where the report begins, and words of it.
DISORDERS = {
    "an import upwards": (
        "schemas/left/b.py",
        "\nimport schemas.top.a",
        "schemas/left/b.py:2: ",
        "left stands below top",
    ),
    "an import by the package's own modules": (
        "schemas/b.py",
        "import schemas.left.a",
        "schemas/b.py:1: ",
        ". stands below left",
    ),
    "an import within a row": (
        "schemas/right/deep/b.py",
        "from schemas.left import a",
        "schemas/right/deep/b.py:1: ",
        "they stand in one row",
    ),
    "a folder without a place": (
        "schemas/new/a.py",
        "",
        "schemas/new",
        "has no place in the order of schemas",
    ),
}


def _plant(root: Path, texts: dict[str, str]) -> None:
    for path, text in texts.items():
        for folder in (root / path).parents:
            if folder.is_relative_to(root) and folder != root:
                folder.mkdir(parents=True, exist_ok=True)
                (folder / "__init__.py").touch()
        (root / path).write_text(text, encoding="utf-8")


def test_no_folders_import_from_one_another_in_a_circle() -> None:
    assert "\n".join(folder_circles(imports_between_folders(ROOT))) == ""


def test_the_folders_of_each_package_stand_in_their_order() -> None:
    assert "\n".join(broken_orders(ROOT, imports_between_folders(ROOT))) == ""


@pytest.mark.parametrize("case", CIRCLES)
def test_a_planted_circle_of_folders_is_named_with_the_import_that_closes_it(
    case: str, tmp_path: Path
) -> None:
    texts, circle, line = CIRCLES[case]
    _plant(tmp_path, texts)
    [report] = folder_circles(imports_between_folders(tmp_path))
    assert report.startswith(circle)
    assert line in report
    assert "to the folder it belongs to" in report


def test_imports_without_the_closing_ones_make_no_circle(tmp_path: Path) -> None:
    texts, _, line = CIRCLES["three folders, each through the next"]
    _plant(tmp_path, texts)
    imports = imports_between_folders(tmp_path)
    assert len(folder_circles(imports)) == 1
    assert folder_circles(one for one in imports if str(one) != line) == []


def test_what_an_order_allows_is_not_reported(tmp_path: Path) -> None:
    _plant(tmp_path, IN_ORDER)
    imports = imports_between_folders(tmp_path)
    assert len(imports) == 5
    assert folder_circles(imports) == []
    assert broken_orders(tmp_path, imports, ORDER) == []


@pytest.mark.parametrize("case", DISORDERS)
def test_a_planted_disorder_is_named(case: str, tmp_path: Path) -> None:
    path, text, place, word = DISORDERS[case]
    _plant(tmp_path, {**IN_ORDER, path: text})
    [report] = broken_orders(tmp_path, imports_between_folders(tmp_path), ORDER)
    assert report.startswith(place)
    assert word in report


def test_an_order_names_folders_that_exist(tmp_path: Path) -> None:
    _plant(tmp_path, IN_ORDER)
    order: dict[str, Rows] = {"schemas": (*ORDER["schemas"], ("gone",))}
    found = broken_orders(tmp_path, imports_between_folders(tmp_path), order)
    assert found == ["schemas/gone, of the order of schemas, is no folder"]


def test_an_order_names_each_folder_once() -> None:
    for package, rows in ORDERS.items():
        names = [name for row in rows for name in row]
        assert len(names) == len(set(names)), package
