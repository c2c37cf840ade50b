"""The project's formulas as functions and macros of DuckDB, for the SQL of the tables.

A Python function of DuckDB cannot return null. It returns NaN where the formula has no value, and the SQL
turns that into null.

The models of scripts/metrics/models.py get the testbed's constants here, for the SQL of the table models.
"""

import math
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from typing import Any

import duckdb

from scripts.metrics.completion import optimal_fct, slowdown, srpt_completion_times
from scripts.metrics.fairness import (
    LEVEL,
    LOSING_BELOW,
    SETTLED_WITHIN,
    fmp,
    fness,
    harm,
    jain,
    max_min_fair_rates,
    product,
    smallest_epsilon,
    verdict,
)
from scripts.metrics.loss_events import loss_event_rate_interval, loss_event_starts
from scripts.metrics.models import bbr_share, mathis, padhye
from scripts.metrics.qoe import held_longest, mean_over_time
from scripts.metrics.ranking import rankable
from scripts.metrics.session_weights import k_by_weights, k_scatter
from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES, PAYLOAD_BYTES
from scripts.tables.table_schema import FOLDER

CONFIDENCE = 0.95


def add_trial_formulas(connection: duckdb.DuckDBPyConnection) -> None:
    """Define what the tables of a trial use.

    These are mean_over_time, held_longest, optimal_fct, slowdown, srpt_completion_times and
    loss_event_starts.
    """
    for name, formula in (("mean_over_time", _mean_over_time), ("held_longest", _held_longest)):
        connection.create_function(name, formula, ["DOUBLE[]", "DOUBLE[]", "DOUBLE", "DOUBLE"], "DOUBLE")
    connection.create_function("optimal_fct", optimal_fct, ["DOUBLE"] * 3, "DOUBLE")
    connection.create_function("slowdown", slowdown, ["DOUBLE"] * 4, "DOUBLE")
    connection.create_function(
        "srpt_completion_times", srpt_completion_times, ["DOUBLE[]", "DOUBLE[]", "DOUBLE"], "DOUBLE[]"
    )
    connection.create_function("loss_event_starts", loss_event_starts, ["BIGINT[]", "BIGINT[]"], "BIGINT[]")


def add_formulas(connection: duckdb.DuckDBPyConnection) -> None:
    """Define what the tables of a cycle use.

    These are max_min_fair_rates, jain, product_measure, smallest_epsilon, fness, fmp, harm, optimal_fct,
    median_low, median_high, quantile_low, quantile_high, interval_by_days, spread_between, sign_p, rankable,
    leads_of, the comparisons of two samples, verdict and its tests, the throughput models, and the macros of
    macros.sql.
    """
    connection.create_function("max_min_fair_rates", max_min_fair_rates, ["DOUBLE", "DOUBLE[]"], "DOUBLE[]")
    connection.create_function("jain", _jain, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("product_measure", product, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("smallest_epsilon", _smallest_epsilon, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("fness", _fness, ["BIGINT", "BIGINT"], "DOUBLE")
    connection.create_function("fmp", _fmp, ["DOUBLE[]", "DOUBLE[]"], "DOUBLE[]")
    connection.create_function("harm", _harm, ["DOUBLE", "DOUBLE", "BOOLEAN"], "DOUBLE")
    connection.create_function("optimal_fct", optimal_fct, ["DOUBLE"] * 3, "DOUBLE")
    connection.create_function("median_low", _median_low, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("median_high", _median_high, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("quantile_low", _quantile_low, ["DOUBLE[]", "DOUBLE"], "DOUBLE")
    connection.create_function("quantile_high", _quantile_high, ["DOUBLE[]", "DOUBLE"], "DOUBLE")
    connection.create_function("interval_by_days", _interval_by_days, ["DOUBLE[]", "BIGINT[]"], "DOUBLE[]")
    connection.create_function("spread_between", _spread_between, ["DOUBLE[]", "VARCHAR[]"], "DOUBLE[]")
    connection.create_function("sign_p", _sign_p, ["INTEGER", "INTEGER"], "DOUBLE")
    connection.create_function("rankable", _rankable, ["VARCHAR[]", "VARCHAR[]"], "VARCHAR[]")
    _add_comparisons(connection)
    _add_verdicts(connection)
    connection.create_function("leads_of", _leads_of, ["DOUBLE[]", f"{_PART}[][]"], f"{_LEAD}[]")
    add_models(connection)
    connection.execute("set variable losing_below = $share", {"share": LOSING_BELOW})
    connection.execute("set variable settled_within = $change", {"change": SETTLED_WITHIN})
    connection.execute((FOLDER / "macros.sql").read_text(encoding="utf-8"))


def _jain(x: list[float]) -> float:
    return _or_nan(lambda: jain(x))


def _smallest_epsilon(x: list[float]) -> float:
    return _or_nan(lambda: smallest_epsilon(x))


def _add_comparisons(connection: duckdb.DuckDBPyConnection) -> None:
    """Define the comparisons of two samples, also within strata, and those of many tests.

    The variable margin_of_shifts is what the comparisons within strata tolerate.
    """
    # SciPy takes longer to import than the tables of a trial take to build, and they do not need it.
    from scripts.metrics.joint_intervals import difference_interval, ratio_interval
    from scripts.metrics.multiple_tests import holm, holm_of_groups
    from scripts.metrics.pair_prediction import parts_from_pairs
    from scripts.metrics.pooled_signs import pooled_sign_p
    from scripts.metrics.rank_sum import (
        rank_sum_p,
        shift_interval,
        smallest_p,
        smallest_shift,
        superiority,
    )
    from scripts.metrics.stratified import MARGIN, stratified_p, stratified_shift

    connection.create_function("rank_sum_p", rank_sum_p, ["DOUBLE[]", "DOUBLE[]"], "DOUBLE")
    connection.create_function("smallest_p", smallest_p, ["INTEGER", "INTEGER"], "DOUBLE")
    connection.create_function("smallest_shift", smallest_shift, ["DOUBLE[]", "DOUBLE[]", "DOUBLE"], "DOUBLE")
    connection.create_function(
        "shift_interval", shift_interval, ["DOUBLE[]", "DOUBLE[]", "DOUBLE"], "DOUBLE[]"
    )
    for name, interval in (("difference_interval", difference_interval), ("ratio_interval", ratio_interval)):
        connection.create_function(name, interval, ["DOUBLE[]", "DOUBLE[]", "DOUBLE"], "DOUBLE[]")
    connection.create_function(
        "parts_from_pairs", parts_from_pairs, ["VARCHAR[]", *["DOUBLE[]"] * 3], "DOUBLE[][]"
    )
    connection.create_function("superiority", superiority, ["DOUBLE[]", "DOUBLE[]"], "DOUBLE")
    connection.create_function("holm", holm, ["DOUBLE[]"], "DOUBLE[]")
    connection.create_function("pooled_sign_p", pooled_sign_p, ["BIGINT[]"] * 4, "DOUBLE")
    connection.create_function("holm_of_groups", holm_of_groups, ["DOUBLE[]", "VARCHAR[]"], "DOUBLE[]")
    for name, formula, result in (
        ("stratified_p", stratified_p, "DOUBLE"),
        ("stratified_shift", stratified_shift, "DOUBLE[]"),
    ):
        connection.create_function(name, formula, ["DOUBLE[][]", "DOUBLE[][]", "DOUBLE"], result)
    connection.execute("set variable margin_of_shifts = $margin", {"margin": MARGIN})


def _add_verdicts(connection: duckdb.DuckDBPyConnection) -> None:
    """Define verdict, signed_rank_p, smallest_signed_rank_p, benjamini_hochberg and the variable level."""
    from scripts.metrics.multiple_tests import benjamini_hochberg
    from scripts.metrics.signed_rank import signed_rank_p, smallest_signed_rank_p

    connection.create_function("signed_rank_p", signed_rank_p, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("smallest_signed_rank_p", smallest_signed_rank_p, ["INTEGER"], "DOUBLE")
    connection.create_function("benjamini_hochberg", benjamini_hochberg, ["DOUBLE[]", "INTEGER"], "DOUBLE[]")
    connection.create_function("verdict", verdict, [*["DOUBLE"] * 5, "BOOLEAN"], "VARCHAR")
    connection.execute("set variable level = $level", {"level": LEVEL})


_PART = "STRUCT(pair VARCHAR, trials DOUBLE[], solo VARCHAR, alone DOUBLE[])"
_LEAD = "STRUCT(rank_low INTEGER, rank_high INTEGER, shrunk DOUBLE, shrunk_low DOUBLE, shrunk_high DOUBLE)"


def _leads_of(values: list[float], figures: list[list[dict[str, Any]]]) -> list[dict[str, float]]:
    """The leads of some figures, whose parts are records."""
    from scripts.metrics.leads import Median, leads_of

    parts = [
        [Median(part["pair"], tuple(part["trials"]), part["solo"], tuple(part["alone"])) for part in figure]
        for figure in figures
    ]
    return [asdict(lead) for lead in leads_of(values, parts)]


def _rankable(services: list[str], opponents: list[str]) -> list[str]:
    """The services to rank; `opponents` names whom each of `services` met."""
    return rankable(zip(services, opponents, strict=True))


def _fness(bytes_a: int, bytes_b: int) -> float:
    return _or_nan(lambda: fness(bytes_a, bytes_b))


def _fmp(slot_bytes_a: list[float], slot_bytes_b: list[float]) -> tuple[float, ...]:
    """K, its lowest and highest value by other weights, and what scatter alone gives; NaN without slots."""
    try:
        session = slot_bytes_a, slot_bytes_b
        return fmp(*session), *k_by_weights(*session), k_scatter(*session)
    except ValueError:
        return (math.nan,) * 4


def _mean_over_time(times_s: list[float], values: list[float], start_s: float, stop_s: float) -> float:
    return _or_nan(lambda: mean_over_time(times_s, values, start_s, stop_s))


def _held_longest(times_s: list[float], values: list[float], start_s: float, stop_s: float) -> float:
    return _or_nan(lambda: held_longest(times_s, values, start_s, stop_s))


def _harm(solo: float, contended: float, more_is_better: bool) -> float:
    return _or_nan(lambda: harm(solo, contended, more_is_better))


def _or_nan(formula: Callable[[], float]) -> float:
    """The formula's value; NaN where it has none."""
    try:
        return formula()
    except ValueError:
        return math.nan


def _median_low(values: list[float]) -> float:
    """Low end of the median's interval; NaN where there is none."""
    return _interval(tuple(values))[0]


def _median_high(values: list[float]) -> float:
    """High end of the median's interval; NaN where there is none."""
    return _interval(tuple(values))[2]


@cache
def _interval(values: tuple[float, ...]) -> tuple[float, float, float]:
    """Cached: SQL asks for each end separately, and no other part of a cycle's tables takes longer."""
    from scripts.metrics.statistics import median_ci

    return median_ci(values, CONFIDENCE)


def _interval_by_days(values: list[float], days: list[int]) -> list[float]:
    from scripts.metrics.statistics import interval_by_days

    return list(interval_by_days(values, days, CONFIDENCE))


def _spread_between(values: list[float], groups: list[str]) -> list[float]:
    from scripts.metrics.statistics import spread_between

    return list(spread_between(values, groups))


def _sign_p(more: int, less: int) -> float:
    from scripts.metrics.statistics import sign_p

    return sign_p(more, less)


def _quantile_low(values: list[float], p: float) -> float:
    """Low end of a quantile's interval; NaN where there is none."""
    return _quantile_interval(tuple(values), p)[0]


def _quantile_high(values: list[float], p: float) -> float:
    """High end of a quantile's interval; NaN where there is none."""
    return _quantile_interval(tuple(values), p)[1]


@cache
def _quantile_interval(values: tuple[float, ...], p: float) -> tuple[float, float]:
    """Cached as the median's interval is."""
    from scripts.metrics.statistics import quantile_interval

    return quantile_interval(values, p, CONFIDENCE)


WINDOW_BYTES = 64 * 2**20
"""W_max: the socket buffers of every host of the testbed."""

PACKETS_PER_STEP = 1
"""b: Linux grows the window by the packets that are acknowledged, however few ACKs do so (RFC 3465)."""

SHORTEST_TIMEOUT_S = 0.2
"""Linux waits at least this much longer than the RTT before it retransmits (TCP_RTO_MIN)."""


def add_models(connection: duckdb.DuckDBPyConnection) -> None:
    """Define bbr_link_fraction, mathis_mbps, padhye_mbps and loss_event_rate_interval."""
    connection.create_function("bbr_link_fraction", bbr_link_fraction, ["INTEGER", *["DOUBLE"] * 3], "DOUBLE")
    connection.create_function("mathis_mbps", mathis_mbps, ["DOUBLE"] * 2, "DOUBLE")
    connection.create_function("padhye_mbps", padhye_mbps, ["DOUBLE"] * 2, "DOUBLE")
    connection.create_function(
        "loss_event_rate_interval", loss_event_rate_interval, ["BIGINT[]", "BIGINT[]"], "DOUBLE[]"
    )


def bbr_link_fraction(n_bbr: int, queue_packets: float, rate_mbps: float, rtt_s: float) -> float:
    """The fraction of the link that `n_bbr` BBR flows get beside loss-based ones, by the model of Ware et al.

    A packet is a full one with what the bottleneck charges for it. The queue in bandwidth-delay products is
    that of the true queue. NaN where the model gives no value.
    """
    capacity_pps = rate_mbps * 1e6 / (8 * (FULL_FRAME_BYTES + OVERHEAD_BYTES))
    try:
        return bbr_share(n_bbr, queue_packets, queue_packets / (capacity_pps * rtt_s), capacity_pps, rtt_s)
    except ValueError:  # the loss-based flows would keep less than nothing, or ProbeRTT would not fit 10 s
        return math.nan


def mathis_mbps(rtt_s: float, p: float) -> float:
    """The bound of Mathis for segments of full size, in Mbps of payload.

    Args:
        rtt_s: the RTT with queueing in seconds.
        p: the loss events per packet, in (0, 1].
    """
    return mathis(PAYLOAD_BYTES, rtt_s, p) / 1e6


def padhye_mbps(rtt_s: float, p: float) -> float:
    """The throughput by Padhye et al. for segments of full size, in Mbps of payload; arguments likewise."""
    packets_per_s = padhye(
        WINDOW_BYTES / PAYLOAD_BYTES, rtt_s, PACKETS_PER_STEP, rtt_s + SHORTEST_TIMEOUT_S, p
    )
    return packets_per_s * PAYLOAD_BYTES * 8 / 1e6
