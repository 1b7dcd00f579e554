"""What the live half needs beside the HTTP half."""

INSTALL_REALTIME = (
    'Install platform-robot-sdk with its extra "realtime". In a clone of SimpleSim: pip install "./clients/python[realtime]"'
)
