"""The dependencies of the live part beyond the HTTP part."""

INSTALL_REALTIME = (
    'Install platform-robot-sdk with its extra "realtime". In a clone of SimpleSim: pip install "./clients/python[realtime]"'
)
