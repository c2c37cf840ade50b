"""A file of a format that is not read is refused, with both versions (docs/formats.md)."""

import json

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.extract.trial_json import read_trial
from scripts.model.specification import read_specification
from scripts.site.data.summary import read_summary
from scripts.snapshot.identity import read_identity

REFERENCE = ROOT / "data/snapshots/reference"
TRIAL = "8mbps/iperf-bbr/01"


@pytest.mark.parametrize(
    ("key", "name", "read"),
    [
        ("schema", "trial.json", read_trial),
        ("schema", "01.json", read_specification),
        ("format", "snapshot.json", lambda path: read_identity(path.parent)),
        ("format", "summary.json", lambda path: read_summary(path.parent)),
    ],
)
@pytest.mark.parametrize("version", [0, 2])
def test_another_version_is_one_line_with_both(tmp_path, key, name, read, version):
    path = tmp_path / name
    path.write_text(json.dumps({key: version}))
    with pytest.raises(UserError) as error:
        read(path)
    assert f"{path}: has version {version} of its format; this program reads version 1" == str(error.value)


def test_the_pinned_snapshot_has_the_versions_that_are_read():
    assert "demo" == read_identity(REFERENCE).campaign
    assert "8mbps" == read_specification(REFERENCE / f"plan/specs/{TRIAL}.json").setting
    assert "8mbps" == read_trial(REFERENCE / f"trials/{TRIAL}/trial.json").setting
