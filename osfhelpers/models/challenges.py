"""What a reader sees of HTTP when a call may not pass: the status, and the header that says why."""

from http import HTTPStatus

from osfhelpers.drawing.rendering import Listing


def challenges() -> Listing:
    """Return the replies of a server on this machine to each token, as they came over the wire.

    A header is one line there; here each of its parts has a line.
    """
    from osfhelpers.wire.http_answers import answers_by_token

    blocks = []
    for asked, reply in answers_by_token().items():
        block = f"# {asked}\nHTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}"
        if reply.challenge:
            scheme, parts = reply.challenge.split(" ", 1)
            # Without an indent, before which a narrow page would break and leave a blank line.
            block += f"\nWWW-Authenticate: {scheme}\n" + parts.replace(", ", ",\n")
        blocks.append(block)
    return Listing("\n\n".join(blocks), "text")
