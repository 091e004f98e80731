"""What a worker counts and measures, in Prometheus' form; one registry for each worker, none for the process.

Names are part of the interface: alert rules and boards refer to them. No label holds a table, a card or a patron:
labels are bounded by the declaration, so that a hostile record cannot make a million time series.
"""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class WorkerMetrics:
    """The measures that every worker of one kind (`fold`, `sink`, `analyst`) keeps.

    `stage` of the latency: `fold` (records to messages), `send` (until the broker has them), `insert`, `checkpoint`,
    `restore`, and `end_to_end` (from the broker's time of a record to its results being durable).
    """

    def __init__(self, worker: str) -> None:
        """Begin at zero; every series carries `worker`."""
        self.registry = CollectorRegistry()
        self.worker = worker
        self.records = self._counter("catwalk_records", "Kafka records taken", ())
        self.events = self._counter("catwalk_events", "events taken; a frame holds several", ())
        self.duplicates = self._counter("catwalk_duplicates", "events delivered again and dropped", ())
        self.skipped = self._counter("catwalk_skipped_records", "records already covered by a checkpoint", ())
        self.rounds = self._counter("catwalk_rounds", "rounds reconstructed, by status", ("status",))
        self.findings = self._counter("catwalk_findings", "findings made", ("verdict", "severity"))
        self.dead_letters = self._counter("catwalk_dead_letters", "lines set aside", ("kind",))
        self.retries = self._counter("catwalk_retries", "attempts that failed and were repeated", ("what",))
        self.rebalances = self._counter("catwalk_rebalances", "times the partitions were dealt anew", ())
        self.reread = self._counter("catwalk_reread_records", "records read again to restore a state", ())
        self.latency = Histogram(
            "catwalk_stage_seconds",
            "time that a stage takes",
            ("worker", "stage"),
            registry=self.registry,
            buckets=_SECONDS,
        )
        self.lag = self._gauge(
            "catwalk_lag_records", "records behind the end of the log", ("topic", "partition")
        )
        self.partitions = self._gauge("catwalk_assigned_partitions", "partitions this worker holds", ())
        self.tables = self._gauge("catwalk_tables", "tables whose state this worker holds", ())
        self.checkpointed = self._gauge(
            "catwalk_checkpoint_timestamp_seconds", "when state was last made durable, Unix time", ()
        )
        self.checkpoint_bytes = self._gauge("catwalk_checkpoint_bytes", "size of the last checkpoint", ())
        self.pending = self._gauge("catwalk_pending_records", "records taken and not yet acknowledged", ())
        self.aside = self._gauge(
            "catwalk_aside_records", "records that do not follow their table's chain and wait", ()
        )
        self.ready = self._gauge("catwalk_ready", "1 when the worker is at work", ())
        # Of workers that fold, store and count, theirs; of a console the one in force.
        self.fold = self._unset(
            "catwalk_fold_version", "version of the fold whose results this worker makes, stores or shows"
        )
        # Of the worker that reconciles alone: without a sample elsewhere.
        self.reconciled_at = self._unset(
            "catwalk_reconciled_timestamp_seconds",
            "when the store was last held against the ledger, Unix time",
        )
        self.reconciled_rows = self._unset(
            "catwalk_reconciled_wrong_rows",
            "rows that were found to be not what the ledger gives, and are not put right",
        )
        # Without a sample until somebody asks the brokers: a console has no lag of its own.
        self.lag_age = self._unset(
            "catwalk_lag_age_seconds", "since the brokers last said how far this worker is behind"
        )

    def took(self, stage: str, seconds: float) -> None:
        """One run of a stage took so long."""
        self.latency.labels(self.worker, stage).observe(seconds)

    def text(self) -> bytes:
        """All series, as `/metrics` answers."""
        return generate_latest(self.registry)

    def _unset(self, name: str, doc: str) -> Gauge:
        """A figure without a sample until somebody sets one."""
        return Gauge(name, doc, ("worker",), registry=self.registry)

    def _counter(self, name: str, doc: str, labels: tuple[str, ...]) -> Counter:
        counter = Counter(name, doc, ("worker", *labels), registry=self.registry)
        return counter if labels else counter.labels(self.worker)

    def _gauge(self, name: str, doc: str, labels: tuple[str, ...]) -> Gauge:
        gauge = Gauge(name, doc, ("worker", *labels), registry=self.registry)
        return gauge if labels else gauge.labels(self.worker)
