"""Sessions in a scripted room, with a clock that skips waiting times."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import httpx
import pytest
import pytest_asyncio

from platform_double import API_KEY, RCS_URL, SESSION
from platform_robot_sdk import AsyncClient
from platform_robot_sdk.connection import PlatformSession, connect
from realtime.fake_room import RUNTIME, FakeRoom, FakeRuntime
from realtime.service_double import ServiceDouble
from realtime.virtual_time import VirtualTimeLoop


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    return {"virtual time": VirtualTimeLoop}


@pytest.fixture
def room() -> FakeRoom:
    return FakeRoom()


@pytest.fixture
def service() -> ServiceDouble:
    return ServiceDouble(SESSION)


@pytest_asyncio.fixture
async def client(service: ServiceDouble) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(rcs_url=RCS_URL, api_key=API_KEY, transport=httpx.MockTransport(service.reply)) as client:
        yield client


@pytest.fixture
def runtime(room: FakeRoom) -> FakeRuntime:
    """A runtime that is already in the room."""
    room.join(RUNTIME)
    runtime = FakeRuntime(room)
    runtime.skills["walk"] = lambda params: {"walked": params}
    return runtime


Open = Callable[..., Any]


@pytest.fixture
def open_session(client: AsyncClient, room: FakeRoom) -> Open:
    def opening(**options: Any) -> Any:
        return connect(client, "robot-1", worker_names=[], **{"transport": lambda: room, **options})

    return opening


@pytest_asyncio.fixture
async def session(open_session: Open, runtime: FakeRuntime) -> AsyncIterator[PlatformSession]:
    async with open_session() as session:
        yield session
