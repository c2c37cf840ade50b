"""Checks built pages with html-validate (site/package.json)."""

import json
import subprocess
from pathlib import Path

from scripts.base.files import ROOT

PROGRAM = ROOT / "site/node_modules/.bin/html-validate"
RULES: dict[str, object] = {
    # Tables whose display the style sheet changes on small screens keep their meaning by roles.
    "no-redundant-role": "off",
    # A title is as long as the names of the services and of the link.
    "long-title": "off",
    # Charts inside a page carry their colours in their elements.
    "no-inline-style": "off",
    # Hugo's templates leave spaces at the ends of lines. They have no meaning.
    "no-trailing-whitespace": "off",
    # HTML allows an id that begins with a digit, such as that of the setting 8mbps.
    "valid-id": ["error", {"relaxed": True}],
}
"""The rules that differ from those that html-validate recommends, and why."""


def problems(folder: Path, scratch: Path) -> list[str]:
    """What html-validate finds in all pages below a folder; `scratch` is a folder for its configuration."""
    config = scratch / "htmlvalidate.json"
    config.write_text(json.dumps({"root": True, "extends": ["html-validate:recommended"], "rules": RULES}))
    # Through a pipe, the program would end before all of its output is read.
    output = scratch / "problems.json"
    formatter = f"json={output}"
    command = [str(PROGRAM), "--config", str(config), "--formatter", formatter, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return [
        f"{Path(page['filePath']).relative_to(folder)}:{found['line']}: {found['ruleId']}: {found['message']}"
        for page in json.loads(output.read_text())
        for found in page["messages"]
    ]


def assert_valid(folder: Path, scratch: Path) -> None:
    """Fail with all problems of the pages below a folder."""
    found = problems(folder, scratch)
    assert not found, "\n".join(found)
