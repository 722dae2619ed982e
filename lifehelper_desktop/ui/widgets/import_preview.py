"""The second page of an import: what the file holds, what would happen, and which habits go on. Nothing is written."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QLabel, QTabWidget, QVBoxLayout, QWidget

from lifehelper_desktop.base.i18n import _, ngettext
from lifehelper_desktop.domain.habits import HabitStatus, HabitType
from lifehelper_desktop.storage.transfer.plan import Fate, HabitPlan, ImportPlan
from lifehelper_desktop.storage.transfer.report import RowRemark, Severity
from lifehelper_desktop.storage.transfer.transfers import ImportPreview
from lifehelper_desktop.ui.moments import amounts_text, entries_text, number_text
from lifehelper_desktop.ui.text import one_line, plain_day
from lifehelper_desktop.ui.widgets.basics import button, column, frame, icon_label, label, row, set_role
from lifehelper_desktop.ui.widgets.flow import FlowBox
from lifehelper_desktop.ui.widgets.import_choose import ZoneChoice
from lifehelper_desktop.ui.widgets.line_list import Line, LineList
from lifehelper_desktop.ui.widgets.low_page import LowPage

_FATE_ICONS: Final = {Fate.KNOWN: "done", Fate.IN_TRASH: "trash", Fate.TRASHED: "trash", Fate.RUNNING: "archive"}


class ImportPreviewPage(LowPage):
    """Main thread. The signals carry what the user wants; `show_preview` shows what came of it."""

    keep_asked = Signal(object)
    zone_asked = Signal(str)
    settings_asked = Signal(bool)
    import_asked = Signal()
    back_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        """Build; `show_preview` fills it."""
        super().__init__(parent)
        self._preview: ImportPreview | None = None
        layout = column(self, gap=10)
        self._build_head(layout)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("importTabs")
        self.tabs.setDocumentMode(True)
        layout.addWidget(self.tabs, 1)
        self._build_habits()
        self._build_report()
        self._build_choices(layout)
        self._build_buttons(layout)

    # ---- building ---------------------------------------------------------------------------------------------

    def _build_head(self, layout: QVBoxLayout) -> None:
        card = frame("card", "importFile")
        inside = column(card, margins=(16, 12, 16, 13), gap=10)
        line = row(gap=12)
        line.addWidget(icon_label("file", "accent", 26), 0, Qt.AlignmentFlag.AlignTop)
        words = column(gap=2)
        self._name = label("", "heading")
        self._name.setObjectName("importName")
        self._facts = label("", "muted")
        self._facts.setObjectName("importFacts")
        words.addWidget(self._name)
        words.addWidget(self._facts)
        line.addLayout(words, 1)
        inside.addLayout(line)
        self._numbers: dict[str, tuple[QLabel, QLabel]] = {}
        numbers = row(gap=10)
        for name in ("habits", "entries", "same", "left_out"):
            box = column(gap=0)
            number, about = label("", "numeral"), label("", "small")
            number.setObjectName(f"import_{name}")
            box.addWidget(number)
            box.addWidget(about)
            box.addStretch(1)
            numbers.addLayout(box, 1)
            self._numbers[name] = (number, about)
        inside.addLayout(numbers)
        layout.addWidget(card)

    def _build_habits(self) -> None:
        layout = self._page()
        self._places = label("", "muted")
        self._places.setObjectName("importPlaces")
        layout.addWidget(self._places)
        self.habits = LineList("importHabits", _("파일의 습관"))
        self.habits.toggled.connect(self._on_toggled)
        layout.addWidget(self.habits, 1)

    def _build_report(self) -> None:
        layout = self._page()
        self._report_words = label("", "muted")
        self._report_words.setObjectName("importReportWords")
        layout.addWidget(self._report_words)
        self.report = LineList("importReport", _("줄마다 알릴 것"))
        layout.addWidget(self.report, 1)
        layout.addStretch(0)

    def _page(self) -> QVBoxLayout:
        page = LowPage()
        self.tabs.addTab(page, "")
        return column(page, margins=(0, 10, 0, 0), gap=8)

    def _build_choices(self, layout: QVBoxLayout) -> None:
        self._zone_row = frame("sunken", "zoneRow")
        inside = column(self._zone_row, margins=(14, 8, 10, 8))
        line = FlowBox(gap=10)
        line.add(label(_("날짜를 정할 시간대"), wrap=False))
        self.zone = ZoneChoice("importZone", _("파일에 적힌 시간대"))
        self.zone.chosen.connect(self._on_zone)
        line.add(self.zone, at_end=True)
        inside.addWidget(line)
        layout.addWidget(self._zone_row)
        self.settings = QCheckBox(_("파일에 담긴 설정도 가져오기 (언어, 하루의 시작, …)"))
        self.settings.setObjectName("importSettings")
        self.settings.clicked.connect(lambda on: self.settings_asked.emit(on))
        layout.addWidget(self.settings)
        self.skip_bad = QCheckBox()
        self.skip_bad.setObjectName("importSkipBad")
        self.skip_bad.toggled.connect(lambda _on: self._show_button())
        layout.addWidget(self.skip_bad)
        for each in (self._zone_row, self.settings, self.skip_bad):
            each.hide()  # until a file needs it

    def _build_buttons(self, layout: QVBoxLayout) -> None:
        self._promise = label("", "small")
        self._promise.setObjectName("importPromise")
        layout.addWidget(self._promise)
        line = FlowBox()
        line.add(button(_("다른 파일"), self.back_asked.emit, name="importBack"))
        self.import_button = button("", self.import_asked.emit, role="primary", name="importStart")
        line.add(self.import_button, at_end=True)
        layout.addWidget(line)

    # ---- showing ----------------------------------------------------------------------------------------------

    @property
    def keep(self) -> frozenset[int]:
        """Numbers of the habits that are chosen to stay active."""
        return frozenset(line.key for line in self.habits.lines if line.checked and isinstance(line.key, int))

    def show_preview(self, preview: ImportPreview, *, anew: bool, zone: str = "") -> None:
        """Show a preview; `anew` for another file: its choices begin from the start."""
        self._preview = preview
        data, plan = preview.data, preview.plan
        self._name.setText(one_line(data.file_name))
        facts = [data.format.app, amounts_text(len(data.habits), preview.entries)]
        if preview.first_day is not None and preview.last_day is not None:
            facts.append(f"{plain_day(preview.first_day)} – {plain_day(preview.last_day)}")
        self._facts.setText(" · ".join(facts))
        self._show_numbers(preview)
        self.habits.show_lines(_habit_line(each) for each in plan.habits)
        set_role(self._places, "muted")
        self._places.setText(_places_words(plan))
        self.tabs.setTabText(0, _("습관 {n}").format(n=number_text(len(plan.habits))))
        self._show_report(preview)
        self._zone_row.setVisible(data.format.holds_instants)
        self.zone.setItemText(0, _zone_words(preview))
        self.zone.show_zone(zone)
        self.settings.setVisible(bool(data.settings))
        self.settings.setChecked(bool(preview.settings))
        bad = preview.bad_rows
        words = ngettext("읽지 못한 줄 {n}개는 빼고 가져오기", "읽지 못한 줄 {n}개는 빼고 가져오기", bad)
        self.skip_bad.setText(words.format(n=number_text(bad)))
        self.skip_bad.setVisible(bool(bad))
        if anew:
            self.skip_bad.setChecked(False)
            self.tabs.setCurrentIndex(1 if bad else 0)
        self._show_button()

    def show_refusal(self, words: str) -> None:
        """Say why a habit cannot be chosen, where the user looks; the next preview takes it away."""
        set_role(self._places, "error")
        self._places.setText(words)

    def _show_numbers(self, preview: ImportPreview) -> None:
        plan = preview.plan
        same, kept = sum(each.same for each in plan.habits), sum(each.kept for each in plan.habits)
        changed = plan.changed_entries
        entries_about = _("새 기록") if not changed else _("새 기록과 바뀐 기록")
        same_about = _("이미 있는 기록") if not kept else _("그대로 둘 기록 (여기서 고친 {n}개)").format(n=kept)
        shown = {
            "habits": (plan.new_habits, _("새 습관")),
            "entries": (plan.new_entries + changed, entries_about),
            "same": (same + kept, same_about),
            "left_out": (sum(preview.report.counts.values()), _("알릴 것")),
        }
        for name, (number, about) in shown.items():
            self._numbers[name][0].setText(number_text(number))
            self._numbers[name][0].setAccessibleName(f"{about} {number_text(number)}")
            self._numbers[name][1].setText(about)

    def _show_report(self, preview: ImportPreview) -> None:
        report = preview.report
        rows = sorted(report.rows, key=lambda each: each.severity is not Severity.BAD)
        self.report.show_lines(_remark_line(at, each) for at, each in enumerate(rows))
        total = sum(report.counts.values())
        self.tabs.setTabText(1, _("알릴 것 {n}").format(n=number_text(total)))
        self.report.setVisible(bool(rows))
        if not total:
            words = _("모든 줄을 그대로 읽었어요.")
        elif len(rows) < total:
            words = _("{n}개 가운데 처음 {shown}개예요.").format(n=number_text(total), shown=number_text(len(rows)))
        else:
            words = _("파일에서 바꿔 읽었거나 빼는 줄이에요. 이유를 함께 적어 두었어요.")
        self._report_words.setText(words)

    def _show_button(self) -> None:
        preview = self._preview
        if preview is None:
            return
        plan = preview.plan
        blocked = bool(preview.bad_rows) and not self.skip_bad.isChecked()
        amounts = amounts_text(plan.new_habits, plan.new_entries + plan.changed_entries)
        if plan.is_empty:
            words, promise = _("가져오기"), _("새로 더해질 것이 없어요. 파일에 있는 것은 이미 모두 있어요.")
        elif blocked:
            words = _("가져오기")
            promise = _("읽지 못한 줄이 있어요. ‘알릴 것’에서 살펴보고, 빼고 가져오려면 위에서 골라 주세요.")
        else:
            words = _("{amounts} 가져오기").format(amounts=amounts)
            promise = _("아직 아무것도 바뀌지 않았어요. 가져오기 전에 백업을 만들고, 한 번에 되돌릴 수 있어요.")
        self.import_button.setText(words)
        self.import_button.setEnabled(not plan.is_empty and not blocked)
        self._promise.setText(promise)

    # ---- what the user does -----------------------------------------------------------------------------------

    def _on_toggled(self, number: object, wanted: bool) -> None:
        if isinstance(number, int):
            self.keep_asked.emit(self.keep | {number} if wanted else self.keep - {number})

    def _on_zone(self, zone: str) -> None:
        self.zone_asked.emit(zone)


def _zone_words(preview: ImportPreview) -> str:
    """Return where the days come from when no zone is chosen."""
    unknown = next((each for each in preview.report.rows if each.reason == "unknown_zone"), None)
    if unknown is None:
        return _("파일에 적힌 시간대")
    return _("이 컴퓨터의 시간대 ({zone})").format(zone=unknown.values["zone"])


def _habit_line(plan: HabitPlan) -> Line:
    parts = [plan.fate.words]
    if plan.can_be_active and plan.fate is Fate.NO_PLACE:
        parts = [_("보관함으로 들어와요")]
    for number, words in (
        (len(plan.new), _("새 {entries}")),
        (len(plan.newer), _("파일에서 바뀐 {entries}")),
        (plan.same, _("같은 {entries}")),
        (plan.kept, _("여기서 고쳐 그대로 둘 {entries}")),
    ):
        if number:
            parts.append(words.format(entries=entries_text(number)))
    is_break = plan.habit.habit_type is HabitType.BREAK
    return Line(
        key=plan.number,
        title=one_line(plan.habit.title),
        detail=" · ".join(parts),
        badge=_("깨기") if is_break else "",
        icon=_FATE_ICONS.get(plan.fate, "archive"),
        checked=plan.status is HabitStatus.ACTIVE if plan.can_be_active else None,
    )


def _places_words(plan: ImportPlan) -> str:
    able = [each for each in plan.habits if each.can_be_active]
    if not plan.new_habits:
        return _("파일의 습관은 이미 모두 있어서, 기록만 견주었어요.")
    parts = [_("이어서 할 습관을 골라 주세요. 고르지 않은 습관은 보관함에 들어와요.")] if able else []
    for kind, words, full in (
        (HabitType.BUILD, _("세우기는 {places}자리 가운데 {n}자리를 골랐어요."), _("세우기 자리는 다 찼어요.")),
        (HabitType.BREAK, _("깨기는 {places}자리 가운데 {n}자리를 골랐어요."), _("깨기 자리는 다 찼어요.")),
    ):
        of_kind = [each for each in able if each.habit.habit_type is kind]
        chosen = sum(each.status is HabitStatus.ACTIVE for each in of_kind)
        if of_kind:
            parts.append(words.format(n=chosen, places=plan.places[kind]) if plan.places[kind] else full)
    if reminders := plan.new_reminders:
        words = ngettext("알림 {n}개도 함께 들어와요.", "알림 {n}개도 함께 들어와요.", reminders)
        parts.append(words.format(n=number_text(reminders)))
    return " ".join(parts)


def _remark_line(at: int, remark: RowRemark) -> Line:
    is_bad = remark.severity is Severity.BAD
    return Line(
        key=at,
        title=one_line(remark.words),
        detail=one_line(remark.where),
        badge=_("읽지 못함") if is_bad else "",
        kind="bad",
        icon="warning" if is_bad else "info",
        colour="danger" if is_bad else "muted",
    )
