"""One round as a file that proves itself: verified in an empty environment, and refused with any byte changed."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deploy.cli.main import main
from deploy.evidence import verify as verifier
from schemas.tlog.keys import signer
from schemas.tlog.merkle import inclusion_spans, leaf_hash
from tests.checkpoints.bundles import outcome
from tests.checkpoints.houses import KEY, OTHER, VKEY, House
from tests.checkpoints.test_witness import WITNESS
from tests.commands.run import Catwalk, catwalk
from tests.tlog.test_merkle import hashes_of, records_of, root

__all__ = ["catwalk"]  # a fixture

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
Event = dict[str, Any]
WITNESS_KEY = WITNESS.verifier.text


@pytest.fixture(scope="module")
def overpaid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of the round in which too much was paid, made once."""
    folder = tmp_path_factory.mktemp("overpaid")
    house = House(folder)
    done("record", EXAMPLES / "breach_overpay.ndjson", "--ledger", house.ledger)
    house.writer().write()
    (folder / "witness.key").write_text(WITNESS.text)
    mine = ("--key", folder / "witness.key", "--state", folder / "seen.json")
    done("witness", "--checkpoints", house.log, "--log", VKEY, *mine)
    path = folder / "bundle.zip"
    given = ("--ledger", house.ledger, "--checkpoints", house.log, "--key", VKEY)
    done("evidence", "FB-12", broken_round(folder), "--out", path, *given)
    return path


def done(*arguments: object) -> None:
    assert main([str(one) for one in arguments]) == 0


def broken_round(folder: Path) -> int:
    done("replay", EXAMPLES / "breach_overpay.ndjson", "--out", folder / "out", "--no-patterns")
    (finding,) = (folder / "out" / "findings.ndjson").read_bytes().splitlines()
    return int(json.loads(finding)["round"])


def run_alone(path: Path, *arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a verifier with nothing but Python's own library."""
    command = [sys.executable, "-I", "-S", str(path), *map(str, arguments)]
    return subprocess.run(command, env={}, cwd=cwd, capture_output=True, text=True)


def test_a_bundle_verifies_alone_in_an_empty_environment(overpaid: Path, tmp_path: Path) -> None:
    files = verifier.read_bundle(overpaid)
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    ran = run_alone(tmp_path / "verify.py", overpaid, "--key", VKEY, "--key", WITNESS_KEY, cwd=tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert f"proved      checkpoint 1 of {KEY.name} is signed by {VKEY}" in ran.stdout
    assert f"proved      the witness {WITNESS.name} saw this checkpoint" in ran.stdout
    assert "is the one that was sealed when it was drawn" in ran.stdout
    assert "not proved  round.json, findings.ndjson and rules.json" in ran.stdout
    unpacked = run_alone(tmp_path / "verify.py", "--key", VKEY, cwd=tmp_path)
    assert (unpacked.returncode, unpacked.stderr) == (0, "")


@pytest.mark.parametrize(
    "keys", [[], [OTHER.verifier.text], [WITNESS_KEY], [VKEY, OTHER.verifier.text], ["x"], [VKEY[:-4]]]
)
def test_without_the_logs_key_or_with_another_nothing_is_proved(
    overpaid: Path, tmp_path: Path, keys: list[str]
) -> None:
    given = [word for key in keys for word in ("--key", key)]
    path = tmp_path / "verify.py"
    path.write_bytes(verifier.read_bundle(overpaid)["verify.py"])
    ran = run_alone(path, overpaid, *given, cwd=tmp_path)
    assert (ran.returncode, ran.stdout.startswith("REFUSED: "), ran.stderr) == (1, True, "")


def test_the_bundle_holds_what_a_replay_says_of_the_round(
    catwalk: Catwalk, overpaid: Path, tmp_path: Path
) -> None:
    files = verifier.read_bundle(overpaid)
    house = House(overpaid.parent)
    out = tmp_path / "out"
    assert catwalk("replay", house.ledger, "--out", out, "--no-patterns").status == 0
    assert files["round.json"] in (out / "rounds.ndjson").read_bytes().splitlines(keepends=True)
    assert files["findings.ndjson"] == (out / "findings.ndjson").read_bytes()
    told, rules = json.loads(files["round.json"]), json.loads(files["rules.json"])
    records = {line for lines in house.lines().values() for line in lines}
    events = [json.loads(line) for line in files["events.ndjson"].splitlines()]
    assert set(files["events.ndjson"].splitlines()) <= records
    kinds = [
        event["type"].removeprefix("catwalk.v1.")
        for event in events
        if event["sequence"] < told["first_sequence"]
    ]
    assert sorted(kinds) == ["dealer_arrived", "gaming_day_started", "shoe_loaded", "table_configured"]
    (finding,) = files["findings.ndjson"].splitlines()
    assert set(rules["duties"]) == set(json.loads(finding)["cites"])
    assert rules["ruleset"]["name"] == told["ruleset"]
    assert files["verify.py"] == Path(verifier.__file__).read_bytes()
    assert hashlib.sha256(files["verify.py"]).hexdigest() in files["README.txt"].decode()


def test_catwalk_verify_takes_bundles_too(catwalk: Catwalk, overpaid: Path, tmp_path: Path) -> None:
    ran = catwalk("verify", overpaid, "--key", VKEY, "--format", "json")
    assert (ran.status, ran.json["intact"]) == (0, True)
    broken = tmp_path / "broken.zip"
    broken.write_bytes(overpaid.read_bytes().replace(b"card_drawn", b"card_dramn", 1))
    assert catwalk("verify", broken, "--key", VKEY).status == 1
    assert catwalk("verify", overpaid, "--key", OTHER.verifier.text).status == 1
    assert catwalk("verify", overpaid).status == 2


def changed(content: bytes, at: int, choose: Random) -> bytes:
    return content[:at] + bytes([content[at] ^ choose.randrange(1, 256)]) + content[at + 1 :]


def holds(path: Path) -> bool:
    """As the verifier's command line judges, without its words."""
    try:
        verifier.verify(verifier.read_bundle(path), [VKEY])
    except Exception:
        return False
    return True


def refuses_changes(path: Path, folder: Path, step: int) -> None:
    """At every `step`-th place of the zip, and of each file in it with the zip made anew around it."""
    choose, whole, twin = Random(5), path.read_bytes(), folder / "changed.zip"
    start = choose.randrange(step)
    for at in range(start, len(whole), step):
        twin.write_bytes(changed(whole, at, choose))
        assert not holds(twin), at
    files = verifier.read_bundle(path)
    for name, content in files.items():
        for at in range(start % max(len(content), 1), len(content), step):
            twin.write_bytes(verifier.packed(files | {name: changed(content, at, choose)}))
            assert not holds(twin), (name, at)
    for at in range(0, len(whole), max(step, 997)):
        twin.write_bytes(whole[:at])
        assert not holds(twin), at
        twin.write_bytes(whole[:at] + b"\x00" + whole[at:])
        assert not holds(twin), at


def test_a_bundle_with_a_byte_changed_is_refused(overpaid: Path, tmp_path: Path) -> None:
    refuses_changes(overpaid, tmp_path, 211)
    assert holds(overpaid)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_a_bundle_with_any_byte_changed_is_refused(overpaid: Path, tmp_path: Path) -> None:
    refuses_changes(overpaid, tmp_path, 1)


def anew(files: dict[str, bytes], change: Callable[[dict[str, Any]], None], **others: bytes) -> bytes:
    """A bundle whose maker wants its own digests to fit what was changed."""
    made = files | others
    proof = json.loads(made["proof.json"])
    proof["files"] = {name: hashlib.sha256(made[name]).hexdigest() for name in proof["files"]}
    change(proof)
    proof["digest"] = verifier.digest_of(proof)
    return verifier.packed(made | {"proof.json": verifier.canonical(proof)})


def test_who_makes_all_digests_anew_is_refused_by_the_log(
    overpaid: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = verifier.read_bundle(overpaid)
    lines = files["events.ndjson"].splitlines(keepends=True)

    def dropped(proof: dict[str, Any]) -> None:
        del proof["records"][10]

    def swapped(proof: dict[str, Any]) -> None:
        proof["records"][10], proof["records"][11] = proof["records"][11], proof["records"][10]

    def as_hidden(proof: dict[str, Any]) -> None:
        proof["records"][10] |= {"hash": "0" * 64, "leaf": leaf_hash(lines[10][:-1]).hex()}

    def nothing(_proof: dict[str, Any]) -> None:
        pass

    def another_statement(proof: dict[str, Any]) -> None:
        proof["statement"] = proof["statement"].replace("FB-12", "FB-13")

    edited = b"".join([*lines[:10], lines[10].replace(b"FB-12-", b"FB-21-"), *lines[11:]])
    twin = tmp_path / "anew.zip"
    for made in (
        anew(files, nothing, **{"events.ndjson": edited}),
        anew(files, nothing, **{"events.ndjson": b"".join(lines[:10] + lines[11:])}),
        anew(files, dropped, **{"events.ndjson": b"".join(lines[:10] + lines[11:])}),
        anew(files, swapped, **{"events.ndjson": b"".join([*lines[:10], lines[11], lines[10], *lines[12:]])}),
        anew(files, as_hidden, **{"events.ndjson": b"".join(lines[:10] + lines[11:])}),
        anew(files, another_statement),
        anew(files, nothing, **{"checkpoint.txt": files["checkpoint.txt"].replace(b"\n1\n", b"\n2\n")}),
    ):
        twin.write_bytes(made)
        assert outcome(twin) == 1
    twin.write_bytes(anew(files, nothing))
    assert (outcome(twin), twin.read_bytes()) == (0, overpaid.read_bytes())


@settings(max_examples=20)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=100), st.integers(0, 63), st.integers(1, 255))
def test_ed25519_of_the_verifier_is_that_of_the_library(
    seed: bytes, message: bytes, at: int, flip: int
) -> None:
    key = signer("x", seed)
    signature, public = key.sign(message), key.verifier.public
    assert verifier.ed25519_verifies(public, message, signature)
    wrong = signature[:at] + bytes([signature[at] ^ flip]) + signature[at + 1 :]
    assert not verifier.ed25519_verifies(public, message, wrong)
    assert not verifier.ed25519_verifies(public, message + b"x", signature)
    assert not verifier.ed25519_verifies(bytes(32), message, signature)


# RFC 8032, section 7.1, tests 1 to 3.
@pytest.mark.parametrize(
    ("public", "message", "signature"),
    [
        (
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
            "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24"
            "655141438e7a100b",
        ),
        (
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee"
            "b00d291612bb0c00",
        ),
        (
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
            "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28d"
            "c027beceea1ec40a",
        ),
    ],
)  # fmt: skip
def test_ed25519_of_the_verifier_passes_the_vectors_of_the_rfc(
    public: str, message: str, signature: str
) -> None:
    given = bytes.fromhex(public), bytes.fromhex(message), bytes.fromhex(signature)
    assert verifier.ed25519_verifies(*given)
    assert not verifier.ed25519_verifies(given[0], given[1] + b"\x00", given[2])


@given(st.integers(1, 200), st.data())
def test_paths_of_the_verifier_are_those_of_the_trees(size: int, data: st.DataObject) -> None:
    index, records = data.draw(st.integers(0, size - 1)), records_of(size)
    path = [one.hex() for one in hashes_of(records, inclusion_spans(index, size))]
    assert verifier.root_of(leaf_hash(records[index]), index, size, path) == root(records)
