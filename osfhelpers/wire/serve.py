"""What does `osfhelpers serve` start? The tools over MCP, on stdio or by HTTP on this machine.

The SDK is imported only when a server starts: everything else works without it.
"""

import argparse
import math
import os
import random
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from itertools import count

from osfhelpers.engine.calls import Place
from osfhelpers.engine.durable import DEMO, DEMO_PRINCIPAL, KINDS, open_places
from osfhelpers.engine.store_file import StoreFileError
from osfhelpers.wire import NO_SDK, is_installed

READ_TOKEN, WRITE_TOKEN = "OSFHELPERS_READ_TOKEN", "OSFHELPERS_WRITE_TOKEN"
SHORTEST_TOKEN = 16
VISIBLE = re.compile("[!-~]+")
KILLED = 137  # what a shell reports of a process that was killed


class CannotServe(Exception):
    """A server cannot start as it was asked to; the message says what to change."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say what `osfhelpers serve` takes."""
    port = _number(int, 0, 65535, "a port")
    share = _number(float, 0, 1, "a share")
    number = _number(int, 1, 1_000_000, "a whole number")
    parser.add_argument("--http", type=port, metavar="PORT", help="by HTTP on 127.0.0.1; 0: any free port")
    parser.add_argument("--store", metavar="FILE", help="keep the Note and the Room in this SQLite file")
    for name, variable in (("read", READ_TOKEN), ("write", WRITE_TOKEN)):
        what = f"what an HTTP client sends to {name}; better given as {variable}; without both, drawn anew"
        parser.add_argument(f"--{name}-token", metavar="TOKEN", help=what)
    lesson = parser.add_argument_group("for the lesson", "what may go wrong between commit and reply")
    lesson.add_argument("--lose-replies", type=share, metavar="P", help="lose this share of writes' replies")
    lesson.add_argument("--seed", type=int, default=1, metavar="S", help="which ones (default: 1)")
    lesson.add_argument("--kill-after-commit", type=number, metavar="N", help="die after the N-th commit")
    wrong = "deliberately wrong: commit the key in a second transaction"
    lesson.add_argument("--two-transactions", action="store_true", help=wrong)


def serve(given: argparse.Namespace) -> int:
    """Serve until the client leaves or Ctrl-C is pressed, and return the exit status."""
    try:
        if not is_installed():
            raise CannotServe(NO_SDK)
        with ExitStack() as stack:
            _run(given, _places(given, stack))
    except CannotServe as error:
        print(f"osfhelpers serve: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        # A thread may still wait for a line of standard input; a plain return would wait for it.
        os._exit(0)
    return 0


def _places(given: argparse.Namespace, stack: ExitStack) -> Mapping[str, Place]:
    if given.store is None:
        if given.kill_after_commit or given.two_transactions:
            raise CannotServe("--kill-after-commit and --two-transactions need --store FILE")
        places = {place_id: KINDS[kind](place_id) for place_id, kind in DEMO.items()}
        for place in places.values():
            place.open_to(DEMO_PRINCIPAL)
        return places
    after_commit = _killer(given.kill_after_commit)
    try:
        places = open_places(
            given.store, one_transaction=not given.two_transactions, after_commit=after_commit
        )
    except StoreFileError as error:
        raise CannotServe(f"{given.store}: {error}") from error
    for place in places.values():
        stack.callback(place.close)
    return places


def _killer(commits: int | None) -> Callable[[], None]:
    """Return what ends the process at once, with nothing tidied up, when it is called that often."""
    number = count(1)

    def committed() -> None:
        if next(number) == commits:
            os._exit(KILLED)

    return committed


def _run(given: argparse.Namespace, places: Mapping[str, Place]) -> None:
    import anyio

    from osfhelpers.wire.server import lose_replies, reply_at_once, tool_server
    from osfhelpers.wire.stdio import serve_stdio

    before_reply = reply_at_once
    if given.lose_replies is not None:
        before_reply = lose_replies(given.lose_replies, random.Random(given.seed))
    if given.http is not None:
        _run_http(given, places, before_reply)
        return
    if given.read_token or given.write_token:
        raise CannotServe("--read-token and --write-token need --http PORT; on stdio there is one client")
    print("osfhelpers serve: on stdio; it ends with its input, or by Ctrl-C", file=sys.stderr)
    anyio.run(serve_stdio, tool_server(places, before_reply=before_reply))


def _run_http(given: argparse.Namespace, places: Mapping[str, Place], before_reply: Callable) -> None:
    import anyio

    from osfhelpers.wire.http import HOST, PATH, demo_tokens, http_app, listen, principal_of, serve_http
    from osfhelpers.wire.server import tool_server

    secrets = _secret(given.read_token, READ_TOKEN), _secret(given.write_token, WRITE_TOKEN)
    tokens = demo_tokens(*secrets)
    if tokens[0].secret == tokens[1].secret:
        raise CannotServe("the token to read and the token to write must differ")
    try:
        listening = listen(given.http)
    except OSError as error:
        raise CannotServe(
            f"port {given.http}: {os.strerror(error.errno)}; --http 0 takes a free one"
        ) from error
    port = listening.getsockname()[1]
    print(f"osfhelpers serve: http://{HOST}:{port}{PATH}, until Ctrl-C")
    for name, secret, token in zip(("read", "write"), secrets, tokens, strict=True):
        print(f"token to {name}: {'as given' if secret else token.secret}", flush=True)
    server = tool_server(places, principal=principal_of, before_reply=before_reply)
    anyio.run(serve_http, http_app(server, tokens, port=port), listening)


def _secret(given: str | None, variable: str) -> str:
    secret = given or os.environ.get(variable, "")
    if secret and not (len(secret) >= SHORTEST_TOKEN and VISIBLE.fullmatch(secret)):
        raise CannotServe(f"a token has at least {SHORTEST_TOKEN} printable ASCII signs and no space")
    return secret


def _number(kind: type, low: float, high: float, what: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            number = math.nan
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"it must be {what} from {low} to {high}, but it is {text!r}")
        return number

    return read
