"""The last page of an import: what came in, counted in the database, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.domain.habits import HabitStatus
from lifehelper_desktop.domain.particles import with_particles
from lifehelper_desktop.storage.transfer.plan import Fate
from lifehelper_desktop.storage.transfer.transfers import ImportResult
from lifehelper_desktop.ui.moments import amounts_text, entries_text, habits_text, number_text
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.low_page import LowPage


class ImportResultPage(LowPage):
    """Main thread."""

    undo_asked = Signal()
    again_asked = Signal()
    close_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Build; `show_result` fills it."""
        super().__init__(parent)
        layout = column(self, gap=12)
        layout.addStretch(1)
        card = frame("card", "importResult")
        inside = column(card, margins=(24, 26, 24, 24), gap=10)
        centre = Qt.AlignmentFlag.AlignHCenter
        inside.addWidget(icon_label("done", "accent", 44), 0, centre)
        self._words = label("", "title")
        self._words.setObjectName("importWords")
        self._detail = label("", "muted")
        self._detail.setObjectName("importDetail")
        for each in (self._words, self._detail):
            each.setAlignment(centre)
            inside.addWidget(each)
        line = row(gap=8)
        line.addStretch(1)
        self.undo_button = button(_("가져오기 되돌리기"), self.undo_asked.emit, icon="undo", name="undoImport")
        line.addWidget(self.undo_button)
        line.addStretch(1)
        inside.addLayout(line)
        layout.addWidget(card)
        layout.addStretch(2)
        footer = FlowBox()
        footer.add(button(_("다른 파일 가져오기"), self.again_asked.emit, name="importAgain"))
        self.close_button = button(_("닫기"), self.close_asked.emit, role="primary", name="closeImport")
        footer.add(self.close_button, at_end=True)
        layout.addWidget(footer)

    @property
    def words(self) -> str:
        """The sentence that tells what came in."""
        return self._words.text()

    def show_result(self, result: ImportResult) -> None:
        """Show what an import has done."""
        self.undo_button.setVisible(result.import_id is not None)
        self._words.setText(result_words(result))
        self._detail.setText(_detail_words(result))


def result_words(result: ImportResult) -> str:
    """Return what came in, by the numbers that the database gave after the commit."""
    if result.import_id is None:
        return _("새로 더해진 것이 없어요.")
    if not (result.habits or result.entries):
        return _("설정을 가져왔어요.")
    if not result.habits:
        words = _("{amounts}을(를) 가져왔어요.").format(amounts=entries_text(result.entries))
    else:
        amounts = amounts_text(result.habits, result.entries)
        words = _("새 {amounts}을(를) 가져왔어요.").format(amounts=amounts)
    return with_particles(words)


def _detail_words(result: ImportResult) -> str:
    if result.import_id is None:
        return _("파일에 있는 것은 이미 모두 여기에 있어요.")
    came = [each for each in result.plan.habits if each.habit_id is None]
    kept = [each for each in came if each.fate is not Fate.TRASHED]
    parts = []
    for number, words in (
        (sum(each.status is HabitStatus.ACTIVE for each in kept), _("이어서 할 {habits}")),
        (sum(each.status is HabitStatus.PAUSED for each in kept), _("쉬는 {habits}")),
        (sum(each.status is HabitStatus.ARCHIVED for each in kept), _("보관함에 {habits}")),
        (len(came) - len(kept), _("휴지통에 {habits}")),
    ):
        if number:
            parts.append(words.format(habits=habits_text(number)))
    if result.reminders:
        words = ngettext("알림 {n}개", "알림 {n}개", result.reminders)
        parts.append(words.format(n=number_text(result.reminders)))
    lines = [" · ".join(parts)] if parts else []
    lines.append(_("되돌려도 그 뒤에 직접 남긴 기록은 그대로예요."))
    return "\n".join(lines)
