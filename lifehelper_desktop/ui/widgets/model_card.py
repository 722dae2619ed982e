"""One model of the list: what it is, whether it fits, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QProgressBar, QPushButton, QWidget

from lifehelper_desktop.base.i18n import N_, _, current_language
from lifehelper_desktop.llm.models.inventory import ModelRow, Place
from lifehelper_desktop.llm.models.memory import Fit
from lifehelper_desktop.llm.models.words import size_text, time_left_text
from lifehelper_desktop.ui.downloads import DownloadState
from lifehelper_desktop.ui.text import clean_lines, one_line
from lifehelper_desktop.ui.widgets.basics import button, column, frame, label, row, set_role

_FITS: Final = {
    Fit.AMPLE: (N_("메모리 여유"), "badgeAccent"),
    Fit.TIGHT: (N_("메모리 빠듯"), "badgeGold"),
    Fit.SHORT: (N_("메모리 부족"), "badgeDanger"),
}
_PLACES: Final = {
    Place.BUNDLED: N_("앱에 들어 있음"),
    Place.HERE: N_("받아 둠"),
    Place.ADDED: N_("더한 파일"),
    Place.BEGUN: N_("받다가 멈춤"),
    Place.ABSENT: N_("받을 수 있음"),
}
_STEPS: Final = 1000


class ModelCard(QFrame):
    """Shows one ModelRow and its download. Each signal carries the row."""

    use_asked = Signal(object)
    get_asked = Signal(object)
    pause_asked = Signal(object)
    cancel_asked = Signal(object)
    remove_asked = Signal(object)

    def __init__(self, model: ModelRow, state: DownloadState) -> None:
        """Show `model`."""
        super().__init__()
        self.setProperty("role", "card")
        self.setObjectName("modelCard")
        self.model, self.state = model, state
        self._asking: Callable[[], None] | None = None
        layout = column(self, margins=(16, 13, 16, 13), gap=7)
        head = row(gap=8)
        self._name = label("", "section")
        self._name.setObjectName("modelName")
        self._mark = label("", "badgeBlue", wrap=False)
        self._mark.setObjectName("modelMark")
        self._fit = label("", "badge", wrap=False)
        self._fit.setObjectName("modelFit")
        head.addWidget(self._name, 1)
        for badge in (self._mark, self._fit):
            head.addWidget(badge, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(head)
        self._summary = label("", "muted")
        self._facts = label("", "small")
        self._facts.setObjectName("modelFacts")
        self._memory = label("", "small")
        self._memory.setObjectName("modelMemory")
        self._problem = label("", "error", selectable=True)
        self._problem.setObjectName("modelProblem")
        for each in (self._summary, self._facts, self._memory, self._problem):
            layout.addWidget(each)
        layout.addWidget(self._build_progress())
        layout.addWidget(self._build_question())
        layout.addWidget(self._build_actions())
        self.show_model(model, state)

    def _build_progress(self) -> QWidget:
        self._progress = frame("plain", "modelProgress")
        inside = column(self._progress, margins=(0, 3, 0, 0), gap=5)
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.words = label("", "small")
        self.words.setObjectName("downloadWords")
        inside.addWidget(self.bar)
        inside.addWidget(self.words)
        return self._progress

    def _build_question(self) -> QWidget:
        self._question = frame("hint", "modelQuestion")
        inside = column(self._question, margins=(12, 8, 8, 8), gap=8)
        self._question_text = label()
        inside.addWidget(self._question_text)
        line = row(gap=8)
        line.addStretch(1)
        line.addWidget(button(_("지우기"), self._answer_yes, name="modelYes"))
        self._no = button(_("그대로 두기"), self._answer_no, name="modelNo")
        line.addWidget(self._no)
        inside.addLayout(line)
        self._question.hide()
        return self._question

    def _build_actions(self) -> QWidget:
        self._actions = frame("plain", "modelActions")
        line = row(self._actions, margins=(0, 3, 0, 0), gap=8)
        self._use = button(_("이 모델 쓰기"), lambda: self.use_asked.emit(self.model), role="primary", name="modelUse")
        self._get = button("", lambda: self.get_asked.emit(self.model), role="soft", icon="download", name="modelGet")
        self._pause = button(_("잠시 멈춤"), lambda: self.pause_asked.emit(self.model), icon="pause", name="modelPause")
        self._cancel = button(_("그만두기"), self._ask_cancel, role="flat", name="modelCancel")
        self._remove = button("", self._ask_remove, role="flat", name="modelRemove")
        for each in (self._use, self._get, self._pause, self._cancel, self._remove):
            line.addWidget(each)
        line.addStretch(1)
        return self._actions

    # ---- showing ----------------------------------------------------------------------------------------------

    def show_model(self, model: ModelRow, state: DownloadState) -> None:
        """Show a newer state of the same model."""
        self.model, self.state = model, state
        name = one_line(model.name)
        self._name.setText(name)
        self.bar.setAccessibleName(name)
        for each in (self._use, self._get, self._pause, self._cancel, self._remove):
            each.setAccessibleDescription(name)
        recommended = model.known is not None and model.known.recommended
        self._mark.setText(_("쓰는 중") if model.in_use else _("추천") if recommended else "")
        self._mark.setVisible(model.in_use or recommended)
        _give_role(self._mark, "badgeBlue" if model.in_use else "badgeAccent")
        words, role = _FITS[model.fit]
        self._fit.setText(_(words))
        _give_role(self._fit, role)
        self._fit.setVisible(model.need.total > 0)
        self._summary.setText(model.known.summary(current_language()) if model.known is not None else "")
        self._summary.setVisible(model.known is not None)
        self._facts.setText(_facts(model, running=state.running))
        self._memory.setText(_memory(model))
        self._memory.setVisible(model.need.kv > 0)
        self._show_problem()
        self._show_download()
        self._show_buttons()

    def _show_problem(self) -> None:
        told = self.state.error
        text = str(told) if told is not None else self.model.problem
        self._problem.setText(clean_lines(text))
        self._problem.setVisible(bool(text))

    def _show_download(self) -> None:
        model, state = self.model, self.state
        begun = model.place is Place.BEGUN
        self._progress.setVisible(state.running or begun)
        if not (state.running or begun):
            return
        done, total = model.fetched, model.bytes
        if state.progress is not None:
            done, total = state.progress.done, state.progress.total
        self.bar.setValue(min(_STEPS, _STEPS * done // max(1, total)))
        text = _download_words(state, done, total)
        self.words.setText(text)

    def _show_buttons(self) -> None:
        model, state = self.model, self.state
        begun = model.place is Place.BEGUN
        running = state.running
        fetchable = model.known is not None and not model.known.bundled and model.place in (Place.ABSENT, Place.BEGUN)
        _show(self._use, model.is_here and not model.in_use)
        _show(self._get, fetchable and not running)
        self._get.setText(_("이어받기") if begun else _("받기 ({size})").format(size=size_text(model.bytes)))
        _show(self._pause, running)
        self._pause.setEnabled(not state.stopping)
        _show(self._cancel, running or begun)
        self._cancel.setEnabled(not state.stopping)
        _show(self._remove, model.place in (Place.HERE, Place.ADDED) and not model.in_use)
        self._remove.setText(_("목록에서 빼기") if model.place is Place.ADDED else _("지우기"))
        some = any(not each.isHidden() for each in self._buttons())
        self._actions.setVisible(some and self._question.isHidden())

    def _buttons(self) -> list[QPushButton]:
        return [self._use, self._get, self._pause, self._cancel, self._remove]

    # ---- questions --------------------------------------------------------------------------------------------

    def _ask_cancel(self) -> None:
        progress = self.state.progress
        fetched = progress.done if progress is not None else self.model.fetched
        text = _("받아 둔 {size}도 지울까요? 나중에는 처음부터 받게 돼요.").format(size=size_text(fetched))
        self._ask(text, lambda: self.cancel_asked.emit(self.model))

    def _ask_remove(self) -> None:
        if self.model.place is Place.ADDED:  # the file stays where it is, so there is nothing to ask
            self.remove_asked.emit(self.model)
            return
        text = _("이 모델 파일({size})을 컴퓨터에서 지울까요?").format(size=size_text(self.model.bytes))
        self._ask(text, lambda: self.remove_asked.emit(self.model))

    def _ask(self, text: str, on_yes: Callable[[], None]) -> None:
        self._asking = on_yes
        self._question_text.setText(text)
        self._question.show()
        self._actions.hide()
        self._no.setFocus()

    def _answer_yes(self) -> None:
        asked = self._asking
        self._answer_no()
        if asked is not None:
            asked()

    def _answer_no(self) -> None:
        self._asking = None
        self._question.hide()
        self._show_buttons()
        first = next((each for each in self._buttons() if each.isVisible() and each.isEnabled()), None)
        if first is not None:
            first.setFocus()


def _give_role(widget: QWidget, role: str) -> None:
    """Progress comes ten times a second: only a new role is worth the style sheet's work."""
    if widget.property("role") != role:
        set_role(widget, role)


def _show(widget: QWidget, visible: bool) -> None:
    widget.setVisible(visible)


def _facts(model: ModelRow, *, running: bool) -> str:
    parts = [_("받는 중") if running else _(_PLACES[model.place]), size_text(model.bytes)]
    if model.known is not None:
        parts.append(model.known.terms.title)
    if model.place is Place.ADDED and model.path is not None:
        parts.append(one_line(str(model.path)))
    return " · ".join(parts)


def _memory(model: ModelRow) -> str:
    need = model.need
    return _("메모리 약 {total} = 파일 {file} + 문맥 {kv} + 계산 {compute} + 점수 {scores}").format(
        total=size_text(need.total),
        file=size_text(need.file),
        kv=size_text(need.kv),
        compute=size_text(need.compute),
        scores=size_text(need.scores),
    )


def _download_words(state: DownloadState, done: int, total: int) -> str:
    amount = f"{100 * done // max(1, total)}% · {size_text(done)} / {size_text(total)}"
    if not state.running:
        return _("멈춰 있음 · {amount}").format(amount=amount)
    if state.stopping:
        return _("멈추는 중 · {amount}").format(amount=amount)
    progress = state.progress
    if progress is None or progress.phase == "asking":
        return _("서버에 물어보는 중")
    if progress.phase == "checking":
        return _("받아 둔 부분을 확인하는 중 · {amount}").format(amount=amount)
    parts = [amount]
    if progress.speed:
        parts.append(f"{size_text(progress.speed)}/s")
    if progress.seconds_left is not None:
        parts.append(time_left_text(progress.seconds_left))
    return " · ".join(parts)
