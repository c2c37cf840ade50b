"""Endpoints in real trials: the tiny one beside iperf3, and broken and hostile ones, which change nothing."""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq
import pytest

from scripts.base.confinement import FIRST_DRIVER, FIRST_UID
from scripts.model.endpoint import read_endpoint
from scripts.model.specification import SpecifiedClient
from services.endpoint.image.unpacked import image_digest, unpacked_folder
from services.endpoint.program import LOG_BYTES
from testbed.scheduling import OF_CLIENTS, PRIORITY
from tests.services.endpoint.hostile import CLIENTS, COMPLETED, GREEDY, REFUSED, SERVERS
from tests.services.endpoint.images import PROGRAMS, make_debian_image, make_image_endpoint
from tests.services.endpoint.making import KEYS, endpoint_service, make_endpoint
from tests.testbed.sample_specification import sample_specification, write_specification

TELLING = 'chrt -p $$; exec "$0" "$@"'
"""A shell says its priority, and becomes the program."""

PLACES = ("/", "/run", "/dev/shm", "/root", "/var/tmp")
"""Folders in which a program could leave something."""

HOSTILE = [
    *(pytest.param(*case, ("failed",), id=f"server: {name}") for name, case in SERVERS.items()),
    *(pytest.param(*case, ("failed",), id=f"client: {name}") for name, case in CLIENTS.items()),
    *(pytest.param(*case, ("failed", "completed"), id=name) for name, case in GREEDY.items()),
    *(pytest.param(keys, "", ("completed",), id=name) for name, keys in COMPLETED.items()),
]


@pytest.fixture(scope="module")
def pair(tmp_path_factory) -> tuple[subprocess.CompletedProcess, Path]:
    """What `python -m testbed pair` prints of the tiny endpoint beside iperf3, and its folder."""
    folder = tmp_path_factory.mktemp("pair")
    sides = {side: ["sh", "-c", TELLING, *KEYS[side]] for side in ("server", "client")}
    endpoint, into = make_endpoint(folder / "tiny", **sides), folder / "into"
    command = [sys.executable, "-m", "testbed", "pair", str(endpoint), "iperf-cubic", "--seconds", "7"]
    done = subprocess.run([*command, "--into", str(into)], stdout=subprocess.PIPE, text=True, check=False)
    return done, into


def test_a_pair_prints_what_each_got_and_leaves_a_picture(pair):
    done, into = pair
    assert done.returncode in (0, 1)  # Other work on the host may break a rule.
    head, *lines = done.stdout.splitlines()
    clients, full, pictures, packets, logs = lines[:2], lines[2], lines[-4:-2], *lines[-2:]
    assert ["service", "sends with", "of the link", "IP Mbps", "loss", "delay", "95th"] == re.split(
        "  +", head
    )
    shares = [float(re.search(r"([0-9.]+) %", line)[1]) for line in clients]
    assert 2 == len(shares) and min(shares) > 1 and 80 < sum(shares) < 101
    assert any(line.startswith("tiny (kernel)") and " of tiny " in line for line in clients)
    assert re.match("From second 1 to 6 the link was [0-9.]+ % full. The trial ", full)
    trial = Path(packets.removeprefix("Packets, and the log of the queue: "))
    assert {"client-c1.pcapng.zst", "client-c2.pcapng.zst", "queue.bin.zst"} < {
        path.name for path in trial.iterdir()
    }
    assert f"Logs: {trial}/logs" == logs and into in trial.parents
    for line in pictures:
        assert line.startswith(f"Picture: {into}/")
        assert Path(line.split()[1].removesuffix(",")).with_suffix(".png").stat().st_size > 10_000


@pytest.mark.skipif(os.geteuid() != 0, reason="needs the right to run in real time")
def test_a_server_runs_as_a_sender_and_its_client_after_senders(pair):
    (logs,) = (pair[1] / "trials").glob("*/*/01/logs")
    for side, priority in (("serve/server", PRIORITY), ("use/client", OF_CLIENTS)):
        (log,) = logs.glob(f"c?-{side}.log")
        assert f"priority: {priority}\n" in log.read_text()


def test_a_trial_records_what_the_endpoint_says_and_what_its_driver_saw(pair):
    (trial,) = (pair[1] / "trials").glob("*/*/01")
    record, seen = (json.loads((trial / name).read_text()) for name in ("trial.json", "qoe.json"))
    (client,) = (client for client in record["clients"] if client["driver"] == "endpoint")
    kernel = Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip()
    told = client["endpoint"]
    assert ("tiny", kernel, True, None) == (told["stack"], told["controller"], told["gso"], told["pacing"])
    assert ("kernel", [kernel]) == (client["cca_asked"], client["cca"])
    (counters,) = (
        one for one in record["bottleneck"]["downlink"]["clients"] if one["name"] == client["client"]
    )
    observation = seen[client["client"]]
    assert observation["received_bytes"] == pytest.approx(counters["forwarded_bytes"], rel=0.05)
    assert 0 == observation["written_bytes"]


def test_its_key_is_not_kept(pair):
    files = [path for path in pair[1].rglob("*") if path.is_file()]
    assert [] == [path for path in files if b"PRIVATE KEY" in path.read_bytes()]


def test_its_rows_have_what_it_sends_with(pair):
    (rows,) = (pair[1] / "rows").glob("*/*/01/trial_services.parquet")
    tiny, other = sorted(pq.read_table(rows).to_pylist(), key=lambda row: row["stack"] is None)
    assert ("tiny", True, None) == (tiny["stack"], tiny["gso"], tiny["pacing"])
    assert (None, None) == (other["stack"], other["controller"])


@pytest.mark.skipif(not all(map(shutil.which, ("umoci", *PROGRAMS))), reason="needs umoci and ngtcp2")
def test_an_image_for_interop_competes_as_any_endpoint(tmp_path):
    endpoint = make_image_endpoint(tmp_path / "ngtcp2", "image")
    make_debian_image(tmp_path / "made").rename(endpoint / "image")
    command = [sys.executable, "-m", "testbed", "pair", f"{endpoint}:bbr", "iperf-cubic", "--seconds", "7"]
    into = tmp_path / "into"
    done = subprocess.run([*command, "--into", str(into)], stdout=subprocess.PIPE, text=True, check=False)
    digest = image_digest(read_endpoint(endpoint))
    shutil.rmtree(unpacked_folder(read_endpoint(endpoint)))
    assert done.returncode in (0, 1)  # Other work on the host may break a rule.
    (trial,) = (into / "trials").glob("*/*/01")
    record, seen = (json.loads((trial / name).read_text()) for name in ("trial.json", "qoe.json"))
    (client,) = (client for client in record["clients"] if client["driver"] == "endpoint")
    told = client["endpoint"]
    assert ("completed", "ngtcp2", "Bbr", digest) == (
        record["status"],
        told["stack"],
        told["controller"],
        told["image"],
    )
    observation = seen[client["client"]]
    assert observation["received_bytes"] > 100_000
    assert (1, 0, 0) == (
        observation["client_runs"],
        observation["left_processes"],
        observation["written_bytes"],
    )


def host_state(folder: Path) -> dict[str, Any]:
    """What a trial of an endpoint in this folder must leave as it was."""
    links = subprocess.run(["ip", "-o", "link"], capture_output=True, text=True, check=True).stdout
    return {
        "interfaces": sorted(line.split(":")[1] for line in links.splitlines()),
        "namespaces": subprocess.run(["ip", "netns"], capture_output=True, text=True, check=True).stdout,
        "mounts": Path("/proc/self/mounts").read_text(),
        "groups": sorted(map(str, Path("/sys/fs/cgroup").glob("*/observatory/*/"))),
        "files": [str(path) for place in PLACES for path in Path(place).iterdir() if is_of_driver(path)],
        "processes": [process for process in psutil.process_iter() if runs_in(process, folder)],
    }


def is_of_driver(path: Path) -> bool:
    """Whether a file belongs to the user of a driver."""
    return path.lstat().st_uid >= FIRST_UID + FIRST_DRIVER


def runs_in(process: psutil.Process, folder: Path) -> bool:
    """Whether a process works in a folder, or its command names it."""
    with suppress(psutil.Error):
        return str(folder) in " ".join([process.cwd(), *process.cmdline()])
    return False


def run_alone(folder: Path, **keys: Any) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Run a trial of an endpoint with these keys alone. Returns also the folder of the trial."""
    service = endpoint_service(make_endpoint(folder / "endpoint", **keys), name="endpoint")
    specification = replace(
        sample_specification("iperf-cubic", pair="endpoint"),
        clients=(SpecifiedClient("c1", service, instance=1, start_offset_s=0),),
    )
    spec = write_specification(specification, folder / "01.json")
    into = folder / "trials/8mbps/endpoint/01"
    command = [sys.executable, "-m", "testbed", "run", str(spec), "--into", str(into)]
    return subprocess.run(command, capture_output=True, text=True, check=False), into


@pytest.mark.parametrize(("key", "program"), REFUSED)
def test_an_endpoint_whose_program_is_missing_is_refused_before_the_trial(tmp_path, key, program):
    before = host_state(tmp_path)
    done, into = run_alone(tmp_path, **{key: [program]})
    words = f"endpoint/endpoint.yaml: {key}: {program!r}: there is no such program; build it, or correct "
    assert (2, 1) == (done.returncode, len(done.stderr.splitlines())) and words in done.stderr, done.stderr
    assert not into.exists()
    assert before == host_state(tmp_path)


@pytest.mark.soak(minutes=6)
@pytest.mark.parametrize(("keys", "reason", "ends"), HOSTILE)
def test_a_hostile_endpoint_has_one_line_and_changes_nothing(tmp_path, keys, reason, ends):
    before = host_state(tmp_path)
    done, into = run_alone(tmp_path, **keys)
    assert 0 == done.returncode, done.stderr
    record = json.loads((into / "trial.json").read_text())
    assert record["status"] in ends, record["reason"]
    if record["status"] == "failed":
        assert re.match(reason, record["reason"]) and "\n" not in record["reason"], record["reason"]
    assert before == host_state(tmp_path)
    kept = sum(path.stat().st_size for path in into.rglob("*") if path.is_file())
    assert kept < 30 * LOG_BYTES
