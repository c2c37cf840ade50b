"""Images that arrive from strangers: sound ones are unpacked once, others have one line and leave nothing."""

import gzip
import json
import shutil
import stat
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.model.endpoint import read_endpoint
from services.endpoint.image import ROOTFS
from services.endpoint.image import unpacked as unpacked_images
from services.endpoint.image.layout import INDEXES
from services.endpoint.image.unpacked import image_digest, read_start, require_unpacked
from services.endpoint.view import readable_of
from services.endpoint.www import FOLDER
from tests.services.endpoint.images import (
    Image,
    endless_header,
    entry,
    make_image,
    make_image_endpoint,
    make_layer,
    run_script,
)
from tests.services.endpoint.making import endpoint_service

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(shutil.which("umoci") is None, reason="needs umoci"),
]
LINK, HARD_LINK, CHARACTER, BLOCK = tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE
MANY = 10 << 30


@pytest.fixture
def images(monkeypatch) -> Iterator[Path]:
    """A folder for unpacked images that no other test uses. As the real one, it is where only root writes."""
    (ROOT / "build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "build", prefix="images.") as folder:
        monkeypatch.setattr(unpacked_images, "IMAGES", Path(folder))
        yield Path(folder)


@pytest.fixture
def unpacked(images, tmp_path) -> Callable[..., Path]:
    """Unpacks the image of an endpoint in `tmp_path`, into `images`."""

    def unpack(name: str = "image") -> Path:
        return require_unpacked(read_endpoint(tmp_path / "endpoint"))

    make_image_endpoint(tmp_path / "endpoint", "image")
    return unpack


def layer(*entries: tuple[tarfile.TarInfo, bytes]) -> Callable[[Path], object]:
    """Makes an image with these files."""
    return lambda folder: make_image(folder, run_script(), *entries)


def config(**keys: object) -> Callable[[Path], object]:
    """Makes an image with these keys of its configuration."""
    return lambda folder: make_image(folder, run_script(), **keys)


def changed(change: Callable[[Image], object]) -> Callable[[Path], object]:
    """Makes an image that is changed after it was made."""
    return lambda folder: change(make_image(folder, run_script()))


def described(**changes: object) -> Callable[[Path], object]:
    """Makes an image whose manifest describes its layer with these changes."""

    def make(folder: Path) -> None:
        image = Image(folder)
        image.add_layer(make_layer([run_script()]), **changes)
        image.finish(image.add_manifest(image.add_config()))

    return make


def indexed(*changes: dict[str, object]) -> Callable[[Path], object]:
    """Makes an image whose index describes its manifest so."""

    def make(folder: Path) -> None:
        image = Image(folder)
        image.add_layer(make_layer([run_script()]))
        image.finish(
            *(image.add_manifest(image.add_config(variant=n), **each) for n, each in enumerate(changes))
        )

    return make


def raw_layer(content: bytes) -> Callable[[Path], object]:
    """Makes an image with these bytes as its layer."""

    def make(folder: Path) -> None:
        image = Image(folder)
        image.add_layer(content)
        image.finish(image.add_manifest(image.add_config()))

    return make


def nested(folder: Path) -> None:
    """An index in an index in an index in an index."""
    image = Image(folder)
    found = image.add_manifest(image.add_config())
    for _ in range(3):
        found = image.add(json.dumps({"manifests": [found]}).encode(), INDEXES[0])
    image.finish(found)


def long_header() -> bytes:
    """A small layer whose first header claims, and has, 300 MiB."""
    info = tarfile.TarInfo("header")
    info.type, info.size = tarfile.XHDTYPE, 300 << 20
    return gzip.compress(info.tobuf()) + gzip.compress(bytes(1 << 20)) * 300


def overwrite(image: Image) -> None:
    """Change a byte of the layer."""
    path = image.path(image.layers[0])
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


HOSTILE = {
    "a name leads out": (
        layer(entry("../../etc/evil")),
        r"layer 1: ../../etc/evil leads out of the image; build",
    ),
    "a removal leads out": (layer(entry("x/.wh...")), "layer 1: x/.wh... leads out of the image"),
    "a hard link leads out": (
        layer(entry("x", type=HARD_LINK, linkname="../../etc/shadow")),
        "layer 1: x leads out",
    ),
    "a hard link to a file of the host": (
        layer(entry("x", type=HARD_LINK, linkname="/etc/shadow")),
        r"umoci cannot unpack it \(.* x: link: .* no such file or directory\); save",
    ),
    "a device": (
        layer(entry("null", type=CHARACTER, devmajor=1, devminor=3)),
        "layer 1: null is a device; build",
    ),
    "a disk": (layer(entry("sda", type=BLOCK, devmajor=8)), "layer 1: sda is a device"),
    "a file claims 10 GiB": (
        layer(entry("x", size=MANY)),
        "its layers hold more than 8 GiB, or 1000000 files; make the image smaller",
    ),
    "a layer claims 10 GiB": (
        described(size=MANY),
        r"blobs/sha256/\w+ has \d+ bytes instead of 10737418240; save",
    ),
    "a header of 300 MiB": (
        raw_layer(long_header()),
        r"layer 1 is no tar file that can be read \(a header is too long\); save",
    ),
    "a changed layer": (changed(overwrite), r"blobs/sha256/\w+ has another digest than its name says; save"),
    "a digest is a path": (
        described(digest="sha256:../../../etc/passwd"),
        "the digest sha256:../../.* is no SHA-256",
    ),
    "another hash": (described(digest="md5:0123"), "the digest md5:0123 is no SHA-256"),
    "no layer": (
        changed(lambda image: image.path(image.layers[0]).unlink()),
        r"blobs/sha256/\w+: No such file or directory",
    ),
    "no index": (changed(lambda image: (image.folder / "index.json").unlink()), "index.json: No such file"),
    "no JSON": (
        changed(lambda image: (image.folder / "index.json").write_text("{")),
        "index.json is not as the OCI",
    ),
    "JSON without an end": (
        changed(lambda image: (image.folder / "index.json").write_text("[" * 100_000)),
        "index.json is not as the OCI",
    ),
    "a long index": (
        changed(lambda image: (image.folder / "index.json").write_text(" " * (5 << 20))),
        "index.json is not as the OCI specification says",
    ),
    "no configuration": (
        lambda folder: (
            (image := make_image(folder, run_script())) and image.path(image.add_config()).unlink()
        ),
        r"blobs/sha256/\w+: No such file or directory; save",
    ),
    "no entry point": (config(config={}), "it has no entry point; build it with ENTRYPOINT"),
    "an unknown entry point": (
        config(config={"Entrypoint": ["/none.sh"]}),
        "the entry point /none.sh is not a program in it; correct ENTRYPOINT",
    ),
    "an entry point of the host": (
        config(config={"Cmd": ["bash"]}),
        "the entry point bash is not a program in it",
    ),
    "an entry point without its mode": (
        lambda folder: make_image(folder, run_script(mode=0o644)),
        "the entry point /run_endpoint.sh is not a program in it",
    ),
    "an entry point that leads to itself": (
        lambda folder: make_image(folder, entry("run_endpoint.sh", type=LINK, linkname="/run_endpoint.sh")),
        "the entry point /run_endpoint.sh is not a program in it",
    ),
    "a zero byte": (
        config(config={"Entrypoint": ["/run\0"]}),
        "its environment or entry point has an empty name",
    ),
    "no working folder": (
        config(config={"Entrypoint": ["/run_endpoint.sh"], "WorkingDir": "/none"}),
        "its working folder /none is missing in it; correct WORKDIR",
    ),
    "another architecture": (
        config(architecture="s390x"),
        "it is for linux s390x; build it with --platform linux/",
    ),
    "no image for this architecture": (
        indexed({"platform": {"os": "linux", "architecture": "s390x"}}),
        "it is for s390x; build it with --platform linux/",
    ),
    "another system": (config(os="windows"), "it is for windows "),
    "two images": (indexed({}, {}), "index.json has 2 images; save one of them alone"),
    "no image": (indexed(), "index.json has no image; save"),
    "indexes in indexes": (nested, "its indexes name more than 100 images, or are nested; save"),
    "zstd": (raw_layer(b"\x28\xb5\x2f\xfd" + bytes(100)), "layer 1 is compressed by zstd; save it with gzip"),
    "no tar file": (raw_layer(gzip.compress(b"hello" * 1000)), "layer 1 is no tar file that can be read"),
    "a header without an end": (
        raw_layer(gzip.compress(endless_header() + bytes(2048))),
        "layer 1 is no tar file that can be read",
    ),
    "an image whose header has no end": (
        lambda path: path.write_bytes(endless_header() + bytes(2048)),
        "it is no tar file that can be read",
    ),
    "no end": (
        raw_layer(make_layer([entry("x", bytes(50_000))])[:60]),
        "layer 1 is no tar file that can be read",
    ),
    "a link in place of a folder": (
        layer(entry("certs", type=LINK, linkname="/etc")),
        "/certs is no folder in it; build the image with a folder there",
    ),
    "a file in place of a folder": (layer(entry("logs", b"x")), "/logs is no folder in it"),
    "a folder in place of a file": (
        layer(entry("etc/hosts", type=tarfile.DIRTYPE)),
        "/etc/hosts is a folder in it",
    ),
    "signs for a terminal": (layer(entry("\x1b[31m/../x")), r"layer 1: \\x1b\[31m/../x leads out"),
    "a private file": (
        changed(lambda image: (image.folder / "index.json").chmod(0o600)),
        r"other users cannot read index.json in it; run chmod -R o\+rX on the image",
    ),
    "a text": (lambda path: path.write_text("hello"), "it is no tar file that can be read"),
    "nothing": (lambda path: None, "there is no such file; correct it"),
    "a link to the host": (
        lambda path: path.symlink_to("/etc/passwd"),
        "is not in the endpoint's folder; copy it",
    ),
}


@pytest.mark.parametrize(("make", "words"), HOSTILE.values(), ids=HOSTILE)
def test_a_wrong_image_has_one_line_and_leaves_nothing(unpacked, images, tmp_path, make, words):
    make(tmp_path / "endpoint/image")
    before = set(images.rglob("*"))
    with pytest.raises(
        UserError, match=f"^{tmp_path}/endpoint/endpoint.yaml: image: image: ({words})"
    ) as error:
        unpacked()
    assert "\n" not in str(error.value) and str(error.value).isprintable()
    assert before == set(images.rglob("*"))


def test_a_sound_image_is_unpacked_once_and_again_if_it_changes(unpacked, tmp_path):
    folder = tmp_path / "endpoint/image"
    make_image(folder, run_script(), config={"Cmd": ["run_endpoint.sh"], "Env": ["A=1", "PATH=/"]})
    first = unpacked()
    start = read_start(first)
    index = json.loads((folder / "index.json").read_text())
    assert (
        index["manifests"][0]["digest"] == start.digest == image_digest(read_endpoint(tmp_path / "endpoint"))
    )
    assert (("run_endpoint.sh",), "1", "/", "/") == (
        start.command,
        start.environment["A"],
        start.environment["PATH"],
        start.folder,
    )
    made = (first / ROOTFS).stat().st_ctime_ns
    assert (first, made) == (unpacked(), (first / ROOTFS).stat().st_ctime_ns)
    (folder / "index.json").write_text((folder / "index.json").read_text() + " ")
    assert first != unpacked()


def test_its_programs_see_the_unpacked_image(unpacked, tmp_path):
    folder = tmp_path / "endpoint"
    make_image(folder / "image", run_script())
    made = unpacked()
    assert {folder: folder, made: made, FOLDER: FOLDER} == readable_of(endpoint_service(folder, cca="reno"))


def test_links_stay_within_the_image(unpacked, images, tmp_path):
    files = (
        entry("out", type=LINK, linkname="/etc"),
        entry("out/evil", b"x"),
        entry("up", type=LINK, linkname="../../../../../../etc"),
        entry("up/evil", b"x"),
    )
    make_image(tmp_path / "endpoint/image", *files, run_script())
    made = unpacked()
    assert not Path("/etc/evil").exists()
    assert all(path.resolve().is_relative_to(images) for path in made.iterdir())
    assert (made / ROOTFS / "run_endpoint.sh").is_file()


def test_files_lose_their_privileges_and_all_users_can_read_them(unpacked, tmp_path):
    closed = entry("closed", type=tarfile.DIRTYPE, mode=0)
    make_image(tmp_path / "endpoint/image", closed, entry("closed/su", b"x", mode=0o4700), run_script())
    found = (unpacked() / ROOTFS / "closed/su").stat()
    assert 0o755 == stat.S_IMODE(found.st_mode)


def test_an_entry_point_may_be_a_link_within_the_image(unpacked, tmp_path):
    link = entry("run_endpoint.sh", type=LINK, linkname="/opt/../opt/run")
    make_image(tmp_path / "endpoint/image", entry("opt/run", b"#!/bin/sh\n"), link)
    assert ("/run_endpoint.sh",) == read_start(unpacked()).command


def test_what_an_interrupted_unpacking_left_is_removed(unpacked, images, tmp_path):
    left = images / ".interrupted"
    (left / "closed").mkdir(parents=True)
    (left / "closed").chmod(0)
    make_image(tmp_path / "endpoint/image", run_script())
    unpacked()
    assert not left.exists()
