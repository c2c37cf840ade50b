"""A hostile page in a real browser, which tries to reach what a client must not reach.

    python -m tests.testbed.hostile_page          on the tests' Internet, with and without the firewalls
    python -m tests.testbed.hostile_page serve    is internal: the server of the page

prints as JSON, for `client` and `open`, which requests were `answered` and which marks `arrived`
(tests/testbed/targets.py). The browser is told not to hinder the page.
"""

import json
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from testbed.tcp_probes import wait_until_listening
from tests.testbed.attempts import AZURE, LAN_HOST, MACHINE, PRIVATE, VPN_HOST, WEB
from tests.testbed.egress import (
    CLIENT,
    OTHER_ROUTER,
    PAIRS,
    arrived_marks,
    flush,
    forget_marks,
    keep_only_masquerade,
)
from tests.testbed.internet import INTERNET, machine, quiet, serve_targets
from tests.testbed.live_clients import live_clients

PORT = 8000
RESULT = Path("/run/hostile-page")
PLACES = (PRIVATE, AZURE, MACHINE, LAN_HOST, VPN_HOST, OTHER_ROUTER.address)
PACKETS_TO = (PRIVATE, AZURE, LAN_HOST, VPN_HOST)
"""Targets of WebRTC's connectivity checks: UDP packets, marked by the name of the user."""

WAIT_S = 30
CHROMIUM = (
    *("chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--no-first-run", "--disable-web-security", "--disable-background-networking"),
    "--disable-features=BlockInsecurePrivateNetworkRequests,LocalNetworkAccessChecks",
)

PAGE = """<!doctype html><script>
const answered = [];
async function attempt(name, request) {
  try { await request(AbortSignal.timeout(3000)); answered.push(name); } catch (error) { }
}
function socket(url) {
  return () => new Promise((opened, failed) => {
    const socket = new WebSocket(url);
    socket.onopen = opened; socket.onerror = failed; setTimeout(failed, 3000);
  });
}
async function webrtc(address, mark) {
  const near = new RTCPeerConnection(), far = new RTCPeerConnection();
  near.createDataChannel("data");
  await near.setLocalDescription(await near.createOffer());
  await far.setRemoteDescription(near.localDescription);
  const sdp = (await far.createAnswer()).sdp.replace(/a=ice-ufrag:.*/g, "a=ice-ufrag:" + mark);
  await near.setRemoteDescription({type: "answer", sdp});
  const candidate = `candidate:1 1 udp 2113937151 ${address} 443 typ host`;
  await near.addIceCandidate({candidate, sdpMid: "0", sdpMLineIndex: 0});
}
async function main() {
  const attempts = [];
  for (const [number, place] of PLACES.entries()) {
    const url = `http://${place}/attempt/${800 + number}/`, options = {mode: "no-cors"};
    attempts.push(attempt("fetch " + place, signal => fetch(url, {signal, ...options})));
    const redirect = "/redirect?to=" + encodeURIComponent(url);
    attempts.push(attempt("redirect " + place, signal => fetch(redirect, {signal, ...options})));
  }
  attempts.push(attempt("fetch CONTROL", signal => fetch("http://WEB/", {signal, mode: "no-cors"})));
  for (const [number, place] of PACKETS_TO.entries()) await webrtc(place, `attempt/${900 + number}/`);
  await Promise.all(attempts);
  await new Promise(later => setTimeout(later, 3000));
  await fetch("/done?answered=" + encodeURIComponent(JSON.stringify(answered)));
}
main();
</script>""".replace("CONTROL", WEB).replace("//WEB/", f"//{WEB}/")


class Handler(BaseHTTPRequestHandler):
    """The page, redirects to any address, and what the page found."""

    def do_GET(self) -> None:
        """Answer; see the class."""
        url = urlsplit(self.path)
        query = parse_qs(url.query)
        if url.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", query["to"][0])
            self.end_headers()
            return
        if url.path == "/done":
            RESULT.write_text(query["answered"][0])
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        page = PAGE.replace("PLACES", json.dumps(PLACES)).replace("PACKETS_TO", json.dumps(PACKETS_TO))
        self.wfile.write(page.encode() if url.path == "/" else b"")


def visit() -> dict[str, Any]:
    """Let the client's browser open the page."""
    RESULT.unlink(missing_ok=True)
    forget_marks()
    profile = f"--user-data-dir=/run/profile-{time.monotonic_ns()}"
    command = CLIENT.command(*CHROMIUM, profile, f"http://files.example:{PORT}/")
    browser = subprocess.Popen(command, **quiet())
    deadline = time.monotonic() + WAIT_S
    while not RESULT.exists() and time.monotonic() < deadline:
        time.sleep(0.1)
    browser.kill()
    browser.wait()
    arrived = sorted(mark.decode() for mark in arrived_marks())
    return {"answered": sorted(json.loads(RESULT.read_text())), "arrived": arrived}


def main() -> dict[str, Any]:
    """With the firewalls of a trial, and without any."""
    server = [sys.executable, "-m", "tests.testbed.hostile_page", "serve"]
    with machine(), live_clients(PAIRS, [80, 443, PORT]):
        subprocess.Popen(INTERNET.command(*server), **quiet())
        serve_targets(OTHER_ROUTER)
        wait_until_listening(INTERNET, PORT, 10)
        wait_until_listening(OTHER_ROUTER, 80, 10)
        found = {"client": visit()}
        for host in (*PAIRS[0], *PAIRS[1]):
            flush(host)
        keep_only_masquerade()
        return found | {"open": visit()}


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        ThreadingHTTPServer(("", PORT), Handler).serve_forever()
    else:
        print(json.dumps(main()))
