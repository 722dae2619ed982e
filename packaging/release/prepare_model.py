"""Make the starter model ready to load: `python prepare_model.py FOLDER` prints the file.

Runs in the build's environment. It is the work that a program from source does on its user's machine at the first
start, by the same function.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from lifehelper_desktop.base.paths import resolve_paths
from lifehelper_desktop.llm.model_store import STARTER, resolve_model


def main(folder: Path) -> int:
    """Make it in `folder`, or find it there made of the same."""
    print(resolve_model(resolve_paths(folder), STARTER))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
