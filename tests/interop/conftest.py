"""SciPy reads the switch for other arrays when it is imported, and scikit-learn asks for it."""

import os

os.environ["SCIPY_ARRAY_API"] = "1"
