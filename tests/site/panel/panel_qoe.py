"""What the users of the sample's videos, calls, pages and batched downloads saw, from the rate they got."""

import random

from scripts.model.services import Service
from tests.charts.sample_campaign import DURATION_S
from tests.charts.sample_qoe import key

LOADS, LIMIT_S = 6, 20.0
HEIGHTS = {0: 0, 300: 240, 750: 360, 1750: 480, 3000: 720, 5000: 1080, 8000: 1080}


def qoe_rows(rng: random.Random, service: Service, row: dict) -> dict[str, list[dict]]:
    """The rows of one client in the tables of the quality of experience, by table."""
    if service.driver == "video":
        return _video(rng, service, row)
    if service.driver == "call":
        return {"qoe_rtc": [_call(rng, service, row)]}
    if service.driver == "page":
        return {"qoe_web": [_load(rng, row, number) for number in range(1, LOADS + 1)]}
    if service.driver == "batched_download":
        return {"qoe_batches": [_batch(rng, row, number) for number in range(1, 6)]}
    return {}


def _video(rng: random.Random, service: Service, row: dict) -> dict[str, list[dict]]:
    """A video holds the highest bitrate below its rate. Below the lowest one it never starts."""
    ladder = service.video.ladder_kbps if service.video else (300,)
    rate = row["throughput_mbps"] * 1000 * 0.9
    held = max((kbps for kbps in ladder if kbps <= rate), default=0)
    stalls = rng.choice((0, 0, 1, 3)) if row["contender"] else 0
    started = held > 0
    summary = key(row) | {
        "mean_bitrate_kbps": 0.9 * held,
        "held_bitrate_kbps": float(held),
        "held_height": HEIGHTS.get(held, 720),
        "switches": rng.randrange(5),
        "stalls": stalls if started else None,
        "stalled_s": 0.6 * stalls if started else None,
        "startup_s": rng.uniform(0.8, 3) if started else float(DURATION_S),
        "startup_censored": not started,
        "frames_shown": 230 if started else 0,
        "frames_dropped": 4 if started else 0,
    }
    return {
        "qoe_video": [summary],
        "qoe_video_series": [_second(row, at, ladder[0], held, stalls) for at in range(10)],
    }


def _second(row: dict, at: int, lowest: int, held: int, stalls: int) -> dict:
    bitrate = float(held if at >= 4 else min(lowest, held))
    shown = {"at_s": at, "bitrate_kbps": bitrate, "height": HEIGHTS.get(int(bitrate), 720)}
    return key(row) | shown | {"stalled": 0.6 if 5 <= at < 5 + stalls else 0.0}


def _call(rng: random.Random, service: Service, row: dict) -> dict:
    """A call that gets less than its limit shows a smaller picture, later."""
    limit = service.call.cap_kbps / 1000 if service.call else 2.6
    met = min(1.0, row["throughput_mbps"] / limit)
    return key(row) | {
        "held_height": 720 if met > 0.9 else 360 if met > 0.4 else 180,
        "frames_per_s": 12 + 17 * met,
        "freezes_per_minute": rng.uniform(0, 12) * (1.1 - met),
        "high_delay_fraction": rng.uniform(0.05, 0.6) if row["contender"] else 0.0,
        "received_mbps": row["throughput_mbps"] * 0.95,
    }


def _load(rng: random.Random, row: dict, number: int) -> dict:
    """The less a page gets, the longer it loads; at the limit the load is censored."""
    complete = min(LIMIT_S, rng.uniform(0.9, 1.6) * (1.2 + 14 / max(row["throughput_mbps"], 0.7)))
    censored = complete >= LIMIT_S
    return key(row) | {
        "load": number,
        "censored": censored,
        "visually_complete_s": round(complete, 1),
        "speed_index_s": round(0.7 * complete, 2),
        "load_event_s": None if censored else round(1.1 * complete, 2),
        "requests": 40,
        "received_bytes": 900_000,
    }


def _batch(rng: random.Random, row: dict, number: int) -> dict:
    return key(row) | {
        "batch": number,
        "start_s": 2.0 * number,
        "completion_s": rng.uniform(1.2, 1.9),
    }
