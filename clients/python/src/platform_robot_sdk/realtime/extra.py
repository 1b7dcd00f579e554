"""What the live half needs beside the HTTP half."""

INSTALL_REALTIME = 'Run in a clone of SimpleSim: pip install "./clients/python[realtime]"'
"""The library is on no package index, so a command with its name alone would install a stranger's package."""
