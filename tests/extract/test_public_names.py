"""The published part of host names."""

import pytest

from scripts.base.records import from_json
from scripts.extract.public_form import PublicNames, registrable_domain
from scripts.model.services import Service

VIDEO = {
    "name": "live-video",
    "title": "Video",
    "category": "Video",
    "driver": "video",
    "cca": None,
    "live": {"url": "https://video.example.com/", "prepare": "Nothing."},
    "probe": {"host": "www.probe.co.uk", "port": 443},
    "workload": ["*.cdn.example.net", "exact.example.org"],
}


def names(*private):
    return PublicNames(from_json(Service, VIDEO, "the test"), private)


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("berlin-3.isp.cdn.example.net", "*.cdn.example.net"),
        ("exact.example.org", "exact.example.org"),
        ("*.cdn.example.net", "*.cdn.example.net"),
        ("token.tracker.co.uk", "tracker.co.uk"),
        ("tracker.co.uk", "tracker.co.uk"),
        ("cdn.example.net", "example.net"),
        ("other.example.org", "example.org"),
        ("jane.duckdns.org", "duckdns.org"),
        ("janes-bucket.s3.amazonaws.com", "amazonaws.com"),
        ("www.xn--fiqs8s.xn--55qx5d.cn", "xn--fiqs8s.xn--55qx5d.cn"),
        ("nas.lan", None),
        ("localhost", None),
        ("co.uk", None),
        ("192.168.1.20", None),
    ],
)
def test_a_name_is_reduced_to_a_pattern_or_to_its_registrable_domain(name, published):
    assert published == names().of(name)
    if published is not None:
        assert published == names().of(published)


def test_a_name_outside_the_workload_is_never_reduced_to_one_inside():
    """Else its flow would count as workload."""
    service = from_json(Service, VIDEO | {"workload": ["example.org"]}, "the test")
    found = PublicNames(service, [])
    assert [None, "example.org"] == [found.of("www.example.org"), found.of("example.org")]


def test_nothing_is_left_of_the_names_of_the_operators_own_addresses():
    found = names("files.jane.de", "berlin-3.cdn.example.net", "room.example.com", "shop.probe.co.uk")
    assert [None, None] == [found.of("files.jane.de"), found.of("cdn.jane.de")]
    assert "*.cdn.example.net" == found.of("berlin-3.cdn.example.net")
    assert "example.com" == found.of("room.example.com")  # the catalogue's own address is there too
    assert "probe.co.uk" == found.of("shop.probe.co.uk")


def test_suffixes_of_a_registry_only():
    assert ["github.io", "example.co.uk", None] == [
        registrable_domain(name) for name in ("jane.github.io", "a.b.example.co.uk", "example.invalid")
    ]
