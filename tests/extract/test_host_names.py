"""Host names in handshakes: those of a real browser, and of captures made byte by byte."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.extract.host_names import HostNames, names_of
from scripts.extract.published_trial import publish
from scripts.extract.trial_files import HANDSHAKES, NAMES
from tests.extract import browsing
from tests.extract.messages import AAAA, CNAME, A, client_hello, datagram, dns, record, segment
from tests.extract.synthetic import SERVICE, block, capture, ethernet, example_trial, ipv4, write_compressed

ROOT = Path(__file__).resolve().parents[2]
TLS, HTTP = 443, 80


def names_in(tmp_path, frames, failed=False):
    """The names in a directory with these frames as its handshakes, without their times."""
    write_compressed(tmp_path / HANDSHAKES, capture(list(enumerate(frames)), snaplen=65535))
    names = names_of(tmp_path, failed)
    assert "ok" == names.status
    return [(found.known_by, found.name, found.server, found.server_port) for found in names.observations]


@pytest.fixture(scope="module")
def browsed(tmp_path_factory):
    """A directory with the handshakes of fetches over HTTP/3, HTTP/2 and plain HTTP."""
    missing = [program for program in browsing.PROGRAMS if shutil.which(program) is None]
    if missing or os.geteuid() != 0:
        pytest.skip(f"needs root and {', '.join(missing)}")
    directory = tmp_path_factory.mktemp("browsed")
    isolated = ["unshare", "--mount", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
    command = [*isolated, sys.executable, "-m", "tests.extract.browsing", str(directory)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120)
    write_compressed(directory / HANDSHAKES, (directory / "handshakes.pcapng").read_bytes())
    return directory


@pytest.mark.traffic
def test_the_flows_of_a_browser_get_names_in_every_version_of_http(browsed):
    assert ["h3", "h2", "http/1.1"] == list(json.loads((browsed / "fetched.json").read_text()).values())
    names = names_of(browsed)
    assert "ok" == names.status
    flows = {
        (found.protocol, found.server, found.server_port, found.known_by, found.name)
        for found in names.observations
    }
    addresses = browsing.ADDRESSES
    assert flows == {
        (17, addresses["www.quic.test"], 443, "sni", "www.quic.test"),
        (6, addresses["www.secure.test"], 443, "sni", "www.secure.test"),
        (6, addresses["www.plain.test"], 80, "http", "www.plain.test"),
        *((None, address, None, "dns", name) for name, address in addresses.items()),
    }
    assert {browsing.CLIENT.address} == {found.client for found in names.observations}


@pytest.mark.traffic
def test_published_names_are_the_same_and_contain_host_names_only(browsed, tmp_path):
    trial = example_trial().write(tmp_path / "trial")
    shutil.copy(browsed / HANDSHAKES, trial)
    publish(trial, tmp_path / "public")
    assert names_of(trial) == names_of(tmp_path / "public")
    assert "secret" not in (tmp_path / "public" / NAMES).read_text()
    assert not (tmp_path / "public" / HANDSHAKES).exists()
    publish(tmp_path / "public", tmp_path / "again")
    assert (tmp_path / "public" / NAMES).read_bytes() == (tmp_path / "again" / NAMES).read_bytes()


def test_an_initial_of_quic_version_2(tmp_path):
    """The packet is that of RFC 9369, appendix A.2."""
    initial = bytes.fromhex(Path(__file__).with_name("rfc9369-client-initial.hex").read_text())
    found = names_in(tmp_path, [datagram(True, TLS, initial)])
    assert [("sni", "example.com", SERVICE, TLS)] == found


def test_a_client_hello_in_packets_that_are_out_of_order(tmp_path):
    hello = client_hello("www.example.test")
    parts = [segment(True, TLS, 100, hello[:10]), segment(True, TLS, 1010, hello[910:])]
    parts.append(segment(True, TLS, 110, hello[10:910]))
    assert [("sni", "www.example.test", SERVICE, TLS)] == names_in(tmp_path, parts)


def test_a_host_name_has_no_port_is_in_lower_case_and_is_listed_once_for_a_flow(tmp_path):
    request = b"GET /?q=secret HTTP/1.1\r\nHost: WWW.Example.test:80\r\n\r\n"
    frames = [segment(True, HTTP, 1, request), segment(True, HTTP, 1 + len(request), request)]
    assert [("http", "www.example.test", SERVICE, HTTP)] == names_in(tmp_path, frames)


def test_an_invalid_host_name_is_ignored(tmp_path):
    request = b"GET / HTTP/1.1\r\nHost: a/../b?c=d\r\n\r\n"
    assert [] == names_in(tmp_path, [segment(True, HTTP, 1, request)])


def test_an_address_has_the_requested_name_not_an_alias_or_the_name_of_a_name_server(tmp_path):
    answers = [
        record("www.example.test", CNAME, "edge.cdn.test"),
        record("edge.cdn.test", A, "192.0.2.1"),
        record("edge.cdn.test", AAAA, "2001:db8::1"),
        record("edge.cdn.test", A, "192.0.2.2"),
    ]
    response = dns("www.example.test", answers, additional=[record("ns.cdn.test", A, "192.0.2.53")])
    found = names_in(tmp_path, [datagram(False, 53, response)])
    addresses = ["192.0.2.1", "2001:db8::1", "192.0.2.2"]
    assert [("dns", "www.example.test", address, None) for address in addresses] == found


def test_answers_over_tcp_are_read_and_repeated_ones_are_listed_only_if_they_change(tmp_path):
    def answered(name):
        response = dns(name, [record(name, A, "192.0.2.1")])
        return len(response).to_bytes(2, "big") + response

    one, other = answered("one.test"), answered("other.test")
    frames = [
        segment(False, 53, 1, one + one + other),
        segment(False, 53, 1 + 2 * len(one) + len(other), one),
    ]
    expected = [("dns", name, "192.0.2.1", None) for name in ("one.test", "other.test", "one.test")]
    assert expected == names_in(tmp_path, frames)


def test_a_packet_quoted_in_an_icmp_error_is_ignored(tmp_path):
    quoted = datagram(False, 53, dns("a.test", [record("a.test", A, "192.0.2.1")]))[14:]
    unreachable = b"\x03\x03" + bytes(6) + quoted
    assert [] == names_in(tmp_path, [ethernet(True, 0x0800, ipv4(True, 1, unreachable))])


def test_names_before_the_end_of_a_cut_or_corrupt_capture_are_found(tmp_path):
    frames = [datagram(False, 53, dns(name, [record(name, A, "192.0.2.1")])) for name in ("a.test", "b.test")]
    content = capture(list(enumerate(frames)), snaplen=65535)
    write_compressed(tmp_path / HANDSHAKES, content[:-7])
    names = names_of(tmp_path)
    assert ("cut", ["a.test"]) == (names.status, [found.name for found in names.observations])
    write_compressed(tmp_path / HANDSHAKES, content + bytes(200) + block(9, frames[0]))
    names = names_of(tmp_path)
    assert ("corrupt", ["a.test", "b.test"]) == (names.status, [found.name for found in names.observations])


def test_handshakes_that_are_not_a_capture_are_an_error_unless_the_trial_failed(tmp_path):
    write_compressed(tmp_path / HANDSHAKES, b"nonsense, and not a capture")
    with pytest.raises(UserError, match=HANDSHAKES):
        names_of(tmp_path)
    assert HostNames("corrupt", []) == names_of(tmp_path, failed=True)


def test_without_handshakes_there_are_no_names(tmp_path):
    assert HostNames("missing", []) == names_of(tmp_path)


@pytest.mark.parametrize(
    "content", ["", "[]", '{"schema": 2}', '{"schema": 1, "status": "ok", "said": [{}]}']
)
def test_a_damaged_names_file_is_named(tmp_path, content):
    (tmp_path / NAMES).write_text(content)
    with pytest.raises(UserError, match=NAMES):
        names_of(tmp_path)


def test_the_message_of_a_failing_tshark_is_reported(tmp_path, monkeypatch):
    program = tmp_path / "programs/tshark"
    program.parent.mkdir()
    program.write_text(
        '#!/bin/sh\n[ "$1" = -v ] && echo "TShark (Wireshark) 4.0.17" && exit\n'
        "echo tshark: out of luck >&2; exit 3\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/bin:/usr/bin")
    write_compressed(tmp_path / HANDSHAKES, capture([(1, datagram(True, TLS, b"x"))]))
    with pytest.raises(UserError, match=rf"{HANDSHAKES}: tshark cannot dissect it: .*out of luck"):
        names_of(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match="tshark: is not installed"):
        names_of(tmp_path)
