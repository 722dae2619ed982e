"""A window on a processor that the coach cannot compute on: it says so, and the rest works."""

from __future__ import annotations

from datetime import date

import pytest
from PySide6.QtWidgets import QWidget

from lifehelper_desktop.__main__ import make_llm
from lifehelper_desktop.base import old_processor
from lifehelper_desktop.domain.habits import Habit
from lifehelper_desktop.storage.store import Store
from tests.gui.conftest import MakeGui, make_context


def test_the_coach_says_that_it_cannot_answer_here(
    make_gui: MakeGui, habits: dict[str, Habit], store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(old_processor, "missing_features", lambda: ("SSE4.1", "SSE4.2"))
    service = make_llm(store.paths, "")
    gui = make_gui(context=make_context(store, service))
    gui.say("안녕")
    gui.wait_idle()
    words = gui.find(QWidget, "errorCard").accessibleName()
    assert "SSE4.1, SSE4.2" in words
    assert "습관 기록은 그대로 쓸 수 있어요" in words
    gui.click("mark_done", gui.window.habits.cards[habits["walk"].id])
    assert store.entries.get(habits["walk"].id, date(2026, 8, 12)) is not None
    assert not any(store.paths.models.glob("*.gguf"))
