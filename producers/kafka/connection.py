"""How the gateway reaches Kafka, and what its refusals mean to a person."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Callable
from math import inf
from typing import Any, Final, Literal, NamedTuple, TypeVar

from kafka import errors
from kafka.net.compat import KafkaNetClient
from msgspec import Struct

from producers.errors import CaptureError
from producers.log import LedgerError, TopicMissing
from schemas.answers import FOLD_VERSION
from schemas.topics import NO_TOPIC_REMEDY, RESULT_BYTES, Topic

Security = Literal["plaintext", "ssl", "sasl_plaintext", "sasl_ssl"]


class ClientPatience(Struct, frozen=True, kw_only=True):
    """How long what is waited for, in milliseconds; `delivery` is the time a record may stay unacknowledged.

    `look` is for small questions, such as where a topic ends.
    """

    connect: int = 5_000
    look: int = 5_000
    request: int = 30_000
    delivery: int = 120_000


class Gathering(Struct, frozen=True, kw_only=True):
    """How records of a partition come together into a batch: how long its first one waits, and how it is compressed."""

    linger_ms: int = 5
    compression: Literal["lz4", "gzip"] = "lz4"


AT_ONCE: Final = Gathering(linger_ms=0)


class Connection(Struct, frozen=True, kw_only=True):
    """A Kafka cluster; `prefix` stands before every topic's name, so that deployments can share one.

    `servers` are `host:port`, separated by commas; files are PEM. `fold` is the version of the fold whose topics are
    meant, by default this release's.
    """

    servers: str
    prefix: str = ""
    security: Security = "plaintext"
    ca: str = ""
    certificate: str = ""
    certificate_key: str = ""
    mechanism: str = "SCRAM-SHA-512"
    user: str = ""
    password: str = ""
    fold: int = FOLD_VERSION
    patience: ClientPatience = ClientPatience()

    def __repr__(self) -> str:
        """Without the password: what is logged or shown in a traceback holds none."""
        return f"Connection(servers={self.servers!r}, prefix={self.prefix!r}, security={self.security!r})"

    def topic(self, topic: Topic) -> str:
        """The topic's name in this deployment."""
        return topic.named(self.prefix, self.fold)

    def options(self) -> dict[str, Any]:
        """Arguments by which any kafka-python client connects.

        Raises:
            CaptureError: a file of the TLS settings that cannot be read.
        """
        given: dict[str, Any] = {
            "bootstrap_servers": [server.strip() for server in self.servers.split(",") if server.strip()],
            "security_protocol": self.security.upper(),
            "bootstrap_timeout_ms": self.patience.connect,
            "request_timeout_ms": self.patience.request,
            "reconnect_backoff_max_ms": 1_000,
            "allow_auto_create_topics": False,
            "metrics_enabled": False,
        }
        if "ssl" in self.security:
            given["ssl_context"] = self._tls()
        if self.security.startswith("sasl"):
            given["sasl_mechanism"] = self.mechanism
            given["sasl_plain_username"] = self.user
            given["sasl_plain_password"] = self.password
        return given

    def producer_options(self, gathering: Gathering | None = None) -> dict[str, Any]:
        """Arguments of a producer that loses nothing it was not told to: what the gateway and its measure use."""
        gathering = gathering or Gathering()
        return self.options() | {
            "acks": "all",
            "enable_idempotence": True,
            "compression_type": gathering.compression,
            "batch_size": 1 << 18,
            "linger_ms": gathering.linger_ms,
            "max_request_size": RESULT_BYTES,
            "max_block_ms": self.patience.connect,
            "delivery_timeout_ms": max(self.patience.delivery, self.patience.request + gathering.linger_ms),
        }

    def consumer_options(self) -> dict[str, Any]:
        """Arguments of a consumer that reads partitions of its own choice from offsets of its own choice."""
        return self.options() | {
            "group_id": None,
            "enable_auto_commit": False,
            "auto_offset_reset": "earliest",
            "max_poll_records": 10_000,
            "max_partition_fetch_bytes": RESULT_BYTES,
            "fetch_max_wait_ms": 200,
        }

    def _tls(self) -> ssl.SSLContext:
        try:
            context = ssl.create_default_context(cafile=self.ca or None)
            if self.certificate:
                context.load_cert_chain(self.certificate, self.certificate_key or None)
        except OSError as error:
            why = error.strerror or str(error)
            raise CaptureError("TLS to Kafka", why, "check the PEM files that the settings name") from error
        return context


class Trouble(NamedTuple):
    """Why Kafka did not take or give something; after `cures` seconds nobody need wait for it to pass by itself.

    Of a topic that is `missing` the brokers do answer.
    """

    why: str
    remedy: str
    cures: float = inf
    missing: bool = False


AWAY = "check that the brokers run and that the setting kafka names them"
_RIGHTS = "give this user the rights on the topics, or name another by the setting kafka_user"


def trouble_of(error: BaseException) -> Trouble:
    """Say an error of the client library to a person."""
    said = str(error).removeprefix(f"{type(error).__name__}: ") or type(error).__name__
    match error:
        case errors.SaslAuthenticationFailedError():
            return Trouble(f"it refuses the user: {said}", "check kafka_user and kafka_password", 0)
        case errors.AuthorizationError():
            return Trouble(f"it does not allow it: {said}", _RIGHTS, 0)
        case errors.UnknownTopicOrPartitionError() | errors.InvalidTopicError():
            _, _, name = said.partition("Error: ")
            return Trouble(
                f"topic {name} is not there" if name else "a topic is not there",
                NO_TOPIC_REMEDY,
                missing=True,
            )
        case errors.MessageSizeTooLargeError() | errors.RecordListTooLargeError():
            remedy = "`catwalk topics check` compares the topics' limits"
            return Trouble(f"a record is too large for it: {said}", remedy, 0)
        case ssl.SSLCertVerificationError():
            return Trouble(f"its certificate is not trusted: {said}", "check the setting kafka_ca", 0)
        case _:
            return Trouble(said, AWAY)


def ledger_error(servers: str, topic: str, error: BaseException) -> LedgerError:
    """An error of the client library about a topic, in the ledger's words."""
    trouble = trouble_of(error)
    if trouble.missing:
        return TopicMissing(f"Kafka at {servers}", f"topic {topic} is not there", trouble.remedy)
    return LedgerError(f"topic {topic}", trouble.why, trouble.remedy)


def without_noise() -> None:
    """Keep the client library's own log from standard error, where nobody could act on it."""
    logger = logging.getLogger("kafka")
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())


_Client = TypeVar("_Client")


def opened(kind: Callable[..., _Client], options: dict[str, Any]) -> _Client:
    """A client of this kind; one that cannot reach a broker leaves nothing behind.

    The library leaves a thread and its sockets behind with each client that could not be made, and during an
    outage one would be tried every few seconds.
    """
    made: list[KafkaNetClient] = []

    def network(**configs: Any) -> KafkaNetClient:
        made.append(KafkaNetClient(**configs))
        return made[-1]

    try:
        return kind(**options, kafka_client=network)
    except BaseException:
        for client in made:
            client.close()
        raise
