"""Render formulas as MathML, which every current browser draws without a script."""

from docutils import nodes
from latex2mathml.converter import convert


def inline_math(writer, node):
    """Write a formula in a line of text."""
    writer.body.append(convert(node.astext()))
    raise nodes.SkipNode


def display_math(writer, node):
    """Write a formula on a line of its own."""
    writer.body.append(f'<div class="math">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode
