"""Interface descriptions of a pcapng capture: the kind of link and what its timestamps mean.

Format: IETF draft-ietf-opsawg-pcapng, section 4.2.
"""

import struct
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ETHERNET = 1
OPTION_RESOLUTION, OPTION_OFFSET = 9, 14

# The year 2262: what 64 bits hold. A timestamp beyond it is damage and must not stop the reader.
LATEST_NS = 2**63 - 1


@dataclass(frozen=True)
class Interface:
    """Link type, if_tsresol (a power of ten, or of two with the highest bit) and if_tsoffset."""

    link_type: int
    resolution: int = 6
    offset_s: int = 0

    def to_ns(self, ticks: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Timestamps as whole nanoseconds since the epoch, rounded down, without floats."""
        exponent = self.resolution & 0x7F
        if self.resolution & 0x80:
            exact = (ticks.astype(object) * 10**9) >> exponent
            ns = (exact & LATEST_NS).astype(np.int64)
        elif exponent <= 9:
            ns = ticks.astype(np.int64) * 10 ** (9 - exponent)
        else:
            ns = (ticks // np.uint64(10 ** min(exponent - 9, 19))).astype(np.int64)
        return ns + self.offset_s * 10**9


def read_interface(body: bytes, order: str) -> Interface:
    """Read the body of an interface description block.

    Args:
        body: what stands between the block's length fields.
        order: the section's byte order, `<` or `>`.

    Raises:
        ValueError: the body is too short, or its time offset impossible.
    """
    if len(body) < 8:
        raise ValueError("an interface description has at least 8 bytes")
    link_type = struct.unpack_from(order + "H", body)[0]
    resolution, offset_s, position = 6, 0, 8
    while position + 4 <= len(body):
        code, size = struct.unpack_from(order + "HH", body, position)
        value = body[position + 4 : position + 4 + size]
        if code == OPTION_RESOLUTION and len(value) == 1:
            resolution = value[0]
        elif code == OPTION_OFFSET and len(value) == 8:
            offset_s = struct.unpack(order + "q", value)[0]
        position += 4 + size + -size % 4
    if abs(offset_s) > LATEST_NS // 10**9:
        raise ValueError(f"a time offset of {offset_s} s is impossible")
    return Interface(link_type, resolution, offset_s)
