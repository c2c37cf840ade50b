"""The definitions explain trials with a different duration."""

import json
import shutil

import pytest

from scripts.base.records import to_json
from scripts.plan.campaign_file import load_campaign
from tests.site.pages_read import Site, text


@pytest.fixture(scope="module")
def mixed(build, cycle, tmp_path_factory) -> Site:
    """The sample's site, with the services and durations of the demonstration."""
    source = tmp_path_factory.mktemp("mixed") / "cycle"
    shutil.copytree(cycle, source)
    merged = json.loads((source / "plan/config.json").read_text())
    demo = to_json(load_campaign("demo"))
    changed = {"services": merged["services"] | demo["services"], "trial": demo["trial"]}
    (source / "plan/config.json").write_text(json.dumps(merged | changed))
    return build(source.parent / "public", source)


def test_durations_of_kinds_and_pages_are_described(mixed):
    words = text(mixed.page("definitions/"))
    assert "A trial of this campaign lasts 11 s. The first 4 s and the last 1 s are ignored" in words
    assert "with a service of the kind batched download lasts 24 s, of which the first 4 s and" in words
    assert "with a service of the kind video lasts 28 s, of which the first 10 s and the last 1 s" in words
    assert "The contender starts first. 3 s later the page is loaded for the first time" in words
    assert "then again 4 s after the end of each load, 2 times in total" in words
    assert "A load that has not ended after 12 s counts as longer than that." in words
    (length,) = [text(fact) for fact in mixed.page("").iter("div") if text(fact).startswith("Length of a tr")]
    assert length.endswith("11 s longer with some services")
    assert mixed.page("definitions/").find(".//*[@id='a-trial']") is not None, "where that leads to"


@pytest.fixture(scope="module")
def settled(build, cycle, tmp_path_factory) -> Site:
    """The sample's site, with times of its own in one of the two settings."""
    source = tmp_path_factory.mktemp("settled") / "cycle"
    shutil.copytree(cycle, source)
    merged = json.loads((source / "plan/config.json").read_text())
    merged["trial"] |= {"duration_s": 600, "ignore_first_s": 120, "ignore_last_s": 120, "kinds": {}}
    merged["settings"]["50mbps"]["trial"] = {"duration_s": 701, "ignore_first_s": 470, "ignore_last_s": 1}
    (source / "plan/config.json").write_text(json.dumps(merged))
    return build(source.parent / "public", source)


def test_times_of_a_setting_are_told_wherever_times_are(settled):
    words = text(settled.page("definitions/"))
    assert "In the setting Highly constrained (8 Mbps, 50 ms), a trial lasts 600 s. The first 120 s" in words
    assert (
        "In the setting Moderately constrained (50 Mbps, 50 ms), a trial lasts 701 s. The first 470 s"
        in words
    )
    assert "the 230 s between them are the steady window" in words
    assert "It lasts 600 s to 701 s, as the setting needs it." in text(settled.page("method/"))
    (length,) = [
        text(one) for one in settled.page("").iter("div") if text(one).startswith("Length of a trial")
    ]
    assert length.endswith("600 s to 701 s")
    assert "trials of 701 s, of which the first 470 s and the last 1 s do not count" in text(
        settled.page("settings/50mbps/")
    )
    assert "trials of" not in text(settled.page("settings/8mbps/").find(".//p[@class='muted']"))


def test_a_campaign_with_one_duration_mentions_no_other(site):
    words = text(site.page("definitions/"))
    assert "with a service of the kind" not in words
    assert "with a web page" not in words
    assert "longer with some services" not in text(site.page(""))
