"""The line that says that the beginning was summarised, and the summary below it once it is opened."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.chat.summary import maker_words
from lifehelper_desktop.storage.talk_summaries import TalkSummary
from lifehelper_desktop.ui import icons
from lifehelper_desktop.ui.questions import ask
from lifehelper_desktop.ui.text import clean_lines
from lifehelper_desktop.ui.theme import theme
from lifehelper_desktop.ui.widgets.basics import button, column, frame, label, row
from lifehelper_desktop.ui.widgets.marked_label import marked_label


class SummaryLine(QWidget):
    """Shows a marker; the newest one of a conversation is given its summary with `show_summary`.

    `forget_asked` is emitted when the user has confirmed that the summary is to be deleted.
    """

    forget_asked = Signal()

    def __init__(self, text: str) -> None:
        """Show `text` alone: there is no summary to open yet."""
        super().__init__()
        self.setObjectName("summaryLine")
        self.text = text
        self.summary: TalkSummary | None = None
        layout = column(self, margins=(12, 2, 12, 2), gap=4)
        words = marked_label(text, "small")
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(words)
        self.toggle = button("", self.flip, role="flat", name="summaryToggle")
        layout.addWidget(self.toggle, 0, Qt.AlignmentFlag.AlignHCenter)
        self._gone = label(_("요약을 지웠어요. 코치에게도 더는 알려 주지 않아요."), "small")
        self._gone.setObjectName("summaryGone")
        self._gone.setAlignment(Qt.AlignmentFlag.AlignCenter)
        layout.addWidget(self._gone)
        layout.addWidget(self._build_body())
        self.setAccessibleName(text)
        self.show_summary(None)

    def _build_body(self) -> QWidget:
        self.body = frame("sunken", "summaryBody")
        inside = column(self.body, margins=(14, 12, 14, 10), gap=6)
        inside.addWidget(label(_("앞부분 요약"), "section"))
        self._words = marked_label("", selectable=True)
        self._words.setObjectName("summaryText")
        inside.addWidget(self._words)
        self._made = label("", "small")
        self._made.setObjectName("summaryMade")
        inside.addWidget(self._made)
        foot = row(gap=8)
        foot.addStretch(1)
        self._delete = button(_("요약 지우기"), self.ask_delete, role="flat", icon="trash", name="summaryDelete")
        foot.addWidget(self._delete)
        inside.addLayout(foot)
        self.body.hide()
        return self.body

    @property
    def is_open(self) -> bool:
        """Whether the summary is shown."""
        return not self.body.isHidden()

    def show_summary(self, summary: TalkSummary | None) -> None:
        """Offer `summary`, say that it was deleted, or, for None, neither."""
        self.summary = summary
        has_text = summary is not None and bool(summary.text)
        self.toggle.setVisible(has_text)
        self._gone.setVisible(summary is not None and not has_text)
        if summary is not None and has_text:
            self._words.setText(clean_lines(summary.text))
            self._made.setText(_made_words(summary))
        self._show_open(has_text and self.is_open)

    def flip(self) -> None:
        """Open or close the summary."""
        self._show_open(not self.is_open)

    def ask_delete(self) -> None:
        """Ask whether the summary is to be deleted; the answer by default is no."""
        ask(
            self.window(),
            _("이 요약을 지울까요?"),
            _("코치도 앞부분을 더는 떠올리지 못하고, 같은 부분을 다시 요약하지 않아요. 대화와 습관 기록은 그대로예요."),
            yes=_("지우기"),
            on_yes=self.forget_asked.emit,
            name="forgetSummary",
            title=_("요약 지우기"),
            destructive=True,
        )

    def _show_open(self, is_open: bool) -> None:
        self.body.setVisible(is_open)
        self.toggle.setText(_("요약 접기") if is_open else _("요약 보기"))
        self.toggle.setIcon(icons.icon("down" if is_open else "right", theme().tokens["accent"], 18))
        self.toggle.setIconSize(icons.size(18))
        state = _("펼쳐져 있어요. 누르면 접어요.") if is_open else _("접혀 있어요. 누르면 펼쳐요.")
        self.toggle.setAccessibleDescription(state)


def _made_words(summary: TalkSummary) -> str:
    n = summary.covers - summary.forgotten
    count = ngettext("주고받은 말 {n}번을 줄였어요.", "주고받은 말 {n}번을 줄였어요.", n)
    return f"{maker_words(summary.maker)} {count.format(n=n)}"
