"""data/operate/metrics.prom: the status for Prometheus, by the textfile collector of node_exporter.

Times are seconds since the Unix epoch. What is not known has no sample.
"""

from collections.abc import Iterator
from pathlib import Path

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from scripts.base.files import write_bytes
from scripts.model.operation import Status, Trials
from scripts.operate.clock import moment_of

FILE = "metrics.prom"


def write_metrics(folder: Path, status: Status) -> None:
    """Write metrics.prom into a folder, whole or not at all."""
    write_bytes(folder / FILE, metrics_text(status))


def metrics_text(status: Status) -> bytes:
    """The metrics of a status. The registry has nothing else: no metrics of this process."""
    registry = CollectorRegistry()
    registry.register(_Collector(status))
    return generate_latest(registry)


class _Collector(Collector):
    """The metrics of one status."""

    def __init__(self, status: Status) -> None:
        self._status = status

    def collect(self) -> Iterator[Metric]:
        """All metrics."""
        status = self._status
        yield _gauge("status_timestamp_seconds", "When this file was written.", _seconds(status.written))
        if status.last_success:
            at_s = _seconds(status.last_success.at)
            yield _gauge("last_success_timestamp_seconds", "When the last cycle was completed.", at_s)
        yield _gauge("next_due_timestamp_seconds", "When the next cycle begins.", _seconds(status.next_due))
        yield _gauge("due", "1 if a cycle is due and not completed.", status.due)
        yield _gauge("stale", "1 if the last success was too old then.", status.stale)
        yield _gauge("stale_after_seconds", "The age at which a success is stale.", status.stale_days * 86400)
        yield _gauge("disk_free_bytes", "Free space on the disk of the data.", status.disk_free_bytes)
        yield _gauge("unpublished_cycles", "Measured cycles that are not published.", len(status.unpublished))
        failures = "Steps that failed."
        yield CounterMetricFamily("observatory_failures", failures, value=status.failures_total)
        labels = {"campaign": status.campaign, "cycle": status.cycle or "", "phase": status.phase}
        yield InfoMetricFamily("observatory_cycle", "What runs, and for which cycle.", value=labels)
        if status.trials:
            yield from _of_trials(status.trials)


def _of_trials(trials: Trials) -> Iterator[Metric]:
    yield _gauge("round", "The round that was planned last.", trials.round)
    yield _gauge("trials_planned", "Trials in the rounds planned so far.", trials.planned)
    yield _gauge("trials_measured", "Trials that are measured.", trials.measured)
    verdicts = GaugeMetricFamily(
        "observatory_trials",
        "Judged trials; the excluded ones did complete, the failed ones did not.",
        labels=["verdict"],
    )
    verdicts.add_metric(["valid"], trials.valid)
    verdicts.add_metric(["excluded"], trials.excluded - trials.failed)
    verdicts.add_metric(["failed"], trials.failed)
    yield verdicts


def _gauge(name: str, words: str, value: float) -> Metric:
    return GaugeMetricFamily(f"observatory_{name}", words, value=value)


def _seconds(moment: str) -> float:
    return moment_of(moment).timestamp()
