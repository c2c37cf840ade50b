"""Says what the tiny endpoint is: the kernel's TCP."""

import json
import platform

if __name__ == "__main__":
    told = {"stack": "tiny", "version": "1.0", "controllers": {"kernel": "the default of the kernel"}}
    print(json.dumps({**told, "version": platform.release().split("-")[0], "gso": True, "pacing": None}))
