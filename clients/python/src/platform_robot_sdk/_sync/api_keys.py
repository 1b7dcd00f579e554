# Generated from `_async/api_keys.py` by `npm run python -- generate`: change that file instead.
"""The API keys of an account."""

from __future__ import annotations

from collections.abc import Iterator

from .. import _calls
from .._senders import SyncSender
from ..models.http import ApiKey, ApiKeyPage, CreatedApiKey


class ApiKeys:
    """The API keys of the account that the client's key belongs to.

    Each method accepts `timeout_s`, the longest wait for one answer, instead of the client's.
    """

    def __init__(self, sender: SyncSender) -> None:
        self._sender = sender

    def __repr__(self) -> str:
        return "ApiKeys()"

    def list(self, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None) -> ApiKeyPage:
        """Reads one page of the keys that are not revoked, oldest first; `limit` is 1 to 100, 20 by default.

        The page does not contain the keys themselves.
        """
        return self._sender.send(_calls.list_api_keys(limit, after_id, timeout_s))

    def iter(self, *, limit: int | None = None, timeout_s: float | None = None) -> Iterator[ApiKey]:
        """Yields all keys that are not revoked, and reads each page when it is needed; `limit` is the number of keys on a
        page, 100 by default.

        Raises PlatformSDKError when the service returns pages without end.
        """
        limit = _calls.LIST_MAX_LIMIT if limit is None else limit
        read, after_id = _calls.PagesRead("/v1/api-keys"), None
        while True:
            page = self.list(limit=limit, after_id=after_id, timeout_s=timeout_s)
            yield from page.keys
            after_id = read.id_after(page)
            if after_id is None:
                return

    def create(self, *, name: str, ttl_seconds: int | None = None, timeout_s: float | None = None) -> CreatedApiKey:
        """Creates another key with the same permissions as the client's own key. It ends no later than that key.

        The key is shown only in this answer. Printing the result does not show it.
        """
        return self._sender.send(_calls.create_api_key(name, ttl_seconds, timeout_s))

    def revoke(self, key_id: str, *, timeout_s: float | None = None) -> None:
        """Revokes a key by its id: the service rejects the next request with it. The client's own key may be revoked too.

        Raises PlatformAPIError `api_key.not_found`, or `api_key.last` if no other key lasts as long.
        """
        self._sender.send(_calls.revoke_api_key(key_id, timeout_s))
