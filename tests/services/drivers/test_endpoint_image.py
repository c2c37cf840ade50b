"""The driver of an endpoint with an image, in a network namespace: one of Debian's ngtcp2, made here."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from scripts.model.endpoint import read_endpoint
from scripts.model.services import Schedule
from services.endpoint import STOP_S
from services.endpoint.image.unpacked import require_unpacked, unpacked_folder
from tests.end_to_end.running import wait_for
from tests.services.endpoint.images import PROGRAMS, make_debian_image, make_image_endpoint
from tests.services.endpoint.running import Running

pytestmark = [
    pytest.mark.traffic,
    pytest.mark.skipif(not all(map(shutil.which, ("umoci", *PROGRAMS))), reason="needs umoci and ngtcp2"),
]


PARAMETERS = {"SERVER_PARAMS": "--cc={cca}", "CLIENT_PARAMS": "--timeout=3s"}


@pytest.fixture(scope="module")
def image(tmp_path_factory) -> Iterator[Path]:
    """A tar file of the image."""
    folder = tmp_path_factory.mktemp("image")
    made = folder / "ngtcp2.tar"
    subprocess.run(["tar", "-C", make_debian_image(folder / "made"), "-cf", made, "."], check=True)
    yield made
    shutil.rmtree(unpacked_folder(read_endpoint(endpoint_with(made, folder / "endpoint"))))


def endpoint_with(image: Path, folder: Path, **environment: str) -> Path:
    """An endpoint with the image, in a new folder."""
    made = make_image_endpoint(folder, image.name, environment=PARAMETERS | environment)
    (made / image.name).hardlink_to(image)
    return made


@pytest.fixture
def run(namespace, image, tmp_path):
    """Makes both sides of the image, with these environment variables; what runs is ended."""
    made: list[Running] = []

    def make(schedule: Schedule | None = None, **environment: str) -> Running:
        require_unpacked(read_endpoint(endpoint_with(image, tmp_path / "endpoint", **environment)))
        made.append(Running(namespace, tmp_path, schedule, cca="reno"))
        return made[0]

    yield make
    for each in made:
        each.end()


def test_an_image_for_interop_transfers_and_stores_nothing(run):
    running = run()
    observation = running.observed(4)
    assert observation["received_bytes"] > 10_000_000, (running.folder / "use/client.log").read_text()
    assert "unmet" not in observation
    assert observation.get("stop_s", 0) < STOP_S, "a client that waits to start again has nothing to stop"
    assert (0, 0) == (observation["left_processes"], observation["written_bytes"])
    end = running.stopped()
    assert end["stop_s"] < STOP_S
    assert (0, 0) == (end["left_processes"], end["written_bytes"])


def test_it_downloads_again_after_its_server_was_started_again(run):
    observation = run(schedule=Schedule(restart_s=3)).observed(15)
    assert observation["client_runs"] >= 2
    assert observation["intervals"][-2][2] > 1_000_000


def server_of(running: Running) -> psutil.Process:
    """The image's server."""
    return next(
        process
        for process in psutil.process_iter()
        if process.name() == "gtlsserver"
        and str(running.folder) in Path(f"/proc/{process.pid}/mountinfo").read_text()
    )


def test_its_programs_see_the_image_and_the_folders_of_the_contract(run):
    running = run()
    running.serve()
    wait_for(running.listens, "the server listens")
    server = server_of(running)
    root = Path(f"/proc/{server.pid}/root")
    listed = {path.name for path in root.iterdir()}
    assert {"certs", "www", "logs", "run_endpoint.sh"} <= listed
    assert not {"home", "root", "opt", "srv"} & listed
    assert {"cert.pem", "ca.pem", "priv.key"} == {path.name for path in (root / "certs").iterdir()}
    assert " server4 server endpoint.test" in (root / "etc/hosts").read_text()
    assert "--cc=reno" in server.cmdline()


def test_its_programs_have_no_privileges_and_cannot_write_into_the_image(run):
    running = run()
    running.serve()
    wait_for(running.listens, "the server listens")
    proc = Path(f"/proc/{server_of(running).pid}")
    words = dict(line.split(":\t", 1) for line in (proc / "status").read_text().splitlines())
    assert ("1", 0, 0) == (words["NoNewPrivs"], int(words["CapEff"], 16), int(words["CapBnd"], 16))
    mounts = [line.split() for line in (proc / "mountinfo").read_text().splitlines()]
    assert ["ro"] == [line[5].split(",")[0] for line in mounts if line[4] == "/"]


def test_a_test_case_that_it_refuses_is_not_supported(run):
    running = run(TESTCASE="http3")
    assert "the endpoint does not support this: status 127" == running.failure(running.serve())


def test_a_server_that_fails_says_why_in_its_log(run):
    running = run(SERVER_PARAMS="--none")
    assert running.failure(running.serve()).startswith("the server of the endpoint ended with status ")
    log = (running.folder / "serve/server.log").read_text()
    assert "log.txt ends:" in log and "unrecognized option '--none'" in log
