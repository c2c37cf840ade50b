"""The quality of videos, calls and web pages on the pages: as in the tables, or left out."""

from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from scripts.charts.chart_labels import make_labels
from scripts.charts.qoe_charts import QOE_CHARTS
from scripts.model.services import Live
from scripts.site.cycle.cycle_page import hosting
from scripts.site.cycle.qoe_pages import outcome
from scripts.tables.cycle_tables import PER_TRIAL, SUMMARIES
from scripts.tables.table_schema import load_schema
from tests.charts.sample_campaign import campaign_of
from tests.charts.sample_qoe import (
    BATCHED,
    CALL,
    CATALOGUE,
    CUBIC,
    IMAGES,
    LOADS,
    PAGE,
    QUIC,
    SETTING,
    TEAMS,
    VIDEO,
    qoe_config,
    write_qoe,
)
from tests.site.conftest import charted
from tests.site.pages_read import Site, text

TITLES = {name: entry[0] for name, entry in CATALOGUE.items()}


def captioned(page, caption: str) -> list[list[str]]:
    """The rows of the table whose caption begins so, headings included."""
    (table,) = [one for one in page.iter("table") if text(one.find("caption")).startswith(caption)]
    return [[text(cell) for cell in row] for row in table.findall(".//tbody/tr")]


def test_the_page_of_the_quality_has_every_chart_and_is_linked_from_the_pages_about_the_cycle(panel):
    pictures = panel.page(f"settings/{SETTING}/quality/").findall(".//figure/img")
    assert len([one for one in pictures if one.get("alt")]) == 1 + len(QOE_CHARTS)
    for room in ("", "settings/", "services/", "changes/", "trials/", "data/", "method/", "definitions/"):
        links = panel.links(f"{room}index.html")
        assert any(link.endswith(f"settings/{SETTING}/quality/") for link in links), room


def test_a_cycle_without_such_services_does_not_mention_them(site):
    for name, page in site.pages.items():
        assert not any("quality/" in link for link in site.links(name)), name
        assert name == "definitions/index.html" or "Beyond throughput" not in text(page), name


@pytest.fixture(scope="module")
def slow(build, tmp_path_factory) -> Site:
    """The panel, but most loads of the page of images had not ended at their limit."""
    folder = charted(write_qoe(tmp_path_factory.mktemp("slow pages")))
    late = {"visually_complete_s": 45.0, "speed_index_s": 45.0, "load_event_s": None, "censored": True}
    bounds = dict.fromkeys(("median", "q1", "q3", "at_least"), 45.0) | {"censored": 1}
    change(folder, "qoe_web", lambda row: row["service"] == IMAGES and row["load"] > 1, late)
    change(folder, "qoe_pairs", lambda row: row["service"] == IMAGES and row["contender"], bounds)
    never = {"startup_s": 9.0, "startup_censored": True, "mean_bitrate_kbps": 0.0}
    change(folder, "qoe_video", lambda row: row["pair"] == f"{CALL}~{VIDEO}", never)
    return build(tmp_path_factory.mktemp("web root") / "public", folder)


def change(folder, table, picked, changes):
    """Change these columns of the picked rows of a table."""
    path = folder / f"tables/{table}.parquet"
    rows = [row | (changes if picked(row) else {}) for row in pq.read_table(path).to_pylist()]
    pq.write_table(pa.Table.from_pylist(rows, schema=load_schema(table).arrow), path)


def test_what_did_not_end_in_time_is_shown_as_a_lower_bound(slow):
    of_pages = [
        row[2] for row in seen(slow.page(f"pairs/{SETTING}/{BATCHED}~{IMAGES}/")) if TITLES[IMAGES] in row[0]
    ]
    assert of_pages and all(words.startswith("≥ 45.00 s n = 1, 1 not ended") for words in of_pages)
    first, *_others, last = captioned(slow.page(f"trials/{SETTING}/{BATCHED}~{IMAGES}/01/"), "Pages:")
    assert first[2] == "3.60 s" and last[2:5] == ["≥ 45.00 s", "≥ 45.00 s", "–"]
    video = dict(captioned(slow.page(f"trials/{SETTING}/{CALL}~{VIDEO}/01/"), "Videos:"))
    assert (video["Startup time"], video["Bitrate, mean"]) == ("≥ 9.00 s", "0.00 Mbps")


def test_the_page_of_a_service_alone_has_what_its_users_see(panel):
    page = panel.page(f"solos/{SETTING}/{CALL}/")
    assert [f"Packets over 190 ms {TITLES[CALL]}", "0.0 % n = 1"] in seen(page)
    assert "RTC, self-hosted, stands for Google Meet." in text(page)


def seen(page) -> list[list[str]]:
    """The rows of the table of what users see."""
    (table,) = [one for one in page.iter("table") if one.get("class") == "users"]
    return [[text(cell) for cell in row] for row in table.findall(".//tbody/tr")]


def test_the_page_of_a_pair_has_what_the_users_of_both_services_see(panel):
    rows = seen(panel.page(f"pairs/{SETTING}/{CALL}~{VIDEO}/"))
    assert [(row[0], row[2]) for row in rows] == [
        (f"Resolution {TITLES[CALL]}", "360 lines n = 1 too few trials"),
        (f"Frames per second {TITLES[CALL]}", "28.5 per s n = 1 too few trials"),
        (f"Freezes per minute {TITLES[CALL]}", "2.0 per min n = 1 too few trials"),
        (f"Packets over 190 ms {TITLES[CALL]}", "12.5 % n = 1 too few trials"),
        (f"Bitrate {TITLES[VIDEO]}", "1.10 Mbps n = 1 too few trials"),
        (f"Stall time {TITLES[VIDEO]}", "0.5 s n = 1 too few trials"),
        (f"Time until it starts {TITLES[VIDEO]}", "1.3 s n = 1 too few trials"),
    ]
    page = seen(panel.page(f"pairs/{SETTING}/{CUBIC}~{PAGE}/"))[0]
    assert page[1:] == ["2.10 s n = 1", "4.10 s n = 1 too few trials"]


@pytest.mark.parametrize(
    ("metric", "alone", "together", "expected"),
    [
        ("video_bitrate_kbps", (4000, 4500), (700, 900), "losing"),
        ("video_bitrate_kbps", (700, 900), (900, 1000), "undecided"),
        ("video_bitrate_kbps", (700, 900), (950, 1000), "winning"),
        ("video_stalled_s", (0, 0), (0.6, 1.8), "losing"),
        ("video_stalled_s", (0.6, 1.8), (0, 0.5), "winning"),
        ("video_stalled_s", (0, 0), (0, 1.8), "undecided"),
        ("video_stalled_s", (None, None), (0.6, 1.8), "seen"),
        ("video_stalled_s", None, (0.6, 1.8), None),
    ],
)
def test_users_fare_worse_only_if_the_intervals_do_not_overlap(metric, alone, together, expected):
    before, now = (
        None if ends is None else dict(zip(("low", "high"), ends, strict=True)) for ends in (alone, together)
    )
    assert expected == outcome(metric, before, now)


def test_the_page_of_a_trial_has_the_figures_of_player_and_call_and_the_bitrate_over_time(panel):
    page = panel.page(f"trials/{SETTING}/{CALL}~{VIDEO}/01/")
    video = dict(captioned(page, "Videos:"))
    assert video["Startup time"] == "1.25 s" and video["Stall time"] == "0.50 s"
    assert video["Bitrate held longest"] == "1.50 Mbps" and video["Stalls"] == "1"
    call = dict(captioned(page, "Calls:"))
    assert call["Packets with a round trip over 190 ms"] == "12.5 %" and call["Received"] == "1.40 Mbps"
    assert any("stalled for 0.5 s" in image.get("alt") for image in page.iter("img"))


def test_the_page_of_a_trial_has_every_load_of_a_page(panel):
    rows = captioned(panel.page(f"trials/{SETTING}/{BATCHED}~{IMAGES}/01/"), "Pages:")
    assert [row[1] for row in rows] == [str(load) for load in range(1, LOADS + 1)]
    assert rows[0][2:] == ["3.60 s", "1.10 s", "2.00 s", "40", "900.0 kB"]


@pytest.mark.parametrize("address", [f"pairs/{SETTING}/{CUBIC}~{BATCHED}/", f"trials/{SETTING}/{CUBIC}/01/"])
def test_a_page_without_such_services_has_no_heading_of_them(panel, address):
    headings = [text(heading) for heading in panel.page(address).iter("h2")]
    assert headings and not {"Beyond throughput", "What the user sees"} & set(headings)


def test_a_call_and_a_page_are_no_cells_of_the_heatmaps(panel):
    told = text(panel.page("").find(".//table[@class='hm roving']"))
    assert TITLES[VIDEO] in told
    assert not any(TITLES[service] in told for service in (CALL, TEAMS, PAGE, IMAGES))


def test_table_1_as_measured_is_on_the_page_of_services(panel):
    rows = {row[0]: row[1:] for row in captioned(panel.page("services/"), "Each service alone on this link")}
    assert set(rows) == set(TITLES.values())
    stands_for = "self-hosted, stands for"
    assert rows[TITLES[VIDEO]][:6] == ["Video", f"{stands_for} Netflix", "reno", "4", "4", "8 Mbps"]
    assert rows[TITLES[BATCHED]][:6] == ["File transfer", f"{stands_for} Mega", "bbr", "5", "6", "none"]
    assert rows[TITLES[QUIC]][2] == "bbr declared, not measured"
    assert rows[TITLES[CUBIC]][1:3] == ["self-hosted", "cubic"]
    assert rows[TITLES[PAGE]][3:5] == ["–", "9"]


def test_a_live_service_is_called_live():
    hosted = campaign_of(qoe_config()).services[TEAMS]
    assert hosting(replace(hosted, live=Live("nothing"))) == "live, on the Internet"
    assert hosting(hosted) == "self-hosted"


def test_a_service_has_a_short_title_or_else_its_title():
    campaign = campaign_of(qoe_config())
    service = campaign.services[TEAMS]
    assert make_labels(campaign.services, campaign).short(TEAMS) == service.title
    named = replace(campaign, services=campaign.services | {TEAMS: replace(service, short="Teams")})
    assert make_labels(named.services, named).short(TEAMS) == "Teams"


def test_every_table_is_put_into_words(panel):
    page = panel.page("data/")
    for table in (*PER_TRIAL, *SUMMARIES):
        row = page.find(f".//tr[@id='table-{table}']")
        assert text(row.find("td")).startswith(load_schema(table).description), table
