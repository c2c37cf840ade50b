"""The server of a call: its page, and the signalling messages between the two browsers."""

import asyncio
import ssl
import threading
from collections import defaultdict
from pathlib import Path

from aiohttp import web

WAIT_S = 5
"""How long a request for messages stays open."""


def application(content: Path) -> web.Application:
    """Serve the files of `content`, and a queue of messages to each end (POST to send, GET to receive)."""
    queues: dict[str, asyncio.Queue[str]] = defaultdict(asyncio.Queue)

    async def send(request: web.Request) -> web.Response:
        queues[request.match_info["end"]].put_nowait(await request.text())
        return web.Response()

    async def receive(request: web.Request) -> web.Response:
        queue = queues[request.match_info["end"]]
        try:
            messages = [await asyncio.wait_for(queue.get(), WAIT_S)]
        except TimeoutError:
            messages = []
        while not queue.empty():
            messages.append(queue.get_nowait())
        return web.Response(text=f"[{','.join(messages)}]", content_type="application/json")

    app = web.Application()
    app.router.add_post("/messages/{end}", send)
    app.router.add_get("/messages/{end}", receive)
    app.router.add_static("/", content)
    return app


def serve_in_background(content: Path, certificate: Path, key: Path, port: int) -> threading.Thread:
    """Serve the call on every address. The thread ends only if the server fails."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)

    def run() -> None:
        web.run_app(
            application(content),
            host="0.0.0.0",
            port=port,
            ssl_context=context,
            print=lambda *_: None,
            handle_signals=False,
            access_log=None,
            loop=asyncio.new_event_loop(),
        )

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread
