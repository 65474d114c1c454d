"""`python -m tests.lint.real FOLDER [NAME]...` puts real datasets into folders of their own.

Then `ragguard lint --config FOLDER/NAME/ragguard.yml --statistics` prints what is found in each.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.lint.real.building import DATASETS, build

if __name__ == "__main__":
    for name in sys.argv[2:] or DATASETS:
        folder = Path(sys.argv[1], name)
        folder.mkdir(parents=True)
        build(name, folder)
