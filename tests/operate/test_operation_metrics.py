"""The metrics of unattended operation, as Prometheus parses them."""

import pytest
from prometheus_client.parser import text_string_to_metric_families

from scripts.operate.status import metrics_text, status_of, write_status
from tests.operate.operation import (
    FIRST,
    OFFLINE,
    SECOND,
    completed,
    context_of,
    failed,
    operation,
    write_measured,
)


def metrics_of(status):
    """The samples of the metrics by name and labels, as Prometheus parses them."""
    families = text_string_to_metric_families(metrics_text(status).decode())
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_prometheus_reads_the_metrics(tmp_path):
    context = operation(tmp_path, completed(FIRST, "2026-12-19T04:00:00Z"), failed(SECOND, OFFLINE))
    write_measured(context, SECOND, [(), (), ("late", "completed"), ("failed", "failed")])
    status = write_status(context, "measuring", SECOND)
    text = (context.folder / "metrics.prom").read_text()
    assert text.encode() == metrics_text(status)
    values = metrics_of(status)
    assert values["observatory_status_timestamp_seconds",] == pytest.approx(1797940800, abs=60)
    assert values["observatory_last_success_timestamp_seconds",] == 1797652800
    assert values["observatory_next_due_timestamp_seconds",] == 1797811200
    assert values["observatory_stale",] == 0 and values["observatory_due",] == 1
    assert values["observatory_stale_after_seconds",] == 21 * 86400
    assert values["observatory_disk_free_bytes",] == status.disk_free_bytes
    assert values["observatory_failures_total",] == 1
    assert values["observatory_round",] == 1
    assert {
        verdict: values["observatory_trials", verdict] for verdict in ("valid", "excluded", "failed")
    } == {
        "valid": 2,
        "excluded": 1,
        "failed": 1,
    }
    assert values["observatory_cycle_info", "watchdog", SECOND, "measuring"] == 1
    assert "python_info" not in text and "_created" not in text


def test_what_is_not_known_has_no_sample(tmp_path):
    names = {name for name, *_ in metrics_of(status_of(context_of(tmp_path)))}
    assert not names & {
        "observatory_last_success_timestamp_seconds",
        "observatory_round",
        "observatory_trials",
    }
