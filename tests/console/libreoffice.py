"""A workbook as LibreOffice, without a screen, reckons it."""

from __future__ import annotations

import io
import subprocess
from pathlib import Path

import openpyxl

from tests.console.reckoning import Reckoned

PATIENCE = 120.0  # seconds: the first start makes a profile


def recalculated(file: bytes, folder: Path) -> Reckoned:
    """The workbook with the values that LibreOffice gives its formulas.

    Raises:
        FileNotFoundError: LibreOffice is not installed; `sh tests/tools.sh soak` installs it.
        subprocess.CalledProcessError: it made no workbook of the file.
    """
    bare = folder / "bare.xlsx"
    openpyxl.load_workbook(io.BytesIO(file)).save(bare)  # openpyxl writes formulas without their values
    made = folder / "made"
    profile = f"-env:UserInstallation={(folder / 'profile').as_uri()}"
    convert = ("--headless", "--convert-to", "xlsx", "--outdir", str(made), str(bare))
    subprocess.run(["soffice", profile, *convert], check=True, capture_output=True, timeout=PATIENCE)
    return Reckoned((made / bare.name).read_bytes())


def require_agreed(file: bytes, folder: Path) -> None:
    """Hold the value of each formula in the file against LibreOffice's."""
    ours = Reckoned(file)
    theirs = recalculated(file, folder)
    places = list(ours.formulas())
    assert places
    for place in places:
        assert theirs.written(*place) == ours.written(*place), place
