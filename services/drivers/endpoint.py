"""A server and a client that somebody brought, as an endpoint (scripts/model/endpoint.py).

Both sides run confined, each as a user of its own, in the network namespace of its host. The driver answers
the probe itself, so that the server needs no TCP. It counts the bytes that reach its namespace: the client
may say what it likes.
"""

import json
import socket
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from scripts.base.records import Json, write_record
from scripts.model.endpoint import Endpoint, Versions, filled, read_endpoint, read_versions
from scripts.model.problems import Code, Problem, problem
from scripts.model.schemas import SchemaError
from scripts.model.services import Service
from services.drivers import ServiceError, unmet
from services.endpoint import CERTIFICATE, ENDED, KEYS, PORT, STOP, TOLD, ServerEnd, image, own_folder
from services.endpoint.counters import ReceivedBytes, has_listener, written_bytes
from services.endpoint.keys import host_of
from services.endpoint.program import (
    Program,
    environment,
    found_command,
    kept_ends,
    kill_children,
    own_children,
    start_side,
)
from services.endpoint.www import made_folder
from services.use_time import SHARED, UseTime

PROGRAMS = {"openssl": "openssl"}
NAMES = False
POLL_S = 0.1
RETRY_S = 1
"""How long after the client's end it is started again."""

VERSIONS_S, VERSIONS_BYTES = 5, 1 << 16
WRONG_KEY: Mapping[str | int, Code] = {
    "stack": Code.VERSIONS_STACK,
    "version": Code.VERSIONS_VERSION,
    "controllers": Code.VERSIONS_CONTROLLERS,
    "gso": Code.VERSIONS_GSO,
    "pacing": Code.VERSIONS_PACING,
}
"""What is said of a wrong key in what `versions` prints (scripts/model/endpoint.py)."""

LISTEN_S = 10
LOGS, OUTPUTS = "logs", ("server.log", "client.log", "versions.log")
LEAST_BYTES = 10_000
"""A client that got less had no more than a handshake: nothing was received."""

UNSUPPORTED = 127
"""The exit status with which a program says that it cannot do this, as in quic-interop-runner."""


def serve(service: Service, address: str, directory: Path) -> None:
    """Run the server until the testbed asks for its end. It answers the probe once the server listens.

    Raises:
        ServiceError: the endpoint does not say what it is, or its server ends, or does not listen.
    """
    endpoint = read_endpoint(service.endpoint_folder)
    words = {**_words(service, endpoint, address, directory), "www": made_folder()}
    words |= {"key": directory / KEYS / "key.pem", "cert": directory / KEYS / CERTIFICATE}
    with kept_ends(directory / LOGS, directory / "server.log"), own_children():
        write_record(directory / TOLD, told_versions(endpoint, str(service.cca), directory))
        before = _written(directory)
        stop_s = _served(endpoint, words, service, address, directory)
        end = ServerEnd(stop_s, kill_children(), max(0, _written(directory) - before))
        write_record(directory / ENDED, end)


def _served(
    endpoint: Endpoint, words: Mapping[str, object], service: Service, address: str, directory: Path
) -> float:
    """Run the server, twice where an endpoint is checked; return how long it ran after SIGTERM."""
    restart_s = service.schedule.restart_s if service.schedule else None
    server = _started_server(endpoint, words, directory)
    began_s = time.monotonic()
    with socket.create_server((address, service.probe.port), backlog=64):
        while not (directory / SHARED / STOP).exists():
            _require_running(server)
            if restart_s is not None and time.monotonic() - began_s >= restart_s:
                server.stop()
                kill_children()
                server, restart_s = _started_server(endpoint, words, directory), None
            time.sleep(POLL_S)
        return server.stop()


def use(service: Service, address: str, seconds: int, directory: Path) -> dict[str, Json]:
    """Run the client until the time is over, again if it ends before.

    Returns:
        `received_bytes` and `intervals` of all that reached this namespace; `client_runs`, `stop_s`,
        `left_processes` and `written_bytes` (services/drivers/endpoint.yaml); `unmet` if nothing was
        received, or the client ended with another status than 0.

    Raises:
        ServiceError: the client cannot be started, or does not support this.
    """
    use_time, received = UseTime(seconds, directory), ReceivedBytes()
    endpoint = read_endpoint(service.endpoint_folder)
    words = {**_words(service, endpoint, address, directory), "downloads": own_folder(directory, "downloads")}
    words["cert"] = directory / SHARED / CERTIFICATE
    before = _written(directory)
    with kept_ends(directory / LOGS, directory / "client.log"), own_children():
        runs = _use_again_and_again(endpoint, words, use_time, received, directory)
    received.sample(at_end=True)
    use_time.wait()
    return {
        "received_bytes": received.total,
        "intervals": received.intervals,
        "client_runs": runs.count,
        **({} if runs.stop_s is None else {"stop_s": runs.stop_s}),
        "left_processes": runs.left_processes,
        "written_bytes": max(0, _written(directory) - before),
        **unmet(None if received.total >= LEAST_BYTES else problem(Code.NOTHING_RECEIVED), runs.cause),
    }


@dataclass(frozen=True)
class _Runs:
    """How often the client ran, how long the last one ran after SIGTERM, and what all left behind.

    `cause` is why the first one failed that did.
    """

    count: int
    stop_s: float | None
    left_processes: int
    cause: Problem | None


def _use_again_and_again(
    endpoint: Endpoint,
    words: Mapping[str, object],
    use_time: UseTime,
    received: ReceivedBytes,
    directory: Path,
) -> _Runs:
    runs, left, stop_s, cause = 0, 0, None, None
    while not runs or use_time.left_s > RETRY_S:
        client = _started_client(endpoint, {**words, "seconds": ceil(use_time.left_s)}, directory)
        runs += 1
        while client.status() is None and use_time.left_s:
            use_time.wait(POLL_S)
            received.sample()
        status = client.status()
        if status is None:
            stop_s = client.stop()
        elif status == UNSUPPORTED:
            raise ServiceError(problem(Code.ENDPOINT_UNSUPPORTED, status))
        elif status != 0:
            cause = cause or problem(Code.ENDPOINT_CLIENT_ENDED, status)
        left += kill_children()
        use_time.wait(RETRY_S)
        received.sample()
    return _Runs(runs, stop_s, left, cause)


def _written(directory: Path) -> int:
    """What is in the files of a program, except its output, its logs, and what we put there."""
    return written_bytes(directory, [directory / name for name in (LOGS, image.OURS, *OUTPUTS)])


def told_versions(endpoint: Endpoint, cca: str, directory: Path) -> Versions:
    """What the endpoint's command `versions` says of it.

    Raises:
        ServiceError: it says nothing, or something wrong. The log has the text that is wrong.
    """
    words = {"cca": cca}
    try:
        command = found_command(endpoint, filled(endpoint.versions, words))
        printed = _output(command, endpoint.folder, environment(endpoint, words, directory), directory)
        told = read_versions(json.loads(printed), "versions")
    except (OSError, subprocess.SubprocessError, SchemaError, ValueError, RecursionError) as error:
        raise ServiceError(problem(Code.ENDPOINT_UNTOLD), _why_untold(error)) from error
    if cca not in told.controllers:
        raise ServiceError(problem(Code.ENDPOINT_UNTOLD), problem(Code.VERSIONS_CONTROLLER))
    return told


def _why_untold(error: Exception) -> Problem:
    """What is wrong with the command `versions` or with what it printed."""
    match error:
        case subprocess.CalledProcessError(returncode=status):
            return problem(Code.VERSIONS_ENDED, status)
        case subprocess.TimeoutExpired():
            return problem(Code.VERSIONS_LATE, VERSIONS_S)
        case OSError():
            return problem(Code.VERSIONS_MISSING)
        case SchemaError(keys=[key, *_]):
            return problem(WRONG_KEY.get(key, Code.VERSIONS_UNKNOWN))
    return problem(Code.VERSIONS_UNREADABLE)


def _output(command: list[str], folder: Path, variables: Mapping[str, str], directory: Path) -> bytes:
    """What a command prints. It is killed after VERSIONS_S, and if it prints more than VERSIONS_BYTES."""
    path = directory / "versions.log"
    with path.open("wb") as output:
        subprocess.run(
            ["prlimit", f"--fsize={VERSIONS_BYTES}", "--", *command],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=output,
            timeout=VERSIONS_S,
            check=True,
        )
    return path.read_bytes()


def _words(service: Service, endpoint: Endpoint, address: str, directory: Path) -> dict[str, object]:
    """The values of the placeholders that both sides have, except `{cert}`."""
    return {
        "address": address,
        "port": _port(endpoint),
        "host": host_of(service),
        "logs": own_folder(directory, LOGS),
        "cca": service.cca,
    }


def _port(endpoint: Endpoint) -> int:
    return PORT if endpoint.image is None else image.PORT


def _started_server(endpoint: Endpoint, words: Mapping[str, object], directory: Path) -> Program:
    """The server, once it listens.

    Raises:
        ServiceError: it cannot be started, ended, or does not listen.
    """
    try:
        server = start_side(endpoint, "server", words, directory)
    except FileNotFoundError as error:
        raise ServiceError(problem(Code.ENDPOINT_SERVER_MISSING)) from error
    deadline = time.monotonic() + LISTEN_S
    while not has_listener(_port(endpoint)):
        _require_running(server)
        if time.monotonic() > deadline:
            raise ServiceError(problem(Code.ENDPOINT_SERVER_DEAF, LISTEN_S))
        time.sleep(POLL_S / 5)
    return server


def _require_running(server: Program) -> None:
    """Raise ServiceError if the server has ended."""
    status = server.status()
    if status is not None:
        code = Code.ENDPOINT_UNSUPPORTED if status == UNSUPPORTED else Code.ENDPOINT_SERVER_ENDED
        raise ServiceError(problem(code, status))


def _started_client(endpoint: Endpoint, words: Mapping[str, object], directory: Path) -> Program:
    try:
        return start_side(endpoint, "client", words, directory)
    except FileNotFoundError as error:
        raise ServiceError(problem(Code.ENDPOINT_CLIENT_MISSING)) from error
