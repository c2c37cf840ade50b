"""A small made-up cycle with browsers: two videos, two calls, two pages and a batched download, on one link.

Every service is measured alone. Videos, calls and pages are also measured against others. The rows of the
quality of experience are made up one by one, so that tests know what a chart or a page must show.
"""

import random
from functools import cache
from pathlib import Path

import pyarrow as pa

from scripts.model.pairs import pair_name
from tests.charts.sample_campaign import campaign_of, merged_config
from tests.charts.sample_cycle import per_trial_rows, summarised, trial_rows
from tests.charts.sample_files import write_unsealed

SETTING = "8mbps"
CUBIC, BATCHED = "iperf-cubic", "ref-file-batched-5-bbr"
VIDEO, QUIC = "ref-video-4-reno", "ref-video-quic-bbr"
CALL, TEAMS = "ref-call-1500kbps", "ref-call-2600kbps"
PAGE, IMAGES = "ref-page-text", "ref-page-images"
METRIC_KINDS = {VIDEO: "video", QUIC: "video", CALL: "rtc", TEAMS: "rtc", PAGE: "web", IMAGES: "web"}
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
"""Measured flows at once. The batched download has one more than declared."""

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
"""Title, category, driver, CCA, flows, and the other keys of the catalogue."""


def services() -> dict[str, dict]:
    """The services of the merged configuration."""
    return {
        name: {"name": name, "title": title, "category": category, "driver": driver, "cca": cca}
        | {"probe": {"port": 443}}
        | ({"flows": flows} if flows else {})
        | ({} if driver == "iperf" else {"hosts": ["a.test"], "origin": {"protocol": "h1"}})
        | more
        for name, (title, category, driver, cca, flows, more) in CATALOGUE.items()
    }


def qoe_config() -> dict:
    """The campaign's merged configuration."""
    config = merged_config() | {"title": "Applications on one link", "services": services()}
    return config | {"settings": {SETTING: config["settings"][SETTING]}}


@cache
def qoe_tables() -> dict[str, pa.Table]:
    """Every table of the cycle, by name. Those of trials are made up here, the others come from their SQL."""
    rng = random.Random(2)
    names = [*CATALOGUE, *map(pair_name, [*MET, (CUBIC, BATCHED)])]
    trials = [row for pair in sorted(names) for row in trial_rows(rng, SETTING, pair, 1)]
    rows = per_trial_rows(rng, [trials])
    for row in trials:
        row["cca"] = CATALOGUE[row["service"]][3]
    rows["trial_flows"] = [copy for flow in rows["trial_flows"] for copy in flows_like(flow)]
    clients = [row for row in trials if row["service"] in METRIC_KINDS]
    rows["qoe_video"] = [video_row(row) for row in clients if kind(row) == "video"]
    rows["qoe_video_series"] = [second for row in clients if kind(row) == "video" for second in seconds(row)]
    rows["qoe_rtc"] = [call_row(row) for row in clients if kind(row) == "rtc"]
    rows["qoe_web"] = [load for row in clients if kind(row) == "web" for load in load_rows(row)]
    return summarised(rows, campaign_of(qoe_config()))


def flows_like(flow: dict) -> list[dict]:
    """A flow with its number of flows at once. A page has the flows of all its loads."""
    count = FLOWS_OF_A_LOAD * LOADS if METRIC_KINDS.get(flow["service"]) == "web" else 1
    at_once = FLOWS.get(flow["service"], 1)
    return [flow | {"flow": flow["flow"] + 2 * place, "concurrent_flows": at_once} for place in range(count)]


def kind(row: dict) -> str:
    """The kind of quality of experience that the row's service has."""
    return METRIC_KINDS[row["service"]]


def key(row: dict) -> dict:
    """The columns that every table of a trial begins with."""
    names = ("setting", "pair", "trial", "client", "service", "contender", "valid")
    return {name: row[name] for name in names}


def video_row(row: dict) -> dict:
    """The figures of a player. Against a contender, the bitrate is half as high."""
    held = 1500.0 if row["contender"] else 3000.0
    return key(row) | {
        "mean_bitrate_kbps": held - 400,
        "held_bitrate_kbps": held,
        "held_height": 720,
        "switches": 3,
        "stalls": 1,
        "stalled_s": STALL_PART,
        "startup_s": 1.25,
        "startup_censored": False,
        "frames_shown": 230,
        "frames_dropped": 4,
    }


def seconds(row: dict) -> list[dict]:
    """A video that starts with a low bitrate, and stalls once for half a second."""
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
    """The figures of a call. Against a contender, one packet in eight is late."""
    return key(row) | {
        "held_height": 360,
        "frames_per_s": 28.5,
        "freezes_per_minute": 2.0,
        "high_delay_fraction": 0.125 if row["contender"] else 0.0,
        "received_mbps": 1.4,
    }


def load_rows(row: dict) -> list[dict]:
    """Each load takes a little longer than the previous one, and two seconds more against a contender."""
    first = 3.4 if row["contender"] else 1.4
    return [
        key(row)
        | {
            "load": load,
            "censored": False,
            "visually_complete_s": round(first + load / 5, 1),
            "speed_index_s": 1.1,
            "load_event_s": 2.0,
            "requests": 40,
            "received_bytes": 900_000,
        }
        for load in range(1, LOADS + 1)
    ]


def write_qoe(folder: Path) -> Path:
    """The cycle as a snapshot without charts and checksums."""
    return write_unsealed(folder, qoe_tables(), qoe_config())
