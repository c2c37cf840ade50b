"""config/bess.yaml, and the environment variable that replaces its address."""

import pytest
import yaml

from scripts.base.errors import UserError
from testbed.bess import daemon_settings
from testbed.bess.daemon_settings import Cable, load_settings


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A function that writes a changed copy of config/bess.yaml."""
    monkeypatch.delenv("OBSERVATORY_BESS", raising=False)

    def write(**changes):
        content = yaml.safe_load(daemon_settings.FILE.read_text()) | changes
        path = tmp_path / "bess.yaml"
        path.write_text(yaml.safe_dump(content))
        monkeypatch.setattr(daemon_settings, "FILE", path)
        return path

    return write


def test_the_file_in_the_repository_is_valid(written):
    written()
    found = load_settings()
    assert (found.address, found.ports, found.start) == ("127.0.0.1:10514", "veth", None)
    assert found.plugin == daemon_settings.ROOT / "build/bess/observatory.so"


def test_the_environment_replaces_the_address_and_an_argument_replaces_both(written, monkeypatch):
    written()
    monkeypatch.setenv("OBSERVATORY_BESS", "unix:/run/b.sock")
    assert load_settings().address == "unix:/run/b.sock"
    assert load_settings("unix:/c.sock").address == "unix:/c.sock"


def test_the_error_for_a_wrong_address_names_its_origin(written, monkeypatch):
    path = written(address="nowhere")
    with pytest.raises(UserError, match=rf"{path}: address: 'nowhere' does not match"):
        load_settings()
    monkeypatch.setenv("OBSERVATORY_BESS", "elsewhere")
    with pytest.raises(UserError, match=r"OBSERVATORY_BESS: address: 'elsewhere' does not match"):
        load_settings()


def test_a_cable_is_given_by_the_cards_that_it_connects(written):
    written(ports=[{"host": f"0000:05:00.{n}", "daemon": f"0000:06:00.{n}"} for n in (0, 1)])
    assert load_settings().ports == (
        Cable("0000:05:00.0", "0000:06:00.0"),
        Cable("0000:05:00.1", "0000:06:00.1"),
    )


def test_an_unknown_kind_of_ports_is_refused(written):
    path = written(ports="bridge")
    with pytest.raises(UserError, match=rf"{path}: ports"):
        load_settings()
