"""The pages' own scripts: their types hold, and nothing in them adds up money or reaches out of this origin."""

import re
import subprocess

from deploy.stack.parts import needed
from tests.browser.conftest import PAGES
from tests.browser.packages import npm_packages

SCRIPTS = sorted((PAGES / "static" / "js").glob("*.js"))
NODE = ("node", "it checks the types of the pages' scripts", "apt-get install nodejs")
OPTIONS = (
    "--allowJs", "--checkJs", "--noEmit", "--strict", "--noUnusedLocals", "--noImplicitReturns",
    "--target", "esnext", "--module", "esnext", "--moduleResolution", "bundler", "--lib", "es2023,dom,dom.iterable",
)  # fmt: skip


def test_their_types_hold() -> None:
    compiler = npm_packages("pages", PAGES) / "typescript" / "bin" / "tsc"
    command = [needed(NODE), str(compiler), *OPTIONS, *map(str, SCRIPTS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert (done.stdout, done.returncode) == ("", 0)


def test_letters_are_those_of_the_pinned_packages() -> None:
    packages = npm_packages("pages", PAGES)
    letters = sorted((PAGES / "static" / "fonts").glob("*.woff2"))
    assert letters
    for file in letters:
        package = (
            "@fontsource-variable/inter" if file.name.startswith("inter") else "@fontsource/ibm-plex-mono"
        )
        assert file.read_bytes() == (packages / package / "files" / file.name).read_bytes()


def test_what_plays_a_playlist_is_that_of_the_pinned_package() -> None:
    packages, here = npm_packages("pages", PAGES), PAGES / "static" / "vendor"
    assert [file.name for file in here.iterdir() if file.suffix != ".LICENSE"] == ["hls.light.min.mjs"]
    pinned = packages / "hls.js" / "dist" / "hls.light.min.mjs"
    assert (here / "hls.light.min.mjs").read_bytes() == pinned.read_bytes()


def test_each_is_checked_and_small() -> None:
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert text.startswith("// @ts-check\n"), script.name
        assert text.count("\n") <= 400, script.name


def test_none_computes_with_money_or_leaves_the_origin() -> None:
    for script in SCRIPTS:
        text = script.read_text(encoding="utf-8")
        assert not re.search(r"cents\w*\s*[-+*/]|[-+*/]\s*\w*cents", text), script.name
        assert not re.search(
            r"(?:from|import|fetch|Socket)\W{1,3}https?:|\beval\(|new Function|cssText", text
        ), script.name
