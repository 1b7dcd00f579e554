"""Runs tests with both clients, whose names are in the test ids. No test waits for a retry."""

from __future__ import annotations

import asyncio
import os
import time

import pytest

from platform_double import Kind, PlatformDouble
from platform_robot_sdk import AsyncClient, Client, _senders

# These tests need a running service; tests/client/python-service.alone.test.ts starts it and passes its address.
collect_ignore_glob = [] if os.environ.get("PLATFORM_TEST_SERVICE") else ["service/*"]


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("API_KEY", "RCS_URL", "ROBOT_SDK_TIMEOUT", "ROBOT_SDK_MAX_RETRIES", "ROBOT_SDK_DEBUG", "ROBOT_VIEWER_URL"):
        monkeypatch.delenv(f"PLATFORM_{name}", raising=False)


@pytest.fixture
def waits_s(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The waits before retries, which take no time in these tests."""
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    class Clock:
        sleep = staticmethod(waits.append)
        monotonic = staticmethod(time.monotonic)

    class Loop:
        sleep = staticmethod(wait)
        timeout = staticmethod(asyncio.timeout)
        get_running_loop = staticmethod(asyncio.get_running_loop)

    monkeypatch.setattr(_senders, "time", Clock)
    monkeypatch.setattr(_senders, "asyncio", Loop)
    return waits


@pytest.fixture(params=[Client, AsyncClient], ids=["Client", "AsyncClient"])
def kind(request: pytest.FixtureRequest) -> Kind:
    chosen: Kind = request.param
    return chosen


@pytest.fixture
def platform(kind: Kind, waits_s: list[float]) -> PlatformDouble:
    return PlatformDouble(kind, waits_s)
