"""The record of a trial that was killed because it did not end. A cycle goes on after a failed trial."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

from scripts.base.host import host_name
from scripts.base.records import to_json
from scripts.model.specification import Specification
from scripts.model.trial_record import HostRecord
from testbed.first_records import first_client_record, first_trial_record
from testbed.hosts import client_host, service_host


def record_hung_trial(specification: Specification, directory: Path, limit_s: float) -> None:
    """Replace what is in a trial's directory by the record of a failed trial."""
    shutil.rmtree(directory)
    directory.mkdir()
    clients = [
        first_client_record(client, client_host(number), service_host(number, client.service.hosts))
        for number, client in enumerate(specification.clients, start=1)
    ]
    reason = f"the trial had not ended after {limit_s:g} s"
    host = HostRecord(name=host_name(), cpu_pressure_fraction=None)
    record = replace(
        first_trial_record(specification), status="failed", reason=reason, clients=clients, host=host
    )
    content = to_json(record)
    assert isinstance(content, dict)
    content = content | {"bottleneck": {"backend": specification.bottleneck}}
    (directory / "trial.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
