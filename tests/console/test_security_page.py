"""The page of security names tests that exist."""

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")


@cache
def names_in(name: str) -> set[str]:
    """Names of the tests in all files of this name, as words."""
    return {
        words.replace("_", " ")
        for path in (ROOT / "tests").rglob(name)
        for words in re.findall(r"^ *def test_(\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }


def named() -> list[tuple[str, str]]:
    """File and first words of every test the page names."""
    found = []
    for line in PAGE.splitlines():
        file = ""
        for part in re.split(
            r";|\)", line.rpartition(" | ")[2].rstrip(" |") if line.startswith("|") else line
        ):
            match = re.search(r"`(test_\w+\.py)`: (.+)", part.strip())
            words = match.group(2) if match else part.strip()
            file = match.group(1) if match else file
            if match or (file and line.startswith("|") and re.fullmatch(r"[a-z0-9 ]+", words)):
                found.append((file, words.strip()))
    return found


def test_every_test_the_page_names_is_there() -> None:
    found = named()
    assert len(found) > 100
    missing = [
        f"{file}: {words}"
        for file, words in found
        if not any(test.startswith(words) for test in names_in(file))
    ]
    assert missing == []


def test_every_requirement_the_bar_asks_for_has_a_line() -> None:
    lines = [line for line in PAGE.splitlines() if line.startswith("|")]
    listed = {number for line in lines for number in re.findall(r"\d+\.\d+\.\d+", line.split("|")[1])}
    bar = (
        "1.2.4 3.4.1 3.4.2 3.4.3 3.4.4 3.4.5 3.4.6 4.4.1 4.4.2 6.3.3 7.3.1 7.3.2 7.4.2 8.2.1 8.2.2 8.2.3 8.3.1"
        " 13.3.1 13.3.4 14.2.1 14.2.6 15.1.2 16.2.1 16.2.2 16.3.2 16.4.2 16.4.3 16.5.3"
    )
    assert set(bar.split()) - listed == set()
