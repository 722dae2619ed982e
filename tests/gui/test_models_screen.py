"""The list of models in the real window, against a Hub on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gguf
import pytest
from huggingface_hub import close_session
from PySide6.QtWidgets import QCheckBox, QDialog, QLabel, QPushButton

from lifehelper_desktop.base.settings import ACCEPTED_TERMS, ADDED_MODELS, LANGUAGE, MODEL_PATH, THEME
from lifehelper_desktop.llm.models import download, inventory, known
from lifehelper_desktop.llm.models.memory import Fit
from lifehelper_desktop.llm.models.part_file import part_size
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.ui.screens.models import ModelsDialog
from lifehelper_desktop.ui.widgets.model_card import ModelCard
from tests.gui.conftest import Gui, MakeGui
from tests.helpers.hub_server import Hub, Step, serve

ID = "gemma-3-1b-it"
HALF = 300_000


def write_gguf(path: Path, name: str = "My Gemma") -> bytes:
    """Write a small file with a Gemma's header, large enough to be fetched in pieces, and return its bytes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    writer = gguf.GGUFWriter(path, "gemma3")
    writer.add_name(name)
    writer.add_context_length(2048)
    writer.add_embedding_length(64)
    writer.add_block_count(2)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_string("filler", "가" * 400_000)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path.read_bytes()


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A Hub whose every file is one small model; no proxy or token of the machine takes part."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "HF_TOKEN"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    monkeypatch.setattr(download, "_WAITS", (0.0, 0.0))
    close_session()
    with serve(Hub(write_gguf(tmp_path / "source.gguf"))) as served:
        monkeypatch.setenv("HF_ENDPOINT", served.url)
        yield served
    close_session()


@pytest.fixture
def screen(make_gui: MakeGui, hub: Hub) -> Callable[..., tuple[Gui, ModelsDialog]]:
    def show() -> tuple[Gui, ModelsDialog]:
        gui = make_gui()
        gui.window.open_settings()
        gui.click("openModels", gui.window.dialogs["settings"])
        dialog = gui.window.models.dialog
        assert dialog is not None
        gui.qtbot.waitUntil(dialog.isVisible)
        return gui, dialog

    return show


def card(dialog: ModelsDialog, model_id: str = ID) -> ModelCard:
    return dialog.cards[model_id]


def visible(where: ModelCard, name: str) -> bool:
    return where.findChild(QPushButton, name).isVisible()  # type: ignore[union-attr]


def text(where: ModelCard, name: str) -> str:
    found = where.findChild(QLabel, name)
    assert isinstance(found, QLabel)
    return found.text() if found.isVisible() else ""


def accept_terms(gui: Gui, dialog: ModelsDialog) -> None:
    asked = gui.find(QDialog, "termsDialog", dialog)
    button = gui.find(QPushButton, "acceptTerms", asked)
    assert not button.isEnabled()
    gui.find(QCheckBox, "acceptTick", asked).setChecked(True)
    gui.click("acceptTerms", asked)


def wait_ended(gui: Gui) -> None:
    gui.qtbot.waitUntil(lambda: not gui.window.models.downloads.is_busy, timeout=20_000)


def test_every_known_model_is_listed_with_its_sum(screen: Any) -> None:
    _gui, dialog = screen()
    assert list(dialog.cards) == [each.id for each in known.known_models()]
    starter = card(dialog, "starter")
    assert text(starter, "modelMark") == "쓰는 중"
    assert not visible(starter, "modelRemove")
    recommended = card(dialog, "gemma-4-e2b-it")
    assert text(recommended, "modelMark") == "추천"
    assert "파일 3.1GB + 문맥" in text(recommended, "modelMemory")
    assert visible(recommended, "modelGet")
    assert not visible(recommended, "modelUse")


@pytest.mark.parametrize(
    ("free", "words"), [(10**12, "메모리 여유"), (3_300_000_000, "메모리 빠듯"), (10**9, "메모리 부족")]
)
def test_the_memory_of_this_machine_decides(
    screen: Any, monkeypatch: pytest.MonkeyPatch, free: int, words: str
) -> None:
    monkeypatch.setattr(inventory, "available_memory", lambda: free)
    _gui, dialog = screen()
    assert text(card(dialog, "gemma-4-e2b-it"), "modelFit") == words
    assert card(dialog, "gemma-4-e2b-it").model.fit in set(Fit)


def test_nothing_is_asked_of_the_network_by_looking(screen: Any, hub: Hub) -> None:
    gui, dialog = screen()
    gui.click("modelGet", card(dialog))
    gui.click("declineTerms", gui.find(QDialog, "termsDialog", dialog))
    assert (hub.heads, hub.ranges) == (0, [])
    assert gui.store.settings.get_str(ACCEPTED_TERMS) == ""


def test_from_the_terms_to_the_model_in_use(screen: Any, hub: Hub) -> None:
    gui, dialog = screen()
    gui.click("modelGet", card(dialog))
    accept_terms(gui, dialog)
    wait_ended(gui)
    stored = json.loads(gui.store.settings.get_str(ACCEPTED_TERMS))
    assert stored["gemma"]["date"] == gui.store.today().isoformat()
    gui.qtbot.waitUntil(lambda: visible(card(dialog), "modelUse"))
    path = gui.store.paths.models / card(dialog).model.known.file  # type: ignore[union-attr]
    assert path.read_bytes() == hub.body
    gui.click("modelUse", card(dialog))
    assert gui.store.settings.get_str(MODEL_PATH) == str(path)
    gui.qtbot.waitUntil(lambda: text(card(dialog), "modelMark") == "쓰는 중")
    assert not visible(card(dialog), "modelRemove"), "what is in use stays"
    settings = gui.window.dialogs["settings"]
    gui.qtbot.waitUntil(
        lambda: str(path) in [each.text() for each in settings.findChildren(QLabel, "modelPath") if each.isVisible()]
    )
    gui.click("modelUse", card(dialog, "starter"))
    assert gui.store.settings.get_str(MODEL_PATH) == ""
    gui.qtbot.waitUntil(lambda: visible(card(dialog), "modelRemove"))
    gui.click("modelRemove", card(dialog))
    gui.click("modelNo", card(dialog))
    assert path.exists()
    gui.click("modelRemove", card(dialog))
    gui.click("modelYes", card(dialog))
    assert not path.exists()
    assert visible(card(dialog), "modelGet")


def begin_and_pause(gui: Gui, dialog: ModelsDialog, hub: Hub) -> None:
    hub.script = [Step(hold=HALF)]
    gui.click("modelGet", card(dialog))
    accept_terms(gui, dialog)
    downloads = gui.window.models.downloads
    gui.qtbot.waitUntil(hub.held.is_set, timeout=20_000)
    gui.qtbot.waitUntil(lambda: (state := downloads.state(ID).progress) is not None and state.done > 0, timeout=20_000)
    assert visible(card(dialog), "modelPause")
    gui.click("modelPause", card(dialog))
    wait_ended(gui)
    gui.qtbot.waitUntil(lambda: visible(card(dialog), "modelGet"))


def test_pause_and_resume(screen: Any, hub: Hub) -> None:
    gui, dialog = screen()
    begin_and_pause(gui, dialog, hub)
    kept = part_size(gui.store.paths.models, card(dialog).model.known.file)  # type: ignore[union-attr]
    assert 0 < kept <= HALF
    assert text(card(dialog), "downloadWords").startswith("멈춰 있음")
    assert card(dialog).findChild(QPushButton, "modelGet").text() == "이어받기"  # type: ignore[union-attr]
    gui.click("modelGet", card(dialog))
    wait_ended(gui)
    assert hub.ranges[-1] == f"bytes={kept}-"
    gui.qtbot.waitUntil(lambda: visible(card(dialog), "modelUse"))


def test_giving_up_removes_what_came(screen: Any, hub: Hub) -> None:
    gui, dialog = screen()
    begin_and_pause(gui, dialog, hub)
    gui.click("modelCancel", card(dialog))
    gui.click("modelYes", card(dialog))
    assert part_size(gui.store.paths.models, card(dialog).model.known.file) == 0  # type: ignore[union-attr]
    assert card(dialog).findChild(QPushButton, "modelGet").text().startswith("받기")  # type: ignore[union-attr]


def test_giving_up_while_it_runs(screen: Any, hub: Hub) -> None:
    gui, dialog = screen()
    hub.script = [Step(hold=HALF)]
    gui.click("modelGet", card(dialog))
    accept_terms(gui, dialog)
    gui.qtbot.waitUntil(hub.held.is_set, timeout=20_000)
    gui.click("modelCancel", card(dialog))
    gui.click("modelYes", card(dialog))
    wait_ended(gui)
    gui.qtbot.waitUntil(lambda: card(dialog).findChild(QPushButton, "modelGet").text().startswith("받기"))  # type: ignore[union-attr]
    assert not list(gui.store.paths.models.glob("*.gguf"))


def test_a_download_goes_on_when_the_list_is_closed(screen: Any, hub: Hub) -> None:
    gui, dialog = screen()
    hub.script = [Step(hold=HALF)]
    gui.click("modelGet", card(dialog))
    accept_terms(gui, dialog)
    gui.qtbot.waitUntil(hub.held.is_set, timeout=20_000)
    gui.click("closeModels", dialog)
    gui.qtbot.waitUntil(lambda: gui.window.models.dialog is None)
    assert gui.window.models.downloads.is_busy
    gui.window.models.open()
    again = gui.window.models.dialog
    assert again is not None
    gui.qtbot.waitUntil(lambda: visible(card(again), "modelPause"))
    hub.script = []
    hub.released.set()  # the line is cut there; the download takes it up again
    wait_ended(gui)
    gui.qtbot.waitUntil(lambda: visible(card(again), "modelUse"))


def test_closing_the_window_pauses_and_waits(screen: Any, hub: Hub) -> None:
    gui, dialog = screen()
    hub.script = [Step(hold=HALF)]
    gui.click("modelGet", card(dialog))
    accept_terms(gui, dialog)
    gui.qtbot.waitUntil(hub.held.is_set, timeout=20_000)
    job = gui.window.models.downloads._jobs[ID]
    gui.window.close()
    assert job.thread is not None
    assert not job.thread.is_alive()
    assert not list(gui.store.paths.models.glob("*.gguf"))


def test_what_went_wrong_stands_on_the_card(screen: Any, hub: Hub) -> None:
    hub.head_status, hub.error_code = 403, "GatedRepo"
    gui, dialog = screen()
    gui.click("modelGet", card(dialog))
    accept_terms(gui, dialog)
    wait_ended(gui)
    gui.qtbot.waitUntil(lambda: text(card(dialog), "modelProblem") != "")
    assert str(gui.store.paths.models) in text(card(dialog), "modelProblem")
    assert visible(card(dialog), "modelGet")


def test_a_bug_in_a_download_is_no_endless_wait(screen: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    caught: list[object] = []
    monkeypatch.setattr(threading, "excepthook", caught.append)

    def broken(*_args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(download, "ask_hub", broken)
    gui, dialog = screen()
    gui.click("modelGet", card(dialog))
    accept_terms(gui, dialog)
    wait_ended(gui)
    gui.qtbot.waitUntil(lambda: "예상하지 못한" in text(card(dialog), "modelProblem"))
    gui.qtbot.waitUntil(lambda: len(caught) == 1)


def test_a_file_of_the_users_own(screen: Any, tmp_path: Path) -> None:
    gui, dialog = screen()
    mine = tmp_path / "내 모델.gguf"
    write_gguf(mine, "My <b>Gemma</b>")
    dialog.add_path(str(mine))
    gui.qtbot.waitUntil(lambda: text(card(dialog, str(mine)), "modelName") == "My <b>Gemma</b>")
    gui.click("modelRemove", card(dialog, str(mine)))
    assert mine.exists()
    assert str(mine) not in dialog.cards
    assert gui.store.settings.get_str(ADDED_MODELS) == "[]"


def test_a_file_that_is_no_model_is_refused(screen: Any, tmp_path: Path) -> None:
    _gui, dialog = screen()
    wrong = tmp_path / "letter.gguf"
    wrong.write_text("Dear all")
    dialog.add_path(str(wrong))
    assert "GGUF 모델 파일이 아니에요" in dialog.notice.text
    assert str(wrong) not in dialog.cards


def test_a_file_that_vanished_says_so(screen: Any, store: Store, tmp_path: Path) -> None:
    gone = tmp_path / "gone.gguf"
    store.settings.set(ADDED_MODELS, json.dumps([str(gone)]))
    gui, dialog = screen()
    gui.qtbot.waitUntil(lambda: "찾을 수 없어요" in text(card(dialog, str(gone)), "modelProblem"))
    assert not visible(card(dialog, str(gone)), "modelUse")


def test_a_file_put_into_the_folder_is_seen_on_coming_back(screen: Any) -> None:
    gui, dialog = screen()
    model = card(dialog).model.known
    assert model is not None
    write_gguf(gui.store.paths.models / model.file)
    gui.window.activateWindow()
    gui.qtbot.waitUntil(gui.window.isActiveWindow)
    dialog.activateWindow()
    gui.qtbot.waitUntil(lambda: visible(card(dialog), "modelUse"))


@pytest.mark.parametrize("look", ["light", "dark"])
def test_in_english_and_in_every_theme(screen: Any, store: Store, look: str) -> None:
    gui, dialog = screen()
    store.settings.set(LANGUAGE, "en")
    store.settings.set(THEME, look)
    gui.window.apply_settings()
    gui.qtbot.waitUntil(lambda: dialog.cards[ID].isVisible())
    words = " ".join(each.text() for each in dialog.findChildren(QLabel) if each.isVisible())
    assert "Gemma 4 E2B" in words
    assert not [word for word in words.split() if any("가" <= sign <= "힣" for sign in word)]
    for each in dialog.findChildren(QPushButton):
        assert each.text() or each.accessibleName() or not each.isVisible()
    assert not dialog.grab().isNull()
