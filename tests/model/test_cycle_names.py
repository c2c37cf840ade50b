"""The name of the cycle to work on, and the order of the names."""

import json
import shutil
from datetime import date

import pytest

from scripts.base.errors import UserError
from scripts.model.cycle_names import cycle_name, order_of, published_cycles, require_names, store_cycle_name

TODAY = "2026-11-22"


class Data:
    """A folder of campaigns and snapshots."""

    def __init__(self, folder):
        self.folder = folder

    def measure(self, cycle, campaign="demo"):
        """A cycle with trials, which is the current one."""
        (self.folder / campaign / cycle / "trials").mkdir(parents=True)
        store_cycle_name(self.folder / campaign, cycle)

    def publish(self, cycle, campaign="demo", identity="snapshot.json"):
        """A snapshot, whose folder's name says nothing."""
        snapshot = self.folder / f"snapshots/{len(list(self.folder.glob('snapshots/*')))}"
        (snapshot / identity).parent.mkdir(parents=True)
        (snapshot / identity).write_text(json.dumps({"campaign": campaign, "cycle": cycle}))

    def finish(self, cycle):
        """Publish a measured cycle and build its site."""
        self.publish(cycle)
        (self.folder / "demo" / cycle / "stamps").mkdir()
        (self.folder / "demo" / cycle / "stamps/site").touch()

    def name(self, given=None):
        return cycle_name(str(self.folder), "demo", given, date.fromisoformat(TODAY))


@pytest.fixture
def data(tmp_path):
    return Data(tmp_path)


def test_the_first_cycle_has_the_name_of_the_day(data):
    assert data.name() == TODAY


def test_an_unfinished_cycle_goes_on_and_a_published_one_is_followed_by_a_new_one(data):
    data.measure("2026-11-01")
    assert data.name() == "2026-11-01"
    data.finish("2026-11-01")
    assert data.name() == TODAY


def test_a_cycle_that_was_killed_between_its_snapshot_and_its_site_goes_on(data):
    data.measure("2026-11-01")
    data.publish("2026-11-01")
    assert data.name() == "2026-11-01"


def test_a_second_and_a_third_cycle_of_a_day_are_numbered(data):
    for name in (TODAY, f"{TODAY}-2", f"{TODAY}-3"):
        assert data.name() == name
        data.measure(name)
        assert data.name() == name, "it is not published yet"
        data.finish(name)


def test_a_name_that_an_unpublished_cycle_has_is_not_given_again(data):
    data.measure(TODAY)
    data.measure("other")
    data.finish("other")
    assert data.name() == f"{TODAY}-2"


def test_a_cycle_of_which_nothing_was_measured_leaves_its_name(data):
    (data.folder / "demo" / TODAY / "logs").mkdir(parents=True)
    assert data.name() == TODAY


def test_the_given_name_wins_also_over_a_published_one(data):
    data.measure("2026-11-01")
    data.publish(TODAY)
    assert data.name(TODAY) == TODAY


def test_snapshots_of_other_campaigns_and_folders_of_killed_commands_do_not_count(data):
    data.publish(TODAY)
    data.publish("2026-11-01", campaign="other")
    (data.folder / "snapshots/.snapshot-of-a-killed-freeze").mkdir()
    assert published_cycles(data.folder, "demo") == {TODAY}
    assert data.name() == f"{TODAY}-2"


def test_a_damaged_identity_is_named(data):
    data.publish(TODAY)
    (data.folder / "snapshots/0/snapshot.json").write_text("{")
    with pytest.raises(UserError, match=r"snapshots/0/snapshot.json: is not valid JSON"):
        data.name()


@pytest.mark.parametrize("name", ["2026-12-07-r2", "2026-12-07.r10"])
def test_a_name_that_a_later_revision_would_have_is_refused(data, name):
    with pytest.raises(UserError, match="a later revision of another cycle has such a name"):
        data.name(given=name)


@pytest.mark.parametrize("name", ["../../home", "/etc", "a/b", "..", ".hidden", "a\nb", "", "a\x1b[2J"])
def test_a_name_that_leads_elsewhere_is_refused_wherever_it_stands(data, name):
    with pytest.raises(UserError, match="is no name of a campaign or cycle"):
        data.name(given=name)
    with pytest.raises(UserError, match="is no name of a campaign or cycle"):
        require_names(name, "2026-12-07", "a file")
    if name.strip():
        store_cycle_name(data.folder / "demo", name)
        with pytest.raises(UserError, match=r"current-cycle: .* is no name of a campaign or cycle"):
            data.name()


@pytest.mark.parametrize("campaign", ["operate", "snapshots", "submissions"])
def test_other_folders_of_data_are_no_campaigns(campaign):
    """`prune` removes data/<campaign>/<cycle>/: data/operate/cycles/ must not be one."""
    with pytest.raises(UserError, match=f"a file: data/{campaign}/ is no campaign"):
        require_names(campaign, "cycles", "a file")


def test_names_are_in_the_order_of_time():
    names = ["2026-10-15-10", "2026-10-15", "2026-11-01", "2026-10-15-bess", "2026-09-30", "2026-10-15-2"]
    expected = ["2026-09-30", "2026-10-15", "2026-10-15-2", "2026-10-15-10", "2026-10-15-bess", "2026-11-01"]
    assert expected == sorted(names, key=order_of)


def test_a_published_cycle_whose_folder_was_pruned_is_followed_by_a_new_one(data):
    data.measure("2026-11-01")
    data.publish("2026-11-01")
    shutil.rmtree(data.folder / "demo/2026-11-01")
    assert data.name() == TODAY
