"""The API keys of an account: `ApiKeys` blocks, `AsyncApiKeys` awaits; both do the same."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from . import _calls
from ._senders import AsyncSender, SyncSender
from .models.http import ApiKey, ApiKeyPage, CreatedApiKey


class ApiKeys:
    """The API keys of the account that the client's key belongs to.

    Each method takes `timeout_s`, the longest wait for one answer, instead of the client's.
    """

    def __init__(self, sender: SyncSender) -> None:
        self._sender = sender

    def __repr__(self) -> str:
        return "ApiKeys()"

    def list(self, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None) -> ApiKeyPage:
        """One page of the keys that are not revoked, oldest first; `limit` is 1 to 100, 20 where it is not given.

        No key itself is shown.
        """
        return self._sender.send(_calls.list_api_keys(limit, after_id, timeout_s))

    def iter(self, *, limit: int | None = None, timeout_s: float | None = None) -> Iterator[ApiKey]:
        """All keys that are not revoked, page by page as they are needed; `limit` is the number of keys on a page, 100 where
        it is not given.

        Raises PlatformSDKError when the service names pages that never end.
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
        """Makes a further key, which may do all that the client's own may, and ends no later than that one.

        It is told once, in the result; printing that does not show it.
        """
        return self._sender.send(_calls.create_api_key(name, ttl_seconds, timeout_s))

    def revoke(self, key_id: str, *, timeout_s: float | None = None) -> None:
        """Revokes a key by its id: the next request with it is refused. The client's own may be revoked too.

        Raises PlatformAPIError `api_key.not_found`, or `api_key.last` if no other key lasts as long.
        """
        self._sender.send(_calls.revoke_api_key(key_id, timeout_s))


class AsyncApiKeys:
    """The API keys of the account that the client's key belongs to.

    Each method takes `timeout_s`, the longest wait for one answer, instead of the client's.
    """

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def __repr__(self) -> str:
        return "AsyncApiKeys()"

    async def list(
        self, *, limit: int | None = None, after_id: str | None = None, timeout_s: float | None = None
    ) -> ApiKeyPage:
        """One page of the keys that are not revoked, oldest first; `limit` is 1 to 100, 20 where it is not given.

        No key itself is shown.
        """
        return await self._sender.send(_calls.list_api_keys(limit, after_id, timeout_s))

    async def iter(self, *, limit: int | None = None, timeout_s: float | None = None) -> AsyncIterator[ApiKey]:
        """All keys that are not revoked, page by page as they are needed; `limit` is the number of keys on a page, 100 where
        it is not given.

        Raises PlatformSDKError when the service names pages that never end.
        """
        limit = _calls.LIST_MAX_LIMIT if limit is None else limit
        read, after_id = _calls.PagesRead("/v1/api-keys"), None
        while True:
            page = await self.list(limit=limit, after_id=after_id, timeout_s=timeout_s)
            for key in page.keys:
                yield key
            after_id = read.id_after(page)
            if after_id is None:
                return

    async def create(self, *, name: str, ttl_seconds: int | None = None, timeout_s: float | None = None) -> CreatedApiKey:
        """Makes a further key, which may do all that the client's own may, and ends no later than that one.

        It is told once, in the result; printing that does not show it.
        """
        return await self._sender.send(_calls.create_api_key(name, ttl_seconds, timeout_s))

    async def revoke(self, key_id: str, *, timeout_s: float | None = None) -> None:
        """Revokes a key by its id: the next request with it is refused. The client's own may be revoked too.

        Raises PlatformAPIError `api_key.not_found`, or `api_key.last` if no other key lasts as long.
        """
        await self._sender.send(_calls.revoke_api_key(key_id, timeout_s))
