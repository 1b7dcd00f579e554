"""The legacy way to choose what is dispatched into a session. It has no effect; pass `worker_names` instead."""

from __future__ import annotations

import warnings

_MESSAGE = "workers does not dispatch workers; pass worker_names instead."


class WorkerConfig:
    """The value that older programs pass as `workers`. Accepts any field and ignores all of them."""

    def __init__(self, *values: object, **fields: object) -> None:
        self.values = values
        self.fields = fields

    def __repr__(self) -> str:
        return "WorkerConfig(no effect)"


def for_rcs_stack(*values: object, **fields: object) -> WorkerConfig:
    """The configuration of the platform's own stack, for older programs. Emits a DeprecationWarning."""
    warn_of_workers(stacklevel=3)
    return WorkerConfig(*values, **fields)


def warn_of_workers(stacklevel: int) -> None:
    """Emits the DeprecationWarning; `stacklevel` is counted from here."""
    warnings.warn(_MESSAGE, DeprecationWarning, stacklevel=stacklevel)
