"""The film of a call's camera: ten seconds of moving pictures, which the browser repeats."""

import subprocess
from pathlib import Path

FILM = "camera.mjpeg"
SIZE = "640x360"
FRAMES_PER_S = 30
DURATION_S = 10


def build_film(folder: Path) -> None:
    """Make the film in `folder`. Noise makes it as hard to encode as a room with people."""
    source = f"testsrc2=size={SIZE}:rate={FRAMES_PER_S}:duration={DURATION_S},noise=alls=20:allf=t:all_seed=1"
    command = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-f", "lavfi", "-i", source]
    command += ["-c:v", "mjpeg", "-q:v", "6", "-pix_fmt", "yuvj420p", "-threads", "1", "-bitexact"]
    subprocess.run([*command, "-f", "mjpeg", str(folder / FILM)], check=True)
