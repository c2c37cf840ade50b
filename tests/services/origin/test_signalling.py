"""Signalling messages between the two ends of a call."""

import asyncio

from aiohttp.test_utils import TestClient, TestServer

from services.origin import signalling


def test_messages_of_one_end_reach_the_other_once_and_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(signalling, "WAIT_S", 0.05)
    (tmp_path / "call.html").write_text("the call")

    async def talk() -> list[str]:
        async with TestClient(TestServer(signalling.application(tmp_path))) as client:
            for message in ('{"ready":true}', '{"candidate":null}'):
                await client.post("/messages/far", data=message)
            paths = ["/messages/near", "/messages/far", "/messages/far", "/call.html"]
            return [await (await client.get(path)).text() for path in paths]

    assert ["[]", '[{"ready":true},{"candidate":null}]', "[]", "the call"] == asyncio.run(talk())
