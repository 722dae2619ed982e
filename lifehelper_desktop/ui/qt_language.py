"""Qt's own words (file dialogs, the edit menu) in the user's language."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

_NAME = "qtbase"


def install_qt_language(language: str) -> None:
    """Load `qtbase_<language>.qm`; English is Qt's source language. Replaces the translator from before."""
    app = QCoreApplication.instance()
    assert app is not None
    for old in app.findChildren(QTranslator, _NAME):
        QCoreApplication.removeTranslator(old)
        old.setParent(None)
        old.deleteLater()
    QLocale.setDefault(QLocale("ko_KR" if language == "ko" else "en_GB"))
    if language == "en":
        return
    translator = QTranslator(app)
    translator.setObjectName(_NAME)
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    if translator.load(f"{_NAME}_{language}", folder):
        QCoreApplication.installTranslator(translator)
