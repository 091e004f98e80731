"""What the settings say of Kafka, in the words of the gateway's side."""

from __future__ import annotations

from deploy.settings import Settings
from producers.kafka.connection import ClientPatience, Connection


def connection(settings: Settings, connect_ms: int = ClientPatience().connect) -> Connection:
    """How the gateway, and what creates the topics, reach the brokers; `connect_ms` until they are away."""
    return Connection(
        servers=settings.kafka,
        prefix=settings.kafka_prefix,
        security=settings.kafka_security,
        ca=settings.kafka_ca,
        certificate=settings.kafka_certificate,
        certificate_key=settings.kafka_certificate_key,
        mechanism=settings.kafka_mechanism,
        user=settings.kafka_user,
        password=settings.kafka_password,
        patience=ClientPatience(connect=connect_ms),
    )
