"""The unlisted site of a submission."""

import json
import os
import re
import tarfile
from dataclasses import replace
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.base.records import to_json
from scripts.model.schemas import schema_of
from scripts.model.submission import Submission
from scripts.site.__main__ import main
from scripts.site.settings import SiteSettings
from scripts.site.unlisted import build_unlisted
from tests.site.archives import SETTINGS, broken_links, contents
from tests.site.html_check import assert_valid
from tests.site.pages_read import Site, text
from tests.site.submitted import CAMPAIGN, CYCLE, write_submitted

TOKEN = "0123456789abcdef" * 2
PAGES = f"cycles/{CAMPAIGN}/{CYCLE}/"
ADDRESS = f"{SETTINGS.address}unlisted/{TOKEN}/"


@pytest.fixture(scope="module")
def snapshots(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "snapshots"
    write_submitted(folder)
    return folder


@pytest.fixture(scope="module")
def site(snapshots, tmp_path_factory) -> Site:
    output = tmp_path_factory.mktemp("a submission") / "unlisted"
    build_unlisted(snapshots, TOKEN, output, SETTINGS, "2027-01-31")
    return Site(output)


def test_every_page_tells_search_engines_to_leave_it_out(site):
    assert len(site.pages) > 60
    for name, page in site.pages.items():
        assert ["noindex, nofollow"] == [
            one.get("content") for one in page.findall(".//meta[@name='robots']")
        ], name


def test_every_page_with_a_layout_says_that_it_is_unlisted_and_until_when(site):
    shown = {name: page for name, page in site.pages.items() if not name.startswith(("latest/", "404"))}
    assert len(shown) > 30
    for name, page in shown.items():
        first = page.find(".//main/*[1]")
        if first.get("class") == "status":
            first = page.find(".//main/*[2]")
        assert "unlisted" in first.get("class"), name
        assert "whoever has the address can read this page" in text(first)
        assert "published on 2027-01-31" in text(first)
        assert (site.root / "bundle.tar") == site.target(name, first.find(".//a").get("href"))[0]


def test_nothing_announces_it(site):
    names = {path.name for path in site.root.rglob("*")}
    assert not names & {"feed.xml", "sitemap.xml", "robots.txt", "submissions.json"}
    for name, page in site.pages.items():
        assert not page.findall(".//link[@type='application/atom+xml']"), name


def test_it_is_whole_wherever_it_is_copied(site):
    assert set() == {(page, link) for page, link in broken_links(site.root) if page != "404.html"}
    assert not [path for path in site.root.rglob("*") if path.is_symlink()]
    trial = site.root / f"captures/{CAMPAIGN}/{CYCLE}/8mbps/iperf-bbr~{CAMPAIGN}/01"
    assert b"client-c1.pcapng.zst" == (trial / "client-c1.pcapng.zst").read_bytes()


def test_its_pages_are_valid(site, tmp_path):
    assert_valid(site.root, tmp_path)


def test_no_page_offers_its_address_as_a_permanent_one(site):
    words = text(site.page(PAGES))
    assert "Permanent address" not in words and "Cite this page" not in words
    assert f"make reproduce SNAPSHOT=data/snapshots/{CAMPAIGN}-{CYCLE}" in words
    assert f"{ADDRESS}{PAGES}" == site.page(PAGES).find(".//link[@rel='canonical']").get("href")


def test_the_story_is_that_of_the_submission(site):
    assert f"campaign {CAMPAIGN}" in text(site.page(""))
    assert (site.root / "latest/settings/index.html").is_file()


def test_the_bundle_has_the_whole_snapshot_and_nothing_of_this_host(site, snapshots):
    (snapshot,) = snapshots.iterdir()
    files = {path.relative_to(snapshots).as_posix(): path for path in snapshot.rglob("*") if path.is_file()}
    with tarfile.open(site.root / "bundle.tar") as bundle:
        entries = bundle.getmembers()
        assert sorted(files) == [one.name for one in entries]
        assert {(0, 0, "", "", 0, 0o644)} == {
            (one.uid, one.gid, one.uname, one.gname, one.mtime, one.mode) for one in entries
        }
        for one in entries:
            assert files[one.name].read_bytes() == bundle.extractfile(one).read()


def test_it_has_the_same_bytes_each_time_whatever_was_there(site, snapshots, tmp_path):
    output = tmp_path / "unlisted"
    build_unlisted(snapshots, TOKEN, output, SETTINGS)
    assert b"2027-01-31" not in (output / "index.html").read_bytes()
    for path in next(snapshots.iterdir()).rglob("*.json"):
        os.utime(path, (1, 1))
    build_unlisted(snapshots, TOKEN, output, SETTINGS, "2027-01-31")
    assert contents(site.root) == contents(output)


def test_captures_elsewhere_and_a_doi_of_the_archive_are_not_its_own(snapshots, site, tmp_path):
    settings = replace(SETTINGS, captures="https://captures.example.org/", doi="10.5281/zenodo.1")
    build_unlisted(snapshots, TOKEN, tmp_path / "unlisted", settings, "2027-01-31")
    assert contents(site.root) == contents(tmp_path / "unlisted")


@pytest.mark.parametrize("token", ["", "abc", TOKEN.upper(), TOKEN + "0", "../" * 10 + "ab", TOKEN + "\n"])
def test_another_token_is_refused(snapshots, tmp_path, token):
    with pytest.raises(UserError, match=r"^token: is not 32 hexadecimal digits"):
        build_unlisted(snapshots, token, tmp_path / "unlisted", SETTINGS)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("day", ["public", "2027-02-30", "20270131", "2027-1-31", "<b>"])
def test_another_day_is_refused(snapshots, tmp_path, day):
    with pytest.raises(UserError, match=r"^release: .* is not a day"):
        build_unlisted(snapshots, TOKEN, tmp_path / "unlisted", SETTINGS, day)


def test_an_archive_is_never_replaced(snapshots, tmp_path):
    (tmp_path / "public").mkdir()
    (tmp_path / "public/index.html").write_text("the archive")
    with pytest.raises(UserError, match="is not an unlisted site"):
        build_unlisted(snapshots, TOKEN, tmp_path / "public", SETTINGS)
    assert "the archive" == (tmp_path / "public/index.html").read_text()


def test_a_folder_without_a_snapshot_is_refused(tmp_path):
    with pytest.raises(UserError, match="has no snapshot"):
        build_unlisted(tmp_path, TOKEN, tmp_path / "unlisted", SETTINGS)


def test_the_command_makes_it_and_does_not_print_the_token(snapshots, tmp_path, capsys):
    record = tmp_path / "submission.json"
    record.write_text(json.dumps(to_json(submitted(TOKEN))))
    words = ["unlisted", str(snapshots), str(record), "-o"]
    assert 0 == main([*words, str(tmp_path / "made")])
    assert (tmp_path / "made/bundle.tar").is_file()
    assert "2027-01-31" in (tmp_path / "made/index.html").read_text()
    printed = capsys.readouterr()
    assert TOKEN not in printed.out + printed.err
    record.write_text(json.dumps(to_json(submitted("no"))))
    assert 2 == main([*words, str(tmp_path / "other")])
    assert re.search(r"^.*token: is not 32 hexadecimal digits", capsys.readouterr().err, re.MULTILINE)


def submitted(token):
    """The record of a submission with this token."""
    return Submission(
        id="a1b2c3d4", name="Example", address="https://a.example/", shown_host="a.example", kind="page",
        workload=(), contact="nobody@contact.example", code="k1", release="2027-01-31", settings=(),
        contenders=(), token=token, added="2026-11-24T00:00:00Z",
    )  # fmt: skip


def test_no_setting_of_the_site_makes_the_archive_unlisted():
    assert "unlisted" not in schema_of(SiteSettings)["properties"]
