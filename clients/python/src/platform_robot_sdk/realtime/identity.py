"""The identities in a room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .transport import Participant

# The prefixes of runtimes' identities: a simulator's, and a worker's.
_RUNTIME_NAMES = ("simplesim", "rcw")
AGENT_NAME_ATTRIBUTE = "lk.agent.name"


def is_runtime_identity(identity: str, prefix: str) -> bool:
    """Whether this participant is a runtime of the named kind: exactly the name, or the name followed by `-` or `:`."""
    return identity == prefix or identity.startswith((f"{prefix}-", f"{prefix}:"))


def is_any_runtime(identity: str) -> bool:
    """Whether this participant is a runtime of either kind."""
    return any(is_runtime_identity(identity, name) for name in _RUNTIME_NAMES)


def robot_id_of(identity: str, prefix: str) -> str | None:
    """Returns the robot that a runtime's identity names; None if it names none."""
    is_named = is_runtime_identity(identity, prefix) and len(identity) > len(prefix) + 1
    return identity[len(prefix) + 1 :] if is_named else None


def remedy_for(others: Iterable[str]) -> str:
    """Returns what to do if the expected runtime is not among these participants."""
    for name in _RUNTIME_NAMES:
        if any(is_runtime_identity(identity, name) for identity in others):
            return f'The robot there keeps the other contract: connect with rcw_identity_prefix="{name}", or open another link.'
    return "Open the robot's link in Chrome (the platform's command “link” prints one), or start its worker."


def missing_participants(required: Mapping[str, int], present: Iterable[Participant]) -> list[str]:
    """Returns the required names (with their counts) of which too few participants are in the room."""
    there = list(present)
    return [
        name for name, least in required.items() if sum(1 for participant in there if _counts_as(participant, name)) < least
    ]


def _counts_as(participant: Participant, name: str) -> bool:
    identity = participant.identity
    named = identity == name or identity.startswith(f"{name}-")
    return named or participant.attributes.get(AGENT_NAME_ATTRIBUTE) == name
