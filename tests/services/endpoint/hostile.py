"""Endpoints that are broken or hostile: keys of their endpoint.yaml, and what becomes of their trial."""

from typing import Any

from tests.services.endpoint.making import python

FOREVER = "import time\nwhile True: time.sleep(1)\n"
TCP = "import socket\nserver = socket.create_server(('0.0.0.0', 4433))\n"
SENDS = f"""{TCP}import threading
def send(connection):
    try:
        while True: connection.sendall(bytes(65536))
    except OSError: pass
def serve():
    while True: threading.Thread(target=send, args=(server.accept()[0],), daemon=True).start()
threading.Thread(target=serve, daemon=True).start()
"""
"""A server that works. What follows it is what it does besides."""

DOWNLOADS = """import os, socket, sys, threading, time
def receive():
    connection = socket.create_connection(('198.18.1.10', 4433))
    while connection.recv(1 << 20): pass
threading.Thread(target=receive, daemon=True).start()
"""
DEAF = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
OWN_HOME = "import os\nfrom pathlib import Path\nhome = Path(os.environ['HOME'])\n"


def filling(place: str) -> str:
    """A program that fills a file, whose path is an expression, until it cannot."""
    return f"file = open({place}, 'wb')\nwhile True: file.write(bytes(1 << 20))\n"


FORGED = '{"stack": "<script>", "version": "1", "controllers": {}, "gso": true, "pacing": true}'
STARTS = "endpoint of c1 did not start: "
UNTOLD = STARTS + "the endpoint does not say its stack, version and controllers: `versions` of endpoint.yaml "
SERVER = "endpoint of c1: the server ended with status 1: "
FULL = "endpoint of c1: the (client|server) used a full folder$"

REFUSED: list[tuple[str, str]] = [
    ("server", "./none"),
    ("server", "/usr"),
    ("client", "./none"),
    ("versions", "none"),
]
"""Keys, and a program that is not there. No trial begins."""

SERVERS: dict[str, tuple[dict[str, Any], str]] = {
    "not executable": ({"server": ["./server.py"]}, STARTS + "the server of the endpoint cannot be started$"),
    "ends with 7": ({"server": python("raise SystemExit(7)")}, STARTS + ".* ended with status 7$"),
    "ends with 0": ({"server": python("pass")}, STARTS + "the server of the endpoint ended with status 0$"),
    "is killed": (
        {"server": python("import os\nos.kill(os.getpid(), 9)")},
        STARTS + "the server of the endpoint ended with status -9$",
    ),
    "unsupported": ({"server": python("raise SystemExit(127)")}, STARTS + ".* support this: status 127$"),
    "never listens": ({"server": python(FOREVER)}, STARTS + ".* did not listen within 10 s$"),
    "listens late": (
        {"server": python("import time\ntime.sleep(12)\n" + SENDS + FOREVER)},
        STARTS + ".* did not listen within 10 s$",
    ),
    "another port": (
        {"server": python(SENDS.replace("4433", "4434") + FOREVER)},
        STARTS + ".* did not listen within 10 s$",
    ),
    "IPv6": (
        {"server": python("import socket\nsocket.create_server(('::1', 4433), family=socket.AF_INET6)")},
        STARTS + "the server of the endpoint ended with status 1$",
    ),
    "ends later": (
        {"server": python(SENDS + "import time\ntime.sleep(4)")},
        SERVER + "the server of the endpoint ended with status 0$",
    ),
    "goes on as another process": (
        {"server": python(SENDS + "import os\nif os.fork(): os._exit(0)\nos.setsid()\n" + FOREVER)},
        "endpoint of c1.* the server of the endpoint ended with status 0$",
    ),
    "says nothing": ({"versions": python("pass")}, UNTOLD),
    "says no JSON": ({"versions": python("print('tiny 1.0')")}, UNTOLD),
    "says a list": ({"versions": python("print([])")}, UNTOLD),
    "says markup": ({"versions": python(f"print('''{FORGED}''')")}, UNTOLD),
    "says too little": ({"versions": python("""print('{"stack": "tiny", "version": "1"}')""")}, UNTOLD),
    "says without an end": ({"versions": python("while True: print('x' * 65536)")}, UNTOLD),
    "hangs": ({"versions": python(FOREVER)}, UNTOLD),
    "nests": ({"versions": python("print('[' * 60000)")}, UNTOLD),
    "fills its folder": (
        {"server": python(SENDS + OWN_HOME + filling("home / 'big'"))},
        f"{FULL}|{SERVER}",
    ),
    "logs 1 GB": ({"server": python(SENDS + filling("'{logs}/log'"))}, f"{FULL}|{SERVER}"),
    "many files": (
        {
            "server": python(
                SENDS + OWN_HOME + "number = 0\nwhile True:\n (home / str(number)).touch()\n number += 1"
            )
        },
        f"{FULL}|{SERVER}",
    ),
}
"""Servers whose trial fails, with its reason."""

CLIENTS: dict[str, tuple[dict[str, Any], str]] = {
    "unsupported": (
        {"client": python("raise SystemExit(127)")},
        "endpoint of c1: .* support this: status 127$",
    ),
    "kills its driver": (
        {"client": python("import os\nos.kill(os.getppid(), 9)\n" + FOREVER)},
        "endpoint of c1: ",
    ),
    "links its result": (
        {
            "client": python(
                DOWNLOADS + OWN_HOME + "(home / 'qoe.json').symlink_to('/etc/hostname')\n" + FOREVER
            )
        },
        "endpoint of c1: ",
    ),
    "fills its folder": ({"client": python(DOWNLOADS + OWN_HOME + filling("home / 'x'"))}, FULL),
}
"""Clients whose trial fails, with its reason."""

HOARDS = "kept = []\nwhile True: kept.append(bytearray(b'x') * (1 << 26))"
GREEDY: dict[str, tuple[dict[str, Any], str]] = {
    "a server with much memory": (
        {"server": python(SENDS + HOARDS)},
        "endpoint of c1: the server (used more than 4 GiB of memory|ended with status .*)$",
    ),
    "a client with much memory": (
        {"client": python(DOWNLOADS + HOARDS)},
        "endpoint of c1: the client used more than 4 GiB of memory$",
    ),
}
"""Endpoints whose trial fails with this reason, or ends before they have reached the limit on a busy host."""

COMPLETED: dict[str, dict[str, Any]] = {
    "a client that fails": {"client": python("raise SystemExit(3)")},
    "a client that ends at once": {"client": python("pass")},
    "a client that is silent": {"client": python(FOREVER)},
    "a client that ignores SIGTERM": {"client": python(DEAF + DOWNLOADS + FOREVER)},
    "a server that ignores SIGTERM": {"server": python(DEAF + SENDS + FOREVER)},
    "a server that sends nothing": {"server": python(TCP + "while True: server.accept()")},
    "a flood of output": {"server": python(SENDS + "import sys\nwhile True: sys.stdout.write('x' * 65536)")},
    "a client's flood of output": {
        "client": python(DOWNLOADS + "while True: sys.stdout.write('x' * 65536)"),
    },
    "a client that leaves a process": {
        "client": python(DOWNLOADS + f"if not os.fork():\n os.setsid()\n exec({FOREVER!r})\n" + FOREVER),
    },
    "a client that forges its result": {
        "client": python(DOWNLOADS + OWN_HOME + "(home / 'qoe.json').write_text('{}')\n" + FOREVER),
    },
    "a server that removes its files": {
        "server": python(SENDS + OWN_HOME + "import shutil\nshutil.rmtree(home / 'keys')\n" + FOREVER),
    },
    "a server that calls home": {
        "server": python(
            SENDS + "try: socket.create_connection(('192.0.2.1', 80), 1)\nexcept OSError: pass\n" + FOREVER
        ),
    },
}
"""Endpoints that do harm to themselves alone: their trial runs to its end."""
