"""The version of the library. It follows the platform's 0.2 series."""

__version__ = "0.2.0"
