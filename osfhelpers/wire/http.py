"""Who may call over HTTP, and what is told to those who may not?

As published: anyone may list the tools; a call needs a token, and without one the answer is a
401 whose `WWW-Authenticate` says where to read how to get one. Which scope a tool needs stands
in the snapshot. Each request is judged by its own token, on the parsed message: no session,
batch or spelling of the body grants anything.
"""

import hmac
import secrets
import socket
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import uvicorn
from mcp.server import Server, ServerRequestContext
from mcp.server.transport_security import (
    DEFAULT_MAX_REQUEST_BODY_SIZE,
    RequestBodyLimitMiddleware,
    TransportSecurityMiddleware,
    TransportSecuritySettings,
)
from mcp_types import JSONRPCMessage, JSONRPCNotification, JSONRPCRequest
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from osfhelpers.engine.snapshot import tools
from osfhelpers.wire.messages import NotAMessage, read_message

HOST = "127.0.0.1"
PATH = "/mcp"
METADATA_PATH = f"/.well-known/oauth-protected-resource{PATH}"
MAX_REQUEST_BYTES = DEFAULT_MAX_REQUEST_BODY_SIZE
READ, WRITE = "osfoundry:read", "osfoundry:write"
CONNECT = "Connect osFoundry to continue"


@dataclass(frozen=True)
class Token:
    """A demo token: the secret that a client sends, what it may do, and for whom."""

    secret: str = field(repr=False)
    scopes: frozenset[str]
    principal: str = "agent"


def demo_tokens(read: str = "", write: str = "") -> tuple[Token, Token]:
    """Return a token that may read and one that may also write; an empty secret is drawn at random."""
    read, write = read or secrets.token_urlsafe(24), write or secrets.token_urlsafe(24)
    return Token(read, frozenset({READ})), Token(write, frozenset({READ, WRITE}))


def principal_of(context: ServerRequestContext) -> str:
    """Return for whom a request was made, as its token said."""
    return context.request.state.principal


def http_app(server: Server, tokens: Collection[Token], *, port: int) -> ASGIApp:
    """Return the server as a web application that is reached on this machine alone, on one port."""
    names = (f"{HOST}:{port}", f"localhost:{port}")
    security = TransportSecuritySettings(
        allowed_hosts=list(names), allowed_origins=[f"http://{name}" for name in names]
    )
    resource = f"http://{HOST}:{port}"
    # No authorisation server is named: there is none, the tokens are shown where the server starts.
    metadata = {
        "resource": f"{resource}{PATH}",
        "resource_name": "osfhelpers, a local rebuild for teaching",
        "scopes_supported": [READ, WRITE],
        "bearer_methods_supported": ["header"],
    }
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=security,
        custom_starlette_routes=[Route(METADATA_PATH, lambda request: JSONResponse(metadata))],
    )
    gate = Gate(app, TransportSecurityMiddleware(security), tokens, f"{resource}{METADATA_PATH}")
    return RequestBodyLimitMiddleware(gate, MAX_REQUEST_BYTES)


@dataclass(frozen=True)
class Gate:
    """What stands before the server: where a request comes from, what it says, who sends it."""

    app: ASGIApp
    security: TransportSecurityMiddleware
    tokens: Collection[Token]
    metadata_url: str

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope, receive)
        is_post = request.method == "POST"
        refusal = await self.security.validate_request(request, is_post=is_post)
        if refusal is None and is_post:
            try:
                message, text = read_message(await request.body())
            except ClientDisconnect:
                return
            except NotAMessage as error:
                refusal = JSONResponse(error.reply.model_dump(exclude_unset=True), status_code=400)
            else:
                refusal = self._judge(message, request)
                receive = _again(text.encode(), receive)
        await (refusal or self.app)(scope, receive, send)

    def _judge(self, message: JSONRPCMessage, request: Request) -> Response | None:
        """Return why a message must not pass, or None; a call that passes carries its principal."""
        if not isinstance(message, JSONRPCRequest | JSONRPCNotification) or message.method != "tools/call":
            return None
        token = self._token(request.headers.getlist("authorization"))
        if token is None:
            return self._refuse(401, {"error": "invalid_token", "error_description": CONNECT})
        called = tools().get(_name(message.params))
        missing = set(called.scopes) - token.scopes if called else set()
        if missing:
            what = f"{called.name} needs a token with another scope"
            scope = " ".join(sorted(called.scopes))
            return self._refuse(
                403, {"error": "insufficient_scope", "error_description": what, "scope": scope}
            )
        request.state.principal = token.principal
        return None

    def _token(self, headers: list[str]) -> Token | None:
        scheme, _, secret = headers[0].partition(" ") if len(headers) == 1 else ("", "", "")
        # Every token is compared, each in constant time: how long it takes tells nothing.
        equal = [
            token for token in self.tokens if hmac.compare_digest(token.secret.encode(), secret.encode())
        ]
        return equal[0] if equal and scheme.lower() == "bearer" else None

    def _refuse(self, status: int, parts: Mapping[str, str]) -> Response:
        named = {"resource_metadata": self.metadata_url, **parts}
        challenge = ", ".join(f'{name}="{value}"' for name, value in named.items())
        return JSONResponse(dict(parts), status, headers={"WWW-Authenticate": f"Bearer {challenge}"})


def _name(params: Mapping | None) -> str:
    name = (params or {}).get("name")
    return name if isinstance(name, str) else ""


def _again(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that gives a body once more, and then what really comes."""
    left = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return left.pop() if left else await receive()

    return replay


def listen(port: int) -> socket.socket:
    """Return a socket that listens on this machine alone; port 0 means any free one.

    Raises:
        OSError: the port is in use or not allowed.
    """
    return socket.create_server((HOST, port))


async def serve_http(app: ASGIApp, listening: socket.socket) -> None:
    """Serve an application until the process is interrupted."""
    config = uvicorn.Config(
        app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=1
    )
    await uvicorn.Server(config).serve(sockets=[listening])
