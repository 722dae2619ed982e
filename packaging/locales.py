"""Keep the translations complete: `python packaging/locales.py` extracts, updates the .po files and compiles them.

Korean is the source language. A new language is a folder `resources/locale/<lang>/LC_MESSAGES/` with an empty
`lifehelper.po` and its row in `LANGUAGES` of `base/i18n.py`. `tests/test_locales.py` fails when this was not run.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parent.parent
LOCALES = ROOT / "resources" / "locale"
DOMAIN = "lifehelper"
KEYWORDS = {"_": None, "N_": None, "ngettext": (1, 2)}


def extract() -> Catalog:
    """Return every marked string of the package."""
    catalog = Catalog(project="LifeHelper Desktop", charset="utf-8", fuzzy=False)
    package = ROOT / "lifehelper_desktop"
    for name, line, message, comments, context in extract_from_dir(
        package, method_map=[("**.py", "python")], keywords=KEYWORDS, comment_tags=("L10N:",)
    ):
        catalog.add(message, None, [(f"lifehelper_desktop/{name}", line)], auto_comments=comments, context=context)
    return catalog


def languages() -> Iterator[tuple[str, Path]]:
    """Return every language that has a .po file."""
    for path in sorted(LOCALES.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        yield path.parts[-3], path


def read(path: Path, language: str) -> Catalog:
    """Read a .po file."""
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def compiled(catalog: Catalog) -> bytes:
    """Return the .mo file of a catalogue."""
    buffer = io.BytesIO()
    write_mo(buffer, catalog)
    return buffer.getvalue()


def is_translated(message: Message) -> bool:
    """Return whether every form of a text has its translation; a fuzzy one is never compiled and so has none."""
    if message.fuzzy:
        return False
    return all(message.string) if isinstance(message.string, tuple | list) else bool(message.string)


def main() -> int:
    """Update and compile all languages; returns 1 while texts are missing."""
    template = extract()
    missing = 0
    for language, path in languages():
        catalog = read(path, language)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        catalog.last_translator = catalog.language_team = "LifeHelper Desktop"
        catalog.msgid_bugs_address = ""
        # Fixed dates in the header: the files depend on the texts alone.
        catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
        with path.open("wb") as file:
            write_po(file, catalog, width=110, sort_output=True, no_location=True, ignore_obsolete=True)
        path.with_suffix(".mo").write_bytes(compiled(read(path, language)))
        empty = [message.id for message in catalog if message.id and not is_translated(message)]
        missing += len(empty)
        print(f"{language}: {len(catalog)} texts, {len(empty)} without a translation")
        for text in empty:
            print(f"  {text!r}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
