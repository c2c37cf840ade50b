"""The self-hosted reference servers: the side of one service, with real servers and static files.

nginx serves HTTP/1.1 and HTTP/2 over TCP, with the congestion control that the kernel's route sets. ngtcp2's
server serves HTTP/3 over QUIC with its own. `python -m services.origin` builds the files once
(services/origin/content.py). Every trial has a new certificate, whose key the client's browser accepts
(services/origin/certificate.py).
"""

import signal
import subprocess
import tempfile
import time
from pathlib import Path

from scripts.base.processes import start_child
from scripts.model.problems import Code, problem
from scripts.model.services import Origin, Service
from services.drivers import ServiceError
from services.origin.certificate import make_certificate
from services.origin.content import require_built
from services.origin.nginx import MIME_TYPES, nginx_configuration

PROGRAMS = {
    "nginx": "nginx-light",
    "gtlsserver": "ngtcp2-server",
    "openssl": "openssl",
    "dnsmasq": "dnsmasq-base",
}
HTTPS_PORT = 443
QUIC_START_S = 10
POLL_S = 0.1
ENDED = {"nginx": Code.NGINX_ENDED, "gtlsserver": Code.GTLSSERVER_ENDED}
QUIC_WINDOW = "64M"
"""As large as TCP's buffers, so that the congestion window is the limit here too."""


def serve(service: Service, address: str, directory: Path) -> None:
    """Serve the service's files on every address of this host, in the foreground, until stopped.

    A live service has its own servers: for it this function only waits.

    Raises:
        ServiceError: a server failed, or the files are not built.
    """
    while service.live:
        signal.pause()
    assert service.origin is not None
    content = require_built(service)
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        make_certificate(service.hosts, work, directory)
        servers = {}
        if service.origin.protocol == "h3":
            servers["gtlsserver"] = _start(_quic_server(service.origin, work, content))
            _wait_for_quic(servers["gtlsserver"])
        # nginx starts last, because the trial counts the service as up once TCP answers.
        configuration = work / "nginx.conf"
        configuration.write_text(nginx_configuration(service.origin, work, content), encoding="utf-8")
        servers["nginx"] = _start(["nginx", "-c", str(configuration), "-e", "stderr"])
        while True:
            for program, server in servers.items():
                if server.poll() is not None:
                    raise ServiceError(problem(ENDED[program], server.returncode))
            time.sleep(POLL_S)


def _start(command: list[str]) -> subprocess.Popen[bytes]:
    return start_child(command, stdin=subprocess.DEVNULL)


def _quic_server(origin: Origin, work: Path, content: Path) -> list[str]:
    return [
        "gtlsserver",
        "--quiet",
        "--no-quic-dump",
        "--no-http-dump",
        f"--cc={origin.quic_cca}",
        f"--htdocs={content}",
        f"--max-window={QUIC_WINDOW}",
        f"--max-stream-window={QUIC_WINDOW}",
        "--mime-types-file",
        str(MIME_TYPES),
        "0.0.0.0",
        str(HTTPS_PORT),
        str(work / "key.pem"),
        str(work / "certificate.pem"),
    ]


def _wait_for_quic(server: subprocess.Popen[bytes]) -> None:
    """Return once the server has bound its port, which /proc/net/udp lists in hexadecimal."""
    deadline = time.monotonic() + QUIC_START_S
    while f":{HTTPS_PORT:04X} " not in Path("/proc/net/udp").read_text():
        if server.poll() is not None or time.monotonic() > deadline:
            raise ServiceError(problem(Code.GTLSSERVER_DEAF, QUIC_START_S))
        time.sleep(0.02)
