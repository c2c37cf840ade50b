"""The margins of the gate: the repository's file, and what a file may not say."""

import pytest
import yaml

from scripts.base.errors import UserError
from scripts.base.yaml_files import load_yaml
from scripts.gate.margins import FILE, GateSettings, Margin, read_settings

SHARE = {"metric": "share", "of": "candidate", "worse": "less", "margin": 0.1, "unit": "fraction", "why": "."}


@pytest.fixture
def read(tmp_path):
    """Reads a file of one figure, `share`, with these keys changed; None removes one."""

    def read(**changed):
        file = tmp_path / "gate.yaml"
        keys = {key: value for key, value in (SHARE | changed).items() if value is not None}
        file.write_text(yaml.safe_dump({"margins": {"share": keys}}))
        return read_settings(file)

    return read


def test_the_repositorys_file_judges_what_is_got_and_what_is_taken():
    margins = read_settings().margins
    assert [*margins] == ["share", "harm", "queueing-delay", "loss", "start-up", "settled"]
    assert ("candidate", "less", 0.1) == (
        margins["share"].of,
        margins["share"].worse,
        margins["share"].margin,
    )
    for name in ("harm", "start-up"):
        assert ("contender", "more") == (margins[name].of, margins[name].worse)
    assert [*load_yaml(FILE)["margins"]] == [*margins]


def test_a_file_becomes_a_record(read):
    assert read() == GateSettings({"share": Margin("share", "candidate", "less", 0.1, "fraction", ".")})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"metric": "shares"},
            r"gate\.yaml: margins\.share\.metric: 'shares' is no metric of pairs; known are: ",
        ),
        ({"metric": "burst_packets"}, r"margins\.share\.metric: 'burst_packets' is no metric of pairs"),
        ({"unit": "ms"}, r"margins\.share\.unit: share has the unit fraction; write the margin in it"),
        ({"metric": "harm_throughput"}, r"margins\.share\.of: .*take that of the contender"),
        ({"margin": 0}, r"gate\.yaml: margins\.share\.margin: is 0; it must be more than 0"),
        ({"worse": "up"}, r"margins\.share\.worse: 'up' is not one of either, less, more"),
        ({"of": "base"}, r"margins\.share\.of: 'base' is not one of candidate, contender"),
        ({"why": None}, r"margins\.share\.why: is missing; add it"),
        (
            {"points": 10},
            r"margins\.share\.points: unknown key; known are: margin, metric, of, unit, why, worse",
        ),
    ],
)
def test_a_wrong_file_is_refused_with_its_key(read, changed, message):
    with pytest.raises(UserError, match=message):
        read(**changed)


def test_a_file_without_figures_is_refused(tmp_path):
    file = tmp_path / "gate.yaml"
    file.write_text("margins: {}\n")
    with pytest.raises(UserError, match=r"gate\.yaml: margins: "):
        read_settings(file)
