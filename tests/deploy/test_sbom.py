"""The bill of materials names all that the lock pins, and nothing else."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.sbom import bill_of_materials

ROOT = Path(__file__).resolve().parents[2]
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


def test_every_pin_is_in_the_bill_with_its_hashes() -> None:
    command = [sys.executable, "-m", "deploy.sbom"]
    printed = subprocess.run(command, input=LOCK, capture_output=True, text=True, check=True, cwd=ROOT)
    bill = json.loads(printed.stdout)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    named = {f"{each['name']}=={each['version']}" for each in bill["components"]}
    assert named == set(re.findall(r"^[A-Za-z0-9]\S*==\S+", LOCK, re.M))
    assert sum(len(each["hashes"]) for each in bill["components"]) == LOCK.count("--hash=sha256:")
    litestar = next(each for each in bill["components"] if each["name"] == "litestar")
    assert litestar["purl"] == f"pkg:pypi/litestar@{litestar['version']}"
    assert len({each["bom-ref"] for each in bill["components"]}) == len(bill["components"])


def test_the_same_lock_gives_the_same_bill_and_another_one_another_number() -> None:
    one = bill_of_materials(LOCK, "1.0")
    assert one == bill_of_materials(LOCK, "1.0")
    assert one["serialNumber"] != bill_of_materials(LOCK, "1.1")["serialNumber"]


def test_a_lock_with_an_unpinned_line_has_no_bill() -> None:
    with pytest.raises(ValueError, match="no pins by hash"):
        bill_of_materials(LOCK + "surprise>=1\n", "1.0")
