"""The reference of both libraries lists every public name and no unknown one, and no library has an undocumented option of
its own.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel

import platform_robot_sdk as sdk
import typescript_interface as ts
from platform_robot_sdk import experimental, models, workers
from platform_robot_sdk.realtime.states import States

PAGE = Path(__file__).resolve().parents[3] / "docs/reference/libraries.md"
SPAN = re.compile(r"`([^`]+)`")
# Every call accepts these; the table mentions them once.
EVERYWHERE = {"timeout_s", "timeoutMs", "signal"}

# Options that only one library has, and why.
ALONE_IN_TYPESCRIPT = {
    "fetch": "httpx's transport in Python",
    "logger": "Python has the logging of its standard library",
}
ALONE_IN_PYTHON = {
    "transport": "fetch in TypeScript; connect has it on both sides",
    "delete_session": "older Python programs pass it; it is the opposite of keep_session",
}
# Options with different names in the two libraries.
RENAMED = {"ttl_s": "ttl_seconds", "timeout_s": "timeout"}
# Language constructs that the table contains besides the libraries' own names.
OF_THE_LANGUAGES = set(
    """
    await using session|async with session|async with client|with client|for await (… of action)|async for … in action
    await action|AbortSignal|asyncio.timeout()|task.cancel()|error.cause|error.__cause__|error.__notes__|hint|tqdm|logging
    platform_robot_sdk|platform_robot_sdk.models|{ timeoutMs, signal }|timeout_s|signal|Uint8Array|bytes|status|TimeoutError
    PLATFORM_RCS_URL|PLATFORM_API_KEY|PLATFORM_ROBOT_VIEWER_URL|PLATFORM_ROBOT_SDK_TIMEOUT|PLATFORM_ROBOT_SDK_MAX_RETRIES
    PLATFORM_ROBOT_SDK_DEBUG
    """.strip()
    .replace("\n    ", "|")
    .split("|")
)


@dataclasses.dataclass(frozen=True)
class Row:
    capability: str
    typescript: tuple[str, ...]
    python: tuple[str, ...]
    text: str


def rows() -> Iterator[Row]:
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or set(cells[0]) <= {"-"} or cells[1] == "TypeScript":
            continue
        assert len(cells) == 3, line
        yield Row(cells[0], tuple(SPAN.findall(cells[1])), tuple(SPAN.findall(cells[2])), line)


ROWS = list(rows())


def parameters(callable_: Any) -> list[str]:
    return [name for name in inspect.signature(callable_).parameters if name != "self" and name not in EVERYWHERE]


def call(name: str, callable_: Any) -> str:
    return f"{name}({', '.join(parameters(callable_))})"


def members(kind: type, prefix: str) -> Iterator[str]:
    for name, value in inspect.getmembers(kind):
        if name.startswith("_") or name in dir(RuntimeError) or (issubclass(kind, bytes) and name in dir(bytes)):
            continue
        yield call(f"{prefix}.{name}", value) if callable(value) else f"{prefix}.{name}"


def fields_of(kind: type) -> str:
    names = [name for each in reversed(kind.__mro__) for name in vars(each).get("__annotations__", {}) if each is not object]
    return f"{kind.__name__} {{ {', '.join(names)} }}" if names else kind.__name__


def python_names() -> set[str]:
    """Returns every public name: functions with their parameters, data types with their fields."""
    names: set[str] = set()
    for name in sdk.__all__:
        value = getattr(sdk, name)
        if inspect.isfunction(value):
            names.add(call(name, value))
        elif name in ("Client", "AsyncClient"):
            names |= {call(name, value), *members(value, "client")}
        elif name in ("Robots", "AsyncRobots"):
            names |= set(members(value, "client.robots"))
        elif name in ("ApiKeys", "AsyncApiKeys"):
            names |= set(members(value, "client.api_keys"))
        elif name == "PlatformSession":
            names |= {
                *members(value, "session"),
                *(f"session.{field}" for field in ("robot_id", "room_name", "room_metadata", "livekit_url")),
            }
        elif name == "Action":
            names |= {*members(value, "action"), "action.action_id"}
        elif name == "ControlLease":
            names |= set(members(value, "lease"))
        elif name == "Vision":
            names |= {fields_of(value), *members(value, "vision")}
        elif isinstance(value, type) and name != "WorkerConfig":
            names.add(fields_of(value))
        else:
            names.add(name)
    names |= set(members(States, "session.state"))
    names |= {call(name, getattr(experimental, name)) for name in experimental.__all__ if name != "RuntimeProfile"} | {
        "RuntimeProfile"
    }
    names |= {call(f"workers.{name}", value) for name, value in vars(workers).items() if name == "for_rcs_stack"}
    return names | set(models.__all__)


def in_table(column: str, names: set[str]) -> set[str]:
    """Returns the names in a column, without language constructs and without parts of a name, which the text may mention
    alone.
    """
    parts = {part for name in names for part in (name.split("(")[0], *options(name))}
    return {span for row in ROWS for span in getattr(row, column)} - ((OF_THE_LANGUAGES | parts) - names)


def test_every_public_name_of_the_python_library_is_in_the_table_and_no_other() -> None:
    names = python_names()
    assert in_table("python", names) ^ names == set()


def test_every_public_name_of_the_typescript_library_is_in_the_table_and_no_other() -> None:
    names = ts.names()
    assert in_table("typescript", names) ^ names == set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.capability[:40])
def test_each_line_says_what_both_libraries_have(row: Row) -> None:
    assert row.capability
    for cell in row.text.strip("|").split("|")[1:]:
        assert cell.strip(), f"{row.capability}: explain why one library has nothing here"


def options(span: str) -> set[str]:
    inner = re.search(r"[({](.*)[)}]", span)
    return {name.strip(" {}?") for name in inner.group(1).split(",")} - {""} if inner else set()


def in_python(name: str) -> str:
    """Converts `intervalMs` to `interval_s`. Both libraries follow this rule, except for the renamed options."""
    snake = re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()
    snake = re.sub(r"_ms$", "_s", snake) if not name.islower() else snake
    return RENAMED.get(snake, snake)


def calls(spans: tuple[str, ...]) -> list[str]:
    return [span for span in spans if "(" in span and span not in OF_THE_LANGUAGES]


CALLS = [row for row in ROWS if calls(row.typescript) and calls(row.python)]


@pytest.mark.parametrize("row", CALLS, ids=lambda row: row.capability[:40])
def test_both_libraries_take_the_same_options(row: Row) -> None:
    there = {in_python(name) for span in calls(row.typescript) for name in options(span) if name not in ALONE_IN_TYPESCRIPT}
    here = {name for span in calls(row.python) for name in options(span)}
    assert there == {name for name in here if name in there or name not in ALONE_IN_PYTHON}


def test_the_libraries_have_hardly_a_name_that_the_other_has_not() -> None:
    """A row may exist in one language only. The table gives the reason, and there are few such rows."""
    alone = {row.capability.split(";")[0] for row in ROWS if not row.typescript or not row.python}
    assert alone == {
        "Close it",
        "Deprecated `workers`, which has no effect",
        "Save a picture",
        "Types of each skill's parameters and result",
        "Types of arguments",
    }


# For each kind of data: the model in Python, and the schema from which the type in TypeScript is made.
DATA: dict[str, type[BaseModel]] = {
    "libraryRobotSchema": models.Robot,
    "librarySessionSchema": models.Session,
    "participantTokenResultSchema": models.ParticipantToken,
    "controlGrantResultSchema": models.ControlGrant,
    "roomMetadataSchema": models.RoomMetadata,
    "apiKeySchema": models.ApiKey,
    "sessionStateSchema": models.SessionState,
    "skillDescriptorSchema": models.SkillDescriptor,
    "actionMetaSchema": models.ActionMeta,
    "progressSchema": models.ActionProgress,
    "runtimeStateSchema": models.RuntimeState,
    "sceneStateSchema": models.SceneState,
    "entityStateSchema": models.Entity,
    "sceneLayoutSchema": models.SceneLayout,
    "poseSchema": models.Pose,
    "captureFrameSchema": models.CaptureFrame,
    "captureResultSchema": models.CaptureResult,
}
# Fields that one library types in detail and the other leaves as a plain dictionary, and why.
PLAIN_ON_ONE_SIDE = {
    "robot.extra": "each runtime reports more in it; Python has a dictionary",
    "state": "each kind of entity has more fields; Python has a dictionary",
    "control_keys": "read by those who sign; Python has a dictionary",
    "required_participants": "its schema is written in another form, which this reading does not open",
    "details": "each error has more fields; Python has a dictionary",
    "cost": "runtimes of robots report more of it; TypeScript leaves the object open",
}


def paths_of(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield f"{prefix}{name}"
        for inner in models_in(field.annotation):
            yield from paths_of(inner, f"{prefix}{name}.")


def models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for inner in get_args(annotation) for model in models_in(inner)]


@pytest.mark.parametrize("schema", DATA)
def test_data_has_the_same_fields_in_both_libraries(schema: str) -> None:
    here, there = set(paths_of(DATA[schema])), ts.fields_of_schema(schema)
    different = here ^ there
    plain = {path for path in different if any(f".{field}." in f".{path}" for field in PLAIN_ON_ONE_SIDE)}
    assert different - plain == set()
