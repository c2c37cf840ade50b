"""How the two ends of a call find each other."""

import asyncio

from aiohttp.test_utils import TestClient, TestServer

from services.origin import signalling


def test_what_one_end_sends_the_other_gets_once_and_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr(signalling, "WAIT_S", 0.05)
    (tmp_path / "call.html").write_text("the call")

    async def talk() -> list[str]:
        async with TestClient(TestServer(signalling.application(tmp_path))) as client:
            for message in ('{"ready":true}', '{"candidate":null}'):
                await client.post("/messages/far", data=message)
            asked = ["/messages/near", "/messages/far", "/messages/far", "/call.html"]
            return [await (await client.get(path)).text() for path in asked]

    assert ["[]", '[{"ready":true},{"candidate":null}]', "[]", "the call"] == asyncio.run(talk())
