"""A bulk download over one TCP connection, written in a few lines: zeros from a plain server."""

import socket
import time
from pathlib import Path

from scripts.base.records import Json
from scripts.model.problems import Code, problem
from scripts.model.services import Service
from services.drivers import unmet
from services.use_time import UseTime

PROGRAMS: dict[str, str] = {}
NAMES = False
PIECE = bytes(65536)
TIMEOUT_S = 1


def serve(service: Service, address: str, directory: Path) -> None:
    """Send zeros to each client in turn, until it leaves."""
    with socket.create_server((address, service.probe.port)) as listener:
        while True:
            connection, _ = listener.accept()
            with connection:
                try:
                    while True:
                        connection.sendall(PIECE)
                except ConnectionError:
                    continue


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Receive for `seconds`. A connection that is refused or breaks is opened again.

    Returns:
        `received_bytes`; `first_s`, the time until the first of them; `unmet` if there was none.
    """
    use_time, start = UseTime(seconds, directory), time.monotonic()
    received, first_s = 0, None
    while use_time.left_s:
        try:
            with socket.create_connection((address, service.probe.port), timeout=TIMEOUT_S) as connection:
                while use_time.left_s and (got := len(connection.recv(len(PIECE)))):
                    first_s = time.monotonic() - start if first_s is None else first_s
                    received += got
        except OSError:
            use_time.wait(TIMEOUT_S / 10)
    failed = problem(Code.NOTHING_RECEIVED) if not received else None
    return {"received_bytes": received, "first_s": first_s, **unmet(failed)}
