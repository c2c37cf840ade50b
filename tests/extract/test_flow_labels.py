"""Labels of single flows, and flows.parquet of a whole trial."""

import json
from dataclasses import fields, replace

import pyarrow.parquet as pq

from scripts.extract.extract_trial import extract
from scripts.extract.flow_labels import Flow, FlowLabels
from scripts.extract.host_names import HostNames
from scripts.extract.name_observation import NameObservation
from scripts.extract.trial_files import HANDSHAKES
from scripts.model.trial_record import ClientRecord
from tests.extract.messages import A, datagram, dns, record, segment
from tests.extract.synthetic import (
    CLIENT,
    MILLISECOND,
    SECOND,
    SERVICE,
    capture,
    example_trial,
    write_compressed,
)


def flow(first_ns=100, client="c1", source=SERVICE, port=40000, protocol=6):
    return Flow(client, protocol, source, 443, CLIENT, port, first_ns)


def of_flow(known_by, name, time_ns=100, port=40000):
    return NameObservation(time_ns, known_by, name, 6, CLIENT, port, SERVICE, 443)


def answer(name, time_ns, client=CLIENT, address=SERVICE):
    return NameObservation(time_ns, "dns", name, None, client, None, address, None)


def client_record(**known):
    return ClientRecord(**dict.fromkeys(field.name for field in fields(ClientRecord)) | known)


CLIENTS = [
    client_record(client="c1", address=CLIENT, service="video"),
    client_record(client="c2", address="198.18.2.2", service="file"),
]


def labelled(flows, observations):
    labels = FlowLabels(CLIENTS, HostNames("ok", observations))
    return [(label.name, label.known_by) for label in map(labels.label, flows)]


def test_a_name_in_the_flow_is_preferred_to_dns_and_its_first_name_to_later_ones():
    observations = [
        answer("dns.test", 1),
        of_flow("http", "b.test"),
        of_flow("http", "c.test"),
        of_flow("sni", "a.test"),
    ]
    assert [("a.test", "sni")] == labelled([flow()], observations)
    assert [("b.test", "http")] == labelled([flow()], observations[:3])
    assert [("dns.test", "dns")] == labelled([flow()], observations[:1])


def test_another_port_or_protocol_is_another_flow():
    assert [(None, None)] * 2 == labelled([flow(port=40001), flow(protocol=17)], [of_flow("sni", "a.test")])


def test_the_last_answer_before_the_first_packet_gives_the_name():
    observations = [answer("first.test", 10), answer("second.test", 20), answer("late.test", 101)]
    found = labelled(
        [flow(first_ns=9), flow(first_ns=10), flow(first_ns=100), flow(first_ns=101)], observations
    )
    assert [None, "first.test", "second.test", "late.test"] == [name for name, _ in found]


def test_an_answer_is_used_only_for_the_client_that_received_it():
    other = replace(flow(), client="c2", destination="198.18.2.2")
    assert [("a.test", "dns"), (None, None)] == labelled([flow(), other], [answer("a.test", 1)])


def test_an_answer_over_ipv4_names_a_flow_over_ipv6():
    resolver = flow(source="198.18.1.10", protocol=17)
    over_ipv6 = replace(flow(), source="2001:db8::1", destination="2001:db8::2")
    found = labelled([resolver, over_ipv6], [answer("a.test", 1, address="2001:db8::1")])
    assert [(None, None), ("a.test", "dns")] == found


def flows_of(trial, folder):
    extract(trial, folder)
    file = pq.ParquetFile(folder / "flows.parquet")
    return json.loads(file.metadata.metadata[b"handshakes"]), file.read().to_pylist()


def test_a_trials_flows_have_names_services_and_totals(tmp_path):
    trial = example_trial()
    directory = trial.write(tmp_path / "trial")
    request = segment(True, 5201, 1, b"GET / HTTP/1.1\r\nHost: a.test\r\n\r\n")
    write_compressed(directory / HANDSHAKES, capture([(trial.start, request)], 65535))
    status, (first, second) = flows_of(directory, tmp_path / "out")
    assert {"status": "ok"} == status
    assert ("iperf-bbr", "a.test", "http") == (first["service"], first["name"], first["known_by"])
    assert ("iperf-cubic", None, None) == (second["service"], second["name"], second["known_by"])
    assert (101, 1) == (first["packets_down"], first["packets_up"])
    assert (40 + 100 * 1500, 40) == (first["ip_bytes_down"], first["ip_bytes_up"])
    assert trial.start + 10 * MILLISECOND == first["first_ns"]
    last = trial.start + 2 * SECOND + 99 * 60 * MILLISECOND + trial.one_way_ns
    assert last == first["last_ns"]


def test_a_trial_without_handshakes_has_flows_without_names(tmp_path):
    status, flows = flows_of(example_trial().write(tmp_path / "trial"), tmp_path / "out")
    assert {"status": "missing"} == status
    assert {(None, None)} == {(row["name"], row["known_by"]) for row in flows}


def test_an_answer_in_the_handshakes_names_the_flow_to_its_address(tmp_path):
    trial = example_trial()
    directory = trial.write(tmp_path / "trial")
    response = datagram(False, 53, dns("b.test", [record("b.test", A, SERVICE)]))
    write_compressed(directory / HANDSHAKES, capture([(trial.start, response)], 65535))
    _, (first, second) = flows_of(directory, tmp_path / "out")
    assert [("b.test", "dns"), (None, None)] == [(row["name"], row["known_by"]) for row in (first, second)]
