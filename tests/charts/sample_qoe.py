"""A small made-up cycle with browsers: two videos, two calls, two pages and a batched download, on one link.

Every service is measured alone, videos, calls and pages also against others. What people felt is made up row
by row, so that a test can say what a chart or a page has to show.
"""

import json
import random
from functools import cache
from pathlib import Path

import pyarrow as pa

from scripts.model.pairs import pair_name
from tests.charts.sample_cycle import per_trial_rows, summarised, trial_rows
from tests.charts.sample_files import cycle_json, merged_config, write_published, write_tables

SETTING = "8mbps"
CUBIC, BATCHED = "iperf-cubic", "ref-file-batched-5-bbr"
VIDEO, QUIC = "ref-video-4-reno", "ref-video-quic-bbr"
CALL, TEAMS = "ref-call-1500kbps", "ref-call-2600kbps"
PAGE, IMAGES = "ref-page-text", "ref-page-images"
FELT = {VIDEO: "video", QUIC: "video", CALL: "rtc", TEAMS: "rtc", PAGE: "web", IMAGES: "web"}
MET = [
    (VIDEO, CUBIC),
    (VIDEO, BATCHED),
    (CALL, CUBIC),
    (CALL, VIDEO),
    (TEAMS, CUBIC),
    (PAGE, CUBIC),
    (IMAGES, BATCHED),
]
FLOWS = {BATCHED: 6, VIDEO: 4}
"""At once, as measured; of the batched download one more than declared."""

FLOWS_OF_A_LOAD = 9

LOADS = 6
STALL_AT_S, STALL_PART = 5, 0.5

CATALOGUE = {
    CUBIC: ("iPerf (Cubic)", "Baseline", "iperf", "cubic", 1, {}),
    BATCHED: ("File in batches (BBR)", "File transfer", "batched_download", "bbr", 5, {"stands_for": "Mega"}),
    VIDEO: (
        "Video over four flows (Reno)",
        "Video",
        "video",
        "reno",
        4,
        {"stands_for": "Netflix", "video": {"ladder_kbps": [750, 8000]}},
    ),
    QUIC: (
        "Video over QUIC (BBR)",
        "Video",
        "video",
        None,
        1,
        {"stands_for": "YouTube", "origin": {"protocol": "h3", "quic_cca": "bbr"}},
    ),
    CALL: ("Call at 1.5 Mbps", "RTC", "call", None, 1, {"metric": "rtc", "stands_for": "Google Meet"}),
    TEAMS: ("Call at 2.6 Mbps", "RTC", "call", None, 1, {"metric": "rtc"}),
    PAGE: ("Page of text", "Web", "page", "bbr", None, {"metric": "web", "stands_for": "wikipedia.org"}),
    IMAGES: ("Page of images", "Web", "page", "bbr", None, {"metric": "web"}),
}
"""Title, category, driver, CCA, flows, and what else the catalogue has."""


def services() -> dict[str, dict]:
    """The services as the merged configuration has them."""
    return {
        name: {"name": name, "title": title, "category": category, "driver": driver, "cca": cca}
        | ({"flows": flows} if flows else {})
        | ({} if driver == "iperf" else {"hosts": ["a.test"], "origin": {"protocol": "h1"}})
        | more
        for name, (title, category, driver, cca, flows, more) in CATALOGUE.items()
    }


def panel_config() -> dict:
    """The campaign's merged configuration."""
    config = merged_config() | {"title": "Applications on one link", "services": services()}
    return config | {"settings": {SETTING: config["settings"][SETTING] | {"precision_mbps": 0.5}}}


@cache
def panel_tables() -> dict[str, pa.Table]:
    """Every table of the cycle, by name: those of the trials made up here, the others by their own SQL."""
    rng = random.Random(2)
    names = [*CATALOGUE, *map(pair_name, [*MET, (CUBIC, BATCHED)])]
    trials = [row for pair in sorted(names) for row in trial_rows(rng, SETTING, pair, 1)]
    rows = per_trial_rows(rng, [trials])
    for row in trials:
        row["cca"] = CATALOGUE[row["service"]][3]
    rows["trial_flows"] = [copy for flow in rows["trial_flows"] for copy in flows_like(flow)]
    felt = [row for row in trials if row["service"] in FELT]
    rows["qoe_video"] = [video_row(row) for row in felt if kind(row) == "video"]
    rows["qoe_video_series"] = [second for row in felt if kind(row) == "video" for second in seconds(row)]
    rows["qoe_rtc"] = [call_row(row) for row in felt if kind(row) == "rtc"]
    rows["qoe_web"] = [load for row in felt if kind(row) == "web" for load in load_rows(row)]
    return summarised(rows, panel_config())


def flows_like(flow: dict) -> list[dict]:
    """One flow that says how many there were at once; of a page all those of its loads."""
    count = FLOWS_OF_A_LOAD * LOADS if FELT.get(flow["service"]) == "web" else 1
    at_once = FLOWS.get(flow["service"], 1)
    return [flow | {"flow": flow["flow"] + 2 * place, "concurrent_flows": at_once} for place in range(count)]


def kind(row: dict) -> str:
    """What people feel of a row's service."""
    return FELT[row["service"]]


def key(row: dict) -> dict:
    """The columns with which every table of a trial begins."""
    names = ("setting", "pair", "trial", "client", "service", "contender", "valid")
    return {name: row[name] for name in names}


def video_row(row: dict) -> dict:
    """What one player saw: beside a contender half the bitrate."""
    held = 1500.0 if row["contender"] else 3000.0
    return key(row) | {
        "mean_bitrate_kbps": held - 400,
        "held_bitrate_kbps": held,
        "held_height": 720,
        "switches": 3,
        "stalls": 1,
        "stalled_s": STALL_PART,
        "startup_s": 1.25,
        "frames_shown": 230,
        "frames_dropped": 4,
    }


def seconds(row: dict) -> list[dict]:
    """A video that starts low, and stands still for half a second once."""
    return [
        key(row)
        | {
            "at_s": second,
            "bitrate_kbps": 750.0 if second < 4 else 3000.0,
            "height": 360 if second < 4 else 720,
            "stalled": STALL_PART if second == STALL_AT_S else 0.0,
        }
        for second in range(10)
    ]


def call_row(row: dict) -> dict:
    """What one end of a call saw: beside a contender one packet in eight comes late."""
    return key(row) | {
        "held_height": 360,
        "frames_per_s": 28.5,
        "freezes_per_minute": 2.0,
        "high_delay_fraction": 0.125 if row["contender"] else 0.0,
        "received_mbps": 1.4,
    }


def load_rows(row: dict) -> list[dict]:
    """Each load takes a little longer than the one before, and beside a contender two seconds more."""
    first = 3.4 if row["contender"] else 1.4
    return [
        key(row)
        | {
            "load": load,
            "visually_complete_s": round(first + load / 5, 1),
            "speed_index_s": 1.1,
            "load_event_s": 2.0,
            "requests": 40,
            "received_bytes": 900_000,
        }
        for load in range(1, LOADS + 1)
    ]


def write_panel(folder: Path) -> Path:
    """Everything the site is made from but the charts: tables/, published/, merged.json, cycle.json."""
    tables = panel_tables()
    write_tables(tables, folder / "tables")
    write_published(tables, folder / "published")
    (folder / "merged.json").write_text(json.dumps(panel_config()))
    (folder / "cycle.json").write_text(json.dumps(cycle_json()))
    return folder
