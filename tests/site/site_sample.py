"""A made-up archive of paper size for people who work on the pages: `make site-sample`.

    python -m tests.site.site_sample DIR [--cycles N]

makes DIR/snapshots and DIR/public: one cycle of the campaign `sample-one`, N cycles (10) of the campaign
`sample`, whose last one has all 15 services of the reference panel in two settings, and two cycles of
`stacks-ngtcp2`. All values come from seeds. It takes a few minutes.
"""

import argparse
import shutil
import sys
from dataclasses import replace
from pathlib import Path

from scripts.model.operation import status_text
from scripts.site.archive import build_archive
from scripts.site.settings import read_settings
from tests.site.panel.panel_snapshots import CYCLES, write_panel
from tests.site.root.sample_operation import OPERATION
from tests.site.sample_stack_cycles import write_stack_cycles


def main(argv: list[str] | None = None) -> int:
    """Make the sample; see the module's docstring."""
    parser = argparse.ArgumentParser(prog="python -m tests.site.site_sample")
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--cycles", type=int, default=CYCLES, metavar="N")
    arguments = parser.parse_args(argv)
    snapshots, public = arguments.folder / "snapshots", arguments.folder / "public"
    if not snapshots.is_dir():
        fresh = arguments.folder / "unfinished"
        shutil.rmtree(fresh, ignore_errors=True)
        write_panel(fresh, arguments.cycles)
        write_stack_cycles(fresh)
        fresh.rename(snapshots)
    shutil.rmtree(public, ignore_errors=True)
    status = arguments.folder / "status.json"
    status.write_text(status_text(replace(OPERATION, campaign="sample")), encoding="utf-8")
    build_archive(snapshots, public, replace(read_settings(), campaign="sample"), status)
    print(f"serve it: python -m scripts.site.serve {public} --captures {snapshots}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
