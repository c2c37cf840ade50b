"""rclone and the storage are killed in mid-upload, ten times: nothing is lost, and no file is half there."""

import random
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from scripts.base.files import ROOT
from scripts.operate.publishing import publish
from scripts.operate.verifying import verify
from scripts.snapshot.checksums import write_checksums
from tests.operate.host import build, copied, expected
from tests.operate.seaweed import rclone
from tests.site.generated_archive import cycle_name

pytestmark = [pytest.mark.traffic, pytest.mark.soak(minutes=14)]

KILLS = 10
PUBLISH = """
import sys
from pathlib import Path
from scripts.operate.publishing import publish
from tests.operate.host import host
publish(host(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
"""


def whole_files(seaweed, context) -> int:
    """The number of files in the bucket, each of which is one of the host, whole."""
    lines = rclone(seaweed, "hashsum", "sha256", "--download", seaweed.remote).splitlines()
    found = {address: digest for digest, address in (line.split("  ", 1) for line in lines)}
    wanted = expected(context)
    found = {address: digest for address, digest in found.items() if not address.startswith("operate/")}
    assert found == {address: wanted[address] for address in found}
    return len(found)


def children(process: subprocess.Popen) -> list[psutil.Process]:
    """The rclone that a publication runs now."""
    try:
        return [one for one in psutil.Process(process.pid).children() if one.name() == "rclone"]
    except psutil.NoSuchProcess:
        return []


@pytest.mark.parametrize("victim", ["rclone", "publication", "storage"])
def test_ten_kills_in_mid_upload(first_host, seaweed, tmp_path, victim):
    context = copied(first_host, tmp_path, f"{seaweed.remote}", seaweed.config)
    rclone(seaweed, "purge", seaweed.remote)
    rclone(seaweed, "mkdir", seaweed.remote)
    for number in range(80):
        big = context.snapshots / f"demo-{cycle_name(0)}/tables/more-{number}.bin"
        big.write_bytes(random.Random(number).randbytes(500_000))
    _reseal(context, tmp_path)
    draw, before = random.Random(victim), 0
    for _ in range(KILLS):
        command = [sys.executable, "-c", PUBLISH, str(tmp_path), seaweed.remote, str(seaweed.config)]
        process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
        while process.poll() is None and not children(process):
            time.sleep(0.005)
        time.sleep(draw.uniform(0, 0.4))
        if victim == "storage":
            seaweed.kill()
        for one in children(process) if victim == "rclone" else ():
            one.kill()
        if victim == "publication":
            process.kill()
        _, errors = process.communicate(timeout=180)
        assert (
            victim == "publication"
            or process.returncode == 0
            or re.search("UserError|StorageAwayError", errors)
        )
        if victim == "storage":
            seaweed.start()
        now = whole_files(seaweed, context)
        assert now >= before, "a file that was published is gone"
        before = now
        if now == len(expected(context)):
            rclone(seaweed, "purge", f"{seaweed.remote}/snapshots")
            before = 0
    publish(context)
    assert whole_files(seaweed, context) == len(expected(context))
    assert verify(context, cycle_name(0))
    assert not [one for one in psutil.process_iter() if _is_left(one, tmp_path)]


def _reseal(context, folder: Path) -> None:
    """Make the snapshot with its larger files the published one."""
    write_checksums(context.snapshots / f"demo-{cycle_name(0)}")
    shutil.rmtree(folder / "public")
    build(context)


def _is_left(process: psutil.Process, folder: Path) -> bool:
    try:
        return process.name() == "rclone" and any(str(folder) in word for word in process.cmdline())
    except psutil.Error:
        return False
