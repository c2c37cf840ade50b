"""The command that builds the site: the same bytes each time, all or nothing."""

import json
import shutil
from pathlib import Path

import pytest

from scripts.site import build as site_build
from scripts.site.times import span, utc
from tests.charts.sample_campaign import merged_config


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def broken(cycle, tmp_path) -> Path:
    """A copy of the sample cycle that a test can damage."""
    return Path(shutil.copytree(cycle, tmp_path / "broken"))


def test_building_twice_gives_the_same_bytes_and_replaces_the_old_site(site, build, tmp_path):
    output = tmp_path / "elsewhere"
    output.mkdir()
    (output / "index.html").write_text("the site before")
    (output / "stale.html").write_text("a page that is no more")
    assert build(output) == 0
    assert contents(output) == contents(site.root)
    assert [output] == list(tmp_path.iterdir())


def test_downloads_are_the_files_themselves(site, cycle):
    trial = "trial-8mbps-iperf-bbr-01.json"
    for source, name in (
        ("tables/pairs.csv", "tables/pairs.csv"),
        ("charts/cycle/share-8mbps.json", "charts/share-8mbps.json"),
        (f"charts/trials/8mbps/iperf-bbr/{trial}", f"charts/{trial}"),
    ):
        assert (cycle / source).read_bytes() == (site.root / name).read_bytes()
    assert contents(cycle / "published") == contents(site.root / "downloads/trials")


@pytest.mark.parametrize(
    ("spoil", "problem"),
    [
        (lambda folder: (folder / "merged.json").unlink(), "merged.json: cannot be read: No such file"),
        (lambda folder: (folder / "cycle.json").write_text("{"), "cycle.json: is not valid JSON"),
        (
            lambda folder: (folder / "tables/pairs.parquet").write_text("no"),
            "pairs.parquet: not a Parquet table",
        ),
        (lambda folder: (folder / "charts/cycle/loss-8mbps.svg").unlink(), "charts: has no loss-8mbps.svg"),
        (lambda folder: shutil.rmtree(folder / "published"), "published: no such folder"),
        (
            lambda folder: (folder / "merged.json").write_text(
                json.dumps({key: value for key, value in merged_config().items() if key != "services"})
            ),
            "merged.json: Object missing required field `services`",
        ),
    ],
)
def test_bad_input_is_a_user_error_and_leaves_the_old_site(broken, build, tmp_path, capsys, spoil, problem):
    output = tmp_path / "public"
    output.mkdir()
    (output / "index.html").write_text("the site before")
    spoil(broken)
    assert build(output, broken) == 2
    message = capsys.readouterr().err
    assert message.startswith("error: ") and problem in message
    assert contents(output) == {"index.html": b"the site before"}


def test_a_failure_of_hugo_leaves_the_old_site(build, tmp_path, monkeypatch):
    output = tmp_path / "public"
    output.mkdir()
    (output / "index.html").write_text("the site before")
    shutil.copytree(site_build.SITE, tmp_path / "site")
    (tmp_path / "site/layouts/home.html").write_text("{{ no such function }}")
    monkeypatch.setattr(site_build, "SITE", tmp_path / "site")
    with pytest.raises(RuntimeError, match=r"home\.html"):
        build(output)
    assert contents(output) == {"index.html": b"the site before"}
    assert {"public", "site"} == {path.name for path in tmp_path.iterdir()}


def test_a_folder_that_is_no_site_is_not_replaced(build, tmp_path, capsys):
    (tmp_path / "letters.txt").write_text("dear")
    assert build(tmp_path) == 2
    assert "not a site" in capsys.readouterr().err
    assert contents(tmp_path) == {"letters.txt": b"dear"}


def test_times_are_shown_in_utc_with_the_date_once():
    assert utc(0) == "1970-01-01 00:00 UTC"
    assert utc(None) is None
    assert span(0, 3600 * 10**9) == "1970-01-01, 00:00 to 01:00 UTC"
    assert span(0, 86400 * 10**9) == "1970-01-01 00:00 UTC to 1970-01-02 00:00 UTC"
