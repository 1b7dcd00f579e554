"""Names that may change between releases: room keys, viewer links, and links to watch and to operate a robot."""

from .find_room_key import find_room_key
from .room_keys import (
    RuntimeProfile,
    generate_room_key,
    generate_room_key_sync,
    generate_room_key_url,
    generate_room_key_url_sync,
    get_session_viewer_url,
    get_session_viewer_url_sync,
)
from .visitor_links import (
    generate_operator_url,
    generate_operator_url_sync,
    generate_watch_url,
    generate_watch_url_sync,
)

__all__ = [
    "RuntimeProfile",
    "find_room_key",
    "generate_operator_url",
    "generate_operator_url_sync",
    "generate_room_key",
    "generate_room_key_sync",
    "generate_room_key_url",
    "generate_room_key_url_sync",
    "generate_watch_url",
    "generate_watch_url_sync",
    "get_session_viewer_url",
    "get_session_viewer_url_sync",
]
