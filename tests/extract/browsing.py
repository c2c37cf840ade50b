"""Fetches by Chromium over HTTP/3, HTTP/2 and plain HTTP, captured as in a trial.

    unshare --mount --net --pid --fork --kill-child --mount-proc python -m tests.extract.browsing DIRECTORY

It is process 1 of its own namespaces, so that all its processes end with it. It writes handshakes.pcapng and
fetched.json: the protocol of each page as Chromium reports it.
"""

import json
import shutil
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

from testbed.capture import SETTLE_S, capture_handshakes
from testbed.hosts import Host

CLIENT = Host("client", "198.18.1.2", "02:00:00:00:01:02")
ORIGIN = Host("origin", "198.18.1.10", "02:00:00:00:01:0a")
ADDRESSES = {
    "www.quic.test": "198.18.1.11",
    "www.secure.test": "198.18.1.12",
    "www.plain.test": "198.18.1.13",
    "nameless.test": "198.18.1.14",
}
PAGES = ["https://www.quic.test/", "https://www.secure.test/", "http://www.plain.test/?word=secret"]
UNKNOWN_PROTOCOL_PORT = 7000
LISTENING = {("udp", 53), ("udp", 443), ("tcp", 443), ("tcp", 80), ("tcp", UNKNOWN_PROTOCOL_PORT)}
START_TIMEOUT_S = 20
PROGRAMS = ("chromium", "chromedriver", "dnsmasq", "dumpcap", "gtlsserver", "nginx", "openssl")

NGINX = """
daemon off; master_process off; pid {run}/nginx.pid; error_log stderr;
events {{}}
http {{
  access_log off;
  client_body_temp_path {run}/body; proxy_temp_path {run}/proxy; fastcgi_temp_path {run}/fastcgi;
  uwsgi_temp_path {run}/uwsgi; scgi_temp_path {run}/scgi;
  types {{ text/html html; }}
  root {run}/pages;
  server {{ listen 198.18.1.13:80; }}
  ssl_certificate {run}/cert.pem; ssl_certificate_key {run}/key.pem;
  server {{ listen 198.18.1.12:443 ssl http2; }}
}}
"""

FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--enable-quic",
    "--origin-to-force-quic-on=www.quic.test:443",
]


def make_link() -> None:
    """Connect a client and an origin by a pair of virtual interfaces."""
    commands = [
        "netns add client",
        "netns add origin",
        "link add eth0 netns client type veth peer name eth0 netns origin",
    ]
    for line in commands:
        subprocess.run(["ip", *line.split()], check=True)
    for host, addresses in ((CLIENT, [CLIENT.address]), (ORIGIN, [ORIGIN.address, *ADDRESSES.values()])):
        # Without this, a large ClientHello would be one packet instead of two as on a real link.
        lines = ["link set lo up", "link set eth0 gso_max_segs 1 up"]
        lines += [f"address add {address}/24 dev eth0" for address in addresses]
        subprocess.run(
            ["ip", "-n", host.name, "-batch", "-"], input="\n".join(lines) + "\n", text=True, check=True
        )
    Path("/run/resolv.conf").write_text(f"nameserver {ORIGIN.address}\n")
    subprocess.run(["mount", "--bind", "/run/resolv.conf", "/etc/resolv.conf"], check=True)


def make_certificate(run: Path) -> str:
    """Make a key and a certificate for all names; return the hash of the key, for Chromium to trust it."""
    names = ",".join(f"DNS:{name}" for name in ADDRESSES)
    request = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test"
    files = ["-keyout", str(run / "key.pem"), "-out", str(run / "cert.pem")]
    command = [*request.split(), *files, "-addext", f"subjectAltName={names}"]
    subprocess.run(command, check=True, capture_output=True)
    script = (
        f"openssl x509 -in {run}/cert.pem -pubkey -noout | openssl pkey -pubin -outform der "
        "| openssl dgst -sha256 -binary | base64"
    )
    return subprocess.run(["sh", "-c", script], check=True, capture_output=True, text=True).stdout.strip()


def start_servers(run: Path, log: Path) -> list[subprocess.Popen[bytes]]:
    """Start DNS, the three web servers, and a server whose protocol contains no name."""
    (run / "pages").mkdir()
    (run / "pages/index.html").write_text("<!DOCTYPE html><title>page</title><p>" + "word " * 5000)
    (run / "nginx.conf").write_text(NGINX.format(run=run))
    records = [f"--host-record={name},{address}" for name, address in ADDRESSES.items()]
    resolver = "dnsmasq --keep-in-foreground --no-resolv --no-hosts --user=root --conf-file=/dev/null"
    nameless = (ADDRESSES["nameless.test"], UNKNOWN_PROTOCOL_PORT)
    listen = f"import socket, time; listener = socket.create_server({nameless}); time.sleep(600)"
    keys = [str(run / "key.pem"), str(run / "cert.pem")]
    commands = [
        [
            *resolver.split(),
            f"--listen-address={ORIGIN.address}",
            "--bind-interfaces",
            "--local=/#/",
            *records,
        ],
        ["nginx", "-e", "stderr", "-c", str(run / "nginx.conf")],
        ["gtlsserver", "-q", "-d", str(run / "pages"), ADDRESSES["www.quic.test"], "443", *keys],
        [sys.executable, "-c", listen],
    ]
    with log.open("wb") as output:
        return [ORIGIN.start(*command, log=output) for command in commands]


def wait_until_listening() -> None:
    """Wait until every server can be reached."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline:
        rows = [line.split() for line in ORIGIN.output("ss", "-Hlntu").splitlines()]
        if {(row[0], int(row[4].rsplit(":", 1)[1])) for row in rows} >= LISTENING:
            return
        time.sleep(0.05)
    raise TimeoutError("the servers did not come up")


def browse(trusted_key: str) -> dict[str, str]:
    """Fetch every page in a new browser; return the protocol of each."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for flag in [*FLAGS, f"--ignore-certificate-errors-spki-list={trusted_key}"]:
        options.add_argument(flag)
    options.add_argument("--user-data-dir=/run/profile")
    driver = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    try:
        driver.set_page_load_timeout(20)
        protocols = {}
        for page in PAGES:
            driver.get(page)
            script = "return performance.getEntriesByType('navigation')[0].nextHopProtocol"
            protocols[page] = driver.execute_script(script)
        return protocols
    finally:
        driver.quit()


def visit() -> None:
    """In the client's namespace: browse, and connect to a server whose name appears in DNS only."""
    print(json.dumps(browse(sys.argv[2])))
    with socket.create_connection(("nameless.test", UNKNOWN_PROTOCOL_PORT)) as connection:
        connection.sendall(b"\x01\x02\x03")
        time.sleep(0.1)


def main(directory: Path) -> None:
    """Run the servers, the capture and the browser."""
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/run"], check=True)
    run = Path("/run/origin")
    run.mkdir()
    make_link()
    trusted_key = make_certificate(run)
    with ExitStack() as stack:
        for server in start_servers(run, directory / "servers.log"):
            stack.callback(server.wait)
            stack.callback(server.kill)
        wait_until_listening()
        capture = capture_handshakes(CLIENT, directory / "handshakes.pcapng", directory / "dumpcap.log")
        capture.wait_until_capturing()
        command = CLIENT.python("tests.extract.browsing", "visit", trusted_key)
        fetched = CLIENT.output(*command)
        time.sleep(SETTLE_S)
        capture.stop_and_count()
    (directory / "fetched.json").write_text(fetched)


if __name__ == "__main__":
    if sys.argv[1] == "visit":
        visit()
    else:
        main(Path(sys.argv[1]))
