"""The call's own server: its page, and the messages by which two browsers find each other."""

import asyncio
import ssl
import threading
from collections import defaultdict
from pathlib import Path

from aiohttp import web

WAIT_S = 5
"""How long a browser's question for messages stays open."""


def application(content: Path) -> web.Application:
    """Give the files of `content`, and for each of the two ends a box of messages that the other fills."""
    boxes: dict[str, asyncio.Queue[str]] = defaultdict(asyncio.Queue)

    async def put(request: web.Request) -> web.Response:
        boxes[request.match_info["end"]].put_nowait(await request.text())
        return web.Response()

    async def take(request: web.Request) -> web.Response:
        box = boxes[request.match_info["end"]]
        try:
            messages = [await asyncio.wait_for(box.get(), WAIT_S)]
        except TimeoutError:
            messages = []
        while not box.empty():
            messages.append(box.get_nowait())
        return web.Response(text=f"[{','.join(messages)}]", content_type="application/json")

    app = web.Application()
    app.router.add_post("/messages/{end}", put)
    app.router.add_get("/messages/{end}", take)
    app.router.add_static("/", content)
    return app


def serve_in_background(content: Path, certificate: Path, key: Path, port: int) -> threading.Thread:
    """Serve the call on every address; the thread ends only if the server breaks."""
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
