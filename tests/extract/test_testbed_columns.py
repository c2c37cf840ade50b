"""The columns on the testbed itself: what is counted as a stall, and whose device dropped what."""

import pyarrow.parquet as pq
import pytest

from scripts.extract.clients import NEWER
from scripts.extract.extract_trial import extract
from tests.extract.synthetic import SECOND, example_trial
from tests.tables.campaigns import write_campaign

START = example_trial().start
QUIET = {"received_dropped": 0, "sent_dropped": 0, "sent_packets": 0}


def clients(tmp_path, **changes):
    """The rows of clients.parquet of the example with these parts of its record changed."""
    extract(example_trial().write(tmp_path / "trial", **changes), tmp_path / "parquet")
    return pq.read_table(tmp_path / "parquet/clients.parquet").to_pylist()


def with_bottleneck(**changes):
    return example_trial().report()["bottleneck"] | changes


def lateness(*by_second, start_s=0):
    """What the bottleneck reports if it started `start_s` after the trial."""
    start_ns = START + round(start_s * SECOND)
    return {"p50": 1, "p99": 20, "max": 10**9, "count": 9, "start_ns": start_ns, "by_second": [*by_second]}


@pytest.mark.parametrize(
    ("by_second", "start_s", "expected_ns"),
    [
        ([0, 7, 5], 0, 7),
        ([9, 8, 7, 6], -2, 7),  # two seconds ended before the trial
        ([9, 8, 7, 6], -1.5, 7),  # and so did captures, in the second in which the trial began
        ([3] * 9 + [4, 50], 0, 4),  # the clients stopped after 10 s
        ([3] * 9 + [4, 50], 0.5, 3),  # and the trial ends within this second
        ([], 0, 0),
    ],
)
def test_the_longest_stall_is_that_of_the_trials_seconds(tmp_path, by_second, start_s, expected_ns):
    bottleneck = with_bottleneck(lateness_ns=lateness(*by_second, start_s=start_s))
    row, _ = clients(tmp_path, bottleneck=bottleneck)
    assert (20, expected_ns) == (row["lateness_p99_ns"], row["longest_stall_ns"])


def test_an_older_trials_longest_stall_is_its_largest_delay(tmp_path):
    bottleneck = with_bottleneck(lateness_ns={"p50": 1, "p99": 2, "max": 3, "count": 9})
    row, _ = clients(tmp_path, bottleneck=bottleneck)
    assert (2, 3) == (row["lateness_p99_ns"], row["longest_stall_ns"])


def test_each_client_has_its_own_uplink(tmp_path):
    uplink = {"clients": [
        {"name": "c1", "packets": 4, "bytes": 40, "arrived_packets": 6, "left_packets": 2},
        {"name": "c2", "packets": 5, "bytes": 50, "arrived_packets": 5, "left_packets": 0},
    ]}  # fmt: skip
    rows = clients(tmp_path, bottleneck=with_bottleneck(uplink=uplink))
    counts = [[row[f"uplink_{kind}_packets"] for kind in ("arrived", "forwarded", "left")] for row in rows]
    assert [[6, 4, 2], [5, 5, 0]] == counts


def test_drops_of_every_device_are_summed_and_what_the_service_sent_includes_its_own(tmp_path):
    """The daemon of BESS also counts packets that it missed: those of the service never arrived."""
    record = example_trial().report()
    devices = {
        "client": QUIET | {"received_dropped": 1, "sent_dropped": 20},
        "service": {"received_dropped": 300, "sent_dropped": 4000, "sent_packets": 10},
    }
    record["clients"][0]["devices"] = devices
    downlink = record["bottleneck"]["downlink"]
    downlink["clients"][0]["missed_packets"] = 50_000
    uplink = {"clients": [{"name": "c1", "packets": 4, "bytes": 40, "missed_packets": 600_000}]}
    bottleneck = with_bottleneck(downlink=downlink, uplink=uplink)
    row, _ = clients(tmp_path, clients=record["clients"], bottleneck=bottleneck)
    assert row["device_dropped_packets"] == 654_321
    assert row["service_sent_packets"] == 4010
    assert row["service_device_dropped_packets"] == 54_000


@pytest.mark.parametrize(("addresses", "expected"), [(["198.18.1.10"], True), ([], False)])
def test_a_service_with_an_address_on_the_testbed_is_self_hosted(tmp_path, addresses, expected):
    record = example_trial().report()
    record["clients"][0]["service_addresses"] = addresses
    trial = example_trial().write(tmp_path / "trial", clients=record["clients"])
    write_campaign(tmp_path / "config.json")
    extract(trial, tmp_path / "parquet", key=tmp_path / "key", config=tmp_path / "config.json")
    row, _ = pq.read_table(tmp_path / "parquet/clients.parquet").to_pylist()
    assert expected is row["self_hosted"]


def test_the_receive_window_reaches_half_of_the_clients_largest_buffer(tmp_path):
    sysctls = {
        "client-c1": {"net.ipv4.tcp_rmem": "4096 131072 67108864"},
        "service-c1": {"net.ipv4.tcp_rmem": "4096 131072 1000"},
    }
    rows = clients(tmp_path, sysctls=sysctls)
    assert [67108864 // 2, None] == [row["receive_window_maximum_bytes"] for row in rows]


def test_an_older_trial_has_nulls(tmp_path):
    older = {
        name: value for name, value in with_bottleneck().items() if name not in ("uplink", "lateness_ns")
    }
    record = example_trial().report()
    for client in record["clients"]:
        client.pop("devices", None)
    for row in clients(tmp_path, bottleneck=older, clients=record["clients"], sysctls=None):
        assert dict.fromkeys(NEWER) == {name: row[name] for name in NEWER}


def test_lost_handshakes_are_those_of_each_client(tmp_path):
    counts = [{"kept_packets": 9, "cut_packets": 8, "lost_packets": lost} for lost in (0, 7)]
    parts = zip(example_trial().report()["clients"], counts, strict=True)
    rows = clients(tmp_path, clients=[client | {"handshakes": count} for client, count in parts])
    assert [0, 7] == [row["handshakes_lost_packets"] for row in rows]


def test_every_client_has_the_host_and_its_kernel(tmp_path):
    host = {"name": "node-1", "kernel": "6.12.1", "cpu_pressure_fraction": 0.01}
    rows = clients(tmp_path, host=host)
    assert [("node-1", "6.12.1")] * 2 == [(row["host"], row["kernel"]) for row in rows]


def test_senders_are_the_services_and_the_testbed_and_each_client_has_its_own_waiting(tmp_path):
    times = {"service-c1": 1, "service-c2": 2, "testbed": 3, "client-c1": 10, "client-c2": 20}
    programs = {host: {"a": {"run_s": 9, "wait_s": seconds}} for host, seconds in times.items()}
    programs["service-c1"]["b"] = {"run_s": 9, "wait_s": 4}
    rows = clients(tmp_path, host={"cpu_pressure_fraction": 0.01, "program_times": programs})
    seconds = (rows[0]["trial_stop_ns"] - rows[0]["trial_start_ns"]) / 1e9
    waited = [(row["sender_wait_fraction"] * seconds, row["client_wait_fraction"] * seconds) for row in rows]
    assert [pytest.approx((10, 10)), pytest.approx((10, 20))] == waited


def test_of_the_senders_waits_the_delay_counts_where_it_is_recorded(tmp_path):
    times = {"run_s": 9, "wait_s": 8, "delayed_s": 3}
    programs = {
        "service-c1": {"a": times},
        "client-c1": {"a": times},
        "testbed": {"a": {"run_s": 9, "wait_s": 4}},
    }
    row = clients(tmp_path, host={"cpu_pressure_fraction": 0.01, "program_times": programs})[0]
    seconds = (row["trial_stop_ns"] - row["trial_start_ns"]) / 1e9
    assert pytest.approx((7, 8)) == (
        row["sender_wait_fraction"] * seconds,
        row["client_wait_fraction"] * seconds,
    )


def test_both_sides_have_the_processor_time_of_their_programs_without_our_drivers(tmp_path):
    """Drivers are Python. An endpoint that is Python, too, has no known time."""
    run = {
        "service-c1": {"python3.11": 9, "server": 3, "helper": 1},
        "client-c1": {"python3.11": 9, "client": 2},
        "service-c2": {"python3.11": 9},
    }
    programs = {
        host: {name: {"run_s": seconds, "wait_s": 0} for name, seconds in of_host.items()}
        for host, of_host in run.items()
    }
    rows = clients(tmp_path, host={"cpu_pressure_fraction": 0.01, "program_times": programs})
    assert [(4, 2), (None, None)] == [(row["server_run_s"], row["client_run_s"]) for row in rows]


@pytest.mark.parametrize(
    ("report", "expected"),
    [
        ({"version": "0.1.0"}, "embedded 0.1.0"),
        ({"version": None}, "embedded"),
        ({"version": "0.1.0 at /home/someone"}, "embedded"),  # such text is not published
        ({"backend": "bess", "version": "0.1.0", "daemon": {"version": "v0.4.0"}}, "bess 0.1.0"),
    ],
)
def test_the_switch_is_the_bottleneck_and_its_version(tmp_path, report, expected):
    assert {expected} == {row["switch"] for row in clients(tmp_path, bottleneck=with_bottleneck(**report))}
