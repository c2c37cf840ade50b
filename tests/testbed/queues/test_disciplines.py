"""The switch and scripts/model/disciplines.py know the same disciplines with the same options."""

import json
import subprocess

import pytest

from scripts.model.disciplines import DISCIPLINES, switch_options


@pytest.fixture(scope="module")
def catalogue(switch_build):
    """The switch's disciplines: {name: {key: {"default", "minimum", "maximum"}}}."""
    command = [switch_build / "observatory-switch", "--disciplines"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_both_have_the_same_disciplines(catalogue):
    assert list(DISCIPLINES) == list(catalogue)


@pytest.mark.parametrize("name", DISCIPLINES)
def test_both_have_the_same_options_with_the_same_defaults(catalogue, name):
    of_switch = {key: option["default"] for key, option in catalogue[name].items()}
    of_python = switch_options(DISCIPLINES[name].defaults())
    assert of_python == of_switch
    assert {key: type(value) for key, value in of_python.items()} == {
        key: type(value) for key, value in of_switch.items()
    }


@pytest.mark.parametrize(
    ("name", "key"), [(name, key) for name, entry in DISCIPLINES.items() for key in entry.options]
)
def test_the_switch_accepts_every_value_that_the_schema_allows(catalogue, name, key):
    bounds = DISCIPLINES[name].options[key].schema
    for python_bound, switch_bound in (("minimum", "minimum"), ("maximum", "maximum")):
        if python_bound in bounds:
            ((switch_key, value),) = switch_options({key: bounds[python_bound]}).items()
            limit = catalogue[name][switch_key][switch_bound]
            assert value >= limit if switch_bound == "minimum" else value <= limit
