"""Which words of a tool's description does this chapter strike out?

A phrase is shown inside the whole published description, so that the reader sees what is left
without it. Words that do not stand in the snapshot, or that are reconstruction, are refused.
"""

from html import escape

from osfhelpers.drawing.rendering import HTML, box
from osfhelpers.engine.snapshot import provenance, tool


def phrase(name: str, words: str, *, part: str = "description") -> HTML:
    """Return a tool's published description with some of its words struck out.

    Raises:
        ValueError: the words do not stand there, or that description is reconstruction.
        UnknownTool: the snapshot has no tool of that name.
    """
    text = tool(name).description
    origin = provenance(f"{name}/{part}")
    if not words or words not in text:
        raise ValueError(f"{words!r} does not stand in the description of {name}: {text!r}")
    if not origin.published:
        raise ValueError(f"the description of {name} is reconstruction, so no phrase of it was published")
    before, after = text.split(words, 1)
    html = (
        f"<p><code>{escape(name)}</code></p>"
        f"<blockquote>{escape(before)}<s>{escape(words)}</s>{escape(after)}</blockquote>"
        f"<p><small>Source: {escape(origin.source)}.</small></p>"
    )
    return HTML(box("phrase", html), f"{name}: {before}[struck out: {words}]{after}")
