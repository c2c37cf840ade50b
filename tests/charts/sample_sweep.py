"""A sweep and a comparison with a previous cycle, made up for the tests of the charts and the site."""

import pyarrow as pa

from scripts.base.records import Scalar
from scripts.model.pairs import pair_name
from scripts.model.settings import Setting, Sweep
from scripts.tables.table_schema import load_schema

PAIR = "iperf-bbr~iperf-cubic"
QUEUES_BDP = (0.5, 1, 2, 4)
METRICS = (
    *("share", "utilization", "loss_rate", "queueing_delay_ms"),
    *("harm_throughput", "harm_delay", "harm_loss"),
)
UNMEASURED = {"instance": "first", "unable": "", "n": 0, "excluded": 0, "allocation_mbps": 4.0}
UNMEASURED |= {f"{metric}_n": 0 for metric in METRICS}
"""What a row of `pairs` has without a valid trial."""


def swept_setting(title: str, at: dict[str, Scalar] | None = None) -> Setting:
    """A setting of the sweep `link` with these swept values, or one that belongs to no sweep."""
    sweep = Sweep("link", at) if at else None
    return Setting(
        title=title, rate_mbps=8, rtt_ms=50, discipline="droptail", precision_mbps=0.5, sweep=sweep
    )


def sweep_settings(rates: tuple[float, ...] = ()) -> dict[str, Setting]:
    """The settings of a sweep over the queue, and also over these rates if there are any."""
    at = [
        {"queue_bdp": queue} | ({"rate_mbps": rate} if rates else {})
        for queue in QUEUES_BDP
        for rate in rates or (8,)
    ]
    return {
        "link-" + "-".join(str(value).replace(".", "p") for value in values.values()): swept_setting(
            ", ".join(["Swept", *(f"{key} {value}" for key, value in values.items())]), values
        )
        for values in at
    }


def sweep_pairs(settings: dict[str, Setting]) -> pa.Table:
    """Rows of `pairs`: the deeper the queue, the less BBR gets; none measured at 2 BDP, no interval at 4."""
    rows = []
    for name, setting in settings.items():
        queue = setting.sweep.at["queue_bdp"]
        for incumbent, contender, share in (
            ("iperf-bbr", "iperf-cubic", 1.8 - 0.3 * queue),
            ("iperf-cubic", "iperf-bbr", 0.2 + 0.3 * queue),
        ):
            measured = {
                "n": 6,
                "share_n": 6,
                "share_median": share,
                "share_low": share - 0.1 if queue < 4 else None,
                "share_high": share + 0.1 if queue < 4 else None,
            }
            row = {"setting": name, "pair": PAIR, "incumbent": incumbent, "contender": contender}
            rows.append(row | UNMEASURED | (measured if queue != 2 else {}))
    return pa.Table.from_pylist(rows, schema=load_schema("pairs").arrow)


def changes_rows(setting: str = "8mbps", control_moved: bool = False) -> pa.Table:
    """Rows of `changes`: BBR against Cubic changed, its opposite did not, and there is a control."""
    rows = [
        _change(setting, "iperf-bbr", "iperf-cubic", (3.0, 4.5), False, True),
        _change(setting, "iperf-cubic", "iperf-bbr", (4.0, 3.9), False, False),
        _change(setting, "iperf-reno", "iperf-reno", (3.5, 3.5 + control_moved), True, control_moved),
    ]
    return pa.Table.from_pylist(rows, schema=load_schema("changes").arrow)


def service_changes_rows(setting: str = "8mbps") -> pa.Table:
    """Rows of `service_changes`: BBR got more over its pairs, and Reno as before."""
    services = [
        ("iperf-bbr", False, (0.3, 0.4, 0.5), "changed"),
        ("iperf-reno", True, (-0.02, 0.0, 0.04), "as before"),
    ]
    rows = [
        {
            "setting": setting,
            "service": service,
            "control": control,
            "pairs": 2,
            "before_n": 20,
            "after_n": 20,
        }
        | {"family": "control" if control else "services", "margin": 0.1, "tested": 1}
        | dict(zip(("shift_low", "shift", "shift_high"), shift, strict=True))
        | {"p": 1.0 if control else 0.001, "p_corrected": 1.0 if control else 0.001, "verdict": verdict}
        for service, control, shift, verdict in services
    ]
    return pa.Table.from_pylist(rows, schema=load_schema("service_changes").arrow)


def recognition_rows(setting: str = "8mbps") -> pa.Table:
    """Rows of `recognition`: BBR was taken for Cubic before, and Reno is unknown."""
    each = {"setting": setting, "n": 10, "named": 9, "library": "abc123", "before_library": "abc123"}
    rows = [
        each | {"service": "iperf-bbr", "family": "BBRv1-like", "before": "Cubic-like", "changed": True},
        each
        | {"service": "iperf-reno", "family": "unknown", "reason": "trials disagree", "before": "unknown"},
    ]
    return pa.Table.from_pylist(rows, schema=load_schema("recognition").arrow)


def _change(
    setting: str, incumbent: str, contender: str, medians: tuple[float, float], control: bool, changed: bool
) -> dict:
    before, after = medians
    return {
        "setting": setting,
        "pair": pair_name([incumbent, contender]),
        "incumbent": incumbent,
        "contender": contender,
        "instance": "worse_off" if incumbent == contender else "first",
        "control": control,
        "family": "control" if control else "services",
        "tested": 1 if control else 2,
        "before_n": 10,
        "before_median_mbps": before,
        "after_n": 10,
        "after_median_mbps": after,
        "difference_mbps": after - before,
        "relative_difference": after / before - 1,
        "superiority": 0.97 if changed else 0.5,
        "p": 0.001 if changed else 0.9,
        "p_corrected": 0.003 if changed else 1.0,
        "changed": changed,
        "smallest_p": 1.1e-5,
        "detectable": True,
        "smallest_shift_mbps": 0.5,
    }
