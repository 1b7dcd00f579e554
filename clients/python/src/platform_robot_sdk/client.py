"""Access to the platform over HTTP: `Client` blocks, `AsyncClient` awaits; both do the same."""

from __future__ import annotations

from types import TracebackType
from typing import NoReturn, Self

import httpx

from ._redact import REDACTED
from ._senders import AsyncSender, SyncSender
from ._settings import DEFAULT_VIEWER_URL, Settings, read_settings
from .api_keys import ApiKeys, AsyncApiKeys
from .errors import PlatformSDKError
from .robots import AsyncRobots, Robots


class _ClientBase:
    _settings: Settings

    @property
    def rcs_url(self) -> str:
        """Root of the control service."""
        return self._settings.rcs_url

    @property
    def viewer_url(self) -> str:
        """Base of room-key links if the program set one or the service reports none."""
        return self._settings.viewer_url or DEFAULT_VIEWER_URL

    @property
    def timeout(self) -> float:
        """Longest wait for one HTTP answer, seconds."""
        return self._settings.timeout_s

    @property
    def max_retries(self) -> int:
        """Number of retries of a GET after a transport failure or a 429."""
        return self._settings.max_retries

    def __repr__(self) -> str:
        return f"{type(self).__name__}(rcs_url={self.rcs_url!r}, api_key={REDACTED!r})"

    def __reduce__(self) -> NoReturn:
        self._settings.__reduce__()


class Client(_ClientBase):
    """Access to the platform over HTTP, for programs without asyncio. Close it, or use it in a `with` block.

    Without arguments the client reads PLATFORM_RCS_URL and PLATFORM_API_KEY from the environment. Printing it does not show
    the key, and it cannot be pickled. Threads may share one client. A forked child may continue to use its copy, over its
    own connections. `timeout` covers one whole answer; only the system's name resolution takes its own time.
    """

    robots: Robots
    api_keys: ApiKeys

    def __init__(
        self,
        *,
        rcs_url: str | None = None,
        api_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        viewer_url: str | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        """Raises PlatformSDKError when the API key is missing or a setting is invalid.

        `timeout` is in seconds; `viewer_url` is the base of room-key links; `transport` replaces the network, in tests.
        """
        self._settings = read_settings(
            rcs_url=rcs_url, api_key=api_key, timeout=timeout, max_retries=max_retries, viewer_url=viewer_url
        )
        self._sender = SyncSender(self._settings, transport)
        self.robots = Robots(self._sender)
        self.api_keys = ApiKeys(self._sender)

    def close(self) -> None:
        """Closes the connections. A second call does nothing. A closed client sends no more requests."""
        self._sender.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class AsyncClient(_ClientBase):
    """Access to the platform over HTTP, for asyncio. Close it with `aclose`, or use it in an `async with` block.

    Without arguments the client reads PLATFORM_RCS_URL and PLATFORM_API_KEY from the environment. Printing it does not show
    the key, and it cannot be pickled. Tasks of one event loop may share one client, and it may serve several loops, also
    one after the other. Connections belong to the loop that made them; `aclose` closes those of the loop it runs in.
    `timeout` covers one whole answer.
    """

    robots: AsyncRobots
    api_keys: AsyncApiKeys

    def __init__(
        self,
        *,
        rcs_url: str | None = None,
        api_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
        viewer_url: str | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Takes the arguments of `Client`."""
        self._use(
            read_settings(rcs_url=rcs_url, api_key=api_key, timeout=timeout, max_retries=max_retries, viewer_url=viewer_url),
            transport,
        )

    def _use(self, settings: Settings, transport: httpx.AsyncBaseTransport | None) -> None:
        self._settings = settings
        self._sender = AsyncSender(settings, transport)
        self.robots = AsyncRobots(self._sender)
        self.api_keys = AsyncApiKeys(self._sender)

    async def aclose(self) -> None:
        """Closes the connections. A second call does nothing. A closed client sends no more requests."""
        await self._sender.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def async_twin(client: Client) -> AsyncClient:
    """Returns an AsyncClient with the settings of the client. The caller must close it.

    Raises PlatformSDKError when the client was given a transport that cannot be awaited.
    """
    transport = client._sender.transport
    if transport is not None and not isinstance(transport, httpx.AsyncBaseTransport):
        raise PlatformSDKError("This Client has a transport that cannot be awaited. Pass an AsyncClient.")
    twin = AsyncClient.__new__(AsyncClient)
    twin._use(client._settings, transport)
    return twin
