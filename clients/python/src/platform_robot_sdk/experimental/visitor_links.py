"""Links for people who watch or operate a robot that runs elsewhere. The robot's session must be open.

Any number of people may open a link. It contains no API key. Functions whose names end in `_sync` take a `Client`, the
others an `AsyncClient`.
"""

from .._async.visitor_links import generate_operator_url, generate_watch_url
from .._sync.visitor_links import generate_operator_url_sync, generate_watch_url_sync

__all__ = ["generate_operator_url", "generate_operator_url_sync", "generate_watch_url", "generate_watch_url_sync"]
