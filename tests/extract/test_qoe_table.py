"""The drivers' observations as rows."""

import json

import pytest

from scripts.base.errors import UserError
from scripts.extract.qoe_table import QOE_SCHEMA, qoe_table
from scripts.model.drivers import check_observation, observation_schema

RUNG = {"at_s": 1.5, "bitrate_bps": 750_000, "height": 480}
VIDEO = {
    "since_ns": 1_795_000_000_000_000_000,
    "received_bytes": 9,
    "startup_s": 2.0,
    "stalls": [[3.0, 4.5]],
    "switches": [RUNG],
    "segments": [{"end_s": 2.0, "bitrate_bps": 750_000, "seconds": 0.5}],
    "frames": {"shown": 30, "dropped": 1},
}
DOWNLOAD = {"received_bytes": 7, "seconds": 10.0, "retransmits": 0, "intervals": [[0.0, 1.0, 7]]}
LOAD = {
    "since_ns": 1_795_000_000_000_000_000,
    "visually_complete_s": 45.0,
    "speed_index_s": 45.0,
    "load_event_s": None,
    "completeness": [[0.0, 0.0]],
    "requests": 3,
    "received_bytes": 5,
}
FLOWS = {
    "planned_us": [0, 500_000, 500_000],
    "size_bytes": [1, 20_000, 300],
    "group": [0, 1, 1],
    "started_ns": [10, 500_010, None],
    "connected_ns": [20, 500_030, None],
    "first_ns": [30, None, None],
    "last_ns": [30, None, None],
    "received_bytes": [1, 0, 0],
    "retransmissions": [0, None, None],
}
GENERATED = {"received_bytes": 1, "flows": FLOWS}


def written(tmp_path, content):
    path = tmp_path / "qoe.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def test_each_client_is_a_row_and_values_that_it_lacks_are_null(tmp_path):
    table = qoe_table(written(tmp_path, {"c1": VIDEO, "c2": DOWNLOAD}))
    first, second = table.to_pylist()
    assert QOE_SCHEMA == table.schema
    kept = {name: VIDEO[name] for name in ("since_ns", "startup_s", "stalls", "switches", "frames")}
    nothing = dict.fromkeys(QOE_SCHEMA.names)
    assert nothing | kept | {"client": "c1"} == first
    assert nothing | {"client": "c2"} == second


def test_what_a_service_could_not_do_is_a_value(tmp_path):
    """A video that never started, a page load that did not end, and one of an older trial."""
    video = VIDEO | {"startup_s": None, "watched_s": 30.0, "unmet": "the video did not start within 30 s"}
    page = {"received_bytes": 10, "loads": [LOAD | {"censored": True}, LOAD]}
    for observation in (video, page):
        check_observation(observation, "the driver")
    first, second = qoe_table(written(tmp_path, {"c1": video, "c2": page})).to_pylist()
    assert (None, 30.0, video["unmet"]) == (first["startup_s"], first["watched_s"], first["unmet"])
    assert [True, None] == [load["censored"] for load in second["loads"]]
    assert [None, None] == [load["load_event_s"] for load in second["loads"]]


def test_generated_flows_keep_their_lists(tmp_path):
    """The first flow ended, the second was connected, and the third had not started at the end."""
    limited = GENERATED | {"flows": FLOWS | {"rate_limit_mbps": 2}}
    first, second = qoe_table(written(tmp_path, {"c1": GENERATED, "c2": limited})).to_pylist()
    assert FLOWS | {"rate_limit_mbps": None} == first["flows"]
    assert 2.0 == second["flows"]["rate_limit_mbps"]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"group": [0, 1]}, "lists of different length"),
        ({"planned_us": [0, 500_000, 400_000]}, "flows out of order"),
        ({"group": [0, 1, 0]}, "flows out of order"),
        ({"connected_ns": [5, 500_030, None]}, "times of a flow that are out of order"),
        ({"connected_ns": [20, None, None], "first_ns": [30, 40, None]}, "times of a flow that are out of"),
        ({"received_bytes": [1, 20_000, 0]}, "a flow whose bytes and whose end disagree"),
        ({"received_bytes": [0, 0, 0]}, "a flow whose bytes and whose end disagree"),
        ({"received_bytes": [1, 20_001, 0]}, "a flow whose bytes and whose end disagree"),
        ({"retransmissions": [0, "many", None]}, "does not match services"),
        ({"size_bytes": [1, 20_000, 2**63]}, "a number is too large"),
    ],
)
def test_generated_flows_that_contradict_each_other_are_refused(tmp_path, changes, fault):
    path = written(tmp_path, {"c1": GENERATED | {"flows": FLOWS | changes}})
    with pytest.raises(UserError, match=rf"qoe\.json: .*{fault}"):
        qoe_table(path)


def test_every_column_is_in_the_schema_of_the_drivers():
    check_observation(VIDEO, "the driver")
    assert set(QOE_SCHEMA.names) - {"client"} <= set(observation_schema()["properties"])


def test_a_trial_without_the_file_has_no_rows(tmp_path):
    assert QOE_SCHEMA.empty_table() == qoe_table(tmp_path / "qoe.json")


@pytest.mark.parametrize(
    "content",
    ["{", "[]", {"c1": None}, {"c1": VIDEO | {"startup_s": "soon"}}, {"c1": VIDEO | {"switches": [1]}}],
)
def test_a_damaged_file_is_named(tmp_path, content):
    with pytest.raises(
        UserError, match=r"qoe\.json: (is not valid JSON|a JSON object|does not match services)"
    ):
        qoe_table(written(tmp_path, content))
