"""A small made-up cycle with browsers: two videos, two calls, two pages and a batched download, on one link.

Every service is measured alone, videos, calls and pages also against others. What people felt is made up row
by row, so that a test can say what a chart or a page has to show.
"""

import json
import random
from functools import cache
from pathlib import Path

import pyarrow as pa

from scripts.pairs import pair_name
from tests.charts.sample_cycle import checked, per_trial_rows, summarised, trial_rows
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
MET_BY_BOTH = [*MET, (VIDEO, CALL)]
LOADS = 3
STALL_AT_S, STALL_PART = 5, 0.5

CATALOGUE = {
    CUBIC: ("iPerf (Cubic)", "Baseline", "iperf", "cubic", 1, {}),
    BATCHED: ("File in batches (BBR)", "File transfer", "batched_download", "bbr", 5, {"stands_for": "Mega"}),
    VIDEO: ("Video over four flows (Reno)", "Video", "video", "reno", 4, {"stands_for": "Netflix"}),
    QUIC: ("Video over QUIC (BBR)", "Video", "video", None, 1, {"stands_for": "YouTube"}),
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
    """Every table of the cycle, by name."""
    rng = random.Random(2)
    names = [*CATALOGUE, *map(pair_name, [*MET, (CUBIC, BATCHED)])]
    trials = [row for pair in sorted(names) for row in trial_rows(rng, SETTING, pair, 1)]
    tables = summarised(per_trial_rows(rng, [trials]), panel_config())
    felt = [row for row in trials if row["service"] in FELT]
    return tables | {
        "qoe_video": checked("qoe_video", [video_row(row) for row in felt if kind(row) == "video"]),
        "qoe_video_series": checked(
            "qoe_video_series", [second for row in felt if kind(row) == "video" for second in seconds(row)]
        ),
        "qoe_rtc": checked("qoe_rtc", [call_row(row) for row in felt if kind(row) == "rtc"]),
        "qoe_web": checked(
            "qoe_web", [load for row in felt if kind(row) == "web" for load in load_rows(row)]
        ),
        "qoe_pairs": checked("qoe_pairs", qoe_pairs_rows()),
        "workloads": checked("workloads", [workload_row(name) for name in sorted(CATALOGUE)]),
    }


def kind(row: dict) -> str:
    """What people feel of a row's service."""
    return FELT[row["service"]]


def key(row: dict) -> dict:
    """The columns with which every table of a trial begins."""
    names = ("setting", "pair", "trial", "client", "service", "contender", "valid")
    return {name: row[name] for name in names}


def video_row(row: dict) -> dict:
    """What one player saw."""
    return key(row) | {
        "mean_bitrate_kbps": 2600.0,
        "held_bitrate_kbps": 3000.0,
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
    """What one end of a call saw."""
    return key(row) | {
        "held_height": 360,
        "frames_per_s": 28.5,
        "freezes_per_minute": 2.0,
        "high_delay_fraction": 0.125,
        "received_mbps": 1.4,
    }


def load_rows(row: dict) -> list[dict]:
    """Each load of a page takes a little longer than the one before."""
    return [
        key(row)
        | {
            "load": load,
            "visually_complete_s": 1.5 + load / 10,
            "speed_index_s": 1.1,
            "load_event_s": 2.0,
            "requests": 40,
            "received_bytes": 900_000,
        }
        for load in range(1, LOADS + 1)
    ]


METRICS = {
    "video": {"video_bitrate_kbps": 3000.0, "video_stalled_s": 0.5},
    "rtc": {
        "rtc_height": 360.0,
        "rtc_frames_per_s": 28.5,
        "rtc_freezes_per_minute": 2.0,
        "rtc_high_delay_fraction": 0.125,
    },
    "web": {"web_visually_complete_s": 1.7, "web_speed_index_s": 1.1},
}


def qoe_pairs_rows() -> list[dict]:
    """Medians that a contender halves; an interval there is alone, where n is six."""
    return [
        {
            "setting": SETTING,
            "service": service,
            "contender": contender,
            "metric": metric,
            "n": 2 if contender else 6,
            "median": value * (0.5 if contender else 1),
            "q1": value * (0.4 if contender else 0.9),
            "q3": value * (0.6 if contender else 1.1),
            "low": None if contender else value * 0.8,
            "high": None if contender else value * 1.2,
            "trials": "1,2" if contender else "1,2,3,4,5,6",
        }
        for service, contender in sorted([(service, "") for service in FELT] + MET_BY_BOTH)
        for metric, value in METRICS[FELT[service]].items()
    ]


def workload_row(service: str) -> dict:
    """A service as measured alone: one flow more than declared, so that it can be told which is shown."""
    _title, category, driver, cca, flows, _more = CATALOGUE[service]
    return {
        "setting": SETTING,
        "service": service,
        "category": category,
        "driver": driver,
        "cca_asked": cca,
        "cca_in_effect": cca or "bbr",
        "cca_measured": cca is not None,
        "flows_declared": flows,
        "flows_measured": None if service == QUIC else float((flows or 9) + (flows != 1)),
        "cap_mbps": 8.0 if driver == "video" else None,
        "solo_throughput_mbps": 6.5,
        "n": 2,
    }


def write_panel(folder: Path) -> Path:
    """Everything the site is made from but the charts: tables/, published/, merged.json, cycle.json."""
    tables = panel_tables()
    write_tables(tables, folder / "tables")
    write_published(tables, folder / "published")
    (folder / "merged.json").write_text(json.dumps(panel_config()))
    (folder / "cycle.json").write_text(json.dumps(cycle_json()))
    return folder
