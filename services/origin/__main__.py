"""Build the files that the self-hosted reference services serve, into build/origin.

python -m services.origin
"""

import sys

from scripts.base.files import ROOT
from scripts.base.yaml_files import load_yaml
from services.origin.content import build

if __name__ == "__main__":
    build(load_yaml(path) for path in sorted((ROOT / "services/catalogue").glob("*.yaml")))
    sys.exit(0)
