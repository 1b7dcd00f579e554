"""The API keys of an account: `ApiKeys` blocks, `AsyncApiKeys` awaits; both do the same."""

from ._async.api_keys import AsyncApiKeys
from ._sync.api_keys import ApiKeys

__all__ = ["ApiKeys", "AsyncApiKeys"]
