"""A live trial on the tests' Internet, on a machine and for an operator that are full of markers.

    python -m tests.end_to_end.marked_trial SPECIFICATION INTO

prints what its process knows, as JSON. `run_marked` runs it in the namespaces that it needs. The operator's
own address opens a page that sets a cookie, loads a film from another host, and sends tokens in the path, in
the query and in a header.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

from scripts.base.yaml_files import load_yaml
from services.browser_settings import FILE as SETTINGS
from testbed.host_lock import exclusive_host_lock
from tests.end_to_end.markers import Marker, ethernet_marker, ipv4_marker
from tests.testbed.internet import INTERNET, MACHINE, WEB, machine

KNOWN_HERE = {
    "host name": "host-q7fz2.jane-q7fz2",
    "user name": "user-k3wv9",
    "environment variable": "variable-h8dn4",
    "profile path": "profiles-t5yb6",
}
SENT = {
    "meeting host": "room-p2xc8.meet-p2xc8.com",
    "meeting domain": "meet-p2xc8",
    "meeting": "abc-m9rj3-hij",
    "cookie": "cookie-s6lg7",
    "path": "path-d4uv5",
    "query": "query-w8ek2",
    "header": "header-z3pn9",
    "film host": "isp-berlin-b7qa4",
    "tracker host": "customer-v5hx6",
}
"""Texts in packets of the client."""

TITLE = "title-f2mt8"
LAN, LAN_ETHERNET, NAMES = "10.77.66.55", "02:de:ad:b5:7c:91", "198.51.100.54"
MARKERS_HERE = [
    *(Marker(name, text) for name, text in KNOWN_HERE.items()),
    ipv4_marker("address of the machine", MACHINE),
    ipv4_marker("address in the LAN", LAN),
    ethernet_marker("Ethernet address of the machine", LAN_ETHERNET),
]
MARKERS_SENT = [
    *(Marker(name, text) for name, text in SENT.items()),
    ipv4_marker("address of the server", WEB),
]
MARKERS = [
    *MARKERS_HERE,
    *MARKERS_SENT,
    Marker("title of the page", TITLE),
    ipv4_marker("address of the name server", NAMES),
]

SERVICE = {
    "name": "marked-film",
    "title": "Film",
    "category": "Video",
    "driver": "video",
    "cca": None,
    "flows": 1,
    "live": {"prepare": "Nothing."},
    "probe": {"host": "www.films.com", "port": 80},
    "workload": ["*.cdn-of-films.com"],
}
PAGE = f"""<!doctype html><title>{TITLE}</title>
<video src="http://{SENT["film host"]}.cdn-of-films.com/film.mp4" autoplay muted></video>
<script>
document.cookie = "session={SENT["cookie"]}; path=/"
const headers = {{"X-Token": "{SENT["header"]}"}}
fetch("/{SENT["path"]}/a?token={SENT["query"]}", {{headers}})
fetch("http://{SENT["tracker host"]}.tracker.com/a", {{mode: "no-cors"}})
</script>
"""


def run_marked(specification: Path, into: Path) -> dict[str, str]:
    """Run the trial; returns what its process knew."""
    unshare = ["unshare", "--net", "--mount", "--pid", "--uts", "--fork", "--kill-child", "--mount-proc"]
    command = [*unshare, sys.executable, "-m", "tests.end_to_end.marked_trial", str(specification), str(into)]
    user = KNOWN_HERE["user name"]
    known = {"USER": user, "LOGNAME": user, "SUDO_USER": user, "MARKED": KNOWN_HERE["environment variable"]}
    with exclusive_host_lock():  # The test machine has a lock of its own.
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, env=os.environ | known)
    return dict(json.loads(done.stdout))


def main(specification: str, into: str) -> None:
    """Plant the markers, and run the trial."""
    with machine():
        _name_the_machine()
        _plant_settings()
        _serve()
        subprocess.run([sys.executable, "-m", "testbed", "run", specification, "--into", into], check=True)
        addresses = subprocess.run(["ip", "address"], check=True, stdout=subprocess.PIPE, text=True).stdout
        known = {
            "environment": str(dict(os.environ)),
            "addresses": addresses,
            "settings": SETTINGS.read_text(),
        }
        print(json.dumps(known | {"host": socket.gethostname()}))


def _name_the_machine() -> None:
    socket.sethostname(KNOWN_HERE["host name"])
    link = ["ip", "link", "add", "lan-marked", "address", LAN_ETHERNET, "type", "veth"]
    subprocess.run(link, check=True)
    subprocess.run(["ip", "address", "add", f"{LAN}/24", "dev", "lan-marked"], check=True)


def _plant_settings() -> None:
    """Give the operator a prepared profile, and a meeting at an address of its own."""
    profiles = Path("/run", KNOWN_HERE["profile path"])
    (profiles / SERVICE["name"]).mkdir(parents=True)
    address = f"http://{SENT['meeting host']}/{SENT['meeting']}/index.html#{SENT['meeting']}"
    own = {"profiles": str(profiles), "addresses": {SERVICE["name"]: address}}
    changed = Path("/run/browser.yaml")
    changed.write_text(json.dumps(load_yaml(SETTINGS) | own))
    subprocess.run(["mount", "--bind", changed, SETTINGS], check=True)


def _serve() -> None:
    """Add the page to the web server, and a name server that knows every name below .com."""
    folder = Path("/run/www", SENT["meeting"])
    folder.mkdir()
    (folder / "index.html").write_text(PAGE)
    subprocess.run(["ip", "-n", INTERNET.name, "address", "add", f"{NAMES}/32", "dev", "lo"], check=True)
    options = ["--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--bind-interfaces"]
    names = [f"--listen-address={NAMES}", f"--address=/com/{WEB}"]
    subprocess.run(INTERNET.command("dnsmasq", *options, *names), check=True)
    Path("/run/resolv.conf").write_text(f"nameserver {NAMES}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
