"""The files of the reference servers, and the configuration of nginx."""

import hashlib
import re
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from scripts.model.services import Video, read_service
from services.drivers import ServiceError
from services.origin.certificate import make_certificate, pinned_key
from services.origin.content import FILE_BYTES, build, require_built
from services.origin.ladder import DURATION_S, SEGMENT_S, ladder_name
from services.origin.nginx import nginx_configuration
from services.origin.pages import build_pages
from services.use_time import SHARED

SERVICES = [read_service(path) for path in sorted((ROOT / "services/catalogue").glob("ref-*.yaml"))]
VIDEOS = [service for service in SERVICES if service.video]
ORIGINS = {service.name: service.origin for service in SERVICES}


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    folder = tmp_path_factory.mktemp("origin") / "content"
    build(VIDEOS[:1], folder)
    return folder


def boxes(data: bytes) -> list[tuple[str, int]]:
    """Type and size of the ISO-BMFF boxes of a file."""
    found, at = [], 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        found.append((kind.decode(), size))
        at += size
    assert at == len(data), "the last box ends where the file does"
    return found


def test_every_segment_has_exactly_the_size_of_its_rung(content):
    ladder = VIDEOS[0].video.ladder_kbps
    rungs = content / "video" / ladder_name(ladder)
    for rate in ladder:
        segments = list((rungs / str(rate * 1000)).iterdir())
        assert len(segments) == DURATION_S // SEGMENT_S
        assert {segment.stat().st_size for segment in segments} == {rate * 1000 * SEGMENT_S // 8}


def test_a_segment_is_a_video_with_only_a_free_box_added(content):
    ladder = VIDEOS[0].video.ladder_kbps
    rungs = content / "video" / ladder_name(ladder)
    low, high = (boxes((rungs / str(rate * 1000) / "2.m4s").read_bytes()) for rate in (ladder[0], ladder[-1]))
    assert low[-1][0] == high[-1][0] == "free"
    assert low[:-1] == high[:-1]
    assert {"moof", "mdat"} <= {kind for kind, _ in low}


def test_the_file_has_the_size_of_the_papers_and_takes_no_disk_space(content):
    file = (content / "file.bin").stat()
    assert file.st_size == FILE_BYTES == 10**10
    assert file.st_blocks * 512 < 1e6


def test_a_ladder_that_is_not_built_is_an_error(content):
    assert require_built(VIDEOS[0], content) == content
    with pytest.raises(ServiceError, match="not built; run `make setup`"):
        require_built(replace(VIDEOS[0], video=Video((300, 900))), content)


def test_pages_are_the_same_in_every_build(tmp_path):
    def digests(folder: Path) -> dict[str, str]:
        build_pages(folder)
        files = [path for path in folder.rglob("*") if path.is_file()]
        return {
            str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
        }

    first = digests(tmp_path / "first")
    assert first == digests(tmp_path / "second")
    assert {"text/index.html", "thumbnails/23.jpg", "images/15.jpg"} <= first.keys()


PAGES = [service for service in SERVICES if service.page]


@pytest.mark.parametrize("service", PAGES, ids=lambda service: service.name)
def test_a_page_fetches_an_existing_file_from_every_host_of_its_service(content, service):
    page = content / service.page.path
    fetched = re.findall(r'data-host="(\w+)" data-name="([\w.]+)"', page.read_text())
    own = service.hosts[0]
    assert {own} | {f"{host}.{own}" for host, _ in fetched} == set(service.hosts)
    assert all((page.parent / name).stat().st_size for _, name in fetched)


def test_hosts_of_pages_over_http_1_are_more_than_the_flows_of_table_1():
    hosts = {service.name: len(service.hosts) for service in PAGES if service.origin.protocol == "h1"}
    assert hosts.keys() == {"ref-page-text", "ref-page-thumbnails"}
    assert hosts["ref-page-text"] > 5
    assert hosts["ref-page-thumbnails"] > 20


def test_the_top_rungs_are_the_caps_of_table_1():
    assert {service.name: service.video.ladder_kbps[-1] / 1000 for service in VIDEOS} == {
        "ref-video-quic-bbr": 13, "ref-video-4-reno": 8, "ref-video-2-bbr": 14,
    }  # fmt: skip


def test_a_cap_counts_whole_packets_and_nginx_payload(tmp_path):
    capped = next(service.origin for service in SERVICES if service.origin.cap_mbps is not None)
    assert "limit_rate 5430000;" in nginx_configuration(capped, tmp_path, tmp_path)  # 45e6 / 8 * 1448 / 1500
    free = nginx_configuration(ORIGINS["ref-file-bbr"], tmp_path, tmp_path)
    assert "limit_rate" not in free


def test_the_protocol_is_http_1_unless_the_service_says_http_2(tmp_path):
    assert "ssl http2" in nginx_configuration(ORIGINS["ref-file-bbr"], tmp_path, tmp_path)
    assert "http2" not in nginx_configuration(ORIGINS["ref-file-batched-5-bbr"], tmp_path, tmp_path)


def test_the_client_gets_the_hash_of_the_services_key(tmp_path):
    (tmp_path / SHARED).mkdir()
    make_certificate(["a.test", "b.test"], tmp_path, tmp_path)
    assert len(pinned_key(tmp_path)) == 44, "a SHA-256 in base64"
    before = pinned_key(tmp_path)
    make_certificate(["a.test"], tmp_path, tmp_path)
    assert pinned_key(tmp_path) != before, "every trial has its own key"
