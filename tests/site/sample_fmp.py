"""A made-up cycle of a sweep so large that its settings are shown together: by loss and discipline."""

import random
from functools import cache
from pathlib import Path

import pyarrow as pa

from tests.charts.sample_campaign import campaign_of, merged_config
from tests.charts.sample_cycle import per_trial_rows, summarised, trial_rows
from tests.charts.sample_files import write_unsealed

SWEEP = "link"
PAIR, SELF_PAIR = "iperf-bbr~iperf-cubic", "iperf-bbr~iperf-bbr"
LOSSES = tuple(place / 1000 for place in range(26))
DISCIPLINES = ("droptail", "red")
FEW = 5
"""The settings in which the self-pair is measured."""


def setting_name(loss: float, discipline: str) -> str:
    """The name of a setting of the sweep."""
    return f"{SWEEP}-{round(1000 * loss)}-{discipline}"


def fmp_config() -> dict:
    """The campaign's merged configuration."""
    config = merged_config()
    settings = {
        setting_name(loss, discipline): config["settings"]["8mbps"]
        | {"title": f"Swept, random loss {loss}, discipline {discipline}", "random_loss": loss}
        | {"sweep": {"of": SWEEP, "at": {"random_loss": loss, "discipline": discipline}}}
        for loss in LOSSES
        for discipline in DISCIPLINES
    }
    services = {name: config["services"][name] for name in ("iperf-bbr", "iperf-cubic")}
    return config | {"services": services, "settings": settings, "pairs": [SELF_PAIR, PAIR]}


@cache
def fmp_tables() -> dict[str, pa.Table]:
    """Every table of the cycle, by name: one trial of each pair in each setting."""
    rng, config = random.Random(6), fmp_config()
    trials = [
        row | {"setting": setting}
        for place, setting in enumerate(config["settings"])
        for pair in ([SELF_PAIR, PAIR] if place < FEW else [PAIR])
        for row in trial_rows(rng, "8mbps", pair, 1)
    ]
    return summarised(per_trial_rows(rng, [trials]), campaign_of(config))


def write_fmp(folder: Path) -> Path:
    """The cycle as a snapshot without charts and checksums."""
    return write_unsealed(folder, fmp_tables(), fmp_config())
