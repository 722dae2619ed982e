"""What going back to a backup would mean, and whether to do it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.storage.restoring import Contents, RestorePreview
from lifehelper_desktop.ui.moments import moment_text, number_text
from lifehelper_desktop.ui.text import plain_day
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row
from lifehelper_desktop.ui.widgets.flow import FlowBox

_WIDTH = 540  # pixels at 100 % text


class RestoreQuestion(QDialog):
    """Calls `on_yes` when the user wants it; the button that answers no has the focus. Main thread."""

    def __init__(self, preview: RestorePreview, now: datetime, on_yes: Callable[[], object], parent: QWidget) -> None:
        """Show `preview`; `now` tells how long ago the backup was made."""
        super().__init__(parent)
        self.setObjectName("restoreQuestion")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("백업으로 되살리기"))
        self._on_yes = on_yes
        layout = column(self, margins=(22, 18, 22, 16), gap=12)
        layout.addWidget(label(_("이 백업으로 되살릴까요?"), "title"))
        made = moment_text(preview.backup.made_at, now)
        reason = preview.backup.reason_words
        layout.addWidget(label(f"{made} · {reason}" if reason else made, "muted"))
        layout.addWidget(_table(preview))
        for sign, words, colour in _differences(preview):
            line = row(gap=8)
            line.addWidget(icon_label(sign, colour, 18), 0, Qt.AlignmentFlag.AlignTop)
            line.addWidget(label(words), 1)
            layout.addLayout(line)
        hint = frame("hint")
        inside = column(hint, margins=(12, 9, 12, 9), gap=3)
        inside.addWidget(label(_("설정, 지난 대화, 변경 기록도 그때의 것으로 돌아가요.")))
        inside.addWidget(label(_("지금 상태는 먼저 백업해 두니, 마음이 바뀌면 다시 돌아올 수 있어요.")))
        layout.addWidget(hint)
        footer = FlowBox()
        no_button = button(_("취소"), self.reject, name="restoreNo")
        yes_button = button(_("되살리기"), self._answer_yes, role="primary", name="restoreYes")
        footer.add(no_button, yes_button, at_end=True)
        layout.addWidget(footer)
        width = theme().px(_WIDTH)
        self.setMinimumWidth(width)
        self.resize(width, layout.totalHeightForWidth(width))
        no_button.setDefault(True)
        no_button.setFocus()

    def _answer_yes(self) -> None:
        self.accept()
        self._on_yes()


def _table(preview: RestorePreview) -> QFrame:
    card = frame("card", "restoreTable")
    grid = QGridLayout(card)
    grid.setContentsMargins(16, 12, 16, 12)
    grid.setHorizontalSpacing(theme().px(18))
    grid.setVerticalSpacing(theme().px(6))
    grid.setColumnStretch(1, 1)
    grid.setColumnStretch(2, 1)
    rows = [("", _("지금"), _("되살린 뒤"))]
    for title, words in ((_("습관 수"), _habits), (_("기록 수"), _entries), (_("기간"), _days)):
        rows.append((title, words(preview.now), words(preview.contents)))
    for at, (title, now, then) in enumerate(rows):
        grid.addWidget(label(title, "muted", wrap=False), at, 0)
        for place, text in ((1, now), (2, then)):
            shown = label(text, "muted" if at == 0 else "section" if at < 3 else "body")
            shown.setObjectName(f"restore_{at}_{place}")
            grid.addWidget(shown, at, place)
    return card


def _habits(contents: Contents | None) -> str:
    return "–" if contents is None else number_text(contents.habits)


def _entries(contents: Contents | None) -> str:
    return "–" if contents is None else number_text(contents.entries)


def _days(contents: Contents | None) -> str:
    if contents is None or contents.first_day is None or contents.last_day is None:
        return "–"
    return f"{plain_day(contents.first_day)} – {plain_day(contents.last_day)}"


def _differences(preview: RestorePreview) -> list[tuple[str, str, str]]:
    """Return (icon, words, colour) of each kind of difference."""
    if preview.now is None:
        return [("info", _("지금 기록 파일은 읽을 수 없어서 견주지 못했어요."), "muted")]
    found = []
    back, gone, changed = preview.entries_back, preview.entries_gone, preview.entries_changed
    if back:
        words = ngettext("기록 {n}개가 돌아와요.", "기록 {n}개가 돌아와요.", back)
        found.append(("undo", words.format(n=number_text(back)), "accent"))
    if gone:
        words = ngettext("그 뒤에 남긴 기록 {n}개가 빠져요.", "그 뒤에 남긴 기록 {n}개가 빠져요.", gone)
        found.append(("warning", words.format(n=number_text(gone)), "danger"))
    if changed:
        words = ngettext("기록 {n}개가 그때의 값으로 바뀌어요.", "기록 {n}개가 그때의 값으로 바뀌어요.", changed)
        found.append(("edit", words.format(n=number_text(changed)), "muted"))
    return found or [("done", _("기록은 지금과 똑같아요."), "accent")]
