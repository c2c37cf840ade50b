"""What a check says of an endpoint, from what its trial showed."""

from dataclasses import replace

import pytest

from scripts.model.endpoint import Versions, read_endpoint
from services.endpoint import STOP_S, ServerEnd
from services.endpoint import __main__ as command
from services.endpoint.__main__ import main
from services.endpoint.check import (
    DURATION_S,
    RESTART_S,
    Evidence,
    best_rate_mbps,
    check_specification,
    points_of,
)
from tests.services.endpoint.making import make_endpoint

FULL_BYTES = 6_000_000
"""What arrives in a second on a link of 50 Mbps that is 96 % full."""

INTERVALS = [[second, second + 1, FULL_BYTES] for second in range(DURATION_S)]
SLOW = [[start, end, FULL_BYTES // 2] for start, end, _ in INTERVALS]
SLOW_BYTES = DURATION_S * FULL_BYTES // 2
GOOD = Evidence(
    versions=Versions("quiche", "0.30.0", {"bbr": "BBRv2", "cubic": "Cubic"}, None, True),
    observation={
        "received_bytes": DURATION_S * FULL_BYTES,
        "intervals": INTERVALS,
        "client_runs": 2,
        "stop_s": 0.1,
        "left_processes": 0,
        "written_bytes": 0,
    },
    server=ServerEnd(0.1, 0, 0),
    dropped_packets=7,
    run_s={"client-c1": 3.0, "service-c1": 5.0},
)
OFFERED = ("bbr", "cubic")


def observing(**changes) -> Evidence:
    return replace(GOOD, observation=GOOD.observation | changes)


def missing(evidence: Evidence) -> dict[str, str]:
    """The points that are not kept, with what to do."""
    return {point.name: point.words for point in points_of(evidence, OFFERED) if point.kept is False}


def test_a_sound_endpoint_keeps_every_point():
    names = [point.name for point in points_of(GOOD, OFFERED) if point.kept]
    assert [
        "versions",
        "handshake",
        "bytes arrive",
        "fills the link",
        "goes on after a break",
        "stops on SIGTERM",
        "stores nothing",
        "leaves nothing",
    ] == names
    assert (
        "quiche 0.30.0, GSO unknown, pacing yes, bbr is BBRv2, cubic is Cubic"
        == points_of(GOOD, OFFERED)[0].words
    )


def test_a_full_link_tells_the_processor_time_of_each_side():
    words = {point.name: point.words for point in points_of(GOOD, OFFERED)}["fills the link"]
    assert words.startswith("48.0 of 50 Mbps over 8 s; processor time per GB, with our drivers: ")
    assert words.endswith(": client-c1 8.3 s, service-c1 13.9 s")


@pytest.mark.parametrize(
    ("evidence", "name", "words"),
    [
        (observing(received_bytes=100), "handshake", "the client got 100 bytes; compare ALPN"),
        (observing(received_bytes=100), "handshake", "and what the client asks for"),
        (observing(received_bytes=9e5), "bytes arrive", "let the download never end"),
        (
            observing(
                intervals=[*INTERVALS[:RESTART_S], *([s, s + 1, 0] for s in range(RESTART_S, DURATION_S))]
            ),
            "goes on after a break",
            "nothing arrived in the last 5 s",
        ),
        (observing(stop_s=STOP_S), "stops on SIGTERM", f"the client still ran {STOP_S} s after SIGTERM"),
        (replace(GOOD, server=ServerEnd(STOP_S, 0, 0)), "stops on SIGTERM", "the server still ran"),
        (observing(written_bytes=5e6), "stores nothing", "5.0 MB were written into files"),
        (replace(GOOD, server=ServerEnd(0, 2, 0)), "leaves nothing", "2 processes went on"),
        (
            replace(GOOD, versions=Versions("quiche", "1", {"bbr": "BBRv2"}, None, None)),
            "versions",
            "`versions` does not say what cubic is",
        ),
        (replace(GOOD, versions=None), "versions", "kept no versions"),
    ],
)
def test_a_point_that_is_not_kept_says_what_to_do(evidence, name, words):
    found = missing(evidence)
    assert [name] == [*found]
    assert words in found[name]


@pytest.mark.parametrize(
    ("received", "tried"),
    [
        (100, ["versions", "handshake"]),
        (20_000, ["versions", "handshake", "bytes arrive"]),
        (900_000, ["versions", "handshake", "bytes arrive"]),
    ],
)
def test_a_client_that_downloads_too_little_tries_nothing_that_needs_bytes(received, tried):
    idle = [[start, end, received // DURATION_S] for start, end, _ in INTERVALS]
    points = points_of(observing(received_bytes=received, intervals=idle), OFFERED)
    assert tried == [point.name for point in points if point.kept is not None]
    assert [point.name for point in points_of(GOOD, OFFERED)] == [point.name for point in points]
    untried = {point.words for point in points if point.kept is None}
    assert {f"{received} bytes arrived, too few to tell"} == untried


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        (
            {"dropped_packets": 0},
            "nothing was lost, so its own window or its controller limits it; allow 64 MiB",
        ),
        ({"unread_datagrams": 12}, "12 datagrams found no room in the client's socket; ask for 8 MiB"),
        (
            {"run_s": {"service-c1": SLOW_BYTES / 3e6 * 0.93}},
            "at this rate the programs of service-c1 use 93 % of a processor",
        ),
        ({}, "its congestion control went back"),
        (
            {"observation": GOOD.observation | {"client_runs": 16, "intervals": SLOW}},
            "the client ended 15 times before its time",
        ),
    ],
)
def test_a_link_that_is_not_full_has_a_cause(changes, words):
    found = missing(replace(observing(intervals=SLOW, received_bytes=SLOW_BYTES), **changes))
    assert ["fills the link"] == [*found]
    assert found["fills the link"].startswith("24.00 of 50 Mbps over 8 s, less than 90 %: ")
    assert "; processor time per GB, with our drivers: " in found["fills the link"]
    assert words in found["fills the link"]


def test_a_failed_trial_is_one_line_with_the_last_words_of_the_program():
    reason = "endpoint of c1 did not start: …; the server of the endpoint ended with status 2"
    (point,) = points_of(Evidence(reason=reason, last_lines={"server.log": "no library"}), OFFERED)
    assert f"{reason}. To do: let it run until SIGTERM, over IPv4" in point.words
    assert point.words.endswith("Its last words: no library")
    assert not point.kept


def test_the_best_rate_is_that_of_eight_seconds_in_a_row():
    slow, fast = [[s, s + 1, 100] for s in range(10)], [[s, s + 1, 1_000_000] for s in range(10, 18)]
    assert best_rate_mbps([*slow, *fast, [18, 19, 0]]) == pytest.approx(8)
    assert best_rate_mbps(fast[:7]) == 0


def test_its_link_is_that_of_50_mbps_with_five_bdp(tmp_path):
    specification = check_specification(read_endpoint(make_endpoint(tmp_path / "tiny")), "kernel")
    assert (50, 50, 1042) == (
        specification.link.rate_mbps,
        specification.link.rtt_ms,
        specification.link.queue_packets,
    )
    (client,) = specification.clients
    assert (RESTART_S, None) == (client.service.schedule.restart_s, client.service.kernel_cca)


@pytest.fixture
def check(tmp_path, monkeypatch, capsys):
    """Checks an endpoint with two controllers, whose client gets no byte with bbr; no trial is run."""
    folder = make_endpoint(tmp_path / "tiny", controllers=["cubic", "bbr"])
    evidence = {"cubic": GOOD, "bbr": observing(received_bytes=0)}
    monkeypatch.setattr(command, "run_check", lambda endpoint, cca, kept: evidence[cca])

    def check(*options, name=""):
        return main(["check", f"{folder}{name}", *options]), capsys.readouterr().out.splitlines()

    return check


def test_every_controller_is_tried_and_the_first_line_says_so(check, tmp_path):
    status, lines = check()
    assert 1 == status
    assert lines[0].endswith("tiny: 60 s for each of cubic, bbr; " + str(tmp_path / "tiny:NAME tries one"))
    assert ["cubic, 0 s:", "bbr, 0 s:"] == [lines[1], lines[10]]
    assert lines[2].startswith("ok         versions: ")
    assert "not tried  stores nothing: 0 bytes arrived, too few to tell" in lines[11:]
    assert 0 == len([line for line in lines[1:10] if line.startswith(("MISSING", "not tried"))])


def test_one_controller_alone_can_be_tried(check):
    status, lines = check(name=":cubic")
    assert 0 == status
    assert lines[0].endswith("tiny: 60 s for cubic")
    assert ["cubic, 0 s:"] == [line for line in lines if line.endswith("s:")]


def test_the_files_of_an_earlier_check_stay(check, tmp_path, capsys):
    status, _ = check("--keep", str(tmp_path))
    assert 2 == status


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (":bbr", "endpoint.yaml: controllers: bbr is missing"),
        ("", "endpoint.yaml: reads: /opt/none: No such file"),
    ],
)
def test_an_error_is_one_line_before_any_trial(tmp_path, capsys, name, message):
    reads = [] if name else ["/opt/none"]
    assert 2 == main(["check", f"{make_endpoint(tmp_path / 'tiny', reads=reads)}{name}"])
    printed = capsys.readouterr().err
    assert message in printed and printed.count("\n") == 1
