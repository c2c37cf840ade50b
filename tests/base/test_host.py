"""The name of a host: given, or a hash that stays the same."""

import re

import pytest

from scripts.base import host
from scripts.base.errors import UserError
from scripts.base.host import host_name


@pytest.fixture(autouse=True)
def unnamed(monkeypatch, tmp_path):
    for variable in host.VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(host, "MACHINE_ID", tmp_path / "machine-id")


def test_the_operators_name_comes_before_slurms(monkeypatch):
    monkeypatch.setenv("SLURMD_NODENAME", "node7")
    assert host_name() == "node7"
    monkeypatch.setenv("OBSERVATORY_HOST", "testbed-2")
    assert host_name() == "testbed-2"


@pytest.mark.parametrize("name", ["a b", "../a", "-a", "a" * 33, "ä"])
def test_another_name_than_a_short_word_is_refused(monkeypatch, name):
    monkeypatch.setenv("OBSERVATORY_HOST", name)
    with pytest.raises(UserError, match="name the host by"):
        host_name()


def test_without_a_name_every_machine_has_its_own_which_does_not_contain_its_id():
    names = []
    for machine in ("0123456789abcdef", "0123456789abcdee", ""):
        host.MACHINE_ID.write_text(f"{machine}\n")
        names.append(host_name())
    host.MACHINE_ID.unlink()
    assert host_name() == names[-1]
    assert len(set(names)) == 3
    assert all(re.fullmatch(r"host-[0-9a-f]{6}", name) for name in names)
