"""Connections to the platform that the environment names."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from platform_robot_sdk import AsyncClient
from platform_robot_sdk.connection import PlatformSession, connect

__all__ = ["Connection", "client", "connection", "open_session", "robot", "session"]


@dataclass(frozen=True)
class Connection:
    rcs_url: str
    api_key: str
    robot_id: str

    def __repr__(self) -> str:
        return f"Connection({self.rcs_url}, {self.robot_id})"


@pytest.fixture(scope="session")
def connection() -> Connection:
    facts = json.loads(Path(os.environ["PLATFORM_TEST_CONNECTION"]).read_text(encoding="utf-8"))
    return Connection(facts["rcs_url"], facts["api_key"], facts["robot_id"])


@pytest_asyncio.fixture
async def client(connection: Connection) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(rcs_url=connection.rcs_url, api_key=connection.api_key) as client:
        yield client


Open = Callable[..., Awaitable[PlatformSession]]


@pytest_asyncio.fixture
async def open_session(client: AsyncClient, connection: Connection) -> AsyncIterator[Open]:
    """Joins the robot's room. The session stays open, because the runtime is in it."""
    sessions: list[PlatformSession] = []

    async def opening(**options: object) -> PlatformSession:
        asked = {"worker_names": [], "keep_session": True, **options}
        session = await connect(client, connection.robot_id, **asked)  # type: ignore[arg-type]
        sessions.append(session)
        await session.wait_until_ready(120)
        return session

    yield opening
    for session in sessions:
        await session.disconnect()


@pytest_asyncio.fixture
async def session(open_session: Open) -> PlatformSession:
    return await open_session()


@pytest_asyncio.fixture
async def robot(session: PlatformSession) -> PlatformSession:
    """Returns a session whose world has just been reset."""
    reset = await session.invoke("reset", {"seed": 1})
    assert reset.status == "done", reset
    return session
