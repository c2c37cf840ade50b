"""The project's formulas as functions and macros of DuckDB, for the SQL of the tables.

A Python function of DuckDB cannot return null. It returns NaN where the formula has no value, and the SQL
turns that into null.

The models of scripts/metrics/models.py get the testbed's constants here, for the SQL of the table models.
"""

import math
from collections.abc import Callable
from dataclasses import asdict
from functools import cache, wraps
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
from scripts.metrics.joint_intervals import difference_interval, ratio_interval
from scripts.metrics.leads import Median, leads_of
from scripts.metrics.loss_events import loss_event_rate_interval, loss_event_starts
from scripts.metrics.models import bbr_share, mathis, padhye
from scripts.metrics.multiple_tests import benjamini_hochberg, holm, holm_of_groups
from scripts.metrics.pair_prediction import parts_from_pairs
from scripts.metrics.pooled_signs import pooled_sign_p
from scripts.metrics.qoe import held_longest, mean_over_time
from scripts.metrics.rank_sum import rank_sum_p, shift_interval, smallest_p, smallest_shift, superiority
from scripts.metrics.ranking import rankable
from scripts.metrics.session_weights import k_by_weights, k_scatter
from scripts.metrics.signed_rank import signed_rank_p, smallest_signed_rank_p
from scripts.metrics.statistics import interval_by_days, median_ci, quantile_interval, sign_p, spread_between
from scripts.metrics.stratified import MARGIN, stratified_p, stratified_shift
from scripts.model.link import FULL_FRAME_BYTES, OVERHEAD_BYTES, PAYLOAD_BYTES
from scripts.tables.table_schema import FOLDER

CONFIDENCE = 0.95


def add_trial_formulas(connection: duckdb.DuckDBPyConnection) -> None:
    """Define what the tables of a trial use.

    These are mean_over_time, held_longest, optimal_fct, slowdown, srpt_completion_times and
    loss_event_starts.
    """
    for name, formula in (("mean_over_time", mean_over_time), ("held_longest", held_longest)):
        connection.create_function(
            name, _or_nan(formula), ["DOUBLE[]", "DOUBLE[]", "DOUBLE", "DOUBLE"], "DOUBLE"
        )
    connection.create_function("optimal_fct", optimal_fct, ["DOUBLE"] * 3, "DOUBLE")
    connection.create_function("slowdown", slowdown, ["DOUBLE"] * 4, "DOUBLE")
    connection.create_function(
        "srpt_completion_times", srpt_completion_times, ["DOUBLE[]", "DOUBLE[]", "DOUBLE"], "DOUBLE[]"
    )
    connection.create_function("loss_event_starts", loss_event_starts, ["BIGINT[]", "BIGINT[]"], "BIGINT[]")


def add_formulas(connection: duckdb.DuckDBPyConnection) -> None:
    """Define what the tables of a cycle use.

    These are max_min_fair_rates, jain, product_measure, smallest_epsilon, fness, fmp, harm, optimal_fct,
    median_interval, quantile_interval, interval_by_days, spread_between, sign_p, rankable, leads_of, the
    comparisons of two samples, verdict and its tests, the throughput models, and the macros of macros.sql.
    """
    connection.create_function("max_min_fair_rates", max_min_fair_rates, ["DOUBLE", "DOUBLE[]"], "DOUBLE[]")
    connection.create_function("jain", _or_nan(jain), ["DOUBLE[]"], "DOUBLE")
    connection.create_function("product_measure", product, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("smallest_epsilon", _or_nan(smallest_epsilon), ["DOUBLE[]"], "DOUBLE")
    connection.create_function("fness", _or_nan(fness), ["BIGINT", "BIGINT"], "DOUBLE")
    connection.create_function("fmp", _fmp, ["DOUBLE[]", "DOUBLE[]"], "DOUBLE[]")
    connection.create_function("harm", _or_nan(harm), ["DOUBLE", "DOUBLE", "BOOLEAN"], "DOUBLE")
    connection.create_function("optimal_fct", optimal_fct, ["DOUBLE"] * 3, "DOUBLE")
    connection.create_function(
        "median_interval", lambda x: _median_interval(tuple(x)), ["DOUBLE[]"], "DOUBLE[]"
    )
    connection.create_function(
        "quantile_interval", lambda x, p: _quantile_interval(tuple(x), p), ["DOUBLE[]", "DOUBLE"], "DOUBLE[]"
    )
    connection.create_function("interval_by_days", _interval_by_days, ["DOUBLE[]", "BIGINT[]"], "DOUBLE[]")
    connection.create_function("spread_between", spread_between, ["DOUBLE[]", "VARCHAR[]"], "DOUBLE[]")
    connection.create_function("sign_p", sign_p, ["INTEGER", "INTEGER"], "DOUBLE")
    connection.create_function("rankable", _rankable, ["VARCHAR[]", "VARCHAR[]"], "VARCHAR[]")
    _add_comparisons(connection)
    _add_verdicts(connection)
    connection.create_function("leads_of", _leads_of, ["DOUBLE[]", f"{_PART}[][]"], f"{_LEAD}[]")
    add_models(connection)
    connection.execute("set variable losing_below = $share", {"share": LOSING_BELOW})
    connection.execute("set variable settled_within = $change", {"change": SETTLED_WITHIN})
    connection.execute((FOLDER / "macros.sql").read_text(encoding="utf-8"))


def _add_comparisons(connection: duckdb.DuckDBPyConnection) -> None:
    """Define the comparisons of two samples, also within strata, and those of many tests.

    The variable margin_of_shifts is what the comparisons within strata tolerate.
    """
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
    connection.create_function("signed_rank_p", signed_rank_p, ["DOUBLE[]"], "DOUBLE")
    connection.create_function("smallest_signed_rank_p", smallest_signed_rank_p, ["INTEGER"], "DOUBLE")
    connection.create_function("benjamini_hochberg", benjamini_hochberg, ["DOUBLE[]", "INTEGER"], "DOUBLE[]")
    connection.create_function("verdict", verdict, [*["DOUBLE"] * 5, "BOOLEAN"], "VARCHAR")
    connection.execute("set variable level = $level", {"level": LEVEL})


_PART = "STRUCT(pair VARCHAR, trials DOUBLE[], solo VARCHAR, alone DOUBLE[])"
_LEAD = "STRUCT(rank_low INTEGER, rank_high INTEGER, shrunk DOUBLE, shrunk_low DOUBLE, shrunk_high DOUBLE)"


def _leads_of(values: list[float], figures: list[list[dict[str, Any]]]) -> list[dict[str, float]]:
    """The leads of some figures, whose parts are records."""
    parts = [
        [Median(part["pair"], tuple(part["trials"]), part["solo"], tuple(part["alone"])) for part in figure]
        for figure in figures
    ]
    return [asdict(lead) for lead in leads_of(values, parts)]


def _rankable(services: list[str], opponents: list[str]) -> list[str]:
    """The services to rank; `opponents` names whom each of `services` met."""
    return rankable(zip(services, opponents, strict=True))


def _fmp(slot_bytes_a: list[float], slot_bytes_b: list[float]) -> tuple[float, ...]:
    """K, its lowest and highest value by other weights, and what scatter alone gives; NaN without slots."""
    try:
        session = slot_bytes_a, slot_bytes_b
        return fmp(*session), *k_by_weights(*session), k_scatter(*session)
    except ValueError:
        return (math.nan,) * 4


def _or_nan(formula: Callable[..., float]) -> Callable[..., float]:
    """The formula; NaN where it has no value."""

    @wraps(formula)  # DuckDB counts its parameters
    def or_nan(*values: Any) -> float:
        try:
            return formula(*values)
        except ValueError:
            return math.nan

    return or_nan


@cache
def _median_interval(values: tuple[float, ...]) -> tuple[float, float, float]:
    """Cached: SQL asks for each end separately, and no other part of a cycle's tables takes longer."""
    return median_ci(values, CONFIDENCE)


@cache
def _quantile_interval(values: tuple[float, ...], p: float) -> tuple[float, float]:
    """Cached as the median's interval is."""
    return quantile_interval(values, p, CONFIDENCE)


def _interval_by_days(values: list[float], days: list[int]) -> list[float]:
    return list(interval_by_days(values, days, CONFIDENCE))


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
