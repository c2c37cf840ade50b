"""Runs the programs of an endpoint: a server and a client that somebody brought (scripts/model/endpoint.py).

What an endpoint says is not believed. What it got is read from the packets of the trial. Its own words about
stack, version and congestion control are recorded as such. `python -m services.endpoint check` says whether a
folder can be measured.
"""

from dataclasses import dataclass
from pathlib import Path

PORT = 4433
"""The port of the server, by UDP or TCP. The probe of the service has another one, which the driver holds."""

HOST = "endpoint.test"
"""The name in the certificate of a service without `hosts`."""

CERTIFICATE = "certificate.pem"
"""The server's certificate, a file in SHARED (services/use_time.py)."""

KEYS = "keys"
"""The folder in that of the server's driver with key.pem and the certificate. It ends with the trial."""

TOLD = "endpoint.json"
"""The file in the folder of the server's driver with what the endpoint says of itself (Versions)."""

ENDED = "server.json"
"""The file in the folder of the server's driver that says how the server ended (ServerEnd)."""

STOP = "stop"
"""The name of the file in SHARED that tells the server's driver to end the server."""

STOP_S = 3
"""How long a program may run after SIGTERM before it is killed."""


@dataclass(frozen=True)
class ServerEnd:
    """How a server ended: seconds after SIGTERM, what it left behind, and what it wrote, except logs."""

    stop_s: float
    left_processes: int
    written_bytes: int


def own_folder(directory: Path, name: str) -> Path:
    """A folder for a program's files in that of its driver, which is made if it is missing."""
    folder = directory / name
    folder.mkdir(exist_ok=True)
    return folder
