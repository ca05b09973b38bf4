"""What stands on the site's pages that nobody types: every figure, the ledger, the running heads.

A page says `<!-- figures: at build -->` where a function of this module fills in Markdown. The
functions compute everything anew from the package, so that a page cannot say what is no longer so.
"""

import re
from collections.abc import Iterator
from enum import Enum, EnumType
from functools import cache
from pathlib import Path
from types import ModuleType

import nbformat
import run_times
from sphinx.util.typing import stringify_annotation
from starlette.types import ASGIApp

from osfhelpers.drawing.canvas import new_figure, png, redraw
from osfhelpers.drawing.figures import WIDTH_PX
from osfhelpers.drawing.rendering import Picture, rows_html
from osfhelpers.experiments import tab_handles
from osfhelpers.measuring import ledger_picture
from osfhelpers.measuring.comparison import SEED, TRIALS, Comparison, compare, fit
from osfhelpers.measuring.damage import LedgerRow, experiments, ledger
from osfhelpers.report import verdict

ROOT = Path(__file__).resolve().parent.parent


@cache
def chapters() -> dict[str, tuple[str, str]]:
    """Return the title and the file name of each chapter by its number."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        title = nbformat.read(path, as_version=4).cells[0].source.splitlines()[0].removeprefix("# ")
        found[path.name[:2]] = title, path.name
    return found


def figures() -> str:
    """Return every figure of the series, chapter by chapter, and how many of them agree."""
    compared = [(experiment, compare(experiment)) for experiment in experiments()]
    whole = Comparison(tuple(row for _, comparison in compared for row in comparison.rows))
    parts = [f"**{verdict(whole)}**"]
    for number, (title, file) in chapters().items():
        of_chapter = [(e, c) for e, c in compared if number == e.CHAPTER and c.rows]
        if of_chapter:
            parts.append(f"## {title}")
        for experiment, comparison in of_chapter:
            parts += _figures_of(experiment, comparison, f"[Chapter {number}](../notebooks/{file})")
    return "\n\n".join(parts)


def _figures_of(experiment: ModuleType, comparison: Comparison, link: str) -> Iterator[str]:
    yield f"{link}: *{experiment.__doc__.splitlines()[0]}*"
    # A column is as wide as its longest word, and a tool's name may break behind an underscore.
    yield comparison._repr_html_().replace("_", "_<wbr>")
    unjudged = sum(row.agrees is None for row in comparison.rows)
    if unjudged:
        yield f"Without a verdict, for the reason above: {unjudged} of {len(comparison.rows)} rows."
    if experiment is tab_handles:
        yield "No replay: each published row is judged as a whole, by one multinomial test."
        yield _multinomial()


def _multinomial() -> str:
    result = tab_handles.simulate(tab_handles.Params(), trials=TRIALS, rng=SEED)
    found = fit(tab_handles, result, trials=tab_handles.PUBLISHED_TRIALS)
    head = ["arm", "published, %", "expected, %", "simulated, %", "p"]
    rows = [[row.arm, row.published, row.expected, row.simulated, f"{row.p:.3f}"] for row in found]
    return rows_html(head, rows, "right / wrong deck / not found; p: how often chance alone is further off")


@cache
def ledger_rows() -> tuple[LedgerRow, ...]:
    """Return the rows of the damage ledger, computed once for all pages."""
    return ledger().rows


def ledger_table() -> str:
    """Return the filled damage ledger, each phrase with its chapter."""
    head = ["phrase", "a wrong outcome; a session", "per 100 without", "with it", "what it costs"]
    rows = [
        [
            f"{row.chapter} · {row.phrase}",
            row.wrong,
            f"{row.without_per_100:,.1f}",
            f"{row.with_per_100:,.1f}",
            row.cost,
        ]
        for row in ledger_rows()
    ]
    return rows_html(head, rows)


def ledger_figure() -> str:
    """Return the damage ledger as a picture."""
    rows = ledger_rows()
    height_px = ledger_picture.height_px(rows)
    figure, axes = new_figure(height_px)
    redraw(axes, lambda ax: ledger_picture.draw(ax, rows))
    return Picture(png(figure, small=True), ledger_picture.say(rows), WIDTH_PX, height_px).figure_html()


def parameters() -> str:
    """Return each experiment's question and parameters."""
    parts = []
    for number, (title, file) in chapters().items():
        for experiment in experiments():
            if number == experiment.CHAPTER:
                parts.append(f"## {experiment.NAME}\n\n[Chapter {title}](../../notebooks/{file}).")
                directive = f".. automodule:: {experiment.__name__}\n   :members: Params"
                parts.append(f"```{{eval-rst}}\n{directive}\n```")
    return "\n\n".join(parts)


def measured_times() -> str:
    """Return the tables of run times, from the committed measurement."""
    links = {
        file.removesuffix(".ipynb"): f"[{title}](../notebooks/{file})" for title, file in chapters().values()
    }
    return run_times.page(run_times.measured(), links)


GENERATED = {
    "figures": figures,
    "ledger": ledger_table,
    "ledger picture": ledger_figure,
    "experiments": parameters,
    "run times": measured_times,
}


def fill(app, docname: str, source: list[str]) -> None:
    """Put what is generated where a page has its marker."""
    for name in re.findall(r"<!-- ([a-z ]+): at build -->", source[0]):
        source[0] = source[0].replace(f"<!-- {name}: at build -->", GENERATED[name]())


def always_outdated(app, env, added, changed, removed) -> list[str]:
    """Return the pages with generated parts: they follow the package, and not their own text."""
    return [
        name for name in env.found_docs if ": at build -->" in Path(env.doc2path(name)).read_text("utf-8")
    ]


def running_head(app, pagename: str, template: str, context: dict, doctree) -> None:
    """Give a chapter's page the phrase that it strikes out, to stand above its title."""
    number = pagename.removeprefix("notebooks/")[:2]
    context["phrase"] = next((row.phrase for row in ledger_rows() if row.chapter == number), None)


def markdown_tables(app, what, name, thing, options, lines: list[str]) -> None:
    """Turn the Markdown tables of a docstring into the tables of reStructuredText."""
    rows = [line for line in lines if line.lstrip().startswith("|")]
    if not rows:
        return
    at = lines.index(rows[0])
    cells = [[cell.strip() for cell in row.strip().strip("|").split("|")] for row in rows if "|--" not in row]
    table = [".. list-table::", "   :header-rows: 1", ""]
    for first, *others in cells:
        table += [f"   * - {first}", *(f"     - {cell}" for cell in others)]
    lines[at : at + len(rows)] = [*table, ""]


def worth_a_line(app, what, name, thing, skip, options) -> bool | None:
    """Show the members of an enumeration, and leave out what a named tuple says of its fields."""
    if isinstance(thing, Enum):
        return False
    return True if (getattr(thing, "__doc__", "") or "").startswith("Alias for field number") else None


def plain_signature(app, what, name, thing, options, signature, returns) -> tuple[str | None, str | None]:
    """Take no value for an enumeration, and call matplotlib's classes and a web application by name."""
    if isinstance(thing, EnumType):
        return "", returns
    return _plain(signature), _plain(returns)


def _plain(part: str | None) -> str | None:
    if part is None:
        return None
    short = re.sub(r"(TypeAliasForwardRef\(')?matplotlib\.\w+\.(\w+)(?(1)'\))", r"\2", part)
    return short.replace(stringify_annotation(ASGIApp, "smart"), "ASGIApp")


def plain_index(app, pagename: str, template: str, context: dict, doctree) -> None:
    """List each module once in the index: under "module", and not by its own name as well."""
    if pagename == "genindex":
        context["genindexentries"] = [
            (letter, [entry for entry in entries if not entry[0].startswith("osfhelpers.")])
            for letter, entries in context["genindexentries"]
        ]


def setup(app) -> dict[str, bool]:
    """Register the hooks with Sphinx."""
    app.connect("env-get-outdated", always_outdated)
    app.connect("source-read", fill)
    app.connect("html-page-context", running_head)
    app.connect("html-page-context", plain_index)
    app.connect("autodoc-process-docstring", markdown_tables)
    app.connect("autodoc-skip-member", worth_a_line)
    app.connect("autodoc-process-signature", plain_signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
