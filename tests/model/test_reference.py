"""docs/settings.md has every key, with what it means, as the records say it."""

from scripts.base.files import ROOT
from scripts.model.reference import reference


def test_the_page_is_what_the_command_writes():
    written = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    assert reference() == written, "run python -m scripts.model.reference > docs/settings.md"


def test_every_key_has_a_meaning():
    rows = [line for line in reference().splitlines() if line.startswith("| `")]
    assert [] == [row for row in rows if row.endswith("|  |")]
    assert 200 < len(rows)
