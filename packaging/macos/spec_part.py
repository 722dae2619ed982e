"""The macOS part of the PyInstaller recipe: the bundle, its Info.plist and its icon."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

PACKAGING = Path(__file__).resolve().parent.parent
if str(PACKAGING) not in sys.path:
    sys.path.insert(0, str(PACKAGING))

from macos.icns import SIZES, icns_bytes  # noqa: E402 - the recipe loads this file by its path
from release.icons import write_pngs  # noqa: E402
from release.project import APP_ID, TITLE  # noqa: E402
from windows.version_resource import four_numbers  # noqa: E402

HERE = Path(__file__).resolve().parent
APP_SVG = PACKAGING.parent / "resources" / "icons" / "app.svg"
ENTITLEMENTS: Final = HERE / "entitlements.plist"
IDENTITY: Final = "LIFEHELPER_CODESIGN_IDENTITY"
"""The variable that names the certificate to sign with; without it PyInstaller signs ad hoc, for this machine."""
MINIMUM_SYSTEM: Final = "13.0"
"""Of PySide6 6.12's wheels."""
MODEL_TYPE: Final = "org.ggml.gguf"


def write_icon(work: Path) -> Path:
    """Draw the program's icon into the folder `work` and return the `.icns`."""
    files = write_pngs(APP_SVG, SIZES, work / "icon")
    target = work / f"{TITLE}.icns"
    target.write_bytes(icns_bytes({size: file.read_bytes() for size, file in zip(SIZES, files, strict=True)}))
    return target


def exe_options(version: str, work: Path, *, console: bool) -> dict[str, object]:
    """Return what `EXE(…)` gets beside what it gets on every system."""
    del version, work, console
    return {"codesign_identity": os.environ.get(IDENTITY) or None, "entitlements_file": str(ENTITLEMENTS)}


def info_plist(version: str) -> dict[str, Any]:
    """Return the values of Info.plist beside those that PyInstaller writes itself."""
    return {
        "CFBundleName": TITLE,
        "CFBundleDisplayName": TITLE,
        "CFBundleShortVersionString": version,
        "CFBundleVersion": ".".join(map(str, four_numbers(version)[:3])),  # only numbers are compared
        "CFBundleDevelopmentRegion": "ko",
        "CFBundleLocalizations": ["ko", "en"],
        "CFBundlePackageType": "APPL",
        "LSApplicationCategoryType": "public.app-category.lifestyle",
        "LSMinimumSystemVersion": MINIMUM_SYSTEM,
        "LSMultipleInstancesProhibited": True,
        "NSHighResolutionCapable": True,
        "NSSupportsAutomaticGraphicsSwitching": True,
        "NSRequiresAquaSystemAppearance": False,  # dark where the system is dark
        # The program owns no kind of file: it offers to take models, and leaves the usual program alone.
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": "GGUF model",
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Alternate",
                "LSItemContentTypes": [MODEL_TYPE],
            }
        ],
        "UTImportedTypeDeclarations": [
            {
                "UTTypeIdentifier": MODEL_TYPE,
                "UTTypeDescription": "GGUF model",
                "UTTypeConformsTo": ["public.data"],
                "UTTypeTagSpecification": {"public.filename-extension": ["gguf"]},
            }
        ],
    }


def bundle_options(version: str, work: Path) -> dict[str, object]:
    """Return what `BUNDLE(…)` gets; files are made in `work`."""
    work.mkdir(parents=True, exist_ok=True)
    return {
        "name": f"{TITLE}.app",
        "icon": str(write_icon(work)),
        "bundle_identifier": APP_ID,
        "version": version,
        "info_plist": info_plist(version),
    }
