"""The planner as a function: rows of trials in, the next trials and every cell's standing out."""

import random
from dataclasses import replace
from itertools import product

import pytest

from scripts.model.pairs import members
from scripts.model.trials import TrialKey
from scripts.plan.campaign_file import load_campaign
from scripts.plan.planner import Cell, all_set_aside, history, judge, next_trials, unable_alone
from scripts.plan.set_aside import fails_alone
from scripts.plan.trial_services import TrialService
from tests.model.campaigns import NUMBERS, campaign, service, setting

CELL = Cell("8mbps", "a~b")
ALONE, SELF_PAIR = Cell("8mbps", "a"), Cell("8mbps", "a~a")


def made_up(services="ab", **numbers):
    """All pairs of these services with the paper's numbers of trials, and these numbers changed."""
    return campaign(
        services={name: service(name) for name in services},
        pairs=tuple(f"{one}~{other}" for one in services for other in services if one <= other),
        trials=replace(NUMBERS, **numbers),
    )


def rows_of(cell, values, invalid=(), first=1, unable=()):
    """Rows of trials with these throughputs of the first client; the last always gets 2 Mbps.

    In the trials `unable` a service alone does not do what it must.
    """
    for number, value in enumerate(values, start=first):
        names = members(cell.pair)
        for position, name in enumerate(names, start=1):
            yield TrialService(
                setting=cell.setting,
                pair=cell.pair,
                trial=number,
                client=f"c{position}",
                service=name,
                valid=number not in invalid,
                able=number not in unable if len(names) == 1 else None,
                throughput_mbps=value if position == 1 else 2.0,
                instance=instance_of(names, position),
            )


def instance_of(names, position):
    """The instance of a client of a trial; the first client of a self-pair is the worse off."""
    if len(names) > 1 and len(set(names)) == 1:
        return "worse_off" if position == 1 else "better_off"
    return "further" if names[position - 1] in names[: position - 1] else "first"


def with_noisy_second(rows):
    """The same rows, but the throughput of the second client is its trial's number."""
    return [replace(row, throughput_mbps=float(row.trial)) if row.client == "c2" else row for row in rows]


def judged(values, invalid=(), cell=CELL, **numbers):
    return judge(made_up(**numbers), cell, list(rows_of(cell, values, invalid)))


def shown(standing):
    return (standing.valid, standing.attempts, standing.state, standing.reason, standing.missing)


def cell_of(key):
    return Cell(key.setting, key.pair)


def keys(cell, *numbers):
    """The trials of a cell with these numbers."""
    return [TrialKey(cell.setting, cell.pair, number) for number in numbers]


def test_the_papers_first_round_has_1800_trials_each_service_alone_once_then_round_robin():
    twelve = made_up("abcdefghijkl")
    trials = next_trials(twelve, [])
    assert (1800, 1800) == (len(trials), len(set(trials)))
    assert set(product(twelve.settings, twelve.services)) == {(key.setting, key.pair) for key in trials[:24]}
    pairs = [key for key in trials if key.pair not in twelve.services]
    assert {key.number for key in pairs[:156]} == {1}, "one of every pair before the second of any"


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
    rows = with_noisy_second(rows_of(CELL, [5.0] * 10))
    assert "wide" == judge(made_up(), CELL, rows).reason


def test_each_setting_has_its_own_threshold():
    values = [20.0 + 0.3 * k for k in range(10)]
    assert "wide" == judged(values).reason
    assert "precise" == judged(values, cell=Cell("50mbps", "a~b")).reason


@pytest.mark.parametrize("client", ["c1", "c2"])
def test_both_instances_of_a_self_pair_must_be_precise(client):
    steady = list(rows_of(SELF_PAIR, [5.0] * 10))
    noisy = [
        replace(row, throughput_mbps=float(row.trial)) if row.client == client else row for row in steady
    ]
    assert "precise" == judge(made_up(), SELF_PAIR, steady).reason
    assert ("wide", 3.5) == tuple(
        getattr(judge(made_up(), SELF_PAIR, noisy), name) for name in ("reason", "half_width_mbps")
    )


def test_further_instances_of_a_service_do_not_count():
    cell = Cell("8mbps", "a~b~b")
    rows = list(rows_of(cell, [5.0] * 10))
    noisy = [replace(row, throughput_mbps=float(row.trial)) if row.client == "c3" else row for row in rows]
    assert "precise" == judge(made_up(), cell, noisy).reason


def test_a_pair_is_judged_at_tens_only_on_its_first_trials():
    """Of 17 values the interval is from the 5th to the 13th, so this pair would be precise at 17 already."""
    values = [1.0, 9.0] * 4 + [5.0] * 12
    first_ten = judged(values[:10]).half_width_mbps
    for valid in (10, 17, 19):
        standing = judged(values, invalid=range(valid + 1, 21))
        assert (valid, 20, "open", "wide", 20 - valid) == shown(standing)
        assert first_ten == standing.half_width_mbps == 4.0
    assert (20, 20, "closed", "precise", 0) == shown(judged(values))


def test_the_first_valid_trials_are_those_of_the_lowest_numbers():
    """With trials 2 and 4 invalid the first ten valid ones are 1, 3 and 5 to 12; trial 13 is not judged."""
    values = [5.0] * 12 + [1.0]
    assert "precise" == judged(values, invalid=(2, 4)).reason
    rows = [*rows_of(CELL, values, invalid=(2, 4))]
    assert judge(made_up(), CELL, rows) == judge(made_up(), CELL, rows[::-1])


def test_a_pair_judged_between_two_tens_is_broken_when_its_attempts_are_used_up():
    values = [1.0, 9.0] * 4 + [5.0] * 37
    assert (17, 45, "closed", "broken", 0) == shown(judged(values, invalid=range(18, 46)))


@pytest.mark.parametrize(
    ("count", "valid", "unable", "expected"),
    [
        (10, 10, 5, (10, 10, "closed", "enough", 0)),
        (10, 10, 6, (10, 10, "closed", "service", 0)),
        (10, 9, 9, (9, 10, "open", "few", 1)),
        (15, 3, 2, (3, 15, "closed", "service", 0)),
        (15, 0, 15, (0, 15, "closed", "broken", 0)),
    ],
)
def test_a_service_that_is_not_able_alone_closes_its_cells_as_soon_as_its_solos_can_tell(
    count, valid, unable, expected
):
    two = made_up()
    solos = list(rows_of(ALONE, [5.0] * count, range(valid + 1, count + 1), unable=range(1, unable + 1)))
    found = unable_alone(two, {ALONE: solos})
    assert expected == shown(judge(two, ALONE, solos, found))
    pair = judge(two, CELL, list(rows_of(CELL, [1.0, 9.0] * 5)), found)
    assert ("service" if expected[3] == "service" else "wide") == pair.reason


def test_a_service_that_is_not_able_alone_in_a_setting_has_no_more_trials_there():
    noisy = [1.0, 9.0] * 5
    cells_of_two = [Cell(name, pair) for name in ("8mbps", "50mbps") for pair in ("a", "b", *made_up().pairs)]
    rows = [
        row
        for cell in cells_of_two
        for row in rows_of(cell, noisy, unable=range(1, 11) if cell == ALONE else ())
    ]
    planned = {cell_of(key) for key in next_trials(made_up(), rows)}
    assert {Cell("8mbps", "b~b"), *(Cell("50mbps", pair) for pair in made_up().pairs)} == planned
    standings = {cell: standing for cell, _, standing in history(made_up(), rounds_of_one(rows), rows)}
    closed = {cell for cell, standing in standings.items() if standing.reason == "service"}
    assert {ALONE, CELL, SELF_PAIR} == closed


def test_a_page_is_unable_by_its_counted_trials_alone():
    cell = Cell("8mbps", "p")
    rows = list(rows_of(cell, [5.0] * 6, unable=(1, 2, 3, 4)))
    assert {cell} == unable_alone(with_metrics(p="web"), {cell: rows})


def test_the_history_knows_the_solos_of_each_round_only():
    solos = list(rows_of(ALONE, [5.0] * 11, invalid=(1,), unable=range(1, 12)))
    pair = list(rows_of(CELL, [1.0, 9.0] * 10))
    rounds = {TrialKey(r.setting, r.pair, r.trial): 1 if r.trial <= 10 else 2 for r in [*solos, *pair]}
    assert [("a", 1, "few"), ("a", 2, "service"), ("a~b", 1, "wide"), ("a~b", 2, "service")] == [
        (cell.pair, number, standing.reason)
        for cell, number, standing in history(made_up(), rounds, [*solos, *pair])
    ]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        (0, (0, 0, "open", "few", 10)),
        (10, (10, 10, "open", "wide", 10)),
        (20, (20, 20, "open", "wide", 10)),
        (30, (30, 30, "closed", "enough", 0)),
    ],
)
def test_a_noisy_pair_continues_in_tens_up_to_thirty(count, expected):
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
def test_invalid_trials_are_rerun_until_the_attempts_are_used_up(count, valid, expected):
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
    standing = judged([k * 1.0 for k in range(count)], range(valid + 1, count + 1), ALONE)
    assert expected == shown(standing)
    assert standing.threshold_mbps is None


def with_metrics(**metrics):
    """The services `a` and `b`, and these services, each with its metric."""
    made = made_up("ab" + "".join(metrics))
    judged_otherwise = {name: service(name, metric=metrics[name]) for name in metrics}
    return replace(made, services=made.services | judged_otherwise)


@pytest.mark.parametrize("pair", ["c", "a~c", "p", "a~p", "c~p"])
@pytest.mark.parametrize(
    ("count", "valid", "expected"),
    [
        (0, 0, (0, 0, "open", "few", 6)),
        (6, 6, (6, 6, "closed", "enough", 0)),
        (6, 4, (4, 6, "open", "few", 2)),
        (9, 4, (4, 9, "open", "few", 1)),
        (10, 5, (5, 10, "closed", "broken", 0)),
    ],
)
def test_calls_and_pages_close_by_count_alone_and_in_pairs(pair, count, valid, expected):
    cell = Cell("8mbps", pair)
    rows = list(rows_of(cell, [k * 1.0 for k in range(count)], range(valid + 1, count + 1)))
    standing = judge(with_metrics(c="rtc", p="web"), cell, rows)
    assert expected == shown(standing)
    assert standing.threshold_mbps is None


def test_a_setting_with_some_services_has_only_their_cells():
    three = made_up("abc", solo=1, round=1, most=1)
    three.settings["50mbps"] = replace(three.settings["50mbps"], services=("a", "b"))
    trials = next_trials(three, [])
    assert {"a", "b", "a~a", "a~b", "b~b"} == {key.pair for key in trials if key.setting == "50mbps"}
    assert {*"abc", *three.pairs} == {key.pair for key in trials if key.setting == "8mbps"}


def test_below_six_trials_there_is_no_interval_and_a_pair_closes_by_count():
    standing = judged([5.0, 5.0], round=2, most=2, attempts=2)
    assert (None, "enough") == (standing.half_width_mbps, standing.reason)


def test_the_demo_has_one_round_of_24_trials_and_reruns_what_is_judged_by_throughput_once():
    demo = load_campaign("demo")
    trials = next_trials(demo, [])
    assert 24 == len(trials)
    rows = [row for key in trials for row in rows_of(cell_of(key), [5.0], (), key.number)]
    assert [] == next_trials(demo, rows)
    rows = [row for key in trials for row in rows_of(cell_of(key), [5.0], (1, 2), key.number)]
    again = next_trials(demo, rows)
    assert {(key.pair, 2) for key in trials if "ref-page-text" not in key.pair} == {
        (key.pair, key.number) for key in again
    }
    rows += [row for key in again for row in rows_of(cell_of(key), [5.0], (2,), key.number)]
    assert [] == next_trials(demo, rows)


ONE_LINK = {"8mbps": setting(queue_packets=128)}


def test_numbers_continue_and_closed_pairs_have_no_more_trials():
    one = replace(made_up("a", solo=1, solo_attempts=1), settings=ONE_LINK)
    rows = [*rows_of(ALONE, [5.0]), *rows_of(SELF_PAIR, [5.0] * 10, invalid=(3, 9))]
    assert keys(SELF_PAIR, 11, 12) == next_trials(one, rows)
    rows += rows_of(SELF_PAIR, [5.0] * 2, first=11)
    assert [] == next_trials(one, rows)


def test_another_service_adds_only_its_own_trials():
    rows = [
        row
        for name in ("8mbps", "50mbps")
        for pair in ("a", "a~a")
        for row in rows_of(Cell(name, pair), [5.0] * 10)
    ]
    assert [] == next_trials(made_up("a"), rows)
    assert {"b", "a~b", "b~b"} == {key.pair for key in next_trials(made_up("ab"), rows)}


def test_the_order_of_the_rows_changes_nothing():
    two, draw = made_up(), random.Random(1)
    rows = [*rows_of(CELL, [draw.uniform(0, 8) for _ in range(10)]), *rows_of(ALONE, [7.0] * 9)]
    expected = next_trials(two, rows), list(history(two, rounds_of_one(rows), rows))
    for _ in range(5):
        draw.shuffle(rows)
        assert expected == (next_trials(two, rows), list(history(two, rounds_of_one(rows), rows)))


def rounds_of_one(rows):
    return {TrialKey(row.setting, row.pair, row.trial): 1 for row in rows}


def test_trials_measured_before_a_threshold_changed_are_kept():
    """Ten valid trials close the pair now; the eleventh to the thirteenth exist, and count."""
    one = replace(made_up("a", solo=0), settings=ONE_LINK)
    measured = set(keys(SELF_PAIR, *range(1, 14)))
    rows = list(rows_of(SELF_PAIR, [5.0] * 10))
    assert keys(SELF_PAIR, 11, 12, 13) == next_trials(one, rows, measured)
    rows = list(rows_of(SELF_PAIR, [5.0] * 13))
    assert [] == next_trials(one, rows, measured)


def test_the_history_has_the_standing_of_a_pair_after_each_round():
    rows = list(rows_of(CELL, [1.0, 9.0] * 5 + [5.0] * 10))
    rounds = {key: 1 if key.number <= 10 else 2 for key in keys(CELL, *range(1, 21))}
    assert [
        (CELL, 1, (10, 10, "open", "wide", 10)),
        (CELL, 2, (20, 20, "closed", "precise", 0)),
    ] == [(cell, number, shown(standing)) for cell, number, standing in history(made_up(), rounds, rows)]


def solos(outcomes, cell=ALONE):
    """Trials of a service alone: `.` completed, `!` failed, `-` completed but invalid."""
    rows = list(rows_of(cell, [5.0] * len(outcomes), [n for n, one in enumerate(outcomes, 1) if one in "!-"]))
    return [
        replace(row, throughput_mbps=None, able=None) if outcomes[row.trial - 1] == "!" else row
        for row in rows
    ]


@pytest.mark.parametrize(
    ("outcomes", "fails"),
    [("!!", False), ("!!!", True), (".......!!!", True), ("!!!.", False), ("!!.!!", False), ("!-!!", False)],
)
def test_a_service_fails_alone_if_its_last_three_trials_failed(outcomes, fails):
    rows = solos(outcomes)
    assert fails == fails_alone(rows) == fails_alone(rows[::-1])


def test_one_in_8000_services_is_set_aside_wrongly_if_5_percent_of_trials_fail():
    chances = {".": 0.95, "!": 0.05}
    wrongly = 0.0
    for outcomes in product(chances, repeat=10):
        if fails_alone(solos("".join(outcomes))):
            wrongly += 0.95 ** outcomes.count(".") * 0.05 ** outcomes.count("!")
    assert 0.05**3 == pytest.approx(wrongly)


def test_a_service_that_fails_alone_has_no_more_trials_in_that_setting_and_the_rest_goes_on():
    three, noisy = made_up("abc"), [1.0, 9.0] * 5
    all_cells = [Cell(name, pair) for name in three.settings for pair in (*three.services, *three.pairs)]
    rows = [row for cell in all_cells if cell != ALONE for row in rows_of(cell, noisy)]
    rows += solos(".......!!!")
    planned = next_trials(three, rows)
    assert {("8mbps", pair) for pair in ("b~b", "b~c", "c~c")} == {
        (key.setting, key.pair) for key in planned if key.setting == "8mbps"
    }
    assert {*three.pairs} == {key.pair for key in planned if key.setting == "50mbps"}
    healthy = [row for row in rows if Cell(row.setting, row.pair) != ALONE]
    others = next_trials(three, [*healthy, *solos("..........")])
    rest = [key for key in others if not (key.setting == "8mbps" and "a" in members(key.pair))]
    assert sorted(rest) == sorted(planned)


def test_what_is_known_of_a_service_that_is_set_aside_keeps_its_reason():
    two = made_up()
    found = all_set_aside(two, {ALONE: solos(".......!!!")}, ())
    assert {ALONE} == found
    assert ("closed", "set_aside", 0) == shown(judge(two, ALONE, solos(".......!!!"), frozenset(), found))[2:]
    for values, reason in (([5.0] * 10, "precise"), ([1.0, 9.0] * 15, "enough"), ([5.0] * 3, "set_aside")):
        assert reason == judge(two, CELL, list(rows_of(CELL, values)), frozenset(), found).reason


def test_a_service_set_aside_before_the_cycle_is_never_planned_and_the_history_says_so():
    two = made_up("ab", solo=1)
    planned = next_trials(two, [], before=["b"])
    assert {"a", "a~a"} == {key.pair for key in planned}
    rows = [row for key in planned for row in rows_of(cell_of(key), [5.0], (), key.number)]
    rounds = dict.fromkeys(planned, 1)
    found = {cell: (number, shown(one)) for cell, number, one in history(two, rounds, rows, ["b"])}
    closed = (1, (0, 0, "closed", "set_aside", 0))
    assert {(name, pair): closed for name in two.settings for pair in ("b", "a~b", "b~b")} == {
        (cell.setting, cell.pair): standing for cell, standing in found.items() if "b" in members(cell.pair)
    }
    assert list(history(two, rounds, rows)) == [
        one for one in history(two, rounds, rows, ["b"]) if one[2].attempts
    ]


def test_the_history_of_a_service_that_fails_alone_is_closed_from_that_round_on():
    rows = [*solos("!!!!"), *rows_of(CELL, [1.0, 9.0] * 10)]
    rounds = {TrialKey(r.setting, r.pair, r.trial): 1 if r.trial in (1, 2) else 2 for r in rows}
    assert [("a", 1, "few"), ("a", 2, "set_aside"), ("a~b", 1, "few"), ("a~b", 2, "set_aside")] == [
        (cell.pair, number, standing.reason) for cell, number, standing in history(made_up(), rounds, rows)
    ]
