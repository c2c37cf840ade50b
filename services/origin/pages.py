"""Three web pages: text, text with thumbnails, images from several hosts (Prudentia, Table 1).

Their text and pictures come from a fixed seed, so every machine builds the same pages.
"""

import random
from pathlib import Path

import numpy as np
from PIL import Image

WORDS = (
    "link queue packet share window burst stream probe delay rate loss buffer round flow path server of the a"
)
STYLE = (
    "body{font-family:sans-serif;margin:16px}.grid{display:grid;grid-template-columns:repeat(4,1fr);gap:8px}"
    "img{background:#eee}.fill{width:100%;aspect-ratio:3/2}"
)
THUMBNAILS = 24
IMAGES, IMAGE_HOSTS = 16, 4
SCRIPTS = 4
OWN_SCRIPTS = "".join(f'<script src="{number}.js"></script>' for number in range(SCRIPTS))
FETCH_FROM_OTHER_HOSTS = (
    "<script>for(const e of document.querySelectorAll('[data-host]'))"
    "e.src=new URL(e.dataset.name,`https://${e.dataset.host}.${location.host}${location.pathname}`)</script>"
)
"""Derives the names of the other hosts from the page's own. Over HTTP/1.1 each host needs a connection."""


def build_pages(folder: Path) -> None:
    """Make the folders text, thumbnails and images in `folder`, each with its index.html."""
    draw = random.Random(1)
    noise = np.random.default_rng(1)
    _text(folder / "text", draw, noise)
    _thumbnails(folder / "thumbnails", draw, noise)
    _images(folder / "images", draw, noise)


def _text(folder: Path, draw: random.Random, noise: np.random.Generator) -> None:
    """Mostly text, with two pictures. Each picture and each script comes from its own host."""
    folder.mkdir(parents=True)
    parts = []
    for number in range(2):
        _image(folder / f"{number}.jpg", 480, 320, noise)
        place = f'data-host="image{number + 1}" data-name="{number}.jpg"'
        parts.append(f'<img style="width:480px;height:320px;float:right" {place}>')
    parts += [f"<h2>{_words(draw, 5)}</h2><p>{_words(draw, 150)}</p>" for _ in range(60)]
    scripts = "".join(
        f'<script data-host="script{number + 1}" data-name="{number}.js"></script>'
        for number in range(SCRIPTS)
    )
    _page(folder, "".join(parts) + FETCH_FROM_OTHER_HOSTS, draw, scripts)


def _thumbnails(folder: Path, draw: random.Random, noise: np.random.Generator) -> None:
    """Articles, each with a small picture from its own host."""
    folder.mkdir(parents=True)
    parts = []
    for number in range(THUMBNAILS):
        _image(folder / f"{number}.jpg", 240, 160, noise)
        words = f"<h4>{_words(draw, 6)}</h4><p>{_words(draw, 20)}</p>"
        parts.append(f"<div>{_picture_of_other_host(number, THUMBNAILS)}{words}</div>")
    _page(folder, f'<div class="grid">{"".join(parts)}</div>{FETCH_FROM_OTHER_HOSTS}', draw)


def _images(folder: Path, draw: random.Random, noise: np.random.Generator) -> None:
    """Mostly large pictures."""
    folder.mkdir(parents=True)
    for number in range(IMAGES):
        _image(folder / f"{number}.jpg", 900, 600, noise)
    pictures = "".join(_picture_of_other_host(number, IMAGE_HOSTS) for number in range(IMAGES))
    _page(folder, f'<div class="grid">{pictures}</div>{FETCH_FROM_OTHER_HOSTS}', draw)


def _picture_of_other_host(number: int, hosts: int) -> str:
    """A picture from one of the hosts image1.… to image<hosts>.…."""
    return f'<img class="fill" data-host="image{number % hosts + 1}" data-name="{number}.jpg">'


def _page(folder: Path, body: str, draw: random.Random, scripts: str = OWN_SCRIPTS) -> None:
    """Write the page's HTML, its style sheet, and scripts without a visible effect."""
    (folder / "style.css").write_text(STYLE, encoding="utf-8")
    for number in range(SCRIPTS):
        (folder / f"{number}.js").write_text(f"/* {_words(draw, 5_000)} */", encoding="utf-8")
    head = f'<link rel="icon" href="data:,"><link rel="stylesheet" href="style.css">{scripts}'
    (folder / "index.html").write_text(
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Reference page</title>'
        f"{head}</head><body>{body}</body></html>",
        encoding="utf-8",
    )


def _words(draw: random.Random, count: int) -> str:
    return " ".join(draw.choices(WORDS.split(), k=count))


def _image(path: Path, width: int, height: int, noise: np.random.Generator) -> None:
    """Write a gradient with noise, which is about as hard to compress as a photograph."""
    across = np.linspace(0, 255, width)[None, :, None] * np.array([1, 0.6, 0.3])
    down = np.linspace(0, 120, height)[:, None, None]
    pixels = across + down + noise.normal(0, 15, (height, width, 3)) + noise.integers(0, 90, 3)
    Image.fromarray(np.clip(pixels, 0, 255).astype("uint8")).save(path, quality=80)
