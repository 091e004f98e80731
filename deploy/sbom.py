"""A bill of materials (CycloneDX 1.6, JSON) of the Python packages that `requirements.lock` pins.

Run as `python -m deploy.sbom <requirements.lock >sbom.json`; the same lock gives the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import uuid
from importlib.metadata import version
from typing import Any

_PIN = re.compile(
    r"^([A-Za-z0-9][A-Za-z0-9._-]*)==(\S+) \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.M
)
_HASH = re.compile(r"sha256:([0-9a-f]{64})")


def bill_of_materials(lock: str, release: str) -> dict[str, Any]:
    """The bill of a lock: each package with its version and the hashes of the files that are taken for it.

    Raises:
        ValueError: a line pins something this does not understand.
    """
    pins = _PIN.findall(lock)
    if len(pins) != len(re.findall(r"^[A-Za-z0-9]", lock, re.M)):
        raise ValueError("the lock holds lines that are no pins by hash")
    serial = uuid.UUID(bytes=hashlib.sha256(f"{release}\n{lock}".encode()).digest()[:16], version=4)
    product = {"type": "application", "bom-ref": "catwalk", "name": "catwalk", "version": release}
    components = [_component(name, pinned, hashes) for name, pinned, hashes in pins]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"component": product},
        "components": components,
        "dependencies": [{"ref": "catwalk", "dependsOn": [each["bom-ref"] for each in components]}],
    }


def _component(name: str, pinned: str, hashes: str) -> dict[str, Any]:
    url = f"pkg:pypi/{re.sub(r'[-_.]+', '-', name).lower()}@{pinned}"
    return {
        "type": "library",
        "bom-ref": url,
        "name": name,
        "version": pinned,
        "purl": url,
        "hashes": [{"alg": "SHA-256", "content": each} for each in _HASH.findall(hashes)],
    }


if __name__ == "__main__":
    json.dump(bill_of_materials(sys.stdin.read(), version("catwalk")), sys.stdout, indent=1)
    sys.stdout.write("\n")
