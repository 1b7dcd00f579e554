"""`platform-robot-sdk`: control of a robot over the platform's HTTP interface, and live in its room."""

from ._version import __version__
from .api_keys import ApiKeys, AsyncApiKeys
from .by_room_key import join_room
from .client import AsyncClient, Client
from .connection import (
    STANDING_POSE,
    Action,
    ArmPose,
    ConnectCallbacks,
    Place,
    PlatformSession,
    UpperBodyStream,
    Vision,
    connect,
)
from .control_lease import ControlLease, LeaseEnd
from .emergency_stop import EmergencyStopError, EmergencyStopped, StopPath, StopPaths
from .errors import (
    CallTimeoutError,
    NotControllerError,
    PlatformAPIError,
    PlatformConnectionError,
    PlatformNotAvailableError,
    PlatformSDKError,
    RcwRuntimeError,
)
from .robots import AsyncRobots, Robots
from .workers import WorkerConfig

__all__ = [
    "STANDING_POSE",
    "Action",
    "ApiKeys",
    "ArmPose",
    "AsyncApiKeys",
    "AsyncClient",
    "AsyncRobots",
    "CallTimeoutError",
    "Client",
    "ConnectCallbacks",
    "ControlLease",
    "EmergencyStopError",
    "EmergencyStopped",
    "LeaseEnd",
    "NotControllerError",
    "Place",
    "PlatformAPIError",
    "PlatformConnectionError",
    "PlatformNotAvailableError",
    "PlatformSDKError",
    "PlatformSession",
    "RcwRuntimeError",
    "Robots",
    "StopPath",
    "StopPaths",
    "UpperBodyStream",
    "Vision",
    "WorkerConfig",
    "__version__",
    "connect",
    "join_room",
]
