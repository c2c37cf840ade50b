"""Pseudonyms of addresses, and the key of a cycle."""

import multiprocessing
import shutil
import stat
import subprocess
from ipaddress import IPv4Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.extract.pseudonyms import KEY_BYTES, TESTBED, Pseudonyms, read_or_make_key

# Key and addresses of the sample trace that the authors of Crypto-PAn distribute.
SAMPLE_KEY = bytes.fromhex("1522178d33a4cf80130a5b1649907d10d8988f837979652762574c2d2a842202")
SAMPLES = {
    "128.11.68.132": "135.242.180.132",
    "129.118.74.4": "134.136.186.123",
    "130.132.252.244": "133.68.164.234",
    "141.223.7.43": "141.167.8.160",
    "156.29.3.236": "147.225.12.42",
    "166.107.77.190": "160.132.178.185",
    "192.102.249.13": "252.138.62.131",
    "198.200.171.101": "249.199.68.213",
    "205.178.38.67": "242.108.198.51",
}
KEY = bytes(range(KEY_BYTES))
PSEUDONYMS = Pseudonyms(KEY)
ADDRESSES = st.ip_addresses(v=4) | st.ip_addresses(v=6)


def shared_bits(one, other):
    bits = one.max_prefixlen
    return bits - (int(one) ^ int(other)).bit_length()


def test_the_samples_of_the_authors():
    pseudonyms = Pseudonyms(SAMPLE_KEY)
    assert list(SAMPLES.values()) == [pseudonyms.text(address) for address in SAMPLES]


def outside(address):
    return address not in TESTBED and PSEUDONYMS._mapped(address) not in TESTBED


@given(
    st.tuples(st.ip_addresses(v=4), st.ip_addresses(v=4))
    | st.tuples(st.ip_addresses(v=6), st.ip_addresses(v=6))
)
def test_two_pseudonyms_share_as_many_bits_as_their_addresses(pair):
    if all(map(outside, pair)):
        found = [ip_address(PSEUDONYMS.text(str(address))) for address in pair]
        assert shared_bits(*pair) == shared_bits(*found)


@given(ADDRESSES)
def test_another_key_gives_another_pseudonym_of_the_same_length(address):
    packed = PSEUDONYMS.packed(address.packed)
    assert len(packed) == len(address.packed)
    if address not in TESTBED:
        assert packed != Pseudonyms(KEY[::-1]).packed(address.packed)


def prefix_that_would_become_the_testbeds():
    """Found bit by bit: the pseudonym of a prefix does not depend on the bits after it."""
    found, target = 0, TESTBED.network_address
    for length in range(1, TESTBED.prefixlen + 1):
        bit = 1 << (32 - length)
        if shared_bits(PSEUDONYMS._mapped(IPv4Address(found)), target) < length:
            found |= bit
    return ip_network((found, TESTBED.prefixlen))


def test_the_addresses_of_the_testbed_stay_and_no_other_becomes_one():
    special = prefix_that_would_become_the_testbeds()
    assert PSEUDONYMS._mapped(special[7]) in TESTBED
    found = [ip_address(PSEUDONYMS.text(str(special[number]))) for number in range(20)]
    assert len(set(found)) == 20
    assert [address for address in found if address in TESTBED] == []
    for address in ("198.18.1.2", "198.19.255.255"):
        assert address == PSEUDONYMS.text(address)


def test_a_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "private/pseudonyms.key"
    key = read_or_make_key(path)
    assert len(key) == KEY_BYTES
    assert key == read_or_make_key(path)
    assert [0o600, 0o700] == [stat.S_IMODE(place.stat().st_mode) for place in (path, path.parent)]
    assert [path] == list(path.parent.iterdir())
    assert key != read_or_make_key(tmp_path / "other.key")


def test_jobs_that_need_a_key_at_the_same_time_get_the_same_one(tmp_path):
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        keys = pool.map(
            read_or_make_key, [tmp_path / f"{number}/key" for number in range(10) for _ in range(4)], 1
        )
    assert len(set(keys)) == 10


@pytest.mark.parametrize("content", [b"", b"short", bytes(KEY_BYTES + 1)])
def test_a_damaged_key_is_named(tmp_path, content):
    (tmp_path / "key").write_bytes(content)
    with pytest.raises(UserError, match="key: is not a key"):
        read_or_make_key(tmp_path / "key")
    with pytest.raises(UserError, match="cannot be read"):
        read_or_make_key(tmp_path / "key/below")


def test_make_clean_keeps_the_key_and_the_trials(tmp_path):
    shutil.copy(ROOT / "Makefile", tmp_path)
    cycle = tmp_path / "data/live/2026-11-21"
    for name in ("private", "trials", "published", "parquet"):
        (cycle / name).mkdir(parents=True)
    key = read_or_make_key(cycle / "private/pseudonyms.key")
    subprocess.run(["make", "clean"], cwd=tmp_path, check=True)
    assert ["private", "trials"] == sorted(path.name for path in cycle.iterdir())
    assert key == read_or_make_key(cycle / "private/pseudonyms.key")
