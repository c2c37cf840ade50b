"""One HTML file that shows the published and the rebuilt figures side by side, with the rows that differ.

It needs no other file, no script and no network. Its frame is difference_page.html.
"""

import base64
import shlex
from collections.abc import Collection, Iterator, Sequence
from html import escape
from pathlib import Path, PurePosixPath
from string import Template
from xml.etree import ElementTree

from scripts.base.files import write_text
from scripts.snapshot.code_archive import CODE_FOLDER, SOURCE_ARCHIVE
from scripts.snapshot.compared_files import DifferentCell, shown
from scripts.snapshot.comparing import FileDifference, findings, first_cause, only_bytes

FRAME = Path(__file__).with_suffix(".html")

MOST_CHARTS = 8
"""How many charts are shown: those that differ, or the first ones if none does."""

MOST_FILES = 100
"""How many differences are listed."""


def write_difference_page(
    page: Path,
    differences: Sequence[FileDifference],
    snapshot: Path,
    rebuilt: Path,
    files: Collection[PurePosixPath] = (),
    name: str | None = None,
) -> None:
    """Write the page of a rebuild that differs.

    Args:
        page: the HTML file to write.
        differences: the result of `compare`, at least one.
        snapshot: the folder of the snapshot.
        rebuilt: the folder of the rebuilt tables/ and charts/.
        files: the files that were compared. If no chart differs, the first of these charts are shown.
        name: the snapshot as the reader named it, such as its address; default: its folder.
    """
    named = name or str(snapshot)
    words = (
        "has the same values in other bytes" if only_bytes(differences) else "is not identical when rebuilt"
    )
    content = Template(FRAME.read_text(encoding="utf-8")).substitute(
        title=escape(f"{named} {words}"),
        cause="\n".join(f"<p>{escape(words[0].upper() + words[1:])}.</p>" for words in findings(differences)),
        differences="\n".join(_listed(differences)),
        charts="\n".join(_charts(differences, snapshot, rebuilt, files)),
        rows="\n".join(_tables(differences)),
        commands=escape("\n".join(_commands(differences, named))),
    )
    write_text(page, content)


def _listed(differences: Sequence[FileDifference]) -> Iterator[str]:
    """An item for each input and result."""
    for difference in differences[:MOST_FILES]:
        stage, file, detail = (
            escape(str(text)) for text in (difference.stage, difference.file, difference.detail)
        )
        yield f"<li>{stage}: <code>{file}</code>: {detail}</li>"
    if len(differences) > MOST_FILES:
        yield f"<li>and {len(differences) - MOST_FILES} more files</li>"


def _charts(
    differences: Sequence[FileDifference], snapshot: Path, rebuilt: Path, files: Collection[PurePosixPath]
) -> Iterator[str]:
    """The published and the rebuilt form of charts."""
    changed = [found.file for found in differences if found.file.suffix == ".svg"]
    chosen = changed or sorted(path for path in files if path.suffix == ".svg")
    if chosen:
        yield "<h2>Charts, as published and as rebuilt</h2>"
    for path in chosen[:MOST_CHARTS]:
        result = "differs" if path in changed else "identical"
        yield f"<h3>{escape(path.stem)}: {result}</h3>\n<div class='pair'>"
        yield _figure(snapshot / path, f"Published: {path}")
        yield _figure(rebuilt / path, f"Rebuilt: {path}")
        yield "</div>"
    if len(chosen) > MOST_CHARTS:
        yield f"<p class='muted'>and {len(chosen) - MOST_CHARTS} more charts, which are not shown</p>"


def _figure(svg: Path, caption: str) -> str:
    """A chart as an image, so that nothing in it can act on the page."""
    if not svg.is_file():
        return f"<figure><p>There is no such file.</p><figcaption>{escape(caption)}</figcaption></figure>"
    content = svg.read_bytes()
    image = f"data:image/svg+xml;base64,{base64.b64encode(content).decode('ascii')}"
    words = escape(f"{caption}. {_label(content)}", quote=True)
    return f'<figure><img src="{image}" alt="{words}"><figcaption>{escape(caption)}</figcaption></figure>'


def _label(svg: bytes) -> str:
    """What a chart says about itself."""
    try:
        return ElementTree.fromstring(svg).get("aria-label", "")
    except ElementTree.ParseError:
        return "It is not a valid SVG file."


def _tables(differences: Sequence[FileDifference]) -> Iterator[str]:
    """The rows of each table that differ, with both values."""
    changed = [table for table in differences if table.rows.cells]
    if changed:
        yield "<h2>Rows that differ</h2>"
    for table in changed:
        shown_rows = len({cell.row for cell in table.rows.cells})
        first = f"; the first {shown_rows} are shown" if shown_rows < table.rows.count else ""
        name = escape(f"{table.file}: {table.rows.count} rows differ{first}")
        yield f'<div class="scroll" role="region" tabindex="0" aria-label="{name}"><table>'
        yield f"<caption>{name}</caption>"
        heads = ("row", "column", "published", "rebuilt", "relative difference")
        columns = "".join(f'<th scope="col">{head}</th>' for head in heads)
        yield f"<thead><tr>{columns}</tr></thead><tbody>"
        yield from map(_row, table.rows.cells)
        yield "</tbody></table></div>"


def _row(cell: DifferentCell) -> str:
    """One value that differs, or a row that one side lacks."""
    if cell.column is None:
        sides = ["the row" if there else "no row" for there in (cell.published, cell.rebuilt)]
    else:
        sides = [shown(cell.published), shown(cell.rebuilt)]
    relative = "" if cell.relative is None else f"{cell.relative:.2g}"
    values = "".join(f'<td class="number">{escape(text)}</td>' for text in (*sides, relative))
    return f"<tr><td>{escape(cell.row)}</td><td>{escape(cell.column or 'the whole row')}</td>{values}</tr>"


def _commands(differences: Sequence[FileDifference], named: str) -> Iterator[str]:
    """Commands that check the inputs one by one."""
    snapshot, cause = shlex.quote(named), first_cause(differences)
    yield "# Are these the published files?"
    yield f"python -m scripts.snapshot verify {snapshot}"
    if "://" not in named:
        yield "# Does the code that made the snapshot give the same?"
        yield f"zstd -dc {shlex.quote(f'{named}/{SOURCE_ARCHIVE}')} | tar x"
        if cause.stage == "code":
            yield f"diff {shlex.quote(f'{CODE_FOLDER}/{cause.file}')} {shlex.quote(str(cause.file))}"
        yield f'make -C {CODE_FOLDER} reproduce SNAPSHOT="$(realpath {snapshot})"'
    yield "# The packages that made it"
    yield ".venv/bin/uv pip sync --python .venv/bin/python --require-hashes requirements.lock"
