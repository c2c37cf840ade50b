"""Build the fuzzers of the readers in C++ and run them one after the other.

    python -m tests.fuzz [RUNS]

A fuzzer begins with its folder of corpus/, which has a small input of every kind, and with the inputs that
former runs found (in build/fuzz/found/). An input that fails is stored in build/fuzz/;
`build/fuzz/capture_fuzzer FILE` repeats it.
"""

import os
import subprocess
import sys
from pathlib import Path

from scripts.base.files import ROOT

HERE = Path(__file__).resolve().parent
BUILD = ROOT / "build/fuzz"
FUZZERS = ("capture", "frame", "request")
RUNS = 10_000_000
LONGEST_INPUT = 2048
TIMEOUT_S = 60
# A small quarantine still detects use after free, which happens soon here, and is twice as fast.
SANITIZER = "quarantine_size_mb=4:malloc_context_size=4"


def build() -> None:
    """Build the changed parts of the fuzzers."""
    commands = (
        ["cmake", "-S", HERE, "-B", BUILD, "-DCMAKE_CXX_COMPILER=clang++"],
        ["cmake", "--build", BUILD, "--parallel", "2"],
    )
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(done.stdout + done.stderr)


def run(
    fuzzer: str, runs: int, seed: int, found: Path, quiet: bool = False
) -> subprocess.CompletedProcess[str]:
    """Try `runs` inputs, the same ones for the same seed and folders; store new ones in `found`."""
    found.mkdir(parents=True, exist_ok=True)
    options = [f"-runs={runs}", f"-seed={seed}", f"-max_len={LONGEST_INPUT}", f"-timeout={TIMEOUT_S}"]
    return subprocess.run(
        [
            BUILD / f"{fuzzer}_fuzzer",
            *options,
            f"-artifact_prefix={BUILD}/",
            found,
            HERE / "corpus" / fuzzer,
        ],
        env={**os.environ, "ASAN_OPTIONS": SANITIZER},
        capture_output=quiet,
        text=True,
        check=False,
    )


def main() -> int:
    """Run the command and return the exit status of the first fuzzer that fails."""
    build()
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    return next(
        (status for one in FUZZERS if (status := run(one, runs, 0, BUILD / "found" / one).returncode)), 0
    )


if __name__ == "__main__":
    sys.exit(main())
