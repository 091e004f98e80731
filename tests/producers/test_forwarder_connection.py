"""How the gateway reaches Kafka: what the settings come to, and what a refusal means to a person."""

from __future__ import annotations

import datetime as dt
import logging
import ssl
import threading
from math import inf
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from kafka import KafkaConsumer, KafkaProducer, errors

from processors.runtime.watch.logs import quiet
from producers.errors import CaptureError
from producers.kafka.connection import AT_ONCE, ClientPatience, Connection, opened, trouble_of, without_noise
from producers.kafka.shipments import BACKFILL, LIVE
from schemas.topics import EVENTS, RESULT_BYTES

NOWHERE = Connection(
    servers="127.0.0.1:1", patience=ClientPatience(connect=200, look=200, request=500, delivery=500)
)


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate that signs itself, and its key, as PEM files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "brokers")])
    start = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + dt.timedelta(days=3650))
        .sign(key, hashes.SHA256())
    )
    pem, key_pem = tmp_path / "ca.pem", tmp_path / "key.pem"
    pem.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key_pem.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    return pem, key_pem


def test_the_producer_waits_for_all_copies_and_repeats_nothing_and_takes_the_largest_dead_letter() -> None:
    options = Connection(servers="a:9092, b:9092", prefix="pa.").producer_options()
    assert options["bootstrap_servers"] == ["a:9092", "b:9092"]
    assert (options["acks"], options["enable_idempotence"]) == ("all", True)
    assert options["max_request_size"] == RESULT_BYTES
    assert options["allow_auto_create_topics"] is False
    assert Connection(servers="a", prefix="pa.").topic(EVENTS) == "pa.catwalk.events"


def test_live_events_wait_for_company_and_are_packed_tightly_while_claims_go_at_once() -> None:
    reached = Connection(servers="a")
    live, claims = reached.producer_options(LIVE.gathering), reached.producer_options(AT_ONCE)
    assert (live["linger_ms"], live["compression_type"]) == (40, "gzip")
    assert claims["linger_ms"] == 0
    assert reached.producer_options(BACKFILL.gathering)["compression_type"] == "lz4"


def test_the_time_to_deliver_is_never_less_than_that_of_one_request() -> None:
    hasty = Connection(servers="a", patience=ClientPatience(request=9_000, delivery=1_000))
    assert hasty.producer_options()["delivery_timeout_ms"] >= 9_000


def test_brokers_are_verified_and_the_user_signs_in(certificate: tuple[Path, Path]) -> None:
    pem, key = certificate
    connection = Connection(
        servers="a:9093",
        security="sasl_ssl",
        ca=str(pem),
        certificate=str(pem),
        certificate_key=str(key),
        user="gateway",
        password="open sesame",
    )
    options = connection.options()
    context = options["ssl_context"]
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert options["security_protocol"] == "SASL_SSL"
    assert (options["sasl_mechanism"], options["sasl_plain_password"]) == ("SCRAM-SHA-512", "open sesame")
    assert "open sesame" not in repr(connection)


def test_a_pem_file_that_cannot_be_read_is_named_with_a_remedy(tmp_path: Path) -> None:
    connection = Connection(servers="a", security="ssl", ca=str(tmp_path / "none.pem"))
    with pytest.raises(CaptureError, match="TLS to Kafka: No such file") as said:
        connection.options()
    assert "PEM files that the settings name" in said.value.remedy


@pytest.mark.parametrize(
    ("error", "why", "remedy", "cures"),
    [
        (errors.KafkaTimeoutError("no answer"), "no answer", "check that the brokers run", inf),
        (errors.KafkaConnectionError(), "KafkaConnectionError", "check that the brokers run", inf),
        (errors.TopicAuthorizationFailedError("x"), "it does not allow it", "give this user the rights", 0),
        (errors.SaslAuthenticationFailedError("x"), "it refuses the user", "kafka_password", 0),
        (errors.UnknownTopicOrPartitionError("x"), "topic x is not there", "catwalk topics apply", inf),
        (errors.MessageSizeTooLargeError("x"), "a record is too large", "catwalk topics check", 0),
    ],
)
def test_each_refusal_says_why_what_to_do_and_whether_to_wait(
    error: errors.KafkaError, why: str, remedy: str, cures: float
) -> None:
    trouble = trouble_of(error)
    assert trouble.why.startswith(why)
    assert remedy in trouble.remedy
    assert trouble.cures == cures


@pytest.mark.parametrize("kind", [KafkaProducer, KafkaConsumer])
def test_a_client_that_cannot_be_made_leaves_no_thread_behind(kind: type) -> None:
    without_noise()
    before = set(threading.enumerate())
    options = NOWHERE.producer_options() if kind is KafkaProducer else NOWHERE.consumer_options()
    for _ in range(3):
        with pytest.raises(errors.KafkaTimeoutError):
            opened(kind, options)
    assert set(threading.enumerate()) == before


def test_the_library_says_nothing_on_standard_error_unless_somebody_asks() -> None:
    for _ in range(2):
        without_noise()
        quiet()
    assert sum(isinstance(h, logging.NullHandler) for h in logging.getLogger("kafka").handlers) == 1
