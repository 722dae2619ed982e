"""The list of models: fetch, choose, remove, add a file. Downloads go on when it is closed."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QDialog, QPushButton, QWidget

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _, current_language
from lifehelper_desktop.base.settings import ACCEPTED_TERMS, ADDED_MODELS, MODEL_PATH, Setting
from lifehelper_desktop.llm.models import terms
from lifehelper_desktop.llm.models.inventory import (
    ModelRow,
    Place,
    add_file,
    find_row,
    list_models,
    remove_model,
)
from lifehelper_desktop.llm.models.known import KnownModel
from lifehelper_desktop.llm.models.words import size_text
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.bus import Bus
from lifehelper_desktop.ui.downloads import Downloads
from lifehelper_desktop.ui.relay import Relay
from lifehelper_desktop.ui.text import one_line
from lifehelper_desktop.ui.trouble import guarded, told
from lifehelper_desktop.ui.widgets.basics import button, clear_layout, column, label, row, scroll_page, size_on_screen
from lifehelper_desktop.ui.widgets.model_card import ModelCard
from lifehelper_desktop.ui.widgets.notice import NoticeBar
from lifehelper_desktop.ui.widgets.path_dialog import ask_path
from lifehelper_desktop.ui.writes import attempt

_AT_ONCE_S: Final = 10.0  # files that come within it were opened together
_REFUSALS_SHOWN: Final = 4


class ModelManager(QObject):
    """Lives as long as the window: owns the downloads and the list while it is open. Main thread only.

    `changed` carries the key of a setting that was stored; the window applies it.
    """

    changed = Signal(str)

    def __init__(self, store: Store, bus: Bus, window: QWidget) -> None:
        """Fetch nothing and read nothing yet."""
        super().__init__(window)
        self.store, self.bus, self._window = store, bus, window
        self.downloads = Downloads(store.paths.models, self)
        self.dialog: ModelsDialog | None = None
        self._refused: list[tuple[float, str]] = []  # when, and what was said

    @guarded
    def open(self) -> None:
        """Show the list."""
        if self.dialog is None:
            self.dialog = ModelsDialog(self, self._window)
            self.dialog.finished.connect(self._on_closed)
            self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def add(self, path: Path) -> None:
        """Add a file that was opened with the program, and show it in the list; nothing is copied.

        Several that were opened at once come one after the other: what was said of those that are refused stays.
        """
        self.open()
        if self.dialog is None:
            return
        now = time.monotonic()
        self._refused = [each for each in self._refused if now - each[0] < _AT_ONCE_S][-_REFUSALS_SHOWN:]
        before = [words for _when, words in self._refused]
        self.dialog.add_path(str(path))
        if self.dialog.refused and self.dialog.refused not in before:
            self._refused.append((time.monotonic(), self.dialog.refused))
        if before:
            words = "\n".join(dict.fromkeys((*before, self.dialog.notice.text)))
            self.dialog.notice.show_notice(words, error=True)

    def rebuild(self) -> None:
        """Build an open list anew, in the language and theme in force."""
        if self.dialog is not None:
            self.dialog.build()

    def shutdown(self) -> None:
        """Pause the downloads; each goes on from there another time."""
        if self.dialog is not None:
            self.dialog.close()
        self.downloads.shutdown()

    def _on_closed(self) -> None:
        self.dialog = None

    def announce(self, setting: Setting) -> None:
        """Tell the window of a stored setting, outside of the signal of a button that may go away."""
        QTimer.singleShot(0, self, lambda: self.changed.emit(setting.key))


class ModelsDialog(QDialog):
    """Non-modal."""

    def __init__(self, manager: ModelManager, parent: QWidget) -> None:
        """Show what is known at once; headers of files are read beside it.

        Raises:
            WorldError: The settings could not be read.
        """
        super().__init__(parent)
        self.setObjectName("modelsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.bus, self._store, self._manager = manager.bus, manager.store, manager
        self._downloads = manager.downloads
        self.cards: dict[str, ModelCard] = {}
        self.refused = ""
        self._scan = 0
        self._outer = column(self, gap=0)
        self._relay = Relay(self._on_scanned)
        self._downloads.changed.connect(self._on_download)
        self._downloads.ended.connect(self._on_ended)
        self.build()
        self.resize(self.sizeHint())

    def sizeHint(self) -> QSize:
        """Room for three or four models."""
        return size_on_screen(self, 680, 720, side=40)

    def build(self) -> None:
        """Build everything anew."""
        clear_layout(self._outer)
        self.cards = {}
        self.setWindowTitle(_("모델 관리"))
        head = column(margins=(24, 20, 24, 12), gap=8)
        head.addWidget(label(_("모델 관리"), "title"))
        head.addWidget(
            label(_("모델은 ‘받기’를 누를 때만 Hugging Face에서 받아요. 대화와 기록은 나가지 않아요."), "muted")
        )
        self._free = label("", "small")
        self._free.setObjectName("freeMemory")
        head.addWidget(self._free)
        self.notice = NoticeBar()
        head.addWidget(self.notice)
        self._outer.addLayout(head)
        self._scroll, body = scroll_page()
        self._list = column(body, margins=(24, 2, 24, 16), gap=12)
        self._list.addStretch(1)
        self._outer.addWidget(self._scroll, 1)
        footer = row(margins=(24, 10, 24, 14))
        footer.addWidget(button(_("파일 추가…"), self._choose_file, icon="plus", name="addModelFile"))
        footer.addStretch(1)
        footer.addWidget(button(_("닫기"), self.close, role="primary", name="closeModels"))
        self._outer.addLayout(footer)
        self.refresh()

    # ---- showing ----------------------------------------------------------------------------------------------

    def changeEvent(self, event: QEvent) -> None:
        """Look again when the user comes back, for example from putting a file into the models folder."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.refresh()

    @guarded
    def refresh(self) -> None:
        """Show the list as it is known now, then again when every file's header was read."""
        self._scan += 1
        paths, in_use, added = self._store.paths, self._text(MODEL_PATH), self._text(ADDED_MODELS)
        self._show_rows(list_models(paths, in_use, added, headers=False))
        number, relay = self._scan, self._relay

        def scan() -> None:
            relay.tell(number, list_models(paths, in_use, added))

        threading.Thread(target=scan, name="model-headers", daemon=True).start()

    def _text(self, setting: Setting) -> str:
        return self._store.settings.get_str(setting)

    def _on_scanned(self, number: int, rows: list[ModelRow]) -> None:
        if number == self._scan:
            self._show_rows(rows)

    def _show_rows(self, rows: list[ModelRow]) -> None:
        for gone in self.cards.keys() - {each.id for each in rows}:
            card = self.cards.pop(gone)
            card.hide()
            card.deleteLater()
        for at, model in enumerate(rows):
            state = self._downloads.state(model.id)
            if model.id in self.cards:
                self.cards[model.id].show_model(model, state)
            else:
                self.cards[model.id] = self._new_card(model)
                self._list.insertWidget(at, self.cards[model.id])
        if rows:
            self._free.setText(_("지금 비어 있는 메모리: {free}").format(free=size_text(rows[0].available)))

    def _new_card(self, model: ModelRow) -> ModelCard:
        card = ModelCard(model, self._downloads.state(model.id))
        card.use_asked.connect(self._use)
        card.get_asked.connect(self._get)
        card.pause_asked.connect(lambda each: self._downloads.pause(each.id))
        card.cancel_asked.connect(self._cancel)
        card.remove_asked.connect(self._remove)
        return card

    def _on_download(self, model_id: str) -> None:
        if (card := self.cards.get(model_id)) is not None:
            card.show_model(card.model, self._downloads.state(model_id))

    def _on_ended(self, _model_id: str) -> None:
        self.refresh()

    # ---- what the user asks for -------------------------------------------------------------------------------

    def _write(self, setting: Setting, value: str) -> bool:
        outcome = attempt(self.bus, lambda: self._store.settings.set(setting, value))
        if not outcome.is_ok:
            self.notice.show_notice(outcome.problem, error=True)
        return outcome.is_ok

    def _use(self, model: ModelRow) -> None:
        if self._write(MODEL_PATH, model.setting):
            self.refresh()
            self._manager.announce(MODEL_PATH)

    @guarded
    def _get(self, model: ModelRow) -> None:
        assert model.known is not None
        if terms.accepted_on(self._text(ACCEPTED_TERMS), model.known.terms) is not None:
            self._downloads.start(model.known)
            return
        dialog = TermsDialog(model.known, self)
        dialog.accepted.connect(lambda: self._accept(model.known))
        dialog.open()

    def _accept(self, known: KnownModel) -> None:
        with told(self.bus):
            value = terms.accept(self._text(ACCEPTED_TERMS), known.terms, self._store.today())
            if self._write(ACCEPTED_TERMS, value):
                self._downloads.start(known)

    def _cancel(self, model: ModelRow) -> None:
        if self._downloads.state(model.id).running:
            self._downloads.cancel(model.id)
        else:
            self._remove(model)

    @guarded
    def _remove(self, model: ModelRow) -> None:
        try:
            value = remove_model(self._store.paths, model, self._text(ADDED_MODELS))
        except WorldError as error:
            self.notice.show_notice(str(error), error=True)
        else:
            self._downloads.forget(model.id)
            if model.place is Place.ADDED:
                self._write(ADDED_MODELS, value)
        self.refresh()

    def _choose_file(self) -> None:
        filters = (_("Gemma 모델 (*.gguf)"), _("모든 파일 (*)"))
        ask_path(self, _("모델 파일 고르기"), "addModelDialog", self.add_path, filters=filters)

    @guarded
    def add_path(self, path: str) -> None:
        """Add a file of the user's to the list, or say why it cannot be used (`refused`)."""
        self.refused = ""
        try:
            added, value = add_file(self._text(ADDED_MODELS), Path(path))
        except WorldError as error:
            self.refused = str(error)
            self.notice.show_notice(self.refused, error=True)
            return
        if self._write(ADDED_MODELS, value):
            self.refresh()
            self._show_added(added)

    def _show_added(self, path: Path) -> None:
        """Say that it is there, and put the focus where it is chosen."""
        row_ = find_row([card.model for card in self.cards.values()], str(path))
        if row_ is None:
            return
        words = (
            _("지금 쓰고 있는 모델이에요: {name}")
            if row_.in_use
            else _("목록에 더했어요: {name}. 쓰려면 ‘이 모델 쓰기’를 눌러 주세요. 파일은 제자리에 그대로 있어요.")
        )
        self.notice.show_notice(words.format(name=one_line(row_.name)))
        card = self.cards[row_.id]
        QTimer.singleShot(0, card, lambda: self._go_to(card))

    def _go_to(self, card: ModelCard) -> None:
        self._scroll.ensureWidgetVisible(card)
        choose = card.findChild(QPushButton, "modelUse")
        if choose is not None and choose.isVisible():
            choose.setFocus()


class TermsDialog(QDialog):
    """Shows the licence of a model; accepting it needs the tick and the button."""

    def __init__(self, model: KnownModel, parent: QWidget) -> None:
        """Show the terms of `model`."""
        super().__init__(parent)
        self.setObjectName("termsDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("모델의 약관"))
        self._url = model.terms.url
        layout = column(self, margins=(24, 20, 24, 18), gap=12)
        layout.addWidget(label(_("{name} 받기").format(name=model.name), "title"))
        layout.addWidget(label(model.terms.summary(current_language())))
        layout.addWidget(label(f"{model.terms.title} · {model.terms.url}", "muted", selectable=True))
        link = row(gap=8)
        link.addWidget(button(_("약관 전문 열기"), self._open_terms, name="openTerms"))
        link.addStretch(1)
        layout.addLayout(link)
        size, source = size_text(model.bytes), f"{model.repo} / {model.file}"
        layout.addWidget(
            label(_("Hugging Face에서 약 {size}를 받아요: {source}").format(size=size, source=source), "small")
        )
        self.tick = QCheckBox(_("약관을 읽었고 동의해요"))
        self.tick.setObjectName("acceptTick")
        layout.addWidget(self.tick)
        footer = row(gap=8)
        footer.addStretch(1)
        footer.addWidget(button(_("닫기"), self.reject, name="declineTerms"))
        accept = button(_("동의하고 받기"), self.accept, role="primary", name="acceptTerms")
        accept.setEnabled(False)
        self.tick.toggled.connect(accept.setEnabled)
        footer.addWidget(accept)
        layout.addLayout(footer)
        self.setMinimumWidth(size_on_screen(self, 500, 500).width())

    def _open_terms(self) -> None:
        QDesktopServices.openUrl(QUrl(self._url))
