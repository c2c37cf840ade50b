"""A campaign with faults that Snakemake measures once for all files here."""

import json
import shutil

import pytest

from tests.simulated.project import LONGEST_S, ONE, PAIR, ROOT, SERVICES, Simulated

FAULTS = {"calibration": {"slow": [1, 2, 3]}, PAIR: {"damaged": [1]}}
"""The first three calibrations find the link too slow, and the queue log of the first trial is damaged."""


@pytest.fixture(scope="session")
def stopped(tmp_path_factory) -> Simulated:
    """A cycle with FAULTS in `whole`, after its first run, and copies of it."""
    copy = Simulated(tmp_path_factory.mktemp("a copy"))
    (copy.root / "behaviours.json").write_text(json.dumps(FAULTS))
    shutil.copytree(ROOT / "site", copy.root / "site")
    copy.configure(SERVICES[:2], [PAIR], ONE)
    copy.first_run = copy.start("whole").wait(timeout=LONGEST_S)
    copy.measured_first = copy.measured("whole")
    for data in ("reduced", "failing"):
        shutil.copytree(copy.root / "whole", copy.root / data)
    return copy


@pytest.fixture(scope="session")
def whole(stopped) -> Simulated:
    """The same command again, to the end of the cycle in `whole`, with its pages so far in `public`."""
    stopped.finish("whole", "public=public", "provisional=True")
    return stopped


@pytest.fixture(scope="session")
def reduced(whole) -> Simulated:
    """The cycle in `reduced` is finished with reduction."""
    whole.finish("reduced", "reduce=True")
    return whole
