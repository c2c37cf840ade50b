"""A test machine and a test Internet, in namespaces, for tests of the routed uplink.

    python -m tests.testbed.internet reach PORT...    which hosts a client of a live service reaches
    python -m tests.testbed.internet trial SPEC INTO  runs a whole trial
    python -m tests.testbed.internet kill SPEC INTO   runs a trial and kills its outermost process

Each prints its result, and the state of the machine afterwards, as JSON. `run_in_namespaces` runs them in the
namespaces they need. On the Internet are the web server files.example, which listens on a second port too, a
name server, and a web server with a private address.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from services.origin.content import CONTENT
from testbed.hosts import INTERFACE, Host, client_host, make_hosts, service_host
from testbed.name_server import forward_names, use_trial_name_server
from testbed.router import connect
from testbed.tcp_probes import wait_until_listening
from testbed.uplink import lend_uplink

INTERNET = Host("internet", "203.0.113.1", "02:00:00:01:00:01")
MACHINE, WEB, NAMES, PRIVATE = "203.0.113.2", "198.51.100.80", "198.51.100.53", "10.9.9.9"
OTHER_PORT = 8080
FILM = sorted(CONTENT.glob("video/*/750000"))
"""Segments of the reference videos, all in one bitrate."""

IDLE: dict[str, Any] = {"links": ["lo", "wan0"], "rules": "", "forwarding": "0"}
"""The state of the machine when no trial runs."""

PAGE = '<!doctype html><title>Files</title><a href="file.bin" download><button>Download now</button></a>'
FILM_PAGE = (
    '<!doctype html><title>Film</title><video src="film.mp4" autoplay muted style="width: 100%"></video>'
)


def run_in_namespaces(*argv: str) -> Any:
    """Run this module with these arguments in its own namespaces and return its result."""
    unshare = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command = [*unshare, sys.executable, "-m", "tests.testbed.internet", *argv]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


@contextmanager
def machine() -> Iterator[None]:
    """Turn this namespace into the test machine with its Internet."""
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    subprocess.run(["ip", "netns", "add", INTERNET.name], check=True)
    subprocess.run(
        ["ip", "link", "add", "wan0", "type", "veth", "peer", INTERFACE, "netns", INTERNET.name], check=True
    )
    _ip("link set lo up", f"address add {MACHINE}/24 dev wan0", "link set wan0 up mtu 1400")
    _ip(f"route add default via {INTERNET.address}")
    addresses = [f"address add {address}/32 dev lo" for address in (WEB, NAMES, PRIVATE)]
    up = [f"address add {INTERNET.address}/24 dev {INTERFACE}", f"link set {INTERFACE} up mtu 1400"]
    _ip("link set lo up", *up, *addresses, netns=INTERNET.name)
    resolver = Path("/run/resolv.conf")
    resolver.write_text(f"nameserver 127.0.0.1\nnameserver {NAMES}\n")
    subprocess.run(["mount", "--bind", resolver, Path("/etc/resolv.conf").resolve()], check=True)
    servers = [_serve_files(80), _serve_files(OTHER_PORT), _serve_names()]
    for port in (80, OTHER_PORT, 53):
        wait_until_listening(INTERNET, port, 10)
    servers.append(subprocess.Popen([sys.executable, "-m", "http.server", "80"], **_quiet()))
    yield
    for server in servers:
        server.kill()


def _serve_files(port: int) -> subprocess.Popen[bytes]:
    folder = Path("/run/www")
    folder.mkdir(exist_ok=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "film.html").write_text(FILM_PAGE)
    (folder / "file.bin").touch()
    os.truncate(folder / "file.bin", 10**9)
    if FILM:
        parts = [FILM[0].parent / "init.mp4", *[FILM[0] / f"{number}.m4s" for number in range(1, 11)]]
        (folder / "film.mp4").write_bytes(b"".join(part.read_bytes() for part in parts))
    command = INTERNET.command(sys.executable, "-m", "http.server", str(port), "--directory", str(folder))
    return subprocess.Popen(command, **_quiet())


def _serve_names() -> subprocess.Popen[bytes]:
    options = ["--no-daemon", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--bind-interfaces"]
    records = [f"--listen-address={NAMES}", f"--host-record=files.example,{WEB}", "--address=/#/"]
    return subprocess.Popen(INTERNET.command("dnsmasq", *options, *records), **_quiet())


def _quiet() -> dict[str, Any]:
    return {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def _ip(*commands: str, netns: str | None = None) -> None:
    options = ["-n", netns] if netns else []
    subprocess.run(["ip", *options, "-batch", "-"], check=True, text=True, input="\n".join(commands) + "\n")


def machine_state() -> dict[str, Any]:
    """What a trial changes on the machine."""
    links = json.loads(subprocess.run(["ip", "-json", "link"], check=True, stdout=subprocess.PIPE).stdout)
    rules = subprocess.run(["nft", "list", "ruleset"], check=True, stdout=subprocess.PIPE, text=True).stdout
    return {
        "links": sorted(link["ifname"] for link in links),
        "rules": rules,
        "forwarding": Path("/proc/sys/net/ipv4/conf/wan0/forwarding").read_text().strip(),
    }


def reach(*ports: str) -> dict[str, Any]:
    """Which hosts answer a client of a live service, and which answer the machine itself."""
    client, router = client_host(1), service_host(1)

    def cable(host: Host) -> None:
        if host is client:
            subprocess.run(["ip", "link", "add", "client", "type", "veth", "peer", "router"], check=True)
        end = host.name.split("-")[0].replace("service", "router")
        subprocess.run(["ip", "link", "set", end, "netns", host.name, "name", INTERFACE], check=True)

    with lend_uplink() as uplink:
        make_hosts([(client, router)], cable)
        connect(client, router, uplink, [int(port) for port in ports])
        name_server = forward_names(router, uplink.resolvers, Path("/run/names.log"))
        wait_until_listening(router, 53, 10)
        work = Path("/run/work")
        work.mkdir()
        use_trial_name_server(work)
        answers_to_client = {
            f"{place} {port}": _answers(client.command(), place, port) for place, port in PLACES
        }
        during = machine_state()
        name_server.kill()
    for host in (client, router):
        subprocess.run(["ip", "netns", "delete", host.name], check=True)
    answers_to_machine = {f"{place} {port}": _answers([], place, port) for place, port in PLACES[1:]}
    return {
        "client": answers_to_client,
        "machine": answers_to_machine,
        "during": during,
        "after": _state_once_idle(),
    }


PLACES = [
    ("files.example", 80),
    (WEB, 80),
    (WEB, OTHER_PORT),
    (PRIVATE, 80),
    (MACHINE, 80),
]


def _answers(prefix: list[str], place: str, port: int) -> bool:
    script = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=1)"
    command = [*prefix, sys.executable, "-c", script, place, str(port)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _state_once_idle() -> dict[str, Any]:
    """The state of the machine once the kernel has removed the trial's interfaces, which takes a moment."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        found = machine_state()
        if found == IDLE:
            break
        time.sleep(0.1)
    return found


def trial(spec: str, into: str) -> dict[str, Any]:
    """Run a whole trial."""
    subprocess.run([sys.executable, "-m", "testbed", "run", spec, "--into", into], check=True)
    return _state_once_idle()


def kill(spec: str, into: str) -> dict[str, Any]:
    """Kill a trial once its client runs; the state of the machine before and after."""
    command = [sys.executable, "-m", "testbed", "run", spec, "--into", into]
    running = subprocess.Popen(command, **_quiet())
    deadline = time.monotonic() + 60
    while not _client_runs() and time.monotonic() < deadline:
        time.sleep(0.1)
    before = machine_state()
    running.send_signal(signal.SIGKILL)
    running.wait()
    return {"before": before, "after": _state_once_idle()}


def _client_runs() -> bool:
    """Whether a driver's client runs in this PID namespace, which has no processes but this test's."""
    return "use" in subprocess.run(["ps", "-eo", "args"], stdout=subprocess.PIPE, text=True).stdout.split()


if __name__ == "__main__":
    with machine():
        name, *arguments = sys.argv[1:]
        result = {"reach": reach, "trial": trial, "kill": kill}[name](*arguments)
        print(json.dumps(result))
