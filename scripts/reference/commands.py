"""docs/commands.md: every command, as the Makefile and the docstrings of the modules describe it."""

import ast
import re
from collections.abc import Iterator

from scripts.base.files import ROOT
from scripts.base.imports import file_of, modules
from scripts.observatory.__main__ import overview
from scripts.reference.markdown import head, row

HEAD = """# Commands

Every command of the observatory. `make help` and `--help` print the same. A command that begins with `python`
needs the environment: `export PATH=$PWD/.venv/bin:$PATH:/usr/sbin:/sbin`. `python -m scripts.reference`
writes this page from the Makefile and the modules.

## observatory

`.venv/bin/observatory` has the commands of every day. Each is one of the modules below.

```text
{overview}
```

## make
"""
INTERNAL = "is internal"
"""What the docstring of a module says if only other modules start it."""


def page() -> str:
    """The page, as Markdown."""
    targets = [row(f"`make {name}`", what) for name, what in _targets()]
    parts = [
        part
        for name, what in _programs()
        for part in (f"### `python -m {name}`\n", f"```text\n{what}\n```\n")
    ]
    return "\n".join(
        [
            HEAD.format(overview=overview()),
            head("command", "what it does"),
            *targets,
            "",
            "## Modules\n",
            *parts,
        ]
    )


def _targets() -> list[tuple[str, str]]:
    """The targets of the Makefile, each with what it does."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    return re.findall(r"^([a-z-]+):.*?## (.+)$", text, re.MULTILINE)


def _programs() -> Iterator[tuple[str, str]]:
    """What follows `python -m`, and the docstring of the module, of every command that is not internal."""
    for module in modules():
        text = (ROOT / file_of(module)).read_text(encoding="utf-8")
        name = _command_of(module)
        what = ast.get_docstring(ast.parse(text)) or ""
        shows_usage = re.search(rf"^ *(python -m {re.escape(name)}|observatory)\b", what, re.MULTILINE)
        starts = " " in name or 'if __name__ == "__main__":' in text
        if shows_usage and starts and INTERNAL not in what:
            yield name, what


def _command_of(module: str) -> str:
    """The command that a module is; `scripts.a.b.commands` has what follows `scripts.a b`."""
    package, _, group = module.removesuffix(".commands").rpartition(".")
    return f"{package} {group}" if module.endswith(".commands") else module.removesuffix(".__main__")
