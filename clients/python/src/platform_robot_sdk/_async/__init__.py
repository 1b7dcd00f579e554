"""The operations that await. `_sync` is generated from this package: `npm run python -- generate`."""
