"""The operations that block, generated from `_async`."""
