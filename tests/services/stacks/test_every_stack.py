"""Every stack whose toolchain is here is built, and keeps the contract with each of its controllers."""

import subprocess
import sys

import pytest

from scripts.base.files import ROOT
from scripts.model.endpoint import read_endpoint
from services.stacks.__main__ import main
from services.stacks.building import folders
from services.stacks.toolchains import lacking

CELLS = [(stack, cca) for stack, folder in folders().items() for cca in read_endpoint(folder).controllers]


@pytest.fixture(scope="module")
def built():
    """Those whose toolchain is here, built."""
    assert main([stack for stack, folder in folders().items() if not lacking(folder)]) == 0


@pytest.mark.soak(minutes=33)
@pytest.mark.parametrize(("stack", "cca"), CELLS)
def test_it_keeps_the_contract(built, stack, cca):
    if words := lacking(folders()[stack]):
        pytest.skip(words)
    check = [sys.executable, "-m", "services.endpoint", "check", f"services/stacks/{stack}:{cca}"]
    ended = subprocess.run(check, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
