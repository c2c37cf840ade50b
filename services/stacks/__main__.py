"""Build the endpoints of the stacks.

    python -m services.stacks [STACK ...]

Without names, it builds all that are missing or older than their sources. Names say which to build anew. Each
becomes the file `build/endpoint` in its folder. README.md has times, sizes and toolchains.

Exit status: 0 all are built; 1 some are not, and a line says why; 2 an error that the user can fix.
"""

import shutil
import sys
import time

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import ROOT
from services.stacks.building import TARGET, BuildError, build, built_program, folders, is_built
from services.stacks.toolchains import lacking


@reporting
def main(argv: list[str] | None = None) -> int:
    """Run the command; see the module's docstring."""
    parser = parser_of("services.stacks", __doc__)
    parser.add_argument("stacks", nargs="*", metavar="STACK", help="a folder of services/stacks")
    given = parser.parse_args(argv).stacks
    known = folders()
    for name in given:
        if name not in known:
            raise UserError(f"ONLY={name}: there is no such stack to build; known: {', '.join(known)}")
    missing = 0
    for name in given or known:
        if not given and is_built(known[name]):
            print(f"{name}: is built")
        elif words := lacking(known[name]):
            missing += 1
            print(f"{name}: not built: {words}")
        else:
            missing += not _build(name)
    if not missing:
        shutil.rmtree(TARGET, ignore_errors=True)
    return 1 if missing else 0


def _build(name: str) -> bool:
    """Build a stack, and print how that went. Returns whether it is built."""
    print(f"{name}: is being built", flush=True)
    folder, began_s = folders()[name], time.monotonic()
    try:
        build(folder)
    except BuildError as error:
        print(f"{name}: not built: {error}")
        return False
    program = built_program(folder)
    megabytes = program.stat().st_size / 1e6
    place = program.relative_to(ROOT)
    print(f"{name}: built in {time.monotonic() - began_s:.0f} s, {megabytes:.1f} MB: {place}", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
