"""How do the tools go over a real protocol, and what do a client and a killed server make of it?"""

import importlib.util

NO_SDK = (
    'the MCP SDK is not installed; install it with: pip install "osfhelpers[wire]" '
    '(in a checkout: pip install -e ".[wire]")'
)


def is_installed() -> bool:
    """Return whether the MCP SDK is there, without which no server and no client starts."""
    try:
        return importlib.util.find_spec("mcp") is not None
    except ModuleNotFoundError:  # so does a finder say that keeps a package from being found
        return False


def require_sdk() -> None:
    """Do nothing where the MCP SDK is installed, and else say what brings it.

    Raises:
        ModuleNotFoundError: it is not.
    """
    if not is_installed():
        raise ModuleNotFoundError(NO_SDK, name="mcp")
