"""Health and figures of a gateway while it records, on a port as the workers have one."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from processors.runtime.watch.health import Health, HealthServer
from processors.runtime.watch.metrics import WorkerMetrics
from producers.kafka.gateway import Gateway


@contextmanager
def gateway_health(gateway: Gateway, host: str, port: int) -> Iterator[None]:
    """Answer `/healthz`, `/readyz` and `/metrics` meanwhile; nothing at port 0.

    It is ready while Kafka answers it; `catwalk_pending_records` is what waits in the journal.

    Raises:
        HealthPortTaken: the port is taken.
    """
    if not port:
        yield
        return
    health, metrics = Health({}), WorkerMetrics("gateway")
    health.watched.append(lambda: gateway.outage.why)
    metrics.ready.set_function(lambda: health.ready)
    metrics.pending.set_function(lambda: gateway.forwarder.waiting)
    loop = asyncio.new_event_loop()
    server = HealthServer(health, metrics)
    try:
        loop.run_until_complete(server.start(host, port))
        # Beside the recording, which waits for lines in calls that no event loop sees.
        thread = threading.Thread(target=loop.run_forever, name="catwalk-health", daemon=True)
        thread.start()
        try:
            yield
        finally:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.run_until_complete(server.stop())
    finally:
        loop.close()
