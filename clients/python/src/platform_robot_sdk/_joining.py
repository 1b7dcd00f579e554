"""Joins rooms, for `connect` and `join_room`."""

from __future__ import annotations

from collections.abc import Coroutine, Generator
from types import TracebackType
from typing import Any

from ._network import room_hint
from .errors import CallTimeoutError, PlatformConnectionError
from .realtime.callbacks import ConnectCallbacks, Notifier
from .realtime.room_link import Notice, RoomLink
from .realtime.session import PlatformSession

_JOIN_TIMEOUT_S = 30.0


class Connecting(Coroutine[Any, Any, PlatformSession]):
    """The value of `connect` and `join_room`: a coroutine to await, to run as a task, or to enter with `async with`."""

    def __init__(self, opening: Coroutine[Any, Any, PlatformSession]) -> None:
        self._opening = opening
        self._session: PlatformSession | None = None

    def __await__(self) -> Generator[Any, Any, PlatformSession]:
        return self._opening.__await__()

    def send(self, value: Any) -> Any:  # noqa: ANN401 - as every coroutine
        return self._opening.send(value)

    def throw(self, *raised: Any) -> Any:  # noqa: ANN401 - as every coroutine
        return self._opening.throw(*raised)

    def close(self) -> None:
        self._opening.close()

    async def __aenter__(self) -> PlatformSession:
        self._session = await self._opening
        return self._session

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._session is not None:
            await self._session.__aexit__(kind, error, trace)


def notice_of(callbacks: ConnectCallbacks, notifier: Notifier) -> Notice:
    """Returns what a room calls for its events, for the callbacks of a program."""

    def notice(name: str, *args: object) -> None:
        notifier.notify(name, getattr(callbacks, name), *args)

    return notice


async def join(link: RoomLink, url: str, token: str) -> None:
    """Joins the room.

    Raises:
        PlatformConnectionError, CallTimeoutError: neither contains the token.
    """
    try:
        await link.join(url, token, _JOIN_TIMEOUT_S)
    except CallTimeoutError:
        raise
    except Exception:
        # An SDK's error may contain the token in an address, so neither its text nor the error itself is passed on.
        pass
    else:
        return
    raise PlatformConnectionError(
        f"The room at {url} could not be joined. Check that this machine reaches that address.{room_hint(url)}"
    )
