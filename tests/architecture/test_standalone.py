"""The repository stands alone: nothing in it points at a machine, a registry or papers that are not in it."""

import re
from pathlib import Path

import pytest

from tests.architecture.tracked import ROOT, tracked_files

# One letter of each word stands in brackets, so that a search for the word finds only what must go.
FORBIDDEN = {
    "a path of one machine": r"(?<![\w.<])/(?:w[o]rk|f[a]rm|home/\w+|r[o]ot|Us[e]rs/\w+)/|b[a]sh_jobs|\.l[i]brary/",
    "a registry host": r"p[y]pi\.org|p[y]thonhosted|r[e]gistry\.npmjs|r[e]gistry\.yarnpkg|pr[o]xy\.golang"
    r"|ind[e]x-url|find-l[i]nks|art[i]factory",
    "how the work is organised": r"(?i)\b(?:sub-?ag[e]nts?|the br[i]ef|the l[e]ad\b(?! dealer)|other h[e]lpers?"
    r"|AI assist[a]nt|language m[o]del|cl[a]ude|anthr[o]pic|co-auth[o]red-by|generated w[i]th)\b",
    "a paper that is not in the repository": r"\b(?:D[E]SIGN|I[N]TERFACE|R[U]LES|R[U]LES-NUMBERS"
    r"|S[T]YLE|S[T]ACK|C[O]NSOLE)\.md\b",
}
EXCEPTED = {
    "schemas/contract/event-v1.schema.json": "the published contract, kept byte for byte",
    "tests/architecture/test_standalone.py": "plants what it must find",
    "Makefile": "names the options that keep hosts out of the lock",
    "deploy/packages.sh": "names the setting of pip that it passes on",
}
TEXT = {
    ".py",
    ".md",
    ".toml",
    ".json",
    ".csv",
    ".sql",
    ".txt",
    ".yml",
    ".yaml",
    ".js",
    ".css",
    ".html",
    ".sh",
    "",
}


def _pointing_elsewhere(root: Path) -> list[str]:
    patterns = {what: re.compile(pattern) for what, pattern in FORBIDDEN.items()}
    found = []
    for path in tracked_files(root):
        shown = path.relative_to(root).as_posix()
        if path.suffix not in TEXT or shown in EXCEPTED:
            continue
        text = path.read_text(encoding="utf-8")
        for what, pattern in patterns.items():
            for hit in pattern.finditer(text):
                line = text.count("\n", 0, hit.start()) + 1
                found.append(f"{shown}:{line}: {hit.group()!r} is {what}; say it without")
    return found


def test_no_tracked_file_points_outside_the_repository() -> None:
    assert "\n".join(_pointing_elsewhere(ROOT)) == ""


def test_the_lock_names_no_host_and_pins_every_package_by_hash() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert not re.search(r"://|--index|--find|--trusted|--extra-index", lock)
    pins = re.findall(
        r"^[A-Za-z0-9][\w.\-\[\]]*==\S+ \\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", lock, re.M
    )
    assert len(pins) == len(re.findall(r"^[A-Za-z0-9]", lock, re.M)) > 20


def test_exceptions_are_files_that_exist() -> None:
    assert [name for name in EXCEPTED if not (ROOT / name).is_file()] == []


@pytest.mark.parametrize(
    "text",
    [
        *(f"see /{folder}/main/x" for folder in ("work", "farm", "root")),
        "read /home/ann/notes",
        "--index-url=https://example.test/simple",
        "https://pypi.org/simple",
        "ask the lead about it",
        "as the brief says",
        "DESIGN.md, section 4",
        "see RULES.md",
    ],
)
def test_a_planted_pointer_is_reported_with_its_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text(
        "A /worker/ on a /network/, a leader, a designer.\n", encoding="utf-8"
    )
    assert _pointing_elsewhere(tmp_path) == []
    (tmp_path / "notes.md").write_text(f"one\n{text}\n", encoding="utf-8")
    assert [found.startswith("notes.md:2: ") for found in _pointing_elsewhere(tmp_path)] == [True]
