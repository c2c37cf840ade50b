"""The imports among the project's modules, read from their source without running it.

The rules take their `code` inputs from here: editing a module reruns exactly the steps that depend on it.
Such an input is one file, a stamp (`stamp_of`): Snakemake would look at all the code again for each job.
"""

import ast
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from scripts.base.files import ROOT, write_text

PACKAGES = ("scripts", "services", "testbed")
STAMPS = Path("build/code")
"""The folder of the stamps, relative to the repository."""


def modules() -> list[str]:
    """All modules of the project by full name, sorted. The name of a package means its `__init__.py`."""
    return sorted(_name(path) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def file_of(module: str) -> Path:
    """The source of a module, relative to the repository.

    Raises:
        ValueError: the project has no such module.
    """
    relative = Path(*module.split("."))
    for path in (relative.with_suffix(".py"), relative / "__init__.py"):
        if (ROOT / path).is_file():
            return path
    raise ValueError(f"the project has no module {module}")


@cache
def imports_of(module: str) -> frozenset[str]:
    """The project's modules that a module imports directly, anywhere in its source."""
    tree = ast.parse((ROOT / file_of(module)).read_text(encoding="utf-8"))
    return frozenset(name for node in ast.walk(tree) for name in _imported(node)) - {module}


def code_of(*names: str) -> list[str]:
    """The source files of these modules and of all modules they import, directly or indirectly, sorted.

    The YAML file of a module's own name belongs to it.
    """
    needed: set[str] = set()
    waiting = list(names)
    while waiting:
        module = waiting.pop()
        if module not in needed:
            needed.add(module)
            waiting += imports_of(module)
    sources = {file_of(module) for module in needed}
    return sorted(map(str, sources | {file.with_suffix(".yaml") for file in sources if _has_yaml(file)}))


def _has_yaml(source: Path) -> bool:
    return (ROOT / source.with_suffix(".yaml")).is_file()


def stamp_of(name: str, files: Iterable[str]) -> str:
    """A file that lists these files, and is as new as the newest of them.

    If the list differs from before, because a file went, the stamp is new.

    Args:
        name: its name.
        files: paths relative to the repository.

    Returns:
        Its path, relative to the repository.
    """
    listed = sorted({*files})
    path, text = ROOT / STAMPS / name, "\n".join(listed) + "\n"
    is_new = not path.is_file()
    if is_new or path.read_text(encoding="utf-8") != text:
        write_text(path, text)
    newest_ns = max((ROOT / file).stat().st_mtime_ns for file in listed)
    if is_new or path.stat().st_mtime_ns < newest_ns:
        os.utime(path, ns=(newest_ns, newest_ns))
    return str(STAMPS / name)


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(node: ast.AST) -> Iterator[str]:
    """The project's modules that an import statement names. Any other node yields nothing."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if _is_ours(alias.name))
    elif isinstance(node, ast.ImportFrom) and node.module and _is_ours(node.module):
        for alias in node.names:
            inner = f"{node.module}.{alias.name}"
            yield inner if _exists(inner) else node.module


def _is_ours(module: str) -> bool:
    return module.split(".")[0] in PACKAGES and _exists(module)


def _exists(module: str) -> bool:
    try:
        file_of(module)
    except ValueError:
        return False
    return True
