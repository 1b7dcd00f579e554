"""A robot live in its room. This package is only imported when a session joins a room."""
