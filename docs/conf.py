"""Sphinx configuration. The source is the repository root, so that the notebooks are pages as they lie."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))

from mathml import display_math, inline_math

# Kernels inherit this: explorers then carry all their states, and pictures real alternative text.
os.environ["OSFHELPERS_RENDER"] = "static"

project = "Strike out the phrase"
author = "The osfhelpers contributors"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "book"]
root_doc = "docs/index"
include_patterns = ["docs/**", "notebooks/**", "CONTRIBUTING.md"]
exclude_patterns = ["docs/_static/**", "docs/_templates/**", "**.ipynb_checkpoints"]
templates_path = ["_templates"]

# Docstrings put code in single backquotes, and stand in the order of the module.
default_role = "code"
autodoc_default_options = {"member-order": "bysource"}
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = {"Figure": "matplotlib.figure.Figure", "Axes": "matplotlib.axes.Axes"}
python_use_unqualified_type_names = True
add_module_names = False
napoleon_numpy_docstring = False
# Parameters that are described together stay one entry.
napoleon_use_param = False

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True

html_theme = "furo"
html_title = "Strike out the phrase"
html_static_path = ["_static"]
html_css_files = ["osf.css"]
html_js_files = [("osf.js", {"defer": "defer"})]
html_additional_pages = {"index": "redirect.html"}
html_math_renderer = "mathml"
html_copy_source = False
html_domain_indices = False
html_show_sphinx = False
html_show_copyright = False
SERIF = "Charter, 'Bitstream Charter', 'Sitka Text', Cambria, Georgia, serif"
html_theme_options = {
    "light_css_variables": {
        "color-brand-primary": "#7a3b00",
        "color-brand-content": "#00614a",
        "color-background-primary": "#fffdf8",
        "color-background-secondary": "#f6f1e6",
        "font-stack": SERIF,
        "font-stack--headings": SERIF,
    },
    "dark_css_variables": {
        "color-brand-primary": "#ffb37a",
        "color-brand-content": "#6fd8b8",
        "color-background-primary": "#17191c",
        "color-background-secondary": "#1f2226",
        "font-stack": SERIF,
        "font-stack--headings": SERIF,
    },
}


def setup(app):
    """Register the maths renderer: MathML needs no script and no network."""
    app.add_html_math_renderer("mathml", (inline_math, None), (display_math, None))
