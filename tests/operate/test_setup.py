"""`.ci/setup` on a stand-in for a host, whose programs are shell scripts: what a kill leaves, and hashes."""

import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from scripts.base.files import ROOT
from tests.end_to_end.running import wait_for

POLICY = "/usr/sbin/policy-rc.d"
TOOLS = (
    *("bash", "cat", "chmod", "cut", "date", "dirname", "env", "find", "flock", "grep", "mkdir", "mv", "rm"),
    *("sed", "sh", "sha256sum", "sleep", "sort", "touch", "xargs"),
)
SOURCES = ("pyproject.toml", "requirements.lock", "site/package.json", "site/package-lock.json")
TELL = 'echo "${0##*/} $*" >>"$HOST/calls"'
SOON_S = 20
HANG = 'touch "$HOST/hangs"; sleep 60'


class Host:
    """A checkout, and the programs that its setup finds. A file here takes the place of the policy."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.checkout, self.policy = folder, folder / "checkout", folder / "policy-rc.d"
        self.programs, self.packages = folder / "bin", self.checkout / ".venv/bin"
        for name in (".ci", "build", "site", "services/catalogue", "services/flows", "services/origin"):
            (self.checkout / name).mkdir(parents=True)
        for name in ("testbed", "scripts/extract/native"):
            (self.checkout / name).mkdir(parents=True)
        for name in SOURCES:
            (self.checkout / name).write_text(f"{name}\n")
        text = (ROOT / ".ci/setup").read_text()
        assert POLICY in text
        self.setup = self.checkout / ".ci/setup"
        self.setup.write_text(text.replace(POLICY, str(self.policy)).replace(":/usr/sbin:/sbin", ""))
        self.setup.chmod(0o755)
        self.programs.mkdir()
        for name in TOOLS:
            (self.programs / name).symlink_to(shutil.which(name))
        needed = text.partition("programs=(")[2].partition("# Packages that come")[0]
        for name in (*re.findall(r"([\w+-]+):[\w+-]+", needed), "apt-get", "systemctl"):
            self.program(self.programs / name)
        self.program(self.programs / "id", "echo 0")
        self.program(self.programs / "dpkg-query", "echo install ok installed")
        self.program(self.programs / "npm", "mkdir -p site/node_modules")
        self.program(self.programs / "python3", '[ "$2" != venv ] || mkdir -p .venv/bin')
        self.packages.mkdir(parents=True)
        self.program(self.packages / "python", '[ "$2" != services.origin ] || mkdir -p build/origin')
        self.program(self.packages / "uv")

    def program(self, path: Path, does: str = "") -> None:
        """Make a program, which tells that it was called."""
        path.write_text(f"#!/bin/bash\n{TELL}\n{does}\n")
        path.chmod(0o755)

    def lacks(self, name: str, apt: str = "") -> None:
        """Let a program be missing until apt installs it."""
        (self.programs / name).rename(self.folder / name)
        self.program(
            self.programs / "apt-get", f'[ "$1" = update ] || {{ {apt}\n mv "$HOST/{name}" "$HOST/bin/"; }}'
        )

    def run(self, *words: str, **variables: str) -> "subprocess.CompletedProcess[str]":
        """Run the setup to its end. `calls` are those of this run."""
        (self.folder / "calls").write_text("")
        command, environment = [self.setup, *words], self.environment | variables
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    @property
    def calls(self) -> list[str]:
        """The programs that ran, each with its arguments."""
        return (self.folder / "calls").read_text().splitlines()

    @property
    def environment(self) -> dict[str, str]:
        """The environment of the setup."""
        return {"PATH": str(self.programs), "HOST": str(self.folder)}

    def kill(self) -> None:
        """Run the setup, and kill it and all that it started when one of these hangs."""
        options = {"env": self.environment, "stdout": subprocess.DEVNULL, "start_new_session": True}
        with subprocess.Popen([self.setup], **options) as run:
            wait_for((self.folder / "hangs").exists, "a program hangs", SOON_S)
            os.killpg(run.pid, signal.SIGKILL)


@pytest.fixture
def host(tmp_path):
    return Host(tmp_path)


def test_a_complete_setup_leaves_no_policy_and_the_next_one_does_nothing(host):
    host.lacks("nginx")
    done = host.run()
    assert (0, False) == (done.returncode, host.policy.exists()), done.stderr
    assert "systemctl --quiet disable nginx" in host.calls
    again = host.run()
    assert (0, "", "") == (again.returncode, again.stdout, again.stderr)
    assert {"dpkg-query", "id"} >= {call.split()[0] for call in host.calls}


def test_what_a_killed_setup_left_goes_with_the_next_one(host):
    host.lacks("nginx", HANG)
    host.kill()
    asked = [subprocess.run([host.policy, name, "start"], check=False) for name in ("nginx", "munge")]
    assert [101, 0] == [one.returncode for one in asked]
    assert f"an interrupted setup left {host.policy}" in host.run("--check").stdout
    assert host.policy.exists()
    host.program(host.programs / "apt-get", '[ "$1" = update ] || mv "$HOST/nginx" "$HOST/bin/"')
    done = host.run()
    assert (0, False) == (done.returncode, host.policy.exists()), done.stderr


def test_a_policy_of_somebody_else_is_never_touched(host):
    host.policy.write_text("#!/bin/sh\nexit 101\n")
    host.lacks("nginx")
    assert [0, 0] == [host.run().returncode, host.run().returncode]
    assert "#!/bin/sh\nexit 101\n" == host.policy.read_text()


def wheel(folder: Path) -> tuple[Path, str]:
    """A package that is called uv, and its checksum."""
    path = folder / "uv-0.9-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("uv.py", "")
        archive.writestr("uv-0.9.dist-info/METADATA", "Metadata-Version: 2.1\nName: uv\nVersion: 0.9\n")
        archive.writestr("uv-0.9.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr("uv-0.9.dist-info/RECORD", "")
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("forged", [True, False])
def test_uv_is_installed_only_with_the_hash_of_the_lock(host, forged):
    path, sha = wheel(host.folder)
    known = "0" * 64 if forged else sha
    lines = [
        *("other==1.0 \\", f"    --hash=sha256:{sha}"),
        *(
            "uv==0.9 \\",
            f"    --hash=sha256:{'1' * 64} \\",
            f"    --hash=sha256:{known}",
            "    # via here",
            "z==1",
        ),
    ]
    (host.checkout / "requirements.lock").write_text("\n".join(lines) + "\n")
    host.program(host.packages / "python", f'[ "$2" != pip ] || exec {shlex.quote(sys.executable)} "$@"')
    into = host.folder / "installed"
    done = host.run(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(path.parent), PIP_TARGET=str(into))
    assert (not forged, not forged) == (done.returncode == 0, (into / "uv.py").exists()), done.stderr
    assert forged == ("DO NOT MATCH THE HASHES" in done.stderr)
