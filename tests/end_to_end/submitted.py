"""A run of unattended operation on the tests' Internet (tests/testbed/internet.py).

    python -m tests.end_to_end.submitted COMMAND…

runs the command on a machine whose uplink leads there, and prints its exit status. It needs namespaces of its
own.
"""

import subprocess
import sys

from tests.testbed.internet import machine

if __name__ == "__main__":
    with machine():
        print(subprocess.run(sys.argv[1:], stdout=sys.stderr, check=False).returncode)
