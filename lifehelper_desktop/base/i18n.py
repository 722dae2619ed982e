"""Translation through gettext. Source strings are Korean; `resources/locale/<lang>/LC_MESSAGES/lifehelper.mo` others.

`_` translates, `N_` only marks a string for extraction, `ngettext` chooses a plural. Never put an f-string inside:
write `_("{n}일째").format(n=n)`. Strings that are made once and shown later keep their msgid and are translated
when shown. Thread-safe: the language is one module-level object that is replaced whole.
"""

from __future__ import annotations

import gettext
import locale
import os
from typing import Final

from lifehelper_desktop.base.paths import resources_dir

DOMAIN: Final = "lifehelper"
LANGUAGES: Final = ("ko", "en")
SYSTEM: Final = "system"

_translations: gettext.NullTranslations = gettext.NullTranslations()
_language: str = "ko"


def system_language() -> str:
    """Return `ko` or `en` from the system's settings; anything but Korean reads English."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        value = os.environ.get(name, "")
        if value and value not in ("C", "C.UTF-8", "POSIX"):
            return "ko" if value.lower().startswith("ko") else "en"
    # Windows and macOS seldom set the variables; the C locale knows there.
    name = locale.getlocale()[0] or ""
    if name.lower().startswith(("ko", "korean")):
        return "ko"
    return "en" if name and name != "C" else "ko"


def set_language(language: str) -> str:
    """Switch all later translations to `language` (`ko`, `en` or `system`) and return the one in force."""
    global _translations, _language
    chosen = system_language() if language == SYSTEM else language
    if chosen not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}; known: {', '.join(LANGUAGES)}")
    _translations = load_translations(chosen)
    _language = chosen
    return chosen


def load_translations(language: str) -> gettext.NullTranslations:
    """Return the catalogue of `language`; Korean is the source language and needs none."""
    if language == "ko":
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, resources_dir() / "locale", languages=[language])


def current_language() -> str:
    """Return the language in force, `ko` or `en`."""
    return _language


def _(message: str) -> str:
    """Translate `message` into the language in force."""
    return _translations.gettext(message)


def N_(message: str) -> str:
    """Mark `message` for extraction and return it unchanged; translate it with `_` when it is shown."""
    return message


def ngettext(singular: str, plural: str, n: int) -> str:
    """Translate a text that depends on the number `n`; format it afterwards."""
    return _translations.ngettext(singular, plural, n)
