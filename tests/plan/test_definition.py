"""Campaigns with a definition of their own: which files count, and what is refused."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.model.campaign import read_campaign
from scripts.plan.campaign_file import load_campaign, main
from scripts.plan.estimate import main as estimate
from tests.plan.definitions import NAME, PAIR, service_of, write_definition


@pytest.fixture
def definition(tmp_path):
    return write_definition(tmp_path / "definition")


def test_the_campaign_and_its_service_come_from_the_definition_and_the_rest_from_the_catalogue(definition):
    campaign = load_campaign(NAME, definition=definition)
    assert (NAME, "Example", (PAIR,)) == (campaign.campaign, campaign.title, campaign.pairs)
    assert "https://example.org/" == campaign.services[NAME].live.url
    assert campaign.services["iperf-cubic"] == load_campaign("watchdog").services["iperf-cubic"]


def test_without_its_definition_the_campaign_is_not_there(definition):
    with pytest.raises(UserError, match=f"config/campaigns/{NAME}.yaml: no such campaign"):
        load_campaign(NAME)


def test_a_folder_without_a_campaign_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"empty/campaign.yaml: no such campaign"):
        load_campaign(NAME, definition=tmp_path / "empty")


def test_a_service_with_the_name_of_one_in_the_catalogue_is_refused(tmp_path):
    definition = write_definition(tmp_path / "definition")
    (definition / "services/iperf-cubic.yaml").write_text(yaml.safe_dump(service_of("iperf-cubic")))
    with pytest.raises(
        UserError, match=r"services/iperf-cubic.yaml: the catalogue has a service of this name"
    ):
        load_campaign(NAME, definition=definition)


def test_a_wrong_service_of_the_definition_is_named_by_its_file(tmp_path):
    definition = write_definition(tmp_path / "definition", driver="nothing")
    with pytest.raises(UserError, match=f"services/{NAME}.yaml"):
        load_campaign(NAME, definition=definition)


def test_the_commands_take_the_definition(definition, tmp_path, capsys):
    merged = tmp_path / "config.json"
    assert 0 == main([NAME, "--definition", str(definition), "-o", str(merged)])
    assert load_campaign(NAME, definition=definition) == read_campaign(merged)
    assert 0 == estimate([NAME, "--definition", str(definition), "--data", str(tmp_path)])
    assert f"{NAME}, cycle " in capsys.readouterr().out


def plan(data: Path, *variables: str) -> subprocess.CompletedProcess:
    """Snakemake makes the configuration of a cycle."""
    words = [sys.executable, "-m", "snakemake", "--cores", "1", "--nolock", "--quiet", "--config"]
    words += [f"campaign={NAME}", "cycle=first", f"data={data}", *variables]
    target = data / NAME / "first/plan/config.json"
    return subprocess.run([*words, "--", str(target)], cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_snakefile_takes_the_definition_and_its_files_are_inputs(definition, tmp_path):
    merged = tmp_path / "data" / NAME / "first/plan/config.json"
    done = plan(tmp_path / "data", f"definition={definition}")
    assert 0 == done.returncode, done.stderr
    assert "Example" == json.loads(merged.read_text())["title"]
    campaign = definition / "campaign.yaml"
    campaign.write_text(campaign.read_text().replace("title: Example", "title: Other"))
    assert 0 == plan(tmp_path / "data", f"definition={definition}").returncode
    assert "Other" == json.loads(merged.read_text())["title"]


def test_without_the_definition_the_snakefile_finds_no_campaign(tmp_path):
    done = plan(tmp_path / "data")
    assert done.returncode and f"config/campaigns/{NAME}.yaml" in done.stderr + done.stdout
