"""The driver and the owner at a worker that accepts only signed commands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from platform_fixtures import Connection, Open

from platform_robot_sdk import AsyncClient, NotControllerError, PlatformAPIError, PlatformSession, join_room
from platform_robot_sdk.experimental import generate_operator_url

WITHIN_S = 30
SILENT_S = 5


@pytest_asyncio.fixture
async def ann(open_session: Open) -> AsyncIterator[PlatformSession]:
    session = await open_session(rcw_identity_prefix="rcw", name="ann")
    yield session
    await session.invoke("stop")


@pytest_asyncio.fixture
async def ben(open_session: Open) -> PlatformSession:
    return await open_session(rcw_identity_prefix="rcw", name="ben")


async def stands(session: PlatformSession) -> None:
    async with asyncio.timeout(WITHIN_S):
        # Each read is a call, and takes some time.
        while (await session.state.get("robot_status")).robot.status == "moving":
            pass


async def test_of_two_one_drives_and_the_other_is_told_who(ann: PlatformSession, ben: PlatformSession) -> None:
    async with await ann.take_control("Ann", kind="person") as lease:
        driven = await ann.invoke("set_velocity", {"vx": 0.1})
        assert driven.status == "done", driven
        for call in (ben.take_control(), ben.invoke("set_velocity", {"vx": -1})):
            with pytest.raises(NotControllerError) as refused:
                await call
            assert refused.value.driver is not None
            assert (refused.value.driver.name, refused.value.driver.kind) == ("Ann", "person")
        # Every participant may stop the robot.
        assert (await ben.invoke("stop")).status == "done"
        await asyncio.sleep(SILENT_S + 1)
        assert lease.is_held
    assert (await lease.ended()).why == "released"
    assert await ben.driver() is None


async def test_it_is_asked_for_and_given(ann: PlatformSession, ben: PlatformSession) -> None:
    lease = await ann.take_control("Ann")
    ann.on_control_asked(lambda event: asyncio.ensure_future(lease.give(event.asker.identity)))
    mine = await ben.ask_for_control("Ben", timeout_s=WITHIN_S)
    end = await asyncio.wait_for(lease.ended(), WITHIN_S)
    assert (end.why, end.by) == ("given", None)
    assert end.driver is not None
    assert end.driver.name == "Ben"
    driver = await ann.driver()
    assert driver is not None
    assert driver.name == "Ben"
    await mine.release()


async def test_the_owner_takes_it_from_a_driver_that_does_not_give_it(ann: PlatformSession, ben: PlatformSession) -> None:
    reported: list[Any] = []
    ben.on_driver_changed(reported.append)
    lost = await ann.take_control("Agent", kind="agent")
    await ann.invoke("set_velocity", {"vx": 0.5})
    mine = await ben.take_control("Olga", kind="person", over=True)
    end = await asyncio.wait_for(lost.ended(), WITHIN_S)
    assert (end.why, end.by) == ("taken_over", "owner")
    assert end.driver is not None
    assert end.driver.name == "Olga"
    assert not lost.is_held
    await stands(ben)
    with pytest.raises(NotControllerError):
        await ann.invoke("set_velocity", {"vx": 0.5})
    await asyncio.sleep(SILENT_S + 1)
    assert mine.is_held
    assert [(event.why, event.by) for event in reported] == [("taken", None), ("taken_over", "owner")]
    await mine.release()


async def test_the_owner_puts_the_driver_out_without_joining(
    ann: PlatformSession, client: AsyncClient, connection: Connection
) -> None:
    lease = await ann.take_control("Agent", kind="agent")
    released = await client.robots.release_control(connection.robot_id)
    assert released.driver is None
    assert released.previous is not None
    assert released.previous.name == "Agent"
    end = await asyncio.wait_for(lease.ended(), WITHIN_S)
    assert (end.driver, end.why, end.by) == (None, "taken_over", "owner")
    assert await ann.driver() is None


async def test_nobody_is_made_the_driver_who_is_not_there(client: AsyncClient, connection: Connection) -> None:
    with pytest.raises(PlatformAPIError) as refused:
        await client.robots.take_control(connection.robot_id, to="nobody")
    assert refused.value.code == "control.no_driver"


async def test_a_program_joins_with_a_link_to_drive_alone(ann: PlatformSession, client: AsyncClient) -> None:
    async with join_room(await generate_operator_url(client, ann.robot_id), rcw_identity_prefix="rcw") as guest:
        await guest.wait_until_ready(WITHIN_S)
        assert (guest.robot_id, guest.room_name, guest.livekit_url) == (ann.robot_id, ann.room_name, ann.livekit_url)
        assert guest.room_metadata.created_at == ann.room_metadata.created_at
        assert (await guest.state.get("robot_status")).robot.status == "ready"
        assert str(guest.identity).startswith("operator-")
        assert str(ann.identity).startswith("client-ann-")
