"""Settings of Sphinx: `sphinx-build -W docs build/site` makes the site."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # the modules `reference` and others

import usmtensor

project = "usmtensor"
author = "the usmtensor developers"
copyright = "the usmtensor developers, Apache License 2.0"
release = usmtensor.__version__
version = ".".join(release.split(".")[:2])

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "reference",
    "other_names",
    "gallery",
]
exclude_patterns = ["names"]  # included by pages
default_role = "literal"  # docstrings write names in single backticks

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3

autodoc_default_options = {"no-value": True}
autodoc_member_order = "alphabetical"
napoleon_google_docstring = False
napoleon_use_rtype = False
python_display_short_literal_types = True

html_theme = "furo"
html_title = f"usmtensor {release}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
pygments_style = "friendly"
pygments_dark_style = "github-dark"
copybutton_exclude = ".linenos, .gp, .go"  # neither prompts nor output
