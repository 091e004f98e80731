"""Checkpoints: what a signature over a table's head proves of its record."""

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.commands.run import Catwalk, catwalk
from tests.producers.builders import GENESIS, chained, device_event, digest, encode, joined, stream

__all__ = ["catwalk"]  # a fixture

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))


def checkpoint(
    lines: list[bytes], over: int, /, key: Ed25519PrivateKey = KEY, form: str = "hex", **data: object
) -> bytes:
    """The next event: a checkpoint over the event `over`."""
    head = digest(lines[over - 1]) if over else GENESIS
    signature = key.sign(f"FB90-1|{over}|{head}".encode())
    said = {"upto": over, "head": head, "key_id": "k1", "signature": written(signature, form)}
    event = device_event(len(lines) + 1, type="catwalk.v1.chain_checkpointed", data=said | data)
    return chained(event, len(lines) + 1, digest(lines[-1]))


def written(signature: bytes, form: str) -> str:
    forms = {
        "hex": signature.hex(),
        "base64": base64.b64encode(signature).decode(),
        "base64url": base64.urlsafe_b64encode(signature).decode().rstrip("="),
    }
    return forms[form]


def rechained(lines: list[bytes]) -> list[bytes]:
    """The stream as somebody would write it anew who wants the chain to hold."""
    anew: list[bytes] = []
    for sequence, line in enumerate(lines, 1):
        prevhash = digest(anew[-1]) if anew else GENESIS
        anew.append(encode(json.loads(line) | {"sequence": sequence, "prevhash": prevhash}))
    return anew


class TestCheckpoints:
    @pytest.fixture
    def keys(self, tmp_path: Path) -> Path:
        path = tmp_path / "keys.toml"
        public = KEY.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex()
        path.write_text(f'k1 = "{public}"\n')
        return path

    @pytest.fixture
    def signed(self) -> list[bytes]:
        """Events 1 to 12; 5 and 10 are checkpoints over the events before them."""
        lines = stream(4)
        lines.append(checkpoint(lines, 4))
        lines += stream(4, start=6, prevhash=digest(lines[-1]))
        lines.append(checkpoint(lines, 9))
        return lines + stream(2, start=11, prevhash=digest(lines[-1]))

    def proven(
        self, catwalk: Catwalk, tmp_path: Path, lines: list[bytes], *options: object
    ) -> tuple[int, dict[str, Any]]:
        path = tmp_path / "signed.ndjson"
        path.write_bytes(joined(lines))
        ran = catwalk("verify", path, "--format", "json", *options)
        (proof,) = ran.json["streams"]
        return ran.status, proof

    @pytest.mark.parametrize("form", ["hex", "base64", "base64url"])
    def test_signed_by_a_given_key_are_verified(
        self, catwalk: Catwalk, tmp_path: Path, keys: Path, form: str
    ) -> None:
        lines = stream(3)
        lines.append(checkpoint(lines, 3, form=form))
        status, proof = self.proven(catwalk, tmp_path, lines, "--keys", keys, "--fail-on", "unverified")
        assert (status, proof["chain"]) == (0, "intact")
        assert proof["checkpoints"] == {"verified": 1, "unverified": 0, "signed_up_to": 3, "unknown_keys": []}

    def test_by_a_key_that_was_not_given_are_said_to_be_unverified(
        self, catwalk: Catwalk, tmp_path: Path, signed: list[bytes]
    ) -> None:
        status, proof = self.proven(catwalk, tmp_path, signed)
        assert (status, proof["chain"]) == (0, "intact")
        assert proof["checkpoints"] == {
            "verified": 0,
            "unverified": 2,
            "signed_up_to": 0,
            "unknown_keys": ["k1"],
        }
        assert (
            "2 checkpoints NOT verified (no key given for k1)"
            in catwalk("verify", tmp_path / "signed.ndjson").out
        )

    @pytest.mark.parametrize("with_checkpoints", [True, False])
    def test_unverified_or_missing_fail_where_that_is_asked_for(
        self, catwalk: Catwalk, tmp_path: Path, signed: list[bytes], with_checkpoints: bool
    ) -> None:
        lines = signed if with_checkpoints else stream(3)
        assert self.proven(catwalk, tmp_path, lines, "--fail-on", "unverified")[0] == 1

    def test_a_person_reads_how_far_the_record_is_signed(
        self, catwalk: Catwalk, tmp_path: Path, keys: Path, signed: list[bytes]
    ) -> None:
        self.proven(catwalk, tmp_path, signed)
        out = catwalk("verify", tmp_path / "signed.ndjson", "--keys", keys).out
        assert "  signed   2 checkpoints verified, events 1 to 9 are as signed" in out.splitlines()

    @pytest.mark.parametrize(
        "forged",
        [
            lambda lines: checkpoint(lines, 3, key=OTHER_KEY),
            lambda lines: checkpoint(lines, 3, signature="00" * 64),
            lambda lines: checkpoint(lines, 3, signature="no signature"),
            lambda lines: checkpoint(lines, 3, signature="é"),
            lambda lines: checkpoint(lines, 3, upto=2),
            lambda lines: checkpoint(lines, 3, head="a" * 64),
        ],
    )
    def test_whose_signature_is_not_by_their_key_are_bad(
        self, catwalk: Catwalk, tmp_path: Path, keys: Path, forged: Callable[[list[bytes]], bytes]
    ) -> None:
        lines = stream(3)
        lines.append(forged(lines))
        status, proof = self.proven(catwalk, tmp_path, lines, "--keys", keys)
        assert (status, proof["first_bad_sequence"]) == (1, 4)
        assert proof["reason"] == "the signature of checkpoint 4 is not by key k1"

    @pytest.mark.parametrize("given", [True, False])
    def test_show_a_record_that_was_written_anew_with_a_chain_that_holds(
        self, catwalk: Catwalk, tmp_path: Path, keys: Path, signed: list[bytes], given: bool
    ) -> None:
        signed[6] = signed[6].replace(b"As", b"Ks")
        status, proof = self.proven(
            catwalk, tmp_path, rechained(signed), *(("--keys", keys) if given else ())
        )
        assert (status, proof["first_bad_sequence"]) == (1, 9)
        since = 5 if given else 1
        assert proof["reason"] == (
            f"event 9 is not the one that checkpoint 10 names: events from {since} on may have been written anew"
        )

    @pytest.mark.parametrize("place", [3, 4])
    def test_show_an_edit_of_the_last_event_before_them(
        self, catwalk: Catwalk, tmp_path: Path, keys: Path, place: int
    ) -> None:
        """Also where the checkpoint itself is the last line, and its own prevhash was made to fit."""
        lines = stream(4)
        lines.append(checkpoint(lines, 4))
        lines[place - 1] = lines[place - 1].replace(b"As", b"Ks")
        status, proof = self.proven(catwalk, tmp_path, rechained(lines), "--keys", keys)
        assert (status, proof["first_bad_sequence"]) == (1, 4)

    @pytest.mark.parametrize("upto", [4, 5, 1_000_000_000])
    def test_over_events_not_yet_written_are_bad(
        self, catwalk: Catwalk, tmp_path: Path, keys: Path, upto: int
    ) -> None:
        lines = stream(3)
        signature = KEY.sign(f"FB90-1|{upto}|{GENESIS}".encode()).hex()
        lines.append(checkpoint(lines, 3, upto=upto, head=GENESIS, signature=signature))
        status, proof = self.proven(catwalk, tmp_path, lines, "--keys", keys)
        assert (status, proof["reason"]) == (1, f"checkpoint 4 names event {upto}, which was not yet written")

    def test_over_nothing_are_true(self, catwalk: Catwalk, tmp_path: Path, keys: Path) -> None:
        lines = stream(1)
        lines.append(checkpoint(lines, 0))
        status, proof = self.proven(catwalk, tmp_path, lines, "--keys", keys)
        assert (status, proof["chain"]) == (0, "intact")

    def test_behind_a_missing_event_prove_nothing_of_what_follows_it(
        self, catwalk: Catwalk, tmp_path: Path, keys: Path, signed: list[bytes]
    ) -> None:
        del signed[6]
        status, proof = self.proven(catwalk, tmp_path, signed, "--keys", keys)
        assert (status, proof["first_bad_sequence"]) == (1, 7)
        assert proof["checkpoints"] == {"verified": 1, "unverified": 1, "signed_up_to": 4, "unknown_keys": []}

    def test_hold_across_records_that_only_the_chain_vouches_for(
        self, catwalk: Catwalk, tmp_path: Path, keys: Path
    ) -> None:
        lines = stream(2)
        lines.append(chained(device_event(3, type="catwalk.v1.card_eaten"), 3, digest(lines[-1])))
        lines += stream(1, start=4, prevhash=digest(lines[-1]))
        lines.append(checkpoint(lines, 4))
        status, proof = self.proven(catwalk, tmp_path, lines, "--keys", keys)
        assert (status, proof["first_bad_sequence"]) == (1, 3)
        assert proof["checkpoints"]["verified"] == 1
