"""Build the fuzzer of the reader and run it.

    python -m tests.extract.fuzz [RUNS]

begins with corpus/, a small capture of every kind, and what former runs found in build/fuzz/found/. What made
it fail stays in build/fuzz/ and fails again as `build/fuzz/capture_fuzzer FILE`.
"""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = HERE.parents[2] / "build/fuzz"
RUNS = 10_000_000
LONGEST_INPUT = 2048
TIMEOUT_S = 60
# So small a quarantine still tells what is used after it was freed, since that is soon, and is twice as fast.
SANITIZER = "quarantine_size_mb=4:malloc_context_size=4"


def build() -> Path:
    """Build the fuzzer, or what of it changed; the program."""
    commands = (
        ["cmake", "-S", HERE, "-B", BUILD, "-DCMAKE_CXX_COMPILER=clang++"],
        ["cmake", "--build", BUILD, "--parallel", "2"],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stdout + done.stderr)
    return BUILD / "capture_fuzzer"


def run(runs: int, seed: int, *folders: Path, quiet: bool = False) -> subprocess.CompletedProcess[str]:
    """Try so many inputs, the same ones for the same seed and folders; the first folder takes what is new."""
    options = [f"-runs={runs}", f"-seed={seed}", f"-max_len={LONGEST_INPUT}", f"-timeout={TIMEOUT_S}"]
    return subprocess.run(
        [BUILD / "capture_fuzzer", *options, f"-artifact_prefix={BUILD}/", *folders, HERE / "corpus"],
        env={**os.environ, "ASAN_OPTIONS": SANITIZER},
        capture_output=quiet,
        text=True,
        check=False,
    )


def main() -> int:
    """Run the command; the fuzzer's exit status."""
    build()
    found = BUILD / "found"
    found.mkdir(exist_ok=True)
    return run(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS, 0, found).returncode


if __name__ == "__main__":
    sys.exit(main())
