"""The allowed imports between the packages, and that modules have no import circle."""

import pytest

from scripts.base.imports import code_of, imports_of, modules

ALLOWED = {
    "scripts.base": set(),
    "scripts.metrics": set(),
    "scripts.model": {"scripts.base"},
    "scripts.figures": {"scripts.base", "scripts.model"},
    "scripts.recognition": {"scripts.base", "scripts.model"},
    "scripts.plan": {"scripts.base", "scripts.figures", "scripts.metrics", "scripts.model"},
    "scripts.extract": {"scripts.base", "scripts.model"},
    "scripts.tables": {
        "scripts.base",
        "scripts.figures",
        "scripts.metrics",
        "scripts.model",
        "scripts.plan",
        "scripts.extract",
        "scripts.recognition",
    },
    "scripts.charts": {
        "scripts.base",
        "scripts.figures",
        "scripts.metrics",
        "scripts.model",
        "scripts.tables",
    },
    "scripts.site": {
        "scripts.base",
        "scripts.figures",
        "scripts.metrics",
        "scripts.model",
        "scripts.plan",
        "scripts.recognition",
        "scripts.tables",
        "scripts.charts",
        "scripts.snapshot",
    },
    "scripts.snapshot": {
        "scripts.base",
        "scripts.model",
        "scripts.plan",
        "scripts.extract",
        "scripts.tables",
        "scripts.charts",
    },
    "scripts.gate": {
        "scripts.base",
        "scripts.charts",
        "scripts.figures",
        "scripts.metrics",
        "scripts.model",
        "scripts.plan",
        "scripts.tables",
        "services",
    },
    "scripts.hosts": {"scripts.base", "scripts.model", "scripts.plan", "scripts.tables"},
    "scripts.operate": {
        "scripts.base",
        "scripts.extract",
        "scripts.hosts",
        "scripts.model",
        "scripts.plan",
        "scripts.site",
        "scripts.snapshot",
    },
    "scripts.reference": {
        "scripts.base",
        "scripts.model",
        "scripts.observatory",
        "scripts.plan",
        "scripts.site",
        "scripts.tables",
    },
    "scripts.observatory": {
        "scripts.base",
        "scripts.hosts",
        "scripts.model",
        "scripts.plan",
        "scripts.site",
    },
    "scripts.progress": {"scripts.base", "scripts.model", "scripts.plan"},
    "services": {"scripts.base", "scripts.metrics", "scripts.model"},
    "testbed": {"scripts.base", "scripts.model", "services"},
}
"""The packages that each package may import. A later stage may import only earlier ones."""


def package_of(module):
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "scripts" else parts[0]


@pytest.mark.parametrize("package", ALLOWED)
def test_a_package_imports_only_allowed_packages(package):
    refused = {
        (module, imported)
        for module in modules()
        if package_of(module) == package
        for imported in imports_of(module)
        if package_of(imported) != package and package_of(imported) not in ALLOWED[package]
    }
    assert refused == set()


def test_every_module_is_in_a_package():
    assert {package_of(module) for module in modules()} == set(ALLOWED)


def test_no_modules_import_each_other_in_a_circle():
    """Modules whose imports are all removed are removed, until none is left. A circle would remain."""
    left = {module: set(imports_of(module)) for module in modules()}
    while removable := [module for module, imported in left.items() if not imported & left.keys()]:
        for module in removable:
            del left[module]
    assert left == {}


def test_code_of_a_module_is_all_that_it_imports():
    code = code_of("scripts.model.plan_file")
    assert code == [
        "scripts/base/errors.py",
        "scripts/base/files.py",
        "scripts/base/plain.py",
        "scripts/model/plan_file.py",
        "scripts/model/trials.py",
    ]
