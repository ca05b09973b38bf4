"""Settings for every test."""

import os

from hypothesis import settings

# Matplotlib and the notebooks must behave the same whatever the shell had set.
os.environ.pop("OSFHELPERS_RENDER", None)

settings.register_profile("default", deadline=None, max_examples=100)
settings.load_profile("default")
