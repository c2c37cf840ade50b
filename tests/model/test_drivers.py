"""The file beside a driver says all that is special about its services and observations."""

from collections import Counter
from dataclasses import dataclass, fields

from scripts.base.files import ROOT
from scripts.base.records import from_json, to_json, with_fields
from scripts.base.yaml_files import load_yaml
from scripts.model.drivers import FOLDER, drivers, observation_schema, own_keys
from scripts.model.services import Service, read_service

KEYS = {field.name for field in fields(Service)}


def test_every_driver_has_a_file_with_known_parts_and_observes_something_of_its_own():
    modules = {path.stem for path in FOLDER.glob("[!_]*.py")}
    assert modules - {"download"} == {name for name, driver in drivers().items() if driver.observes}
    assert modules == drivers().keys()
    for name in modules:
        assert load_yaml(FOLDER / f"{name}.yaml").keys() <= {field.name for field in fields(drivers()[name])}


def test_all_keys_of_drivers_are_keys_of_a_service():
    for driver in drivers().values():
        assert driver.keys.keys() | driver.others.keys() <= KEYS
    assert own_keys().keys() <= KEYS
    page = read_service(ROOT / "services/catalogue/ref-page-text.yaml")
    assert (page.page, None) == (page.own("page"), page.own("video"))


def test_two_drivers_observe_nothing_of_one_name():
    common = load_yaml(FOLDER / "__init__.yaml")["properties"]
    names = Counter([*common, *(key for driver in drivers().values() for key in driver.observes)])
    assert Counter(observation_schema()["properties"].keys()) == names


def test_a_key_that_only_a_driver_knows_is_read_and_written_as_it_is():
    @dataclass(frozen=True)
    @with_fields("screen")
    class Made:
        name: str

    written = {"name": "a", "screen": {"lines": 5}}
    assert written == to_json(from_json(Made, written, "the test"))
    assert {"name": "b"} == to_json(Made("b"))
