"""The figures of generated flows: over trials, over flows, of groups, and with flows that did not end."""

import random

import pytest

from scripts.metrics.statistics import median_ci
from tests.tables.built import built
from tests.tables.campaigns import campaign

RTT_MS, RATE_MBPS = 50.0, 8.0
SELF_PAIR = {"c1": "worse_off", "c2": "better_off", "c3": "further"}


def flow_row(trial, flow, slowdown, **changes):
    """A flow of 2 kB that started in the window of a valid trial."""
    row = {
        "setting": "8mbps",
        "pair": "bulk~flows",
        "trial": trial,
        "client": "c2",
        "service": "flows",
        "contender": "bulk",
        "valid": True,
        "flow": flow,
        "flow_group": flow,
        "size_bytes": 2000,
        "rate_mbps": RATE_MBPS,
        "rtt_ms": RTT_MS,
        "started_ns": 1_000_000_000 * (flow + 1),
        "fct_ms": 52.0 * slowdown,
        "optimal_ms": 52.0,
        "slowdown": slowdown,
        "censored": False,
        "counted": True,
    }
    return row | changes


def completions(flows, folder, self_pair=False, instances=None):
    """The rows of the table, by size class, instance, subject, metric and statistic."""
    instances = instances or (SELF_PAIR if self_pair else {})
    clients = {(row["pair"], row["trial"], row["client"]): row for row in flows}
    services = [
        row | {"instance": instances.get(row["client"], "first"), "self_pair": self_pair}
        for row in clients.values()
    ]
    given = {"trial_completions": flows, "trial_services": services}
    found = built("completions", given, folder, campaign())
    return {
        (row["size_class"], row["instance"], row["subject"], row["metric"], row["statistic"]): row
        for row in found.to_pylist()
    }


def slowdowns(flows, folder, statistic):
    """The row of one statistic of the slowdown of all flows."""
    return completions(flows, folder)["all", "first", "flow", "slowdown", statistic]


@pytest.mark.parametrize("trials", [5, 6, 11])
def test_the_interval_is_over_trials_and_there_is_none_below_six(trials, tmp_path):
    """Trial k has the flows 1 and k, so its mean is (1 + k) / 2."""
    flows = [
        flow_row(trial, flow, slowdown)
        for trial in range(1, trials + 1)
        for flow, slowdown in enumerate((1.0, float(trial)))
    ]
    row = slowdowns(flows, tmp_path, "mean")
    low, median, high = median_ci([(1 + trial) / 2 for trial in range(1, trials + 1)])
    expected = (None, None) if trials < 6 else (low, high)
    assert (trials, 2 * trials, median) == (row["n"], row["flows"], row["median"])
    assert expected == (row["low"], row["high"])


def test_pooled_figures_are_over_the_flows_of_all_trials(tmp_path):
    """A trial with one flow weighs as much as one with nine, except in the pooled figures."""
    flows = [flow_row(1, 0, 11.0), *(flow_row(2, flow, 1.0) for flow in range(9))]
    mean, worst = (slowdowns(flows, tmp_path, statistic) for statistic in ("mean", "maximum"))
    assert (2.0, 6.0) == (mean["pooled"], mean["median"])
    assert (11.0, 6.0) == (worst["pooled"], worst["median"])


def test_a_flow_that_did_not_end_makes_the_figures_above_it_lower_bounds(tmp_path):
    flows = [
        flow_row(trial, flow, float(slowdown), censored=slowdown == 8)
        for trial, of_trial in enumerate(((1, 2, 3), (1, 2, 8)), start=1)
        for flow, slowdown in enumerate(of_trial)
    ]
    rows = {name: slowdowns(flows, tmp_path, name) for name in ("median", "mean", "maximum")}
    assert {("median", 1, False), ("mean", 1, True), ("maximum", 1, True)} == {
        (name, row["censored"], row["pooled_at_least"]) for name, row in rows.items()
    }
    assert (2.0, None) == (rows["median"]["median"], rows["median"]["at_least"])
    assert (5.5, 4.25) == (rows["maximum"]["median"], rows["maximum"]["at_least"]), "the lower quartile"


def test_a_group_lasts_until_its_last_flow_and_has_the_bytes_of_all(tmp_path):
    """150 kB on 8 Mbps take 150 ms and an RTT. The second flow starts 10 ms late and takes 400 ms."""
    flows = [
        flow_row(1, 0, 2.0, fct_ms=300.0, size_bytes=100_000, flow_group=0, retransmissions=3),
        flow_row(1, 1, 4.0, fct_ms=400.0, size_bytes=50_000, flow_group=0, started_ns=1_010_000_000),
        flow_row(1, 2, 2.0),
    ]
    rows = completions(flows, tmp_path)
    groups = {key[3]: row for key, row in rows.items() if key[2] == "group" and key[4] == "maximum"}
    assert {"fct_ms", "slowdown"} == groups.keys(), "the retransmissions of one flow are unknown"
    assert (410.0, 1) == (groups["fct_ms"]["pooled"], groups["fct_ms"]["flows"])
    assert pytest.approx(410 / 200) == groups["slowdown"]["pooled"]
    assert "100 to 300 kB" in {key[0] for key in rows if key[2] == "group"}


def test_a_group_of_limited_flows_takes_at_least_as_long_as_its_slowest_flow(tmp_path):
    limited = {"rate_limit_mbps": 1.0, "optimal_ms": 850.0, "size_bytes": 100_000, "flow_group": 0}
    flows = [flow_row(1, flow, 1.0, fct_ms=850.0, started_ns=0, **limited) for flow in (0, 1)]
    assert 1.0 == completions(flows, tmp_path)["all", "first", "group", "slowdown", "maximum"]["pooled"]


def test_a_size_belongs_to_one_class(tmp_path):
    sizes = [1, 999, 1000, 2999, 3000, 99_999, 100_000, 29_999_999, 30_000_000]
    rows = completions([flow_row(1, flow, 1.0, size_bytes=size) for flow, size in enumerate(sizes)], tmp_path)
    counts = {key[0]: row["flows"] for key, row in rows.items()}
    assert {
        "all": 9,
        "below 1 kB": 2,
        "1 to 3 kB": 2,
        "3 to 10 kB": 1,
        "30 to 100 kB": 1,
        "100 to 300 kB": 1,
        "10 to 30 MB": 1,
        "30 MB and more": 1,
    } == counts


def pooled_slowdowns(rows, statistic):
    """The pooled slowdown of all flows, by instance."""
    return {
        key[1]: row["pooled"]
        for key, row in rows.items()
        if (key[0], *key[2:]) == ("all", "flow", "slowdown", statistic)
    }


def test_a_self_pair_has_its_first_client_its_second_one_and_both(tmp_path):
    """By the wire rate, the second client is better off. A third one does not count."""
    flows = [flow_row(1, 0, float(place), client=f"c{place}") for place in (1, 2, 3)]
    rows = completions(flows, tmp_path, self_pair=True)
    assert {"first": 1.0, "second": 2.0, "both": 1.5} == pooled_slowdowns(rows, "mean")
    assert {"first": 1.0, "second": 2.0, "both": 2.0} == pooled_slowdowns(rows, "maximum")


def test_the_maximum_over_both_is_that_of_the_flow_that_ended_last_in_each_trial(tmp_path):
    """Trial 1: 2 and 5, trial 2: 7 and 3, so each client's median is below that of both."""
    slowdowns_of = {("c1", 1): 2.0, ("c2", 1): 5.0, ("c1", 2): 7.0, ("c2", 2): 3.0}
    flows = [flow_row(trial, 0, slow, client=client) for (client, trial), slow in slowdowns_of.items()]
    rows = completions(flows, tmp_path, self_pair=True)
    medians = {key[1]: row["median"] for key, row in rows.items() if key[0] == "all" and key[4] == "maximum"}
    assert {"first": 4.5, "second": 4.0, "both": 6.0} == medians


def test_the_groups_of_both_clients_stay_apart(tmp_path):
    """Both clients have a group 0 of two flows."""
    flows = [
        flow_row(1, flow, 1.0, client=client, flow_group=0, started_ns=0, fct_ms=fct_ms)
        for client, fct_ms in (("c1", 100.0), ("c2", 300.0))
        for flow in (0, 1)
    ]
    rows = completions(flows, tmp_path, self_pair=True)
    both = rows["all", "both", "group", "fct_ms", "mean"]
    assert (2, 200.0) == (both["flows"], both["pooled"])


def test_of_another_pair_only_the_first_client_of_a_service_counts(tmp_path):
    flows = [flow_row(1, 0, float(place), client=f"c{place}") for place in (2, 3)]
    rows = completions(flows, tmp_path, instances={"c2": "first", "c3": "further"})
    assert {"first": 2.0} == pooled_slowdowns(rows, "mean")


def test_the_order_of_the_rows_changes_no_digit(tmp_path):
    rng = random.Random(4)
    flows = [
        flow_row(trial, flow, rng.uniform(1, 90), size_bytes=rng.randrange(1, 10**7))
        for trial in range(1, 8)
        for flow in range(200)
    ]
    first = completions(flows, tmp_path)
    rng.shuffle(flows)
    assert first == completions(flows, tmp_path)
