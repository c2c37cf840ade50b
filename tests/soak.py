"""Run the longest tests: all of them, or the parts with these names.

    python -m tests.soak [NAME ...]

A part is a file with tests that have the marker `soak`, and is named after it: `second-cycle` is
test_second_cycle.py. `--list` tells the names.
"""

import argparse
import ast
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
MARK = "pytest.mark.soak"


def parts() -> dict[str, Path]:
    """The files with tests of this kind, by name."""
    found = {
        path.stem.removeprefix("test_").replace("_", "-"): path
        for path in TESTS.rglob("test_*.py")
        if _is_marked(path)
    }
    return dict(sorted(found.items()))


def _is_marked(path: Path) -> bool:
    """Whether the marker is named in the code of a file, not only in its strings."""
    text = path.read_text(encoding="utf-8")
    nodes = ast.walk(ast.parse(text)) if MARK in text else ()
    return any(isinstance(node, ast.Attribute) and ast.unparse(node) == MARK for node in nodes)


def purpose(path: Path) -> str:
    """The first line of what a file says about itself."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def main(arguments: list[str] | None = None) -> int:
    """Run the parts; see the module's docstring."""
    known = parts()
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="parts; all without a name")
    parser.add_argument("--list", action="store_true", help="tell the names of the parts")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(f"{name:<20}{purpose(path)}" for name, path in known.items()))
        return 0
    unknown = [name for name in options.names if name not in known]
    if unknown:
        print(f"error: no part {', '.join(unknown)}; the parts are: {', '.join(known)}", file=sys.stderr)
        return 2
    files = [str(known[name]) for name in options.names]
    return subprocess.run([sys.executable, "-m", "pytest", "-m", "soak", *files], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
