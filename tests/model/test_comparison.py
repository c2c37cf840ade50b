"""The cycles that a cycle is compared with."""

import json
import shutil

import pytest

from scripts.base.records import to_json
from scripts.model.comparison import Comparison, comparison, kept_comparison
from scripts.plan.campaign_file import load_campaign
from scripts.tables.cycle import keep_compared

THIS = "2026-11-01"


class Cycles:
    """Cycles of the demonstration campaign with tables."""

    def __init__(self, data):
        self.folder = data / "demo"

    def add(self, name, **changes):
        """Plan a cycle with these parts of the configuration changed, and make its tables."""
        config = to_json(load_campaign("demo")) | changes
        for path, text in (("plan/config.json", json.dumps(config)), ("tables/trial_services.parquet", "")):
            (self.folder / name / path).parent.mkdir(parents=True)
            (self.folder / name / path).write_text(text)
        return name

    def compared(self, name=THIS):
        return comparison(self.folder / name)


@pytest.fixture
def cycles(tmp_path):
    return Cycles(tmp_path)


def changed(part, **values):
    """A part of the demonstration's configuration with these values changed."""
    return {part: to_json(load_campaign("demo"))[part] | values}


def with_setting(**values):
    """Its settings, with these values of the setting 8mbps changed."""
    settings = to_json(load_campaign("demo"))["settings"]
    return {"settings": settings | {"8mbps": settings["8mbps"] | values}}


def test_a_cycle_is_compared_with_the_last_one_before_it_that_has_tables(cycles):
    before = [cycles.add(name) for name in ("2026-10-01", "2026-10-15", THIS, "2026-11-15")]
    (cycles.folder / "2026-10-29/tables").mkdir(parents=True)
    assert Comparison(before[1], {}) == cycles.compared()
    assert Comparison(None, {}) == cycles.compared("2026-10-01")
    assert Comparison(None, {}) == cycles.compared("2026-12-01"), "it is not planned yet"


@pytest.mark.parametrize(
    ("changes", "keys"),
    [
        (changed("trial", ignore_first_s=3), ["trial.ignore_first_s"]),
        (changed("trial", web=changed("trial")["trial"]["web"] | {"loads": 9}), ["trial.web.loads"]),
        (changed("validity", rtt_error_ms=2.0, newer=1), ["validity.newer", "validity.rtt_error_ms"]),
        ({"bottleneck": "bess"}, ["bottleneck"]),
        (with_setting(queue_packets=64), ["settings.8mbps.queue_packets"]),
        (with_setting(discipline_options={"ecn": True}), ["settings.8mbps.discipline_options.ecn"]),
        (with_setting(clients=[{"rtt_ms": 9}]), ["settings.8mbps.clients"]),
        ({"settings": {"other": {"rate_mbps": 1}}}, ["settings"]),
    ],
)
def test_a_cycle_that_measured_in_another_way_is_passed_over_and_what_differs_is_named(cycles, changes, keys):
    same = cycles.add("2026-10-01")
    cycles.add("2026-10-15", **changes)
    cycles.add(THIS)
    found = cycles.compared()
    assert (same, {"2026-10-15": keys}) == (found.before, found.passed_over)


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 2, "title": "x", "pairs": [], "services": {}},
        changed("trials", solo=9, most=9),
        with_setting(title="x", precision_mbps=9, services=["iperf-bbr"], sweep={"of": "x", "at": {"y": 1}}),
        {"settings": to_json(load_campaign("demo"))["settings"] | {"other": {"rate_mbps": 1}}},
    ],
)
def test_what_decides_no_figure_may_differ(cycles, changes):
    before = cycles.add("2026-10-15", **changes)
    cycles.add(THIS)
    assert Comparison(before, {}) == cycles.compared()


def test_the_other_bottleneck_is_that_of_the_last_cycle_that_differs_in_nothing_else(cycles):
    cycles.add("2026-10-15")
    bess = cycles.add("2026-10-15-bess", bottleneck="bess")
    this = cycles.add(THIS)
    cycles.add("2026-11-15-bess", bottleneck="bess", **changed("trial", ignore_first_s=3))
    assert Comparison(None, {"2026-10-15": ["bottleneck"]}, this) == cycles.compared("2026-10-15-bess")
    assert bess == cycles.compared().other_bottleneck
    assert cycles.compared("2026-12-01").other_bottleneck is None, "it is not planned yet"


def test_the_tenth_cycle_of_a_day_comes_after_the_ninth(cycles):
    for number in (2, 9, 10, 11):
        cycles.add(f"{THIS}-{number}")
    cycles.add(THIS)
    cycles.add(f"{THIS}-8", bottleneck="bess")
    assert Comparison(None, {}, f"{THIS}-8") == cycles.compared()
    assert f"{THIS}-9" == cycles.compared(f"{THIS}-10").before
    assert Comparison(f"{THIS}-2", {f"{THIS}-8": ["bottleneck"]}, f"{THIS}-8") == cycles.compared(f"{THIS}-9")


def test_what_a_cycle_is_compared_with_is_kept_and_forgotten_when_it_is_gone(cycles):
    before, bess = cycles.add("2026-10-01"), cycles.add("2026-10-15", bottleneck="bess")
    cycle = cycles.folder / cycles.add(THIS)
    for name in (before, bess):
        (cycles.folder / name / "tables/trial_services.parquet").write_text(f"rows of {name}")
    keep_compared(cycle)
    assert Comparison(before, {bess: ["bottleneck"]}, bess) == kept_comparison(cycle)
    assert f"rows of {before}" == (cycle / "compared/before.parquet").read_text()
    assert f"rows of {bess}" == (cycle / "compared/other_bottleneck.parquet").read_text()
    for name in (before, bess):
        (cycles.folder / name / "tables/trial_services.parquet").unlink()
    keep_compared(cycle)
    assert ["comparison.json"] == [path.name for path in (cycle / "compared").iterdir()]
    assert Comparison() == kept_comparison(cycle)


class Published(Cycles):
    """Snapshots of the demonstration campaign, beside the working folders of `Cycles`."""

    def publish(self, name, revision=1, withdrawn=False):
        """Freeze a planned cycle; its table names its revision."""
        suffix = "" if revision == 1 else f"-r{revision}"
        snapshot = self.folder.parent / f"snapshots/demo-{name}{suffix}"
        shutil.copytree(self.folder / name, snapshot)
        (snapshot / "tables/trial_services.parquet").write_text(f"rows of {name}, revision {revision}")
        identity = {"campaign": "demo", "cycle": name, "revision": revision}
        (snapshot / "snapshot.json").write_text(json.dumps(identity))
        if withdrawn:
            mark = {"withdrawn": {"date": "2026-12-01", "reason": "a wrong clock"}}
            (snapshot / "tombstone.json").write_text(json.dumps(mark))


@pytest.fixture
def published(tmp_path):
    return Published(tmp_path)


def before_of(cycle):
    """The name of the cycle before, and what was kept of its rows."""
    keep_compared(cycle)
    kept = cycle / "compared/before.parquet"
    return kept_comparison(cycle).before, kept.read_text() if kept.exists() else None


def test_a_published_cycle_without_its_working_folder_is_found_in_its_snapshot(published):
    name = published.add("2026-10-15")
    published.publish(name)
    shutil.rmtree(published.folder / name)
    cycle = published.folder / published.add(THIS)
    published.publish(THIS)
    assert (name, f"rows of {name}, revision 1") == before_of(cycle)


def test_the_latest_revision_stands_for_its_cycle_and_a_withdrawn_one_does_not(published):
    name = published.add("2026-10-15")
    for revision, withdrawn in ((10, False), (2, False), (11, True), (1, False)):
        published.publish(name, revision, withdrawn)
    cycle = published.folder / published.add(THIS)
    assert (name, f"rows of {name}, revision 10") == before_of(cycle)


def test_a_cycle_of_which_all_revisions_are_withdrawn_is_compared_with_none(published):
    for name in ("2026-10-01", "2026-10-15"):
        published.publish(published.add(name), withdrawn=name == "2026-10-15")
    cycle = published.folder / published.add(THIS)
    assert "2026-10-01" == before_of(cycle)[0]


def test_snapshots_of_another_campaign_are_not_looked_at(published):
    name = published.add("2026-10-15")
    published.publish(name)
    shutil.rmtree(published.folder / name)
    published.folder = published.folder.with_name("other")
    cycle = published.folder / published.add(THIS)
    assert (None, None) == before_of(cycle)
