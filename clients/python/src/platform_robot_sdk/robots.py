"""The robots of the key's owner: `Robots` blocks, `AsyncRobots` awaits; both do the same."""

from ._async.robots import AsyncRobots
from ._sync.robots import Robots

__all__ = ["AsyncRobots", "Robots"]
