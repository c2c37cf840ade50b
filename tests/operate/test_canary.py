"""Canaries: every live service alone, before a cycle."""

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from shlex import quote

import pytest

from scripts.base.errors import UserError
from scripts.operate.canary import canaries
from scripts.operate.context import Context
from scripts.operate.health import campaign_of
from scripts.operate.settings import read_settings
from scripts.plan.planner import next_trials
from scripts.plan.set_aside import read_set_aside
from testbed.host_lock import exclusive_host_lock
from tests.testbed.internet import run_in_namespaces

CYCLE = "2026-12-07"
SILENT = "the page did not answer within 9 s"
BEHAVIOURS = {
    "mega": {"fails": True},
    "netflix": {"failed": [1, 2]},
    "vimeo": {"failed": [1], "unmet": SILENT},
}
BEGUN = """
import sys
from pathlib import Path
from shlex import quote
from tests.operate.test_canary import CYCLE, Canaries
from scripts.operate.canary import canaries
canaries(Canaries(Path(sys.argv[1])).context, CYCLE)
"""


class Canaries:
    """The campaign of live services before a cycle, on the simulated testbed."""

    def __init__(self, folder):
        self.behaviours = folder / "behaviours.json"
        testbed = f"{quote(sys.executable)} -m tests.simulated.testbed {quote(str(self.behaviours))}"
        settings = replace(read_settings(), campaign="live", variables={"testbed": testbed})
        self.context = Context(settings, folder / "data", folder / "public")
        self.folder = self.context.cycle(CYCLE)

    def run(self, **behaviours):
        self.behaviours.write_text(json.dumps(behaviours))
        return canaries(self.context, CYCLE)

    @property
    def live(self):
        return {name for name, one in campaign_of(self.context).services.items() if one.live}

    def trials(self):
        """The trials of each service, with inode and time of change, which a new file would not have."""
        files = self.folder.glob("canaries/*/[0-9]*/trial.json")
        return {path.parts[-3:-1]: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


@pytest.fixture(scope="module")
def tried(tmp_path_factory):
    """Canaries of which one service never answers, one does at its third, and one shows nothing."""
    made = Canaries(tmp_path_factory.mktemp("canaries"))
    made.found = made.run(**BEHAVIOURS)
    return made


def test_a_service_that_does_not_answer_three_times_is_set_aside_with_the_last_reason(tried):
    assert {"mega": "the service broke", "vimeo": SILENT} == tried.found
    assert tried.found == read_set_aside(tried.folder / "plan")
    numbers = dict.fromkeys(tried.live, 0)
    for service, _ in tried.trials():
        numbers[service] += 1
    assert dict.fromkeys(tried.live, 1) | {"mega": 3, "netflix": 3, "vimeo": 3} == numbers


def test_no_trial_of_such_a_service_is_planned(tried):
    planned = next_trials(campaign_of(tried.context), [], before=read_set_aside(tried.folder / "plan"))
    used = {service for key in planned for service in key.pair.split("~")}
    assert used == {*campaign_of(tried.context).services} - {"mega", "vimeo"}


def test_canaries_are_not_repeated_and_are_no_part_of_the_cycle(tried):
    before = tried.trials()
    assert tried.found == tried.run(**BEHAVIOURS)
    assert before == tried.trials()
    assert {"canaries", "plan"} == {path.name for path in tried.folder.iterdir()}
    assert not list(tried.folder.glob("canaries/**/*.zst")), "the captures are deleted"


def test_a_canary_lasts_as_long_as_the_settings_say(tried):
    specs = [json.loads(path.read_text()) for path in tried.folder.glob("canaries/*/*.json")]
    assert {30, 5 + 30 + 1 + 1} == {spec["duration_s"] for spec in specs}, (
        "a page: its browser, a load, a gap"
    )


def test_once_the_first_round_is_planned_there_are_no_more(tried, tmp_path):
    fresh = Canaries(tmp_path)
    (fresh.folder / "plan").mkdir(parents=True)
    (fresh.folder / "plan/round-01.csv").touch()
    assert {} == fresh.run(**BEHAVIOURS)
    assert {} == fresh.trials()


def test_a_campaign_without_live_services_has_none(tmp_path):
    made = Canaries(tmp_path)
    made.context = replace(made.context, settings=replace(made.context.settings, campaign="demo"))
    assert {} == made.run()
    assert not made.context.data.exists()


def test_a_host_without_access_to_the_internet_sets_nothing_aside_and_tries_again(tmp_path):
    made = Canaries(tmp_path)
    with pytest.raises(UserError, match=r"none of 12 live services answers .*broke.*; look at this host"):
        made.run(**{name: {"fails": True} for name in made.live})
    assert {} == read_set_aside(made.folder / "plan")
    assert {"mega": "the service broke"} == made.run(mega={"fails": True})


def test_a_testbed_that_refuses_is_an_error_of_the_host(tmp_path):
    made = Canaries(tmp_path)
    refusing = f"{quote(sys.executable)} -c 'import sys; sys.exit(\"error: no bubblewrap; install it\")'"
    settings = replace(made.context.settings, variables={"testbed": refusing})
    made.context = replace(made.context, settings=settings)
    with pytest.raises(UserError, match=r"canaries/dropbox/01.log: no bubblewrap; install it; mend it"):
        made.run()
    assert {} == read_set_aside(made.folder / "plan")


def test_killed_canaries_go_on_where_they_stopped(tmp_path):
    made = Canaries(tmp_path)
    made.behaviours.write_text(json.dumps(BEHAVIOURS))
    for wanted in (2, 7):
        run = subprocess.Popen([sys.executable, "-c", BEGUN, str(tmp_path)], stdout=subprocess.DEVNULL)
        while len(made.trials()) < wanted:
            assert run.poll() is None, "it is killed long before its end"
            time.sleep(0.02)
        run.kill()
        run.wait()
    before = made.trials()
    assert {"mega", "vimeo"} == made.run(**BEHAVIOURS).keys()
    assert before.items() <= made.trials().items()


@pytest.mark.soak(minutes=1)
@pytest.mark.traffic
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root: the machine lends its uplink")
def test_of_real_browsers_on_a_test_internet_those_that_are_served_pass(tmp_path):
    """One page is gone, and one server does not listen on the port where its RTT is measured."""
    with exclusive_host_lock():
        found = run_in_namespaces(str(tmp_path), module="tests.operate.live_canaries")
    assert {"live-gone", "live-deaf"} == found["aside"].keys()
    assert "HTTP status 404" in found["aside"]["live-gone"]
    assert "81" in found["aside"]["live-deaf"]
    tried = Path(found["folder"], "canaries").glob("*/[0-9]*/trial.json")
    assert {("live-file", "01"), ("live-page", "01")} == {
        path.parts[-3:-1] for path in tried if path.parts[-3] not in found["aside"]
    }
