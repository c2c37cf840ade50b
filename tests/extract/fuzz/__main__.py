"""Build the fuzzer of the reader and run it.

    python -m tests.extract.fuzz [RUNS]

begins with corpus/, a small capture of every kind, and with the inputs that former runs found (in
build/fuzz/found/). An input that fails is stored in build/fuzz/; `build/fuzz/capture_fuzzer FILE` repeats it.
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
# A small quarantine still detects use after free, which happens soon here, and is twice as fast.
SANITIZER = "quarantine_size_mb=4:malloc_context_size=4"


def build() -> Path:
    """Build the changed parts of the fuzzer; return its path."""
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
    """Try `runs` inputs, the same ones for the same seed and folders; store new ones in the first folder."""
    options = [f"-runs={runs}", f"-seed={seed}", f"-max_len={LONGEST_INPUT}", f"-timeout={TIMEOUT_S}"]
    return subprocess.run(
        [BUILD / "capture_fuzzer", *options, f"-artifact_prefix={BUILD}/", *folders, HERE / "corpus"],
        env={**os.environ, "ASAN_OPTIONS": SANITIZER},
        capture_output=quiet,
        text=True,
        check=False,
    )


def main() -> int:
    """Run the command and return the exit status of the fuzzer."""
    build()
    found = BUILD / "found"
    found.mkdir(exist_ok=True)
    return run(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS, 0, found).returncode


if __name__ == "__main__":
    sys.exit(main())
