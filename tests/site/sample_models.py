"""A small made-up cycle for models and predictions: three services in pairs and all at once, with two queues.

Six trials of all three at once give intervals; everything else has two trials.
"""

import random
from functools import cache
from itertools import combinations
from pathlib import Path

import pyarrow as pa

from scripts.model.pairs import pair_name
from tests.charts.sample_campaign import SERVICES, campaign_of, merged_config
from tests.charts.sample_cycle import measured, per_trial_rows, summarised, trial_rows
from tests.charts.sample_files import write_unsealed

SHALLOW, DEEP = "link-queue-1", "link-queue-32"
QUEUES = {SHALLOW: (1, 32), DEEP: (32, 1024)}
"""The queue of each setting in bandwidth-delay products and in packets."""

BBR, CUBIC, RENO = SERVICES
ALL, BESIDE = pair_name(SERVICES), pair_name([BBR, CUBIC])
TRIALS = {ALL: 6}
RATE_MBPS, RATES_AT_ONCE = 8.0, {BBR: 0.5, CUBIC: 0.3, RENO: 0.1}
"""Three services at once get these parts of the link."""


def models_config() -> dict:
    """The campaign's merged configuration."""
    config = merged_config()
    link = config["settings"]["8mbps"]
    settings = {
        name: link
        | {"title": f"Link, queue {bdp}", "queue_bdp": bdp, "queue_packets": packets}
        | {"sweep": {"of": "link", "at": {"queue_bdp": bdp}}}
        for name, (bdp, packets) in QUEUES.items()
    }
    pairs = [*map(pair_name, combinations(SERVICES, 2)), ALL]
    return config | {"title": "Models and predictions", "settings": settings, "pairs": sorted(pairs)}


@cache
def models_tables() -> dict[str, pa.Table]:
    """Every table of the cycle, by name."""
    rng, settings = random.Random(5), []
    config = models_config()
    for setting in QUEUES:
        rows = [
            row
            for pair in sorted([*config["pairs"], RENO])
            for number in range(1, TRIALS.get(pair, 2) + 1)
            for row in trial_rows(rng, "8mbps", pair, number)
        ]
        for row in rows:
            row |= {"setting": setting, "valid": True, "reason": None, "window_s": 60.0}
            if row["pair"] == ALL:
                row |= measured(rng, RATE_MBPS, RATES_AT_ONCE[row["service"]]) | {"utilization": 0.9}
        settings.append(rows)
    return summarised(per_trial_rows(rng, settings), campaign_of(config))


def write_models(folder: Path) -> Path:
    """The cycle as a snapshot without charts and checksums."""
    return write_unsealed(folder, models_tables(), models_config())
