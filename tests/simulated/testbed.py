"""A testbed that runs nothing: it writes trial directories whose throughputs follow a known distribution.

    python -m tests.simulated.testbed BEHAVIOURS.json run SPEC --into TRIAL_DIR

replaces `python -m testbed` (the Snakefile's testbed=). BEHAVIOURS.json maps a pair to the behaviour of its
trials. Every key is optional:

    mbps             throughput of each client; 3 each
    spread_mbps      the first service of the pair gets up to this much more or less, uniformly, drawn from
                     the trial's seed
    outlier_every    in every n-th trial, the first service of the pair gets 2 Mbps more
    invalid          numbers of the trials on an overloaded host
    damaged          numbers of the trials whose queue log is something else
    fails            the fraction of the trials that fail, drawn from the trial's seed; true: every trial
    failed           numbers of the trials that fail besides
    unmet            why the client says that its service did not do what it must
    slow             only for the pair `calibration`: numbers of the trials in which the link is 1 % too slow

The key `hosts` says how the hosts of a cycle measure:

    seconds          how long a trial takes
    events           a file with a line for each trial: its beginning and end, ns, its host, and its directory

If a file `kill-before` or `kill-after` is beside the events, the next trial removes it, and kills the process
that started it: before the trial begins, or when it has ended.

As on the real testbed, a host has a lock, so that one trial runs on it at a time, and a trial ends with the
process that started it. The lock of each host is beside the events.

A service that generates flows has SLOWDOWNS in the window: flows of FLOW_BYTES, one every half second.

The trials of a cycle that is named by a day begin on that day, those of another one at START.
"""

import argparse
import fcntl
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.base.host import host_name
from scripts.base.processes import end_with_parent
from tests.extract.synthetic import ACK, MILLISECOND, SECOND, SYN, Downlink, Trial
from tests.simulated.calibration import write_calibration

PACKETS = 100
WINDOW_S = 6
START = 1_795_000_000
FLOW_BYTES = 2000
SLOWDOWNS = (2, 3, 10)
"""The slowdown of each generated flow. The last flow starts when the window is over."""


def run(behaviours: dict[str, Any], spec: dict[str, Any], into: Path) -> None:
    """Make the trial's directory, whole or not at all, unless it exists."""
    if into.is_dir():
        return
    with _alone_on_host(behaviours.get("hosts"), into):
        if not into.is_dir():
            _make(behaviours, spec, into)


@contextmanager
def _alone_on_host(hosts: dict[str, Any] | None, into: Path) -> Iterator[None]:
    """Hold the lock of this host for the time that a trial takes."""
    if hosts is None:
        yield
        return
    events = Path(hosts["events"])
    with events.with_name(f"{host_name()}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        _kill_if_told(events.with_name("kill-before"))
        began = time.monotonic_ns()
        time.sleep(hosts["seconds"])
        yield
        with events.open("a") as file:
            file.write(f"{began} {time.monotonic_ns()} {host_name()} {into}\n")
        _kill_if_told(events.with_name("kill-after"))


def _kill_if_told(told: Path) -> None:
    """Kill the process that started this one if a file says so, and give the signal time to come back."""
    with suppress(FileNotFoundError):
        told.unlink()
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(10)


def _make(behaviours: dict[str, Any], spec: dict[str, Any], into: Path) -> None:
    behaviour = behaviours.get(spec["pair"], {})
    partial = into.with_name(f".{into.name}.{os.getpid()}")
    shutil.rmtree(partial, ignore_errors=True)
    if "calibration" in spec:
        slower = 0.01 if spec["trial"] in behaviour.get("slow", []) else 0.0
        report = write_calibration(spec, _start_ns(spec), slower, partial)
        (partial / "trial.json").write_text(json.dumps(report | _named(spec, report["clients"])))
    elif _fails(behaviour, spec):
        partial.mkdir(parents=True)
        (partial / "trial.json").write_text(json.dumps(_failed(spec)))
    else:
        _completed(spec, _mbps(behaviour, spec), spec["trial"] in behaviour.get("invalid", []), partial)
        if generated := _generated(spec):
            (partial / "qoe.json").write_text(json.dumps(generated))
        if "unmet" in behaviour:
            (partial / "qoe.json").write_text(json.dumps({"c1": {"unmet": behaviour["unmet"]}}))
        if spec["trial"] in behaviour.get("damaged", []):
            (partial / "queue.bin.zst").write_bytes(b"something else entirely")
    try:
        partial.rename(into)
    except OSError:
        shutil.rmtree(partial)
        if not into.is_dir():
            raise


def _start_ns(spec: dict[str, Any]) -> int:
    """When the trial begins."""
    day = START
    with suppress(ValueError):
        day = int(datetime.fromisoformat(spec["cycle"]).replace(hour=3, tzinfo=UTC).timestamp())
    return (day + 20 * spec["trial"]) * SECOND


def _mbps(behaviour: dict[str, Any], spec: dict[str, Any]) -> list[float]:
    """The throughput of each client."""
    rates = list(behaviour.get("mbps", [3.0] * len(spec["clients"])))
    spread = behaviour.get("spread_mbps", 0.0)
    outlier = "outlier_every" in behaviour and spec["trial"] % behaviour["outlier_every"] == 0
    names = [client["service"]["name"] for client in spec["clients"]]
    rates[names.index(min(names))] += random.Random(spec["seed"]).uniform(-spread, spread) + 2 * outlier
    return rates


def _completed(spec: dict[str, Any], mbps: list[float], starved: bool, folder: Path) -> None:
    """Each client gets a handshake and, in the window, equal packets that sum to its throughput."""
    start = _start_ns(spec)
    downlink, uplink = [], []
    for client, rate in enumerate(mbps, start=1):
        uplink.append((client, start + 10 * MILLISECOND, SYN))
        downlink.append(Downlink(client, start + 35 * MILLISECOND, 2 * MILLISECOND, 999, 0, SYN | ACK))
        payload = round(rate * 1e6 / 8 * WINDOW_S / PACKETS) - 40
        for k in range(PACKETS):
            arrival = start + 2 * SECOND + k * (WINDOW_S * SECOND // PACKETS)
            downlink.append(Downlink(client, arrival, MILLISECOND, 1000 + payload * k, payload))
    trial = Trial(start, downlink, uplink)
    report = trial.report(range(1, len(mbps) + 1))
    named = _named(spec, report["clients"])
    if starved:
        named["host"]["cpu_pressure_fraction"] = 0.9
    trial.write(folder, **report | named)
    if len(mbps) == 1:
        (folder / "client-c2.pcapng.zst").unlink()


def _generated(spec: dict[str, Any]) -> dict[str, Any]:
    """The observations of the clients that generate flows, by client."""
    link, count = spec["link"], len(SLOWDOWNS)
    best_ns = round(FLOW_BYTES * 8e3 / link["rate_mbps"] + link["rtt_ms"] * MILLISECOND)
    window = _start_ns(spec) + 2 * SECOND
    started = [window + k * SECOND // 2 for k in range(count - 1)] + [window + WINDOW_S * SECOND]
    ended = [start + slowdown * best_ns for start, slowdown in zip(started, SLOWDOWNS, strict=True)]
    flows = {
        "planned_us": [(start - started[0]) // 1000 for start in started],
        "size_bytes": [FLOW_BYTES] * count,
        "group": list(range(count)),
        "started_ns": started,
        "connected_ns": started,
        "first_ns": ended,
        "last_ns": ended,
        "received_bytes": [FLOW_BYTES] * count,
        "retransmissions": [0] * count,
    }
    observation = {"received_bytes": count * FLOW_BYTES, "since_ns": started[0], "flows": flows}
    named = enumerate(spec["clients"], start=1)
    return {f"c{n}": observation for n, client in named if client["service"].get("metric") == "completion"}


def _fails(behaviour: dict[str, Any], spec: dict[str, Any]) -> bool:
    """Whether the trial fails: by its number, or by chance."""
    drawn = random.Random(f"fails {spec['seed']}").random()
    return spec["trial"] in behaviour.get("failed", []) or drawn < behaviour.get("fails", 0)


def _failed(spec: dict[str, Any]) -> dict[str, Any]:
    """The record of a trial whose services never started."""
    report = Trial(0, [], []).report()
    named = _named(spec, [{"client": "c1"}, {"client": "c2"}])
    nothing = dict.fromkeys(("start_ns", "stop_ns", "window_start_ns", "window_stop_ns"))
    return report | named | nothing | {"status": "failed", "reason": "the service broke"}


def _named(spec: dict[str, Any], clients: list[dict[str, Any]]) -> dict[str, Any]:
    """The part of the record that identifies the trial."""
    specified = [
        {
            "service": part["service"]["name"],
            "instance": part["instance"],
            "cca_asked": part["service"]["cca"],
            "cca": [cca for cca in [part["service"]["cca"]] if cca],
        }
        for part in spec["clients"]
    ]
    same = {key: spec[key] for key in ("campaign", "cycle", "setting", "pair", "trial", "link", "seed")}
    host = {"name": host_name(), "kernel": "6.1", "cpu_pressure_fraction": 0.01}
    return same | {
        "host": host,
        "programs": {},
        "clients": [one | two for one, two in zip(clients, specified, strict=False)],
    }


def main(argv: list[str] | None = None) -> int:
    """Make one trial; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulated.testbed")
    parser.add_argument("behaviours", type=Path)
    parser.add_argument("command", choices=["run"])
    parser.add_argument("spec", type=Path)
    parser.add_argument("--into", type=Path, required=True)
    arguments = parser.parse_args(argv)
    end_with_parent(signal.SIGTERM)
    run(json.loads(arguments.behaviours.read_text()), json.loads(arguments.spec.read_text()), arguments.into)
    return 0


if __name__ == "__main__":
    sys.exit(main())
