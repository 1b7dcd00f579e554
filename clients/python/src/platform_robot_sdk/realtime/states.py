"""Reads the runtime's current state."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Literal, overload

from pydantic import BaseModel

from .._short_errors import short_errors
from ..errors import RcwRuntimeError
from ..models.runtime import RuntimeState, SceneLayout, SceneState
from .transport import Json
from .wire import read_as

Read = Callable[[str, dict[str, Any], float | None], Coroutine[Any, Any, Json]]
StateKey = Literal["robot_status", "scene_state", "scene_layout", "manifest", "capabilities"]

METHOD_PREFIX = "runtime."
_METHOD_OF_KEY = {
    "robot_status": "runtime.state",
    "scene_state": "runtime.scene_state",
    "scene_layout": "runtime.scene_layout",
    "manifest": "runtime.manifest",
    "capabilities": "runtime.capabilities",
}
_MODEL_OF_KEY: dict[str, tuple[type[BaseModel], str]] = {
    "robot_status": (RuntimeState, "a state"),
    "scene_state": (SceneState, "a scene"),
    "scene_layout": (SceneLayout, "a layout"),
}


class States:
    """`session.state`: reads by key."""

    def __init__(self, read: Read) -> None:
        self._read = read

    @overload
    async def get(self, key: Literal["robot_status"], *, timeout_s: float | None = None) -> RuntimeState: ...
    @overload
    async def get(self, key: Literal["scene_state"], *, timeout_s: float | None = None, **query: object) -> SceneState: ...
    @overload
    async def get(self, key: Literal["scene_layout"], *, timeout_s: float | None = None) -> SceneLayout: ...
    @overload
    async def get(self, key: str, *, timeout_s: float | None = None, **query: object) -> Json: ...
    @short_errors
    async def get(self, key: str, *, timeout_s: float | None = None, **query: object) -> Json:
        """Reads a state, as a model if `list` contains the key. Any other key calls the method `runtime.<key>`.

        `query` restricts a scene: `entity_ids`, `visible`, `kinds`.

        Raises:
            RcwRuntimeError: the runtime rejects the call, or no runtime is in the room; `METHOD_NOT_FOUND` for an unknown
                key.
            TimeoutError: the runtime has not answered within `timeout_s`.
        """
        method = _METHOD_OF_KEY.get(key, f"{METHOD_PREFIX}{key}")
        asked = {name: value for name, value in query.items() if value is not None}
        try:
            reply = await self._read(method, asked, timeout_s)
        except RcwRuntimeError as error:
            if error.code != "METHOD_NOT_FOUND" or key in _METHOD_OF_KEY:
                raise
            message = f"{error.runtime_message} Valid keys: {', '.join(self.list())}."
            raise RcwRuntimeError(error.code, message, error.details) from None
        model = _MODEL_OF_KEY.get(key)
        return reply if model is None else read_as(model[0], reply, model[1])

    def list(self) -> list[StateKey]:
        """Returns the keys that `get` has models for."""
        return ["robot_status", "scene_state", "scene_layout", "manifest", "capabilities"]

    def __repr__(self) -> str:
        return f"States({', '.join(self.list())})"
