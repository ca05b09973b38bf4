"""What does the owner of a Room see of a proposal? The review card, with its published wording.

The words and the full text of every file are published; the layout is this project's.
"""

import re
from html import escape

from osfhelpers.drawing.rendering import HTML
from osfhelpers.engine.room import App, RepositoryVersion

BEFORE_APPROVAL = (
    "Approval makes this code available in the Room app launcher. Review the files before approving."
)
REPOSITORY = "Review repository code before approving"
NO_BUILD = "This path does not build or deploy a bundle."
BUTTONS = ("Approve and create", "Decline")
# Inline, so that the card looks the same in JupyterLab, on a code host and on the site.
CARD = (
    "max-width: 720px; box-sizing: border-box; padding: 0 1em; border: 1px solid #c9c4b8; "
    "border-radius: 8px; background: #fffdf8; color: #1b1b1b; color-scheme: light"
)
FILE_BOX = (
    "max-height: 15em; overflow: auto; margin: 0; padding: 0.6em; border: 1px solid #e4e0d8; "
    "background: white; color: #1b1b1b; text-align: left; font-size: 0.8em; white-space: pre-wrap"
)

BUTTON = (
    "padding: 0.3em 0.9em; border: 1px solid #c9c4b8; border-radius: 6px; background: #f5f1e8; "
    "color: #6b6b6b; font: inherit"
)


def review_card(app: App) -> HTML:
    """Return the card of a proposal: every file in full, or a link to the pinned version."""
    draw = _repository if isinstance(app.code, RepositoryVersion) else _snippet
    lines, body = draw(app)
    buttons = "".join(f'<button disabled style="{BUTTON}">{button}</button> ' for button in BUTTONS)
    html = (
        f'<section class="osf-card" aria-label="Review card" style="{CARD}">'
        f"<p><strong>{escape(app.name)}</strong>, proposed by {escape(app.proposed_by)}</p>"
        f"{body}<p>{buttons}</p></section>"
    )
    text = "\n".join((f"{app.name}, proposed by {app.proposed_by}", *lines, *(f"[{b}]" for b in BUTTONS)))
    return HTML(html, text)


def _snippet(app: App) -> tuple[list[str], str]:
    heading = f"Review all proposed files {len(app.code)}"
    boxes = "".join(
        f'<p style="margin: 0.8em 0 0.2em"><code>{escape(path)}</code></p>'
        f'<pre tabindex="0" style="{FILE_BOX}">{escape(_in_reading_order(content))}</pre>'
        for path, content in app.code.items()
    )
    files = [
        line for path, content in app.code.items() for line in (f"--- {path}", _in_reading_order(content))
    ]
    return [heading, *files, BEFORE_APPROVAL], f"<p>{heading}</p>{boxes}<p>{BEFORE_APPROVAL}</p>"


def _in_reading_order(content: str) -> str:
    # Bidirectional controls would show the owner other code than the one that runs.
    return re.sub("[\u202a-\u202e\u2066-\u2069]", lambda control: f"[U+{ord(control[0]):04X}]", content)


def _repository(app: App) -> tuple[list[str], str]:
    version = f"{app.code.repository_id} at version {app.code.version_id}"
    link = f'<a href="#{escape(app.code.version_id)}">{escape(version)}</a>'
    return [REPOSITORY, version, NO_BUILD], f"<p>{REPOSITORY}: {link}</p><p>{NO_BUILD}</p>"
