"""A cycle of trials alone, made by hand: the two tables that recognition reads, and its configuration."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from scripts.plan.campaign_file import load_campaign, write_merged
from scripts.tables.table_schema import load_schema
from tests.recognition.hand_traces import bbr, cubic, reno

SETTING = "8mbps-rtt-ms-50"
CONTROLLERS = {"iperf-bbr": "bbr", "iperf-cubic": "cubic", "iperf-reno": "reno"}


def hand_series(service, seed):
    """The series of one of the kernel's controllers."""
    made = {"bbr": bbr, "cubic": lambda seed: cubic(6.5, seed), "reno": lambda seed: reno(15, seed)}
    return made[CONTROLLERS[service]](seed)


def trial(service, number, series, setting=SETTING, cca=None, **columns):
    """A row of trial_services and the rows of trial_series."""
    key = {"setting": setting, "pair": service, "trial": number}
    row = {"service": service, "clients": 1, "valid": True, "cca": cca or CONTROLLERS.get(service)}
    slots = [
        key
        | {
            "slot": slot,
            "backlog_packets_mean": None if np.isnan(queue) else queue,
            "ip_bytes": int(sent),
            "dropped_packets": int(dropped),
        }
        for slot, (queue, sent, dropped) in enumerate(
            zip(series.backlog_packets, series.ip_bytes, series.dropped_packets, strict=True)
        )
    ]
    return key | row | columns, slots


def write_tables(folder, trials):
    """tables/ of a cycle with these trials."""
    folder.mkdir(parents=True)
    for table, rows in (
        ("trial_services", [row for row, _ in trials]),
        ("trial_series", [slot for _, slots in trials for slot in slots]),
    ):
        schema = load_schema(table).arrow
        pq.write_table(pa.Table.from_pylist(rows, schema=schema), folder / f"{table}.parquet")


def write_cycle(folder, day, trials, campaign="recognition"):
    """A cycle of one of the campaigns for recognition in a folder like data/."""
    cycle = folder / campaign / day
    write_tables(cycle / "tables", trials)
    write_merged(load_campaign(campaign), cycle / "plan/config.json")
    return cycle


def kernel_trials(day_number, numbers=(1, 2, 3)):
    """Trials of every controller of the kernel."""
    return [
        trial(service, number, hand_series(service, 100 * day_number + number))
        for service in CONTROLLERS
        for number in numbers
    ]
