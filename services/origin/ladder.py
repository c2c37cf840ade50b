"""A video of twenty minutes in the bitrates of a ladder: tiny pictures in segments of exact sizes.

On a machine without a video decoder, decoding a real 4K rung would make the client the bottleneck, and such
measurements mislead (Prudentia 3.3). So all rungs have the same small picture. A `free` box, which players
skip (ISO/IEC 14496-12, 8.1.2), pads every segment to the exact size of its rung. The manifest gives each rung
the height that fits its bitrate.
"""

import os
import shutil
import struct
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

DURATION_S = 1200
"""Longer than any trial, because a player stops downloading at the end of the video."""

SEGMENT_S = 4
FRAMES_PER_S = 24
PICTURE = "128x72"
HEIGHTS = (2160, 1440, 1080, 720, 480, 360, 240, 144)

MANIFEST = """\
<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" profiles="urn:mpeg:dash:profile:isoff-live:2011"
     mediaPresentationDuration="PT{duration}S" minBufferTime="PT{segment}S">
  <Period>
    <AdaptationSet contentType="video" mimeType="video/mp4" codecs="{codecs}"
                   segmentAlignment="true" startWithSAP="1">
      <SegmentTemplate timescale="1" duration="{segment}" startNumber="1"
                       initialization="init.mp4" media="$Bandwidth$/$Number$.m4s"/>
{rungs}
    </AdaptationSet>
  </Period>
</MPD>
"""
RUNG = """\
      <Representation id="{rate}" bandwidth="{rate}" frameRate="{frames}" width="{width}" height="{height}"/>\
"""


def ladder_name(ladder_kbps: Sequence[int]) -> str:
    """The folder of a ladder."""
    return "-".join(str(rate) for rate in ladder_kbps)


def build_ladders(ladders_kbps: Iterable[Sequence[int]], folder: Path) -> None:
    """Make the video of every ladder (kbit/s, ascending, at most eight rungs) in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        encoded = Path(name)
        _encode(encoded)
        for ladder_kbps in ladders_kbps:
            target = folder / ladder_name(ladder_kbps)
            target.mkdir(parents=True)
            shutil.copyfile(encoded / "init.mp4", target / "init.mp4")
            for rate_kbps in ladder_kbps:
                _build_rung(encoded, rate_kbps * 1000, target)
            (target / "manifest.mpd").write_text(_manifest(ladder_kbps), encoding="utf-8")


def _build_rung(encoded: Path, rate_bps: int, target: Path) -> None:
    rung = target / str(rate_bps)
    rung.mkdir()
    for number in range(1, DURATION_S // SEGMENT_S + 1):
        segment = (encoded / f"{number}.m4s").read_bytes()
        _pad(segment, rate_bps * SEGMENT_S // 8, rung / f"{number}.m4s")


def _manifest(ladder_kbps: Sequence[int]) -> str:
    heights = HEIGHTS[: len(ladder_kbps)][::-1]
    rungs = [
        RUNG.format(rate=rate * 1000, width=height * 16 // 9, height=height, frames=FRAMES_PER_S)
        for rate, height in zip(ladder_kbps, heights, strict=True)
    ]
    return MANIFEST.format(
        duration=DURATION_S, segment=SEGMENT_S, codecs="avc1.42c00c", rungs="\n".join(rungs)
    )


def _encode(folder: Path) -> None:
    """Encode a moving test picture as init.mp4 and <number>.m4s."""
    frames = FRAMES_PER_S * SEGMENT_S
    source = f"testsrc2=size={PICTURE}:rate={FRAMES_PER_S}:duration={DURATION_S}"
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", source]
    command += ["-c:v", "libx264", "-profile:v", "baseline", "-level:v", "1.2", "-preset", "veryfast"]
    command += ["-crf", "40", "-pix_fmt", "yuv420p", "-threads", "1", "-bitexact"]
    command += ["-g", str(frames), "-keyint_min", str(frames), "-sc_threshold", "0"]
    command += ["-f", "dash", "-seg_duration", str(SEGMENT_S), "-use_template", "1", "-use_timeline", "0"]
    command += ["-init_seg_name", "init.mp4", "-media_seg_name", "$Number$.m4s", str(folder / "encoded.mpd")]
    subprocess.run(command, check=True)


def _pad(segment: bytes, size: int, path: Path) -> None:
    """Write a segment and a `free` box after it, whose content is a hole in the file."""
    padding = size - len(segment)
    if padding < 8:
        raise ValueError(f"a segment of {len(segment)} bytes does not fit the {size} bytes of its rung")
    path.write_bytes(segment + struct.pack(">I4s", padding, b"free"))
    os.truncate(path, size)
