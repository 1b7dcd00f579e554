"""Sessions of robots that the test creates, without a viewer."""

from __future__ import annotations

import asyncio
import json
import logging
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from platform_fixtures import Connection

from platform_robot_sdk import (
    AsyncClient,
    Client,
    ConnectCallbacks,
    PlatformAPIError,
    PlatformConnectionError,
    PlatformSDKError,
    RcwRuntimeError,
    connect,
)
from platform_robot_sdk.experimental import generate_room_key, generate_room_key_sync
from platform_robot_sdk.realtime import livekit_transport
from platform_robot_sdk.realtime.livekit_transport import LivekitTransport
from platform_robot_sdk.realtime.transport import RoomListener


@pytest_asyncio.fixture
async def robot_id(client: AsyncClient) -> AsyncIterator[str]:
    created = await client.robots.create(name="Python", model="simplesim-humanoid-1")
    yield created.robot.id
    await client.robots.delete(created.robot.id)


async def has_session(client: AsyncClient, robot_id: str) -> bool:
    try:
        await client.robots.create_participant_token(robot_id, participant_identity="looks")
    except PlatformAPIError as error:
        if error.code != "session.not_found":
            raise
        return False
    return True


async def test_3_disconnect_closes_the_room_and_deletes_the_session(client: AsyncClient, robot_id: str) -> None:
    reasons: asyncio.Queue[str] = asyncio.Queue()
    session = await connect(client, robot_id, worker_names=[])
    other = await connect(client, robot_id, worker_names=[], callbacks=ConnectCallbacks(on_disconnected=reasons.put))
    assert await has_session(client, robot_id)
    await session.disconnect()
    assert not await has_session(client, robot_id)
    assert await asyncio.wait_for(reasons.get(), 30) != "left"
    with pytest.raises(PlatformSDKError, match="has ended"):
        await other.discover_skills()
    # The session has been deleted already, which is fine.
    await other.disconnect()


async def test_3_disconnect_leaves_the_session_where_it_is_to_be_kept(client: AsyncClient, robot_id: str) -> None:
    session = await connect(client, robot_id, worker_names=[])
    await session.disconnect(delete_session=False)
    assert await has_session(client, robot_id)


async def test_4_4_a_block_disconnects(client: AsyncClient, robot_id: str) -> None:
    async with connect(client, robot_id, worker_names=[]) as session:
        assert session.runtime_identity is None
    assert not await has_session(client, robot_id)


async def test_4_4_without_join_livekit_the_session_alone_is_opened(client: AsyncClient, robot_id: str) -> None:
    session = await connect(client, robot_id, worker_names=[], join_livekit=False)
    with pytest.raises(PlatformSDKError, match="join_livekit=True"):
        await session.discover_skills()
    await session.disconnect()
    assert not await has_session(client, robot_id)


async def test_4_4_a_client_without_asyncio_serves_as_well(connection: Connection, client: AsyncClient, robot_id: str) -> None:
    with Client(rcs_url=connection.rcs_url, api_key=connection.api_key) as plain:
        async with connect(plain, robot_id, worker_names=[]) as session:
            assert session.robot_id == robot_id
        assert await asyncio.to_thread(generate_room_key_of_a_new_session, plain, robot_id)


def generate_room_key_of_a_new_session(client: Client, robot_id: str) -> str:
    client.robots.create_session(robot_id, worker_names=[])
    return generate_room_key_sync(client, robot_id)


async def test_4_4_without_a_runtime_discover_skills_waits_and_says_for_whom(client: AsyncClient, robot_id: str) -> None:
    async with connect(client, robot_id, worker_names=[], runtime_call_timeout_s=1) as session:
        with pytest.raises(TimeoutError, match="no participant named simplesim is in the room"):
            await session.discover_skills()


async def test_4_4_without_a_runtime_other_calls_are_refused_at_once(client: AsyncClient, robot_id: str) -> None:
    async with connect(client, robot_id, worker_names=[]) as session:
        with pytest.raises(RuntimeError) as raised:
            await session.invoke("set_head", {"yaw": 0.1})
        assert isinstance(raised.value, RcwRuntimeError)
        assert raised.value.code == "NOT_READY"


async def test_7_3_wait_until_ready_names_who_is_missing(client: AsyncClient, robot_id: str) -> None:
    async with connect(client, robot_id, worker_names=[]) as session:
        with pytest.raises(TimeoutError, match=f"the room is empty.*The session needs simplesim:{robot_id}"):
            await session.wait_until_ready(1)


async def test_4_3_rule_9_a_room_that_cannot_be_joined_rolls_back_the_new_session(
    client: AsyncClient, robot_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = LivekitTransport.connect

    async def to_nowhere(self: LivekitTransport, url: str, token: str, listener: RoomListener) -> None:
        await real(self, "ws://127.0.0.1:9", token, listener)

    monkeypatch.setattr(livekit_transport.LivekitTransport, "connect", to_nowhere)
    with pytest.raises((PlatformConnectionError, TimeoutError)) as raised:
        await connect(client, robot_id, worker_names=[])
    assert "eyJ" not in str(raised.value)
    assert not await has_session(client, robot_id)
    # A session that was already open stays.
    await client.robots.create_session(robot_id, worker_names=[])
    with pytest.raises((PlatformConnectionError, TimeoutError)):
        await connect(client, robot_id, worker_names=[])
    assert await has_session(client, robot_id)


async def test_4_5_a_room_key_packs_the_address_and_a_credential(client: AsyncClient, robot_id: str) -> None:
    session = await connect(client, robot_id, worker_names=[])
    key = await generate_room_key(client, robot_id)
    version, address, token = key.split("~")
    assert version == "k1"
    assert urlsafe_b64decode(address + "=" * (-len(address) % 4)).decode() == session.livekit_url
    body = token.split(".")[1]
    claims = json.loads(urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    assert claims["sub"] == f"simplesim:{robot_id}"
    assert claims["video"]["room"] == session.room_name
    await session.disconnect()


async def test_7_2_a_wrong_key_reads_http_401_unauthorized(connection: Connection) -> None:
    async with AsyncClient(rcs_url=connection.rcs_url, api_key="sk_live_wrong") as stranger:
        with pytest.raises(PlatformAPIError) as raised:
            await connect(stranger, connection.robot_id)
    assert raised.value.status_code == 401
    assert str(raised.value).startswith("http.401: unauthorized")


async def test_no_log_holds_a_token_or_the_key_not_even_those_of_the_sdk(
    client: AsyncClient, connection: Connection, robot_id: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        async with connect(client, robot_id, worker_names=[]) as session:
            with pytest.raises(TimeoutError):
                await session.wait_until_ready(0.5)
    assert caplog.text.count("platform_robot_sdk") > 1
    # Every token begins with these characters.
    assert "eyJ" not in caplog.text
    assert connection.api_key not in caplog.text


async def test_two_sessions_of_one_program_in_two_rooms(client: AsyncClient, robot_id: str) -> None:
    other = await client.robots.create(name="Python too", model="simplesim-humanoid-1")
    async with connect(client, robot_id, worker_names=[]) as one, connect(client, other.robot.id, worker_names=[]) as two:
        assert one.room_name != two.room_name
    await client.robots.delete(other.robot.id)
