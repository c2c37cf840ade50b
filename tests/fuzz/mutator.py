"""Random changes of valid inputs. The same seed gives the same ones."""

from collections.abc import Sequence
from random import Random

MOST_BYTES = 200_000
"""No change makes more bytes at once."""
TOKENS = (
    *(b"[", b'{"a":', b"{a: ", b"- ", b"(", b"\n", b"\r\n", b"\0", b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xae"),
    *(
        b"null",
        b"true",
        b"-1",
        b"0",
        b"1e999",
        b"NaN",
        b"9" * 19,
        b"9" * 5000,
        b'""',
        b"[]",
        b"{}",
        b'"\\ud800"',
    ),
    *(
        b"\x1b[2J",
        b"../",
        b"/",
        b"\\",
        b"__proto__",
        b"constructor",
        b"<img src=x onerror=alert(1)>",
        b"&a *a",
    ),
    *(b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff\x0f", b"\x80" * 10),
)
"""What parsers may stumble over."""


def mutated(random: Random, corpus: Sequence[bytes]) -> bytes:
    """One of the inputs after one to eight changes.

    Args:
        random: chooses.
        corpus: the inputs.
    """
    content = random.choice(corpus)
    for _ in range(random.choice((1, 1, 1, 2, 4, 8))):
        begin = random.randrange(len(content) + 1)
        end = min(len(content), begin + random.choice((0, 1, 1, 2, 4, 16, 64, 1024)))
        piece = _changed(random, content[begin:end], random.choice(corpus))
        content = content[:begin] + piece + content[end:]
    return content


def _changed(random: Random, piece: bytes, other: bytes) -> bytes:
    """What stands in the place of a piece."""
    match random.randrange(8):
        case 0:
            return bytes(byte ^ 1 << random.randrange(8) for byte in piece)
        case 1:
            return random.randbytes(random.choice((1, 2, 4, 8)))
        case 2:
            return b""
        case 3:
            return piece * 2
        case 4:
            at = random.randrange(len(other) + 1)
            return other[at : at + random.choice((1, 4, 16, 64, 1024))]
        case 5:
            repeated = random.choice((piece, *TOKENS)) or b" "
            return repeated * min(random.randrange(MOST_BYTES), MOST_BYTES // len(repeated))
        case 6:
            return str(random.getrandbits(random.choice((1, 8, 31, 32, 53, 64, 128)))).encode()
    return random.choice(TOKENS)
