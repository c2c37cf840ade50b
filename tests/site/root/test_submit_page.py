"""The page submit/: what a submission has, what becomes of it, and how many were withdrawn."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from scripts.base.errors import UserError
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check, described
from scripts.model.submission import Form, Submission, folder_of, write_submission
from scripts.site.archive import build_archive
from scripts.site.root.submit_page import EXAMPLE, submit_page
from scripts.site.settings import SiteSettings, read_settings
from tests.site.pages_read import text
from tests.site.root.root_read import rows_of
from tests.site.root.sample_archive import SETTINGS, write_archive

WAITING = Submission(
    *(
        "q7w8e9r4",
        "Example",
        "https://a.example/",
        "a.example",
        "page",
        (),
        "nobody@contact.example",
        "k1",
        "public",
    ),
    *((), (), "0" * 32, "2026-11-24T00:00:00Z"),
)
TIME = "2026-11-25T00:00:00Z"
MEASURED = replace(WAITING, approved=TIME, begun=TIME, measured=TIME)
STATES = [
    WAITING,
    replace(WAITING, withdrawn=TIME),
    replace(WAITING, approved=TIME, begun=TIME, withdrawn=TIME),
    MEASURED,
    replace(MEASURED, released=TIME),
    replace(MEASURED, withdrawn=TIME),
]
"""One in every state. The last one alone was withdrawn after it was measured."""


def write_records(data: Path, *submissions: Submission) -> Path:
    for number, one in enumerate(submissions):
        named = replace(one, id=f"q7w8e9r{number}")
        folder_of(data, named).mkdir(parents=True)
        write_submission(data, named)
    return data


def number_in(site: Path) -> int:
    """The public number of withdrawn submissions."""
    return json.loads((site / "submit/submissions.json").read_text())["withdrawn_after_measuring"]


def example() -> dict:
    """The example; every value is text, or a list of texts."""
    return yaml.load(EXAMPLE.read_text(), Loader=yaml.BaseLoader)


def test_the_page_explains_every_field_of_the_schema(archive):
    schema = described(Form)
    rows = dict(row.split(" | ", 1) for row in rows_of(archive.page("submit/")))
    assert rows.keys() == schema["properties"].keys()
    for name, field in schema["properties"].items():
        needed = "yes" if name in schema["required"] else "no"
        assert rows[name].startswith(f"{needed} | {field['description']}")
        assert len(field["description"]) > 10
    assert "One of: batched_download, download, page, video." in rows["kind"]


def test_the_example_is_on_the_page_and_the_schema_allows_it(archive):
    content = example()
    check(content, Form, lambda _keys: "the example")
    assert (archive.root / "submit/example.yaml").read_text() == EXAMPLE.read_text()
    assert EXAMPLE.read_text().rstrip() == archive.page("submit/").find(".//pre/code").text
    with pytest.raises(UserError, match=r"the example: address"):
        check(
            {key: content[key] for key in content if key != "address"},
            Form,
            lambda _keys: "the example",
        )


def test_the_code_of_the_example_is_a_placeholder():
    assert "REPLACE" in example()["code"]


def test_the_published_schema_is_whole(archive):
    schema = json.loads((archive.root / "submit/submission.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    assert [] == list(Draft202012Validator(schema).iter_errors(example()))
    assert [] != list(Draft202012Validator(schema).iter_errors({"name": "Example"}))


def test_without_a_setting_no_submission_is_taken(archive, build):
    none = "takes no submissions at present"
    assert none in text(archive.page("submit/"))
    site = build(write_archive, settings=replace(SETTINGS, submit="Send it to <me> & you."))
    assert none not in text(site.page("submit/")) and "Send it to <me> & you." in text(site.page("submit/"))


def test_the_setting_is_one_line(tmp_path):
    path = tmp_path / "site.yaml"
    common = "campaign: demo\naddress: http://localhost:8000/\ncaptures: captures/\n"
    path.write_text(f"{common}submit: Send it to a@example.org.\n")
    assert "Send it to a@example.org." == read_settings(path).submit
    for wrong in ('submit: "a\\nb"\n', "submit: ''\n", "unlisted: {until: null}\n"):
        path.write_text(common + wrong)
        with pytest.raises(UserError, match=r"site\.yaml"):
            read_settings(path)


def test_the_page_says_what_a_pair_takes_by_the_campaign_of_the_front_page(archive):
    words = text(archive.page("submit/"))
    numbers = load_yaml(Path("config/config.yaml"))
    assert f"A trial lasts {numbers['trial']['duration_s']} s." in words
    trials = numbers["trials"]
    assert f"A pair has {trials['round']} to {trials['most']} valid trials" in words
    assert "8mbps (Highly constrained), 50mbps (Moderately constrained)" in words
    assert submit_page(SiteSettings("no-such-campaign", SETTINGS.address, "captures/"), 0)["protocol"] is None


def test_every_page_leads_to_it_and_the_sitemap_has_it(archive):
    for name in ("index.html", "about/index.html", "cycles/index.html", "services/bbr/index.html"):
        targets = [archive.target(name, link)[0] for link in archive.links(name) if "://" not in link]
        assert archive.root / "submit/index.html" in targets, name
    assert f"<loc>{SETTINGS.address}submit/</loc>" in (archive.root / "sitemap.xml").read_text()


def test_only_the_number_of_those_withdrawn_after_they_were_measured_is_published(tmp_path):
    data, site = write_records(tmp_path / "data", *STATES), tmp_path / "public"
    (tmp_path / "snapshots").mkdir()
    build_archive(tmp_path / "snapshots", site, SETTINGS, submissions=data)
    assert 1 == number_in(site)
    page = (site / "submit/index.html").read_text()
    assert "One submission was withdrawn after it was measured." in page
    for path in site.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            for word in (b"q7w8e9r", b"a.example", b"nobody@contact.example", b"0" * 32):
                assert word not in content, path


def test_without_the_records_the_number_stays(tmp_path):
    site = tmp_path / "public"
    (tmp_path / "snapshots").mkdir()
    build_archive(tmp_path / "snapshots", site, SETTINGS)
    assert 0 == number_in(site)
    assert "No submission was withdrawn after it was measured." in (site / "submit/index.html").read_text()
    data = write_records(tmp_path / "data", STATES[-1], STATES[-1])
    build_archive(tmp_path / "snapshots", site, SETTINGS, submissions=data)
    build_archive(tmp_path / "snapshots", site, SETTINGS)
    assert 2 == number_in(site)
    words = "2 submissions were withdrawn after they were measured."
    assert words in (site / "submit/index.html").read_text()
