"""`lifehelper chat --events agui`: the stream on standard output, answers on standard input, Ctrl-C, a reader gone."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import threading
from typing import Any

import pytest

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.llm.protocol import LlmError, LlmFunctionCall, LlmTextChunk
from tests.cli.conftest import Cli
from tests.helpers.agui import Client, read_lines
from tests.helpers.scripted_llm import ScriptedLlmService, ScriptPause

LOG = LlmFunctionCall("log_tracker_entry", {"habit_id": 1, "value": "done"})


@pytest.fixture
def walk(cli: Cli) -> Cli:
    """A command line whose user has one habit."""
    assert cli("add", "daily-steps", "--text", "저녁을 먹은 뒤 20분 걷는다")[0] == 0
    return cli


def _client(out: str) -> Client:
    return Client().follow(read_lines(out)).end()


def test_the_stream_is_all_that_is_printed(walk: Cli) -> None:
    walk.llm = ScriptedLlmService([[LOG], [LlmTextChunk("잘했어요.")], [LlmTextChunk("네.")]])
    code, out = walk("chat", "오늘 걷기 다 했어, 기록해 줘", "또 있어?", "--events", "agui", "--yes")
    assert code == 0
    client = _client(out)
    assert client.outcomes == ["success", "success"]
    assert "waiting_for_you" not in client.steps  # --yes: nobody was asked
    assert client.messages[-1]["content"] == "네."
    assert walk.llm.close_count == 1
    assert walk.json("habits")["data"]["items"][0]["today"] == "done"


def test_without_yes_and_without_a_terminal_nothing_is_written(walk: Cli) -> None:
    walk.llm = ScriptedLlmService([[LOG], [LlmTextChunk("그대로 둘게요.")]])
    code, out = walk("chat", "기록해 줘", "--events", "agui")
    assert code == 0
    assert _client(out).outcomes == ["success"]
    assert walk.json("habits")["data"]["items"][0]["today"] is None


def test_a_failed_turn_is_a_run_error_and_exit_code_3(cli: Cli) -> None:
    cli.llm = ScriptedLlmService([[LlmError("decode", "모델이 답하지 못했어요.")], [LlmTextChunk("네.")]])
    code, out = cli("chat", "안녕", "또", "--events", "agui")
    assert code == 3
    assert _client(out).outcomes == ["error", "success"]


def test_data_that_cannot_be_read_is_a_run_error(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object) -> None:
        raise WorldError("기록 파일을 열지 못했어요.", "다시 켜 주세요.")

    monkeypatch.setattr(Cli, "_open", staticmethod(broken))
    code, out = cli("chat", "안녕", "--events", "agui")
    assert code == 3
    assert _client(out).outcomes == ["error"]
    assert "기록 파일을 열지 못했어요." in cli.err


def test_plain_events_are_those_of_json(cli: Cli) -> None:
    def lines(*how: str) -> list[Any]:
        cli.llm = ScriptedLlmService([[LlmTextChunk("네.")]])
        return [json.loads(line) for line in cli("chat", "안녕", *how)[1].splitlines()]

    plain = lines("--events", "plain")
    assert plain == lines("--json")
    assert [row["type"] for row in plain] == [
        "user_message",
        *["model_loading"] * 3,
        "prompt_reading",
        "text",
        "model_message",
        "turn_finished",
    ]


class Answers:
    """Standard input that answers the question it has seen on standard output."""

    def __init__(self, cli: Cli, answer: str) -> None:
        """Answer with `answer`, in which `ID` stands for the question's id."""
        self.cli, self.answer = cli, answer
        self.seen = ""

    def isatty(self) -> bool:
        """Not a terminal."""
        return False

    def readline(self, _size: int = -1) -> str:
        """Return the answer."""
        self.seen += self.cli.capsys.readouterr().out
        last = json.loads(self.seen.splitlines()[-1])
        return self.answer.replace("ID", last["outcome"]["interrupts"][0]["id"])


def _resume(status: str, **more: object) -> str:
    return json.dumps({"resume": [{"interruptId": "ID", "status": status, **more}]}) + "\n"


@pytest.mark.parametrize(
    ("answer", "status", "is_clear"),
    [
        (_resume("resolved", payload={"approved": True}), "ok", True),
        (_resume("resolved", payload={"approved": False}), "cancelled", True),
        (_resume("cancelled"), "cancelled", True),
        (_resume("resolved", payload={"approved": "yes"}), "cancelled", True),
        (_resume("resolved").replace("ID", "another"), "cancelled", False),
        (_resume("perhaps"), "cancelled", False),
        ("[" * 100_000, "cancelled", False),
        ("네\n", "cancelled", False),
        ("", "cancelled", False),
    ],
)
def test_a_program_answers_the_question(
    walk: Cli, monkeypatch: pytest.MonkeyPatch, answer: str, status: str, is_clear: bool
) -> None:
    answers = Answers(walk, answer)
    monkeypatch.setattr(sys, "stdin", answers)
    walk.llm = ScriptedLlmService([[LOG], [LlmTextChunk("네.")]])
    code, out = walk("chat", "기록해 줘", "--events", "agui", "--resume-stdin")
    assert code == 0
    assert ("읽지 못해서" in walk.err) is not is_clear
    client = _client(answers.seen + out)
    assert client.outcomes == ["interrupt", "success"]
    assert json.loads(client.messages[2]["content"])["status"] == status
    assert (walk.json("habits")["data"]["items"][0]["today"] == "done") is (status == "ok")


def test_answers_on_standard_input_need_the_stream(cli: Cli) -> None:
    assert cli("chat", "안녕", "--resume-stdin")[0] == 2


def _ctrl_c() -> None:
    main = threading.main_thread().ident
    assert main is not None
    signal.pthread_kill(main, signal.SIGINT)


def _interrupt(pause: ScriptPause) -> threading.Thread:
    def send() -> None:
        assert pause.reached.wait(60)
        _ctrl_c()

    sender = threading.Thread(target=send)
    sender.start()
    return sender


@pytest.mark.parametrize("place", ["loading", "writing"])
@pytest.mark.skipif(sys.platform == "win32", reason="no signal can be sent to a thread there")
def test_ctrl_c_stops_the_turn_and_closes_the_stream(cli: Cli, place: str) -> None:
    pause = ScriptPause()
    cli.llm = ScriptedLlmService([[LlmTextChunk("여기까지"), *([pause] if place == "writing" else [])]])
    if place == "loading":
        cli.llm.load_pause = pause
    before = signal.getsignal(signal.SIGINT)
    sender = _interrupt(pause)
    code, out = cli("chat", "길게 말해 줘", "이건 보내지 않는다", "--events", "agui")
    sender.join()
    assert code == 130
    client = _client(out)
    assert client.outcomes == ["cancelled"]
    if place == "writing":
        assert client.messages[-1]["content"] == "여기까지"
    assert signal.getsignal(signal.SIGINT) is before
    assert len(cli.json("conversations", "list")) >= 1


class Stubborn(ScriptedLlmService):
    """A model that does not hear Stop."""

    def request_stop(self) -> None:
        """Count only."""
        self.stop_count += 1
        _ctrl_c()  # the user's second one


@pytest.mark.skipif(sys.platform == "win32", reason="no signal can be sent to a thread there")
def test_a_second_ctrl_c_ends_at_once_and_closes_the_stream(cli: Cli) -> None:
    pause = ScriptPause()
    cli.llm = Stubborn([[LlmTextChunk("여기까지"), pause]])
    sender = _interrupt(pause)
    code, out = cli("chat", "안녕", "--events", "agui")
    sender.join()
    assert code == 130
    client = _client(out)
    assert client.outcomes == ["cancelled"]
    assert client.messages[-1]["content"] == "여기까지"


def test_ctrl_c_at_the_question_ends_the_program_with_the_question_told(
    walk: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

        def readline(self, _size: int = -1, /) -> str:  # type: ignore[override]
            signal.raise_signal(signal.SIGINT)
            raise AssertionError("Ctrl-C was not heard")

    monkeypatch.setattr(sys, "stdin", Terminal())
    walk.llm = ScriptedLlmService([[LOG], [LlmTextChunk("네.")]])
    code, out = walk("chat", "기록해 줘", "--events", "agui")
    assert code == 130
    assert _client(out).outcomes == ["interrupt"]
    assert walk.json("habits")["data"]["items"][0]["today"] is None


def test_a_reader_that_has_gone_stops_the_turn(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    printed: list[object] = []

    def full(_context: CliContext, value: object) -> None:
        if len(printed) == 3:
            raise BrokenPipeError
        printed.append(value)

    monkeypatch.setattr(CliContext, "print_json", full)
    monkeypatch.setattr(sys, "stderr", io.StringIO())  # it is closed when nobody reads
    cli.llm = ScriptedLlmService([[LlmTextChunk("하나"), LlmTextChunk("둘")], [LlmTextChunk("셋")]])
    assert cli("chat", "안녕", "또", "--events", "agui")[0] == 0
    assert len(printed) == 3
    assert cli.llm.stop_count
    assert cli.llm.user_texts in ([], ["안녕"])


def test_the_protocol_is_loaded_only_where_it_is_spoken() -> None:
    code = (
        "import sys, lifehelper_desktop.cli.main, lifehelper_desktop.chat.controller, lifehelper_desktop.chat.progress;"
        "print(sorted(set(sys.modules) & {'ag_ui', 'pydantic', 'mcp'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
