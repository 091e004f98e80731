"""How the workers reach Kafka: addresses, names of topics and groups, and what TLS and SASL ask."""

from __future__ import annotations

import ssl
from typing import Any, Literal

from msgspec import Struct

from schemas.answers import FOLD_VERSION
from schemas.topics import ConsumerGroup, Topic


class Brokers(Struct, frozen=True, kw_only=True):
    """A Kafka cluster as a worker sees it; `prefix` stands before every name, so that deployments can share one.

    `servers` are `host:port`, separated by commas; files are PEM. `fold` is the version of the fold whose topics and
    groups are meant, by default this release's.
    """

    servers: str
    prefix: str = ""
    security: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    mechanism: str = ""
    user: str = ""
    password: str = ""
    ca_file: str = ""
    cert_file: str = ""
    key_file: str = ""
    fold: int = FOLD_VERSION

    def __repr__(self) -> str:
        """Without the password: what is logged or shown in a traceback holds none."""
        return f"Brokers(servers={self.servers!r}, prefix={self.prefix!r}, security={self.security!r})"

    def topic(self, topic: Topic) -> str:
        """The topic's name in this deployment."""
        return topic.named(self.prefix, self.fold)

    def group(self, group: ConsumerGroup) -> str:
        """The consumer group's name in this deployment."""
        return group.named(self.prefix, self.fold)

    def declared(self, name: str) -> str:
        """The name under which a topic of this deployment is declared."""
        return name.removeprefix(self.prefix).removesuffix(f".v{self.fold}")

    def tls(self) -> ssl.SSLContext | None:
        """What verifies the brokers and, with a certificate, this worker; None where TLS is off.

        Raises:
            OSError: a file that cannot be read.
        """
        if "SSL" not in self.security:
            return None
        context = ssl.create_default_context(cafile=self.ca_file or None)
        if self.cert_file:
            context.load_cert_chain(self.cert_file, self.key_file or None)
        return context

    def client_options(self) -> dict[str, Any]:
        """Arguments by which any aiokafka client connects."""
        options: dict[str, Any] = {
            "bootstrap_servers": self.servers,
            "security_protocol": self.security,
            "ssl_context": self.tls(),
        }
        if self.security.startswith("SASL"):
            options["sasl_mechanism"] = self.mechanism or "SCRAM-SHA-512"
            options["sasl_plain_username"] = self.user
            options["sasl_plain_password"] = self.password
        return options
