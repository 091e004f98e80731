"""The packages of the pages, fetched once for this machine: what checks the pages, and what their files come from."""

import hashlib
from pathlib import Path

from deploy.stack.parts import cache_folder, kept_once, npm_ci


def npm_packages(name: str, declared: Path) -> Path:
    """Folder of the packages, as `node_modules`, that `package-lock.json` in `declared` pins by version and digest.

    Raises:
        UserError: npm is missing, could not fetch them, or a package is not the one that is pinned.
    """
    pinned = (declared / "package-lock.json").read_bytes()
    target = cache_folder() / f"{name}-{hashlib.sha256(pinned).hexdigest()[:12]}"
    with kept_once(target, f"the packages of {name}") as made:
        if made is not None:
            npm_ci(declared, made, f"the packages of {name}")
    return target / "node_modules"
