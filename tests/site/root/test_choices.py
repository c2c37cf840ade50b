"""The cycles that explore and compare offer."""

from scripts.site.root.archive_cycles import read_archive
from scripts.site.root.choices import choices
from tests.site.root.sample_archive import SETTINGS, WITHDRAWN


def test_every_revision_is_offered_the_latest_cycle_of_the_chosen_campaign_first(archive):
    offered = choices(read_archive(archive.root, SETTINGS, {}, ()))
    names = [one["name"] for one in offered["cycles"]]
    assert "watchdog/2026-12-01" == offered["latest"] == names[0]
    assert ["watchdog/2026-11-01.r2", "watchdog/2026-11-01"] == names[1:3]
    assert "watchdog, cycle 2026-11-01 (corrected since)" == offered["cycles"][2]["words"]


def test_a_withdrawn_cycle_is_named_as_one(archive):
    offered = choices(read_archive(archive.root, SETTINGS, WITHDRAWN, ()))
    assert ["demo/2026-11-21"] == offered["withdrawn"]
    assert "demo, cycle 2026-11-21 (withdrawn)" == offered["cycles"][-1]["words"]


def test_services_have_titles_and_colours(archive):
    offered = choices(read_archive(archive.root, SETTINGS, {}, ()))
    assert "BBR <v1>" == offered["titles"]["bbr"]
    assert offered["titles"].keys() == offered["colours"].keys()
