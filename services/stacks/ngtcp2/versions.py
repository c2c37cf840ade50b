"""Says what runs: the version of the library that the server and the client load."""

import ctypes
import ctypes.util
import json


class Info(ctypes.Structure):
    """The structure ngtcp2_info."""

    _fields_ = (("age", ctypes.c_int), ("version_num", ctypes.c_int), ("version_str", ctypes.c_char_p))


def version() -> str:
    """The version of libngtcp2, such as 0.12.1."""
    library = ctypes.CDLL(ctypes.util.find_library("ngtcp2"))
    library.ngtcp2_version.restype = ctypes.POINTER(Info)
    info: Info = library.ngtcp2_version(0).contents
    return bytes(info.version_str).decode()


if __name__ == "__main__":
    controllers = {"cubic": "Cubic", "reno": "NewReno", "bbr": "BBRv1", "bbr2": "BBRv2"}
    told = {"stack": "ngtcp2", "version": version(), "controllers": controllers, "gso": True, "pacing": True}
    print(json.dumps(told))
