"""Keys and links that make a browser tab the robot. The robot's session must be open.

Treat a key as a secret, like a private meeting link: any holder can be the robot in its room. It contains no API key.
Functions whose names end in `_sync` take a `Client`, the others an `AsyncClient`.
"""

from .._async.room_keys import generate_room_key, generate_room_key_url, get_session_viewer_url
from .._sync.room_keys import generate_room_key_sync, generate_room_key_url_sync, get_session_viewer_url_sync
from .._viewer_links import RuntimeProfile

__all__ = [
    "RuntimeProfile",
    "generate_room_key",
    "generate_room_key_sync",
    "generate_room_key_url",
    "generate_room_key_url_sync",
    "get_session_viewer_url",
    "get_session_viewer_url_sync",
]
