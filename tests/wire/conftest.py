"""Servers in processes of their own, for the tests of one module."""

from contextlib import ExitStack

import pytest


@pytest.fixture(scope="module")
def start(tmp_path_factory):
    """Return what starts a server: `start(Stdio, "--store", file)`; all end with the module."""
    with ExitStack() as stack:

        def starting(kind, *arguments, **more):
            server = kind(tmp_path_factory.mktemp("server"), *arguments, **more)
            stack.callback(server.close)
            return server

        yield starting
