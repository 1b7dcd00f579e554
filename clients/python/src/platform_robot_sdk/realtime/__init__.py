"""A robot live in its room. Nothing of this package is imported before a session joins one."""
