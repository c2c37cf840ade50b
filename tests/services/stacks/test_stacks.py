"""The stacks: what each folder holds, what is missing to build it, and how a lock is completed."""

import os
import re
import tomllib

import pytest

from scripts.base.files import ROOT
from scripts.model.endpoint import read_endpoint
from services.stacks import building
from services.stacks.__main__ import main
from services.stacks.building import BuildError, build, built_program, is_built, sources, write_cargo_lock
from services.stacks.toolchains import found_version, lacking, missing, needed, parsed

STACKS = {
    path.parent.name: path.parent for path in sorted((ROOT / "services/stacks").glob("*/endpoint.yaml"))
}
BUILT = building.folders()
MOST_LINES = 150


@pytest.mark.parametrize("stack", STACKS)
def test_a_folder_says_what_runs_and_has_a_place_for_its_maintainers(stack):
    endpoint = read_endpoint(STACKS[stack])
    assert endpoint.controllers
    assert f"services/stacks/{stack}" in (STACKS[stack] / "README.md").read_text(encoding="utf-8")
    answer = (STACKS[stack] / "maintainers.md").read_text(encoding="utf-8").partition("## Your answer")[2]
    assert answer.strip()


@pytest.mark.parametrize("stack", BUILT)
def test_a_program_is_short_and_knows_the_controllers_that_its_endpoint_offers(stack):
    program = next(path for path in sources(BUILT[stack]) if path.name in ("main.rs", "main.go"))
    text = program.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MOST_LINES
    assert [name for name in read_endpoint(BUILT[stack]).controllers if f'"{name}"' not in text] == []


@pytest.mark.parametrize("stack", BUILT)
def test_a_lock_has_checksums_and_no_address(stack):
    lock = next(path for path in sources(BUILT[stack]) if path.name in (building.LOCK, "go.sum"))
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    if lock.name == "go.sum":
        assert all(re.fullmatch(r"\S+ v\S+ h1:\S{43}=", line) for line in text.splitlines())
        return
    manifest = tomllib.loads((BUILT[stack] / "Cargo.toml").read_text(encoding="utf-8"))
    packages = tomllib.loads(text)["package"]
    unlocked = [one["name"] for one in packages if not re.fullmatch("[0-9a-f]{64}", one.get("checksum", ""))]
    assert unlocked == [manifest["package"]["name"]]


@pytest.mark.parametrize("stack", BUILT)
def test_the_overview_has_a_row_for_each_stack_with_its_toolchain(stack):
    text = (ROOT / "services/stacks/README.md").read_text(encoding="utf-8")
    (row,) = [line for line in text.splitlines() if line.startswith(f"| [{stack}](")]
    assert all(program in row and version in row for program, version in needed(BUILT[stack]).items())


def test_what_is_missing_is_named_with_its_version():
    wanted = {"cargo": "1.95", "cmake": "", "go": "1.26.0"}
    assert missing(wanted, {"cargo": (1, 95, 0), "cmake": (), "go": (1, 26, 8)}) == ""
    assert missing(wanted, {"cargo": (1, 63, 0), "cmake": None, "go": None}) == (
        "needs cargo 1.95 or later, and cargo is 1.63.0; needs cmake; needs go 1.26.0 or later"
    )


@pytest.mark.parametrize(
    ("printed", "version"),
    [("cargo 1.95.0 (f2d3ce0bd 2026-03-21)", (1, 95, 0)), ("go version go1.26.8 linux/amd64", (1, 26, 8))],
)
def test_versions_are_read_from_what_a_program_prints(printed, version):
    assert parsed(printed) == version


def test_without_toolchains_each_stack_gets_a_line_and_none_is_built(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert found_version("cargo") is None
    assert main(["quinn", "quic-go"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{name}: not built: {lacking(BUILT[name])}" for name in ("quinn", "quic-go")
    ]


def test_an_unknown_stack_is_refused(capsys):
    assert main(["quin"]) == 2
    assert "ONLY=quin: there is no such stack to build; known: " in capsys.readouterr().err


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A stack that a cargo of this test builds: it locks one package, and compiles a line."""
    monkeypatch.setattr(building, "WORK", tmp_path / "work")
    monkeypatch.setattr(building, "TARGET", tmp_path / "work/cargo")
    monkeypatch.setattr(building, "ROOT", tmp_path)
    folder = tmp_path / "stack"
    folder.mkdir()
    for name in ("main.rs", "floor.rs"):
        (folder / name).touch()
    (folder / "Cargo.toml").write_text('[package]\nname = "own"\n\n[[bin]]\npath = "main.rs"\n')
    (folder / "versions.lock").write_text(
        '[[package]]\nname = "own"\nversion = "1.0.0"\n\n'
        '[[package]]\nname = "bytes"\nversion = "1.2.3"\nchecksum = "aa"\n'
    )
    cargo = tmp_path / "bin/cargo"
    cargo.parent.mkdir()
    cargo.write_text(
        '#!/bin/sh\n[ "$1" = build ] || exec printf \'source = "some registry"\\n\' >Cargo.lock\n'
        'mkdir -p "$5/release" && cp Cargo.lock "$5/release/endpoint" && [ ! -e broken ]\n'
    )
    cargo.chmod(0o755)
    monkeypatch.setenv("PATH", str(cargo.parent), prepend=os.pathsep)
    return folder


def test_a_lock_gets_the_registry_of_this_cargo_and_keeps_its_versions(folder):
    building.WORK.mkdir()
    write_cargo_lock(folder)
    assert (folder / "Cargo.lock").read_text() == (
        '[[package]]\nname = "own"\nversion = "1.0.0"\n\n'
        '[[package]]\nname = "bytes"\nversion = "1.2.3"\nsource = "some registry"\nchecksum = "aa"\n'
    )


@pytest.mark.parametrize("source", ["main.rs", "floor.rs", "Cargo.toml", "versions.lock"])
def test_a_stack_is_built_until_a_source_changes(folder, source):
    assert not is_built(folder)
    build(folder)
    assert is_built(folder)
    assert built_program(folder).read_text() == (folder / "Cargo.lock").read_text()
    later_ns = built_program(folder).stat().st_mtime_ns + 1_000_000
    os.utime(folder / source, ns=(later_ns, later_ns))
    assert not is_built(folder)


def test_a_build_that_fails_names_its_log(folder):
    (folder / "broken").touch()
    with pytest.raises(BuildError, match=r"^cargo build ended with status 1; see work/stack\.log$"):
        build(folder)
    assert not is_built(folder)
