"""endpoint.yaml: what it must have, and errors that name the file and the key."""

import pytest

from scripts.base.errors import UserError
from scripts.model.endpoint import filled, read_endpoint, read_versions
from scripts.model.services import read_service
from scripts.model.trial_record import EndpointRecord
from tests.services.endpoint.making import make_endpoint

TOLD = {"stack": "quiche", "version": "0.30.0", "controllers": {"bbr": "BBRv2"}, "gso": None, "pacing": True}


def test_an_endpoint_has_its_commands_and_its_folder(tmp_path):
    endpoint = read_endpoint(make_endpoint(tmp_path / "tiny", environment={"A": "1"}, reads=["/opt"]))
    assert ("kernel",) == endpoint.controllers
    assert ({"A": "1"}, ("/opt",)) == (endpoint.environment, endpoint.reads)
    assert tmp_path / "tiny" == endpoint.folder


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"server": None}, "server: is missing; add it"),
        ({"server": []}, r"server: \[\] should be non-empty"),
        ({"client": "./client"}, "client: is './client'; it must be a list"),
        ({"controllers": ["BBR 2"]}, r"controllers\.0: 'BBR 2' does not match"),
        ({"server": ["./server", "{seconds}"]}, r"server\.1: \{seconds\} has no meaning here; known: "),
        ({"reads": ["lib"]}, r"reads\.0: 'lib' does not match"),
        ({"place": "/"}, "place: unknown key; known are: client, controllers, "),
        ({"environment": {"A B": "1"}}, "environment: 'A B' does not match"),
        ({"environment": {"A": "{port}"}}, r"environment\.A: \{port\} has no meaning here; known: cca"),
        ({"image": "tiny.tar"}, "server: an image has its own programs and files; remove server, or image"),
        ({"image": "/tiny.tar"}, "image: '/tiny.tar' does not match"),
    ],
)
def test_an_error_is_one_line_with_file_and_key(tmp_path, keys, message):
    folder = make_endpoint(tmp_path / "tiny", **keys)
    with pytest.raises(UserError, match=f"^{folder}/endpoint.yaml: {message}") as error:
        read_endpoint(folder)
    assert "\n" not in str(error.value)


def test_an_image_takes_the_place_of_the_commands(tmp_path):
    endpoint = read_endpoint(make_endpoint(tmp_path / "tiny", server=None, client=None, image="tiny.tar"))
    assert ("tiny.tar", ()) == (endpoint.image, endpoint.server)


def test_a_folder_without_the_file_is_an_error(tmp_path):
    with pytest.raises(UserError, match=f"^{tmp_path}/endpoint.yaml: cannot be read: No such file"):
        read_endpoint(tmp_path)


@pytest.mark.parametrize(("keys", "shipped"), [({"shipped": True}, True), ({}, False)])
def test_a_server_is_the_stacks_own_only_if_its_endpoint_says_so(tmp_path, keys, shipped):
    endpoint = read_endpoint(make_endpoint(tmp_path / "tiny", **keys))
    assert endpoint.shipped is shipped
    assert EndpointRecord.of(read_versions(TOLD, "versions"), "bbr", shipped=shipped).shipped is shipped


def test_only_placeholders_are_filled():
    command = ("run", "-p={port}", '{"cc": "{cca}"}', "{other}")
    assert ["run", "-p=4433", '{"cc": "bbr"}', "{other}"] == filled(command, {"port": 4433, "cca": "bbr"})


def test_what_an_endpoint_says_is_read():
    versions = read_versions(TOLD, "versions")
    assert ("quiche", "BBRv2", None, True) == (
        versions.stack,
        versions.controllers["bbr"],
        versions.gso,
        versions.pacing,
    )


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"stack": "<b>"}, "versions: stack: '<b>' does not match"),
        ({"version": "x" * 50}, "versions: version: "),
        ({"controllers": ["bbr"]}, r"versions: controllers: is \['bbr'\]; it must be a mapping"),
        ({"gso": "yes"}, "versions: gso: is 'yes'; it must be true or false, or null"),
        ({"note": "hello"}, "versions: note: unknown key"),
    ],
)
def test_an_endpoint_cannot_say_what_could_not_be_published(changed, message):
    with pytest.raises(UserError, match=message):
        read_versions(TOLD | changed, "versions")


def service_file(tmp_path, **keys):
    fields = {
        "name": "tiny",
        "title": "Tiny",
        "category": "Baseline",
        "driver": "endpoint",
        "cca": "kernel",
        "endpoint": str(tmp_path / "tiny"),
        "probe": {"port": 5901},
    }
    path = tmp_path / "tiny.yaml"
    path.write_text("".join(f"{key}: {value}\n" for key, value in {**fields, **keys}.items()))
    return path


def test_a_service_names_its_endpoint_and_one_of_its_controllers(tmp_path):
    make_endpoint(tmp_path / "tiny")
    service = read_service(service_file(tmp_path))
    assert (tmp_path / "tiny", "kernel", None) == (service.endpoint_folder, service.cca, service.kernel_cca)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"cca": "bbr3"}, "cca: bbr3 is not offered by the endpoint: kernel"),
        ({"cca": "null"}, "cca: cannot be null: an endpoint offers several"),
        ({"probe": "{port: 443}"}, "probe.port: cannot be 443: the endpoint's user"),
        ({"driver": "iperf", "cca": "kernel"}, "endpoint: cannot be "),
    ],
)
def test_a_service_that_cannot_work_is_an_error_of_its_file(tmp_path, keys, message):
    make_endpoint(tmp_path / "tiny")
    path = service_file(tmp_path, **keys)
    with pytest.raises(UserError, match=f"tiny.yaml: {message}"):
        read_service(path)


def test_only_an_endpoint_has_a_congestion_control_that_the_kernel_lacks(tmp_path):
    path = service_file(tmp_path, driver="iperf", cca="copa", endpoint="null")
    path.write_text(path.read_text().replace("endpoint: null\n", ""))
    with pytest.raises(UserError, match="cca: 'copa' is not one of bbr, cubic, reno"):
        read_service(path)
