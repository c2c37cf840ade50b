"""The planner, as a function: rows of trials in, the next trials and every cell's standing out."""

import random

import pytest

from scripts.plan.campaign_file import load_campaign
from scripts.plan.planner import history, next_trials, standing

CELL = ("8mbps", "a~b")


def made_up(services="ab", **changes):
    """The paper's numbers for services that need not exist."""
    trials = {
        "solo": 10, "solo_attempts": 15, "round": 10, "most": 30, "attempts": 45,
        "counted": 5, "counted_attempts": 8,
    } | changes  # fmt: skip
    pairs = [f"{one}~{other}" for one in services for other in services if one <= other]
    precision = {"8mbps": 0.5, "50mbps": 1.5}
    return {
        "services": {name: {} for name in services},
        "pairs": pairs,
        "trials": trials,
        "settings": {name: {"precision_mbps": precision[name]} for name in precision},
    }


def rows_of(cell, values, invalid=(), first=1):
    """Rows of trials with these throughputs of the first service; the last always gets 2 Mbps."""
    setting, pair = cell
    for number, value in enumerate(values, start=first):
        members = pair.split("~")
        for position, service in enumerate(members, start=1):
            yield {
                "setting": setting,
                "pair": pair,
                "trial": number,
                "client": f"c{position}",
                "service": service,
                "valid": number not in invalid,
                "throughput_mbps": value if position == 1 else 2.0,
            }


def judged(values, invalid=(), cell=CELL, **changes):
    return standing(made_up(**changes), cell, list(rows_of(cell, values, invalid)))


def shown(stood):
    return (stood.valid, stood.attempts, stood.state, stood.reason, stood.missing)


def test_the_papers_first_round_has_1800_trials_solos_first_then_round_robin():
    config = made_up("abcdefghijkl")
    trials = next_trials(config, [])
    assert (1800, 1800) == (len(trials), len(set(trials)))
    assert {pair for _, pair, _ in trials[:240]} == set(config["services"])
    pairs = [(setting, pair, number) for setting, pair, number in trials[240:]]
    assert {(number) for _, _, number in pairs[:156]} == {1}, "one of every pair before the second of any"
    assert pairs[:2] == [("8mbps", "a~a", 1), ("50mbps", "a~a", 1)]


def test_a_stable_pair_closes_at_ten():
    assert (10, 10, "closed", "precise", 0) == shown(judged([5.0 + 0.04 * k for k in range(10)]))


def test_the_half_width_is_the_larger_side_of_the_interval_by_hand():
    """Of ten values the 95 % interval of the median is from the 2nd to the 9th: 2 to 9, the median 5.5."""
    assert 3.5 == judged(range(1, 11)).half_width_mbps
    assert 91.5 == judged([1, 2, 3, 4, 5, 6, 7, 8, 97, 98]).half_width_mbps


def test_a_half_width_at_the_threshold_is_precise():
    at, above = ([5.0] * 8 + [5.0 + width] * 2 for width in (0.5, 0.5001))
    assert ("precise", "wide") == (judged(at).reason, judged(above).reason)


def test_each_service_must_be_precise_not_only_the_first():
    rows = list(rows_of(CELL, [5.0] * 10))
    for row in rows:
        if row["client"] == "c2":
            row["throughput_mbps"] = float(row["trial"])
    assert "wide" == standing(made_up(), CELL, rows).reason


def test_each_setting_has_its_own_threshold():
    values = [20.0 + 0.3 * k for k in range(10)]
    assert "wide" == judged(values).reason
    assert "precise" == judged(values, cell=("50mbps", "a~b")).reason


def test_of_a_self_pair_only_the_first_client_counts():
    rows = list(rows_of(("8mbps", "a~a"), [5.0] * 10))
    for row in rows:
        if row["client"] == "c2":
            row["throughput_mbps"] = float(row["trial"])
    assert "precise" == standing(made_up(), ("8mbps", "a~a"), rows).reason


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, (0, 0, "open", "few", 10)),
        (10, (10, 10, "open", "wide", 10)),
        (20, (20, 20, "open", "wide", 10)),
        (30, (30, 30, "closed", "enough", 0)),
    ],
)
def test_a_noisy_pair_goes_on_by_tens_to_thirty(count, expected):
    assert expected == shown(judged([k % 2 * 5 for k in range(count)]))


@pytest.mark.parametrize(
    ("count", "valid", "expected"),
    [
        (10, 8, (8, 10, "open", "few", 2)),
        (12, 10, (10, 12, "closed", "precise", 0)),
        (40, 0, (0, 40, "open", "few", 5)),
        (44, 9, (9, 44, "open", "few", 1)),
        (45, 9, (9, 45, "closed", "broken", 0)),
        (45, 10, (10, 45, "closed", "precise", 0)),
    ],
)
def test_what_is_invalid_is_made_up_for_until_the_attempts_are_used_up(count, valid, expected):
    assert expected == shown(judged([5.0] * count, invalid=range(valid + 1, count + 1)))


@pytest.mark.parametrize(
    ("count", "valid", "expected"),
    [
        (10, 10, (10, 10, "closed", "enough", 0)),
        (10, 7, (7, 10, "open", "few", 3)),
        (14, 7, (7, 14, "open", "few", 1)),
        (15, 7, (7, 15, "closed", "broken", 0)),
    ],
)
def test_a_service_alone_closes_by_count(count, valid, expected):
    stood = judged([k * 1.0 for k in range(count)], range(valid + 1, count + 1), ("8mbps", "a"))
    assert expected == shown(stood)
    assert stood.threshold_mbps is None


def with_metrics(**metrics):
    """Made-up services `a`, `b` and these, each with its metric."""
    config = made_up("ab" + "".join(metrics))
    return config | {"services": config["services"] | {name: {"metric": metrics[name]} for name in metrics}}


@pytest.mark.parametrize("pair", ["c", "a~c", "p", "a~p", "c~p"])
@pytest.mark.parametrize(
    ("count", "valid", "expected"),
    [
        (0, 0, (0, 0, "open", "few", 5)),
        (5, 5, (5, 5, "closed", "enough", 0)),
        (5, 3, (3, 5, "open", "few", 2)),
        (7, 3, (3, 7, "open", "few", 1)),
        (8, 4, (4, 8, "closed", "broken", 0)),
    ],
)
def test_calls_and_pages_close_by_count_alone_and_in_pairs(pair, count, valid, expected):
    cell = ("8mbps", pair)
    rows = list(rows_of(cell, [k * 1.0 for k in range(count)], range(valid + 1, count + 1)))
    stood = standing(with_metrics(c="rtc", p="web"), cell, rows)
    assert expected == shown(stood)
    assert stood.threshold_mbps is None


def test_a_setting_of_some_services_has_their_cells_only():
    config = made_up("abc", solo=1, round=1, most=1)
    config["settings"]["50mbps"]["services"] = ["a", "b"]
    trials = next_trials(config, [])
    assert {"a", "b", "a~a", "a~b", "b~b"} == {pair for setting, pair, _ in trials if setting == "50mbps"}
    assert {*"abc", *config["pairs"]} == {pair for setting, pair, _ in trials if setting == "8mbps"}


def test_below_six_trials_there_is_no_interval_and_a_pair_closes_by_count():
    stood = judged([5.0, 5.0], round=2, most=2, attempts=2)
    assert (None, "enough") == (stood.half_width_mbps, stood.reason)


def test_the_demo_has_one_round_of_38_trials_and_makes_up_for_solos_once():
    config = load_campaign("demo")
    trials = next_trials(config, [])
    assert 38 == len(trials)
    rows = [row for *cell, number in trials for row in rows_of(cell, [5.0], (), number)]
    assert [] == next_trials(config, rows)
    rows = [row for *cell, number in trials for row in rows_of(cell, [5.0], (1, 2), number)]
    again = next_trials(config, rows)
    assert {(pair, 2) for pair in config["services"] if pair != "ref-page-text"} == {
        (pair, number) for _, pair, number in again
    }
    rows += [row for *cell, number in again for row in rows_of(cell, [5.0], (2,), number)]
    assert [] == next_trials(config, rows)


def test_numbers_go_on_where_they_stopped_and_closed_pairs_ask_for_nothing():
    config = made_up("a", solo=1, solo_attempts=1) | {"settings": {"8mbps": {"precision_mbps": 0.5}}}
    rows = [*rows_of(("8mbps", "a"), [5.0]), *rows_of(("8mbps", "a~a"), [5.0] * 10, invalid=(3, 9))]
    assert [("8mbps", "a~a", 11), ("8mbps", "a~a", 12)] == next_trials(config, rows)
    rows += rows_of(("8mbps", "a~a"), [5.0] * 2, first=11)
    assert [] == next_trials(config, rows)


def test_another_service_asks_for_its_own_trials_only():
    rows = [
        row
        for setting in ("8mbps", "50mbps")
        for pair in ("a", "a~a")
        for row in rows_of((setting, pair), [5.0] * 10)
    ]
    assert [] == next_trials(made_up("a"), rows)
    assert {"b", "a~b", "b~b"} == {pair for _, pair, _ in next_trials(made_up("ab"), rows)}


def test_the_order_of_the_rows_changes_nothing():
    config, draw = made_up(), random.Random(1)
    rows = [*rows_of(CELL, [draw.uniform(0, 8) for _ in range(10)]), *rows_of(("8mbps", "a"), [7.0] * 9)]
    expected = next_trials(config, rows), list(history(config, rounds_of_one(rows), rows))
    for _ in range(5):
        draw.shuffle(rows)
        assert expected == (next_trials(config, rows), list(history(config, rounds_of_one(rows), rows)))


def rounds_of_one(rows):
    return {(row["setting"], row["pair"], row["trial"]): 1 for row in rows}


def test_what_was_measured_before_a_threshold_changed_is_taken_over():
    """Ten valid trials close the pair now; the eleventh to the thirteenth stand there, and count."""
    config = made_up("a", solo=0) | {"pairs": ["a~a"], "settings": {"8mbps": {"precision_mbps": 0.5}}}
    measured = {("8mbps", "a~a", number) for number in range(1, 14)}
    taken_over = [("8mbps", "a~a", number) for number in (11, 12, 13)]
    rows = list(rows_of(("8mbps", "a~a"), [5.0] * 10))
    assert taken_over == next_trials(config, rows, measured)
    rows = list(rows_of(("8mbps", "a~a"), [5.0] * 13))
    assert [] == next_trials(config, rows, measured)


def test_the_history_tells_how_a_pair_stood_after_each_round():
    rows = list(rows_of(CELL, [1.0, 9.0] * 5 + [5.0] * 10))
    rounds = {(*CELL, number): 1 if number <= 10 else 2 for number in range(1, 21)}
    assert [
        (CELL, 1, (10, 10, "open", "wide", 10)),
        (CELL, 2, (20, 20, "closed", "precise", 0)),
    ] == [(cell, number, shown(stood)) for cell, number, stood in history(made_up(), rounds, rows)]
