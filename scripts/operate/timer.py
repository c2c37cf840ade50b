"""Install the timer that starts a run every day and after each boot: units of systemd, or lines for cron.

    python -m scripts.operate.timer install [--to DIR] [--cron]

writes the units of config/systemd/ with this checkout and this user, and starts the timer, which starts a run
at once. With --to it only writes them there. With --cron it prints two lines for `crontab -e` instead.

Exit status: 0 done; 2 the units cannot be written, or no systemd runs here.
"""

import getpass
import shlex
import subprocess
import sys
from pathlib import Path

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import ROOT, write_text

TEMPLATES = ROOT / "config/systemd"
SYSTEM = Path("/etc/systemd/system")
RUNNING = Path("/run/systemd/system")
"""This folder exists if systemd runs (sd_booted(3))."""
WITHOUT_SYSTEMD = ROOT / "build/systemd"
TIMER = "observatory.timer"


def units(checkout: Path, user: str) -> dict[str, str]:
    """The units for a checkout and a user, by name.

    Raises:
        UserError: the path has a character that units cannot have.
    """
    if any(character in str(checkout) for character in '"$\\\n'):
        raise UserError(f"{checkout}: units of systemd cannot name this folder; move the checkout")
    names = {"@CHECKOUT@": str(checkout).replace("%", "%%"), "@USER@": user}
    written = {}
    for path in sorted(TEMPLATES.glob("observatory*")):
        text = path.read_text(encoding="utf-8")
        for name, value in names.items():
            text = text.replace(name, value)
        written[path.name] = text
    return written


def cron_lines(checkout: Path) -> str:
    """Two lines for `crontab -e`: every day at three, by the host's clock, and five minutes after a boot."""
    folder = shlex.quote(str(checkout)).replace("%", "\\%")
    path = 'PATH="$PWD/.venv/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"'
    run = f"cd {folder} && {path} python -m scripts.operate run >/dev/null 2>&1"
    return f"0 3 * * * {run}\n@reboot sleep 300 && {run}"


def install(folder: Path, checkout: Path, user: str) -> list[Path]:
    """Write the units into a folder.

    Raises:
        UserError: they cannot be written.
    """
    written = []
    for name, text in units(checkout, user).items():
        try:
            write_text(folder / name, text)
        except OSError as error:
            problem = f"{folder / name}: cannot be written: {error.strerror}"
            raise UserError(f"{problem}; run as root, or name another folder (--to DIR)") from error
        written.append(folder / name)
    return written


def _start() -> None:
    """Let systemd read the units, and start the timer."""
    for words in (["daemon-reload"], ["enable", "--now", TIMER]):
        done = subprocess.run(["systemctl", *words], capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(
                f"systemctl {' '.join(words)}: {' '.join(done.stderr.split())}; run it again as root"
            )


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command and return its exit status."""
    parser = parser_of("scripts.operate.timer", __doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("install", help="install the timer")
    command.add_argument("--to", type=Path, metavar="DIR", help="only write the units there")
    command.add_argument("--cron", action="store_true", help="print lines for cron instead")
    arguments = parser.parse_args(argv)
    if arguments.cron:
        print(cron_lines(ROOT))
        return 0
    runs = RUNNING.is_dir()
    written = install(arguments.to or (SYSTEM if runs else WITHOUT_SYSTEMD), ROOT, getpass.getuser())
    print("\n".join(f"written: {path}" for path in written))
    if arguments.to:
        return 0
    if not runs:
        raise UserError(
            "no systemd runs here, so no timer is started; make install-timer cron=1 prints lines for cron"
        )
    _start()
    print(f"started: {TIMER}; systemctl list-timers {TIMER} shows the next run")
    return 0


if __name__ == "__main__":
    sys.exit(main())
