"""A trial with a live service: its published copy gives the same tables and has no address of the service."""

import json
import shutil
import struct
import subprocess
from ipaddress import ip_address

import pyarrow.parquet as pq
import pytest
import zstandard

from scripts.base.errors import UserError
from scripts.extract.__main__ import main as extract_main
from scripts.extract.extract_trial import TABLES, extract
from scripts.extract.pseudonyms import Pseudonyms
from scripts.extract.published_trial import publish
from tests.extract.live_trial import LIVE, SERVER, write_live_trial
from tests.extract.synthetic import CLIENT, ethernet, ipv4, tcp, udp

ROUTE = b"\x83\x07\x04" + ip_address(SERVER).packed + b"\x00"
ADD_ADDRESS = b"\x1e\x08\x30\x01" + ip_address(SERVER).packed
CUT_TIMESTAMPS = b"\x08\x20" + ip_address(SERVER).packed + b"\x00\x00"


def ipv6(body, protocol=6, source=SERVER, extensions=b""):
    """A packet whose addresses contain `source`."""
    ends = [ip_address(f"2001:db8::{source}").packed, ip_address("2001:db8::2").packed]
    head = struct.pack(">IHBB", 6 << 28, len(extensions) + len(body), protocol, 64)
    return ethernet(False, 0x86DD, head + b"".join(ends) + extensions + body)


DESTINATION_OPTIONS = bytes([6, 1, 1, 4]) + ip_address(SERVER).packed + bytes([1, 6, *bytes(6)])
HIDDEN = bytes([60, 43]) + ip_address(SERVER).packed
FRAMES = [
    ethernet(False, 0x0800, ipv4(False, 6, tcp(False, options=ADD_ADDRESS), options=ROUTE)),
    ethernet(False, 0x0800, ipv4(False, 6, tcp(False, payload=33, options=CUT_TIMESTAMPS))),
    ethernet(False, 0x0800, ipv4(False, 17, udp(False, 1)), vlan=True),
    ethernet(False, 0x0800, ipv4(False, 17, udp(False, 0))),
    ethernet(False, 0x0800, ipv4(False, 1, bytes(8) + ip_address(SERVER).packed)),
    ethernet(False, 0x0800, ipv4(False, 6, tcp(False))[:18]),
    ethernet(False, 0x0806, bytes(8) + ip_address(SERVER).packed * 10),
    ethernet(True, 0x0806, bytes(14) + ip_address(CLIENT).packed + bytes(6) + ip_address(SERVER).packed),
    ethernet(False, 0x88CC, ip_address(SERVER).packed * 10),
    ipv6(tcp(False)),
    ipv6(tcp(False), 60, extensions=DESTINATION_OPTIONS),
    ipv6(b"", 43, extensions=HIDDEN),
    ipv6(udp(False, 20), 17),
]


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """A folder with a private trial, its published copy, and the tables of both."""
    folder = tmp_path_factory.mktemp("live")
    trial, config = write_live_trial(folder, *FRAMES)
    options = ["--key", str(folder / "private/key"), "--config", str(config)]
    publish(trial, folder / "published", folder / "private/key", config)
    assert extract_main([str(trial), "-o", str(folder / "a"), *options]) == 0
    assert extract_main([str(folder / "published"), "-o", str(folder / "b")]) == 0
    return folder


def pseudonyms(live):
    return Pseudonyms((live / "private/key").read_bytes())


def decompressed(path):
    with open(path, "rb") as file:
        return zstandard.ZstdDecompressor().stream_reader(file).read()


def test_both_give_the_same_tables_byte_for_byte(live):
    # The metadata of packets.parquet differ: the shorter copy ends at another offset.
    for table in TABLES:
        paths = [live / folder / f"{table}.parquet" for folder in "ab"]
        if table == "packets":
            private, public = map(pq.read_table, paths)
            assert private.num_rows > len(FRAMES)
            assert private.equals(public)
        else:
            assert paths[0].read_bytes() == paths[1].read_bytes(), table


def test_flows_have_pseudonyms_and_public_names(live):
    flows = pq.read_table(live / "a/flows.parquet").to_pylist()
    server = pseudonyms(live).text(SERVER)
    assert server != SERVER
    found = {(row["client"], row["source"], row["name"]) for row in flows if row["protocol"] == 6}
    assert ("c1", server, "*.cdn-of-video.com") in found
    assert ("c2", "198.18.2.10", None) in found
    names = json.loads((live / "published/names.json").read_text())["said"]
    assert ["*.cdn-of-video.com", "*.cdn-of-video.com", "tracker.com", None] == [
        said["name"] for said in names
    ]
    assert {server} == {said["server"] for said in names}


def test_no_published_file_has_the_address(live):
    packed = ip_address(SERVER).packed
    for path in (live / "published").iterdir():
        content = decompressed(path) if path.suffix == ".zst" else path.read_bytes()
        assert packed not in content, path
        assert SERVER.encode() not in content, path
    assert packed in decompressed(live / "trial/client-c1.pcapng.zst")
    server = pseudonyms(live).text(SERVER)
    assert server.encode() in decompressed(live / "published/senders.jsonl.zst")
    assert server == json.loads((live / "published/flows.json").read_text())[0]["source"]
    assert ip_address(server).packed in decompressed(live / "published/client-c1.pcapng.zst")


def test_tshark_reads_the_copy_and_every_checksum_is_good(live):
    """A checksum that were not computed anew would be that of the original address."""
    preferences = ["ip.check_checksum:TRUE", "tcp.check_checksum:TRUE", "udp.check_checksum:TRUE"]
    options = [word for preference in preferences for word in ("-o", preference)]
    fields = ["ip.checksum.status", "tcp.checksum.status", "udp.checksum.status"]
    columns = [word for field in fields for word in ("-e", field)]
    command = ["tshark", "-r", live / "published/client-c1.pcapng.zst", *options, "-T", "fields", *columns]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    assert len(lines) > len(FRAMES)
    found = [{line[number] for line in lines} for number in range(3)]
    bad, good = "0", "1"
    assert all(bad not in statuses for statuses in found)
    assert [good in statuses for statuses in found] == [True, True, False]  # the samples' UDP has none


def test_the_copy_of_a_copy_is_the_same(live, tmp_path):
    publish(live / "published", tmp_path / "again")
    for path in (live / "published").iterdir():
        assert path.read_bytes() == (tmp_path / "again" / path.name).read_bytes(), path.name


def test_another_key_gives_other_pseudonyms(live, tmp_path):
    for name in ("first", "second"):
        publish(live / "trial", tmp_path / name, tmp_path / f"{name}.key", live / "config.json")
    sources = [
        json.loads((tmp_path / name / "flows.json").read_text())[0]["source"] for name in ("first", "second")
    ]
    assert len({*sources, SERVER}) == 3


def test_without_key_or_configuration_nothing_is_written(live, tmp_path):
    for options in ({}, {"key": tmp_path / "key"}, {"config": live / "config.json"}):
        for reads in (publish, extract):
            with pytest.raises(UserError, match="live-video is a live service"):
                reads(live / "trial", tmp_path / "out", **options)
    assert [] == list(tmp_path.iterdir())


def test_a_service_that_the_configuration_lacks_is_named(live, tmp_path):
    content = json.loads((live / "config.json").read_text())
    del content["services"]["live-video"]
    (tmp_path / "config.json").write_text(json.dumps(content))
    with pytest.raises(UserError, match=f"has no service {LIVE['name']}"):
        publish(live / "trial", tmp_path / "out", tmp_path / "key", tmp_path / "config.json")


def test_a_trial_of_self_hosted_services_needs_no_key(live, tmp_path):
    shutil.copytree(live / "trial", tmp_path / "trial")
    record = json.loads((tmp_path / "trial/trial.json").read_text())
    record["clients"] = [record["clients"][1]]
    (tmp_path / "trial/trial.json").write_text(json.dumps(record))
    publish(tmp_path / "trial", tmp_path / "out", tmp_path / "key", live / "config.json")
    assert not (tmp_path / "key").exists()
    assert "pseudonyms" not in json.loads((tmp_path / "out/trial.json").read_text())


def test_a_damaged_list_of_flows_of_a_failed_trial_is_left_out(tmp_path):
    trial, config = write_live_trial(tmp_path, status="failed", reason="It broke.")
    (trial / "flows.json").write_text("[{}]")
    publish(trial, tmp_path / "out", tmp_path / "key", config)
    assert not (tmp_path / "out/flows.json").exists()
    assert json.loads((tmp_path / "out/trial.json").read_text())["pseudonyms"] is True
