"""The installed command: what a user does with the observatory, by one name and from any folder.

    observatory COMMAND …

This process becomes `python -m MODULE`, so exit status, signals and Ctrl-C are those of the module behind the
command. Before that it sets what modules and their children need: the programs of this environment on the
PATH, a Python that imports nothing from the folder of the user, and the name that --help shows.
"""

import os
import sys
from dataclasses import dataclass
from pathlib import Path

from scripts.base.commands import CALLED
from scripts.base.files import ROOT


@dataclass(frozen=True)
class Command:
    """A command.

    Attributes:
        does: what it does, in a line.
        module: the module behind it.
        words: the first words that the module gets.
        in_checkout: whether it runs in the checkout, where its relative paths then begin.
    """

    does: str
    module: str
    words: tuple[str, ...] = ()
    in_checkout: bool = False


CYCLE = "scripts.observatory.cycle"

GROUPS: dict[str, dict[str, Command]] = {
    "See it work": {
        "demo": Command("measure a small campaign, and build its pages", CYCLE, ("demo",)),
        "pair": Command("let two services compete once, and print what each got", "testbed", ("pair",)),
    },
    "Judge a transport": {
        "gate": Command("compare a build with another one: pass, fail or inconclusive", "scripts.gate"),
        "extract": Command("read captures, or a trial, into Parquet", "scripts.extract"),
    },
    "Measure a campaign": {
        "plan": Command("estimate its trials, time and disk", "scripts.plan.estimate"),
        "cycle": Command("measure it up to its pages, or go on with it", CYCLE),
        "site": Command(
            "build the pages of all snapshots; measure nothing", "scripts.site", ("build", "--lean")
        ),
        "serve": Command("show the pages at http://localhost:8000", "scripts.site.serve"),
        "operate": Command("do that unattended: run, status, publish, …", "scripts.operate", (), True),
    },
    "Check a snapshot": {
        "verify": Command("check who signed it, and every file", "scripts.snapshot", ("verify",)),
        "reproduce": Command("rebuild it, and compare every byte", "scripts.snapshot", ("reproduce",)),
    },
}

COMMANDS = {name: command for group in GROUPS.values() for name, command in group.items()}

WHAT = (
    "Lets services compete over one link, and says what each one gets.",
    "A campaign says what is measured, a cycle is a run of it, and a snapshot",
    "is what was published. A transport is what a program sends with: TCP or QUIC.",
)

EXAMPLES = """\
Examples:
  observatory pair iperf-bbr iperf-cubic
  observatory gate --candidate build/new --base build/old --budget 15m
  observatory cycle bbr-model-short

`observatory COMMAND --help` explains a command."""


def overview() -> str:
    """What `observatory --help` prints."""
    lines = ["usage: observatory COMMAND …", "", *WHAT, ""]
    for title, commands in GROUPS.items():
        lines += [title, *(f"  {name:<11}{command.does}" for name, command in commands.items()), ""]
    return "\n".join([*lines, EXAMPLES])


def main() -> int:
    """Become the module behind the command; see the module's docstring."""
    name, *words = sys.argv[1:] or ["--help"]
    if name in ("-h", "--help"):
        print(overview())
        return 0
    if name not in COMMANDS:
        print(f"error: {name} is no command; `observatory --help` lists them", file=sys.stderr)
        return 2
    command = COMMANDS[name]
    programs = [str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"]
    behind = " ".join(["python -m", command.module, *command.words[:1]])
    os.environ |= {
        "PATH": os.pathsep.join(programs),
        "PYTHONSAFEPATH": "1",
        CALLED: f"{behind}=observatory {name}",
    }
    if command.in_checkout:
        os.chdir(ROOT)
    os.execv(sys.executable, [sys.executable, "-m", command.module, *command.words, *words])


if __name__ == "__main__":
    sys.exit(main())
