"""About leads to the terms of everything inside."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from lifehelper_desktop.base.licences import Licence
from lifehelper_desktop.base.paths import AppPaths
from lifehelper_desktop.ui.screens.about import AboutDialog
from lifehelper_desktop.ui.screens.licences import LicencesDialog


def test_about_asks_for_the_licences(qtbot: QtBot, paths: AppPaths) -> None:
    about = AboutDialog(paths.data)
    qtbot.addWidget(about)
    opener = about.findChild(QPushButton, "openLicences")
    assert isinstance(opener, QPushButton)
    with qtbot.waitSignal(about.licences_wanted):
        opener.click()


def test_every_component_shows_its_text(qtbot: QtBot) -> None:
    rows = [
        Licence("llama.cpp", "", "MIT", "Permission is hereby granted"),
        Licence("Silent", "1.0", "BSD-3-Clause", "", "https://silent.example"),
    ]
    dialog = LicencesDialog(None, rows)
    qtbot.addWidget(dialog)
    assert [line.title for line in dialog.list.lines] == ["llama.cpp", "Silent 1.0"]
    assert dialog.text.toPlainText() == "Permission is hereby granted"
    dialog.list.choose(1)
    assert dialog.text.toPlainText() == "https://silent.example\n\n전체 내용은 이 홈페이지에 있어요."


def test_the_program_itself_has_its_terms(qtbot: QtBot) -> None:
    dialog = LicencesDialog()
    qtbot.addWidget(dialog)
    assert "Gemma Terms of Use" in dialog.text.toPlainText()
