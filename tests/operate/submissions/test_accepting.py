"""What is stored of an accepted submission, and the campaign that it becomes."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest
import yaml

from scripts.base.errors import UserError
from scripts.model.submission import FOLDER
from scripts.operate.submissions.definition import read_panel
from scripts.operate.submissions.desk import Desk, add
from scripts.plan.campaign_file import load_campaign
from tests.operate.submissions.desk import LATER, TODAY, Office

KINDS = {"page": "Web", "video": "Video", "download": "File transfer", "batched_download": "File transfer"}


def definition(office, submission):
    return office.data / FOLDER / submission.id / "definition"


def campaign(office, submission):
    return load_campaign(submission.campaign, definition=definition(office, submission))


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_is_accepted_and_can_be_planned(kind, office):
    stored = office.add(kind=kind, workload=["*.cdn.iana.org", "films.iana.org"])
    assert [stored] == office.stored()
    made = campaign(office, stored)
    service = made.services[stored.campaign]
    assert (KINDS[kind], kind, "Example Films (submitted)") == (
        service.category,
        service.driver,
        service.title,
    )
    assert ("web" if kind == "page" else "throughput") == service.metric
    assert ("*.cdn.iana.org", "films.iana.org") == service.workload
    assert "https://films.iana.org/watch?v=1" == service.live.url
    assert ((443,), "films.iana.org", 443) == (service.live.ports, service.probe.host, service.probe.port)
    assert (kind != "page") == (f"{stored.campaign}~{stored.campaign}" in made.pairs)


def test_the_record_is_what_was_sent_without_the_code(office):
    stored = office.add(settings=["8mbps"], contenders=["iperf-reno", "iperf-bbr"])
    assert ("Example Films", "video", "me@iana.org") == (stored.name, stored.kind, stored.contact)
    assert (LATER, "waiting", ("8mbps",)) == (stored.release, stored.state, stored.settings)
    assert ("iperf-bbr", "iperf-reno") == stored.contenders, "in the panel's order"
    assert 32 == len(stored.token) and stored.code != office.code


def test_a_submission_meets_each_contender_and_itself_in_the_chosen_settings(office):
    stored = office.add(settings=["50mbps"], contenders=["iperf-bbr", "ref-video-4-reno"])
    made = campaign(office, stored)
    own = stored.campaign
    assert (f"iperf-bbr~{own}", f"ref-video-4-reno~{own}", f"{own}~{own}") == made.pairs
    assert ["50mbps"] == list(made.settings)
    assert made.settings["50mbps"].measures(own), "the panel has only some services in this setting"
    assert {own, "iperf-bbr", "ref-video-4-reno"} == set(made.services)


def test_the_campaign_has_the_panels_protocol_without_its_period_and_expectations(tmp_path):
    office = Office(tmp_path)
    office.config.write_text(office.config.read_text().replace("campaign: demo", "campaign: watchdog"))
    made, panel = campaign(office, office.add()), load_campaign("watchdog")
    assert (panel.trials, panel.trial, panel.seed, panel.validity) == (
        made.trials,
        made.trial,
        made.seed,
        made.validity,
    )
    assert panel.period_days and made.period_days is None and () == made.expectations
    assert panel.settings.keys() == made.settings.keys()


def test_the_default_contenders_are_the_baselines_and_others_judged_by_throughput():
    panel = read_panel("demo")
    expected = ("iperf-bbr", "iperf-cubic", "iperf-reno", "ref-file-batched-5-bbr", "ref-video-4-reno")
    assert expected == panel.chosen_contenders((), "video", "")
    assert expected == panel.chosen_contenders((), "page", "")


def test_the_default_contenders_are_at_most_nine():
    panel, video = read_panel("watchdog"), load_campaign("demo").services["ref-video-4-reno"]
    more = {f"v{n}": replace(video, name=f"v{n}") for n in range(8)}
    panel = replace(panel, campaign=replace(panel.campaign, services=more | panel.campaign.services))
    chosen = panel.chosen_contenders((), "video", "")
    assert (*[f"v{n}" for n in range(6)], "iperf-bbr", "iperf-cubic", "iperf-reno") == chosen


def test_what_is_not_a_page_may_meet_a_page(office):
    assert ("ref-page-text",) == office.add(contenders=["ref-page-text"]).contenders


def test_a_host_in_another_script_is_kept_in_both_forms(office, capsys):
    stored = office.add(address="HTTPS://Bücher.IANA.org:443")
    assert "https://xn--bcher-kva.iana.org/" == stored.address
    assert "bücher.iana.org" == stored.shown_host
    assert "xn--bcher-kva.iana.org" == campaign(office, stored).services[stored.campaign].probe.host
    assert 0 == office.run("list")
    shown = capsys.readouterr().out
    assert "xn--bcher-kva.iana.org" in shown and " bücher.iana.org" in shown


@pytest.mark.parametrize(
    ("host", "shown"),
    [("例え.iana.org", "例え"), ("пример.iana.org", "пример"), ("xn--e1afmkfd.org", "пример")],
)
def test_a_label_of_one_language_is_accepted(host, shown, office):
    assert office.add(address=f"https://{host}/").shown_host.startswith(f"{shown}.")


def test_http_needs_the_operators_setting(tmp_path):
    office = Office(tmp_path, http=True)
    stored = office.add(address="http://films.iana.org/")
    assert (80, 443) == campaign(office, stored).services[stored.campaign].live.ports
    with pytest.raises(UserError, match="port 443"):
        office.add(address="http://films.iana.org:443/")


def test_what_is_public_is_an_argument(tmp_path):
    """So that tests with an Internet of their own can submit its services."""
    office = Office(tmp_path)
    path = office.write(office.content(address="https://files.example/"))
    with pytest.raises(UserError, match="not a public host name"):
        add(path, office.desk)
    desk = Desk(office.data, office.desk.settings, datetime.now(UTC), is_public=lambda host: True)
    assert "https://files.example/" == add(path, desk).address


@pytest.mark.parametrize("automatic", [True, False])
def test_approval_is_the_operators_unless_it_is_automatic(automatic, tmp_path):
    stored = Office(tmp_path, automatic=automatic).add()
    assert ("approved" if automatic else "waiting") == stored.state


@pytest.mark.parametrize("release", ["public", TODAY.isoformat(), LATER])
def test_a_release_is_public_or_a_day(release, office):
    assert release == office.add(release=release).release


def test_values_are_text_as_they_are_written(office):
    """YAML would read a boolean, a number and a day."""
    text = yaml.safe_dump(office.content(name=None)).replace(f"'{LATER}'", LATER) + "name: on\n"
    path = office.write("\ufeff" + text.replace("\n", "\r\n"))
    stored = add(path, office.desk)
    assert ("on", LATER) == (stored.name, stored.release)
    assert "0o17" == add(office.write(text.replace("name: on", "name: 0o17")), office.desk).name


def test_an_impossible_campaign_is_refused_and_leaves_nothing(office, monkeypatch):
    def impossible(name, definition=None):
        if definition is None:  # the panel's campaign
            return load_campaign(name)
        raise UserError("config.yaml: trial: is\x1bimpossible; change it")

    monkeypatch.setattr("scripts.operate.submissions.definition.load_campaign", impossible)
    with pytest.raises(UserError, match=r"its campaign is impossible: .*is\\x1bimpossible"):
        office.add()
    assert set() == office.folders() and 3 == office.tests_left()
