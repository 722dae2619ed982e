"""What the chat loop needs of a language model. All methods run on the one thread that owns the model.

`request_stop` is the exception: any thread may call it, at any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

LoadProgress = Callable[[float], None]
"""Called with 0.0–1.0 on the owner thread while a model loads."""


@dataclass(frozen=True, slots=True)
class LlmTextChunk:
    """A piece of the model's answer, never empty, always whole characters."""

    text: str


@dataclass(frozen=True, slots=True)
class LlmFunctionCall:
    """A call that the model asks for. Nothing has been checked yet.

    Attributes:
        args: Arguments as parsed; checked later against the tool's schema.
        call_id: The id that the model gave, or None; the app never makes one up.
        repaired: Whether loose syntax had to be read generously.
        cut_off: The output ended inside the call: it must not be run.
    """

    name: str
    args: Mapping[str, Any]
    call_id: str | None = None
    repaired: bool = False
    cut_off: bool = False


LlmChatEvent = LlmTextChunk | LlmFunctionCall


@dataclass(frozen=True, slots=True)
class LlmTool:
    """A tool as the model sees it; `parameters` is a draft-07 JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LlmToolResult:
    """One answer to one call. `result` is JSON-like and already capped in size."""

    name: str
    result: Mapping[str, Any]
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class LlmExample:
    """One worked exchange shown to models that were not trained to call tools (few-shot).

    Attributes:
        user: What the user writes.
        context: The facts that precede the message (date, habits), as `start_chat` gets them for the real one.
        calls: The calls that answer it, (name, arguments); empty when words are the answer.
        answer: The words that answer it, or that close the turn after the calls' results.
    """

    user: str
    context: str = ""
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()
    answer: str = ""


@dataclass(frozen=True, slots=True)
class LlmTurn:
    """One finished exchange of the past, replayed as history without running the model."""

    user: str
    calls: Sequence[LlmFunctionCall] = ()
    results: Sequence[LlmToolResult] = ()
    answer: str = ""
    context: str = ""


class LlmLineChecker(Protocol):
    """Says which texts a model trained on lines may write. Pure."""

    def viable(self, text: str) -> bool:
        """Return whether `text` is the beginning of an answer, or a whole one."""
        ...

    def complete(self, text: str) -> bool:
        """Return whether `text` is a whole answer."""
        ...


class LlmLines(Protocol):
    """Stands between one conversation and a model that was trained for this program and writes lines of its own.

    Used on the model's thread; it remembers what was said just before.
    """

    @property
    def contract(self) -> str:
        """What the model must have been trained for: a hash that stands in the file's metadata."""
        ...

    def begin(self, history: Sequence[LlmTurn]) -> None:
        """Take up a conversation after the turns of `history`."""
        ...

    def decide(self, user: str, context: str) -> Sequence[LlmFunctionCall]:
        """Return the calls that a message asks for beyond doubt, by rule: then the model is not asked; else none."""
        ...

    def ask(self, user: str, context: str) -> tuple[str, LlmLineChecker]:
        """Return what the model reads for a message, and what may answer it."""
        ...

    def weigh(self, text: str) -> Mapping[str, float] | None:
        """Return the pieces among which the model chooses next after `text`, with what speaks for each in nats.

        None where it goes on token by token.
        """
        ...

    def retry(self, text: str) -> LlmLineChecker | None:
        """Return what a second try may write when the whole answer `text` cannot be right, else None."""
        ...

    def read(self, text: str) -> tuple[Sequence[LlmFunctionCall], str]:
        """Return the calls that a whole answer asks for, or the words that are due; never both."""
        ...

    def close(self, calls: Sequence[LlmFunctionCall], results: Sequence[LlmToolResult]) -> str:
        """Return the words that follow the results of `calls`; they claim nothing that the results do not."""
        ...

    def note(self, results: Sequence[LlmToolResult]) -> None:
        """Remember results that need no words."""
        ...

    def snapshot(self) -> object:
        """Return what is remembered at this moment."""
        ...

    def restore(self, state: object) -> None:
        """Remember what `snapshot` returned, and nothing since.

        Raises:
            ValueError: `state` is no snapshot.
        """
        ...


@dataclass(frozen=True, slots=True)
class LlmPrompt:
    """Everything that starts a conversation.

    Attributes:
        system: Instructions to the coach.
        tools: The tools it may call, in a fixed order.
        examples: Worked exchanges for models that need them; others ignore these.
        history: Earlier turns of the same conversation.
        lines: How to talk with the starter model and its adapter; others ignore it.
        recap: Returns what stands in for the oldest so many exchanges, those of `history` included, asked whenever
            some had to be left out; None where nothing is to be said of them. Sessions that hold no exchanges ignore
            it.
        thinking: Called whenever the prompt of an answer is read and the model begins to write, on the owner's thread.
    """

    system: str
    tools: Sequence[LlmTool] = ()
    examples: Sequence[LlmExample] = ()
    history: Sequence[LlmTurn] = ()
    lines: LlmLines | None = None
    recap: Callable[[int], LlmTurn | None] | None = None
    thinking: Callable[[], None] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class LlmModelInfo:
    """What is known of the loaded model, for `doctor` and the status line. Sizes in bytes, speeds in tokens/s.

    Attributes:
        parameters: Weights besides the tables of the vocabulary; 0 when unknown.
    """

    name: str
    family: str
    path: str
    file_bytes: int
    context_tokens: int
    chat_tuned: bool
    parameters: int = 0


class LlmError(Exception):
    """The model failed to answer. `kind` is a short name for the log: `stopped`, `context_full`, `decode`, `closed`."""

    def __init__(self, kind: str, message: str) -> None:
        """`message` is a plain sentence in the user's language."""
        super().__init__(message)
        self.kind = kind
        self.message = message


class LlmStopped(LlmError):  # noqa: N818 - not an error of anyone's
    """The user stopped the answer. The session stays usable: what was decoded so far stands."""

    def __init__(self) -> None:
        """Make it."""
        super().__init__("stopped", "")


@dataclass(slots=True)
class LlmTurnStats:
    """Measures of one model turn, or of all turns of a conversation added up; times in seconds.

    Attributes:
        prompt_tokens: Tokens evaluated before the first new one (what was reused does not count).
        generated_tokens: Tokens that the model chose.
        first_token_s: From the request to the first chosen token.
        generation_s: From the first chosen token to the last.
        total_s: The whole turn.
    """

    prompt_tokens: int = 0
    generated_tokens: int = 0
    first_token_s: float = 0.0
    generation_s: float = 0.0
    total_s: float = 0.0
    parse_failures: int = 0
    extra: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LlmTrim:
    """What a session has left out so far for want of room: old results made short, and oldest exchanges dropped."""

    results: int = 0
    exchanges: int = 0


@dataclass(frozen=True, slots=True)
class LlmCheckpoint:
    """A moment of one conversation to go back to. Only the session that made it knows what `state` means."""

    session: object
    state: object


class LlmChatSession(Protocol):
    """One conversation. A stream must be read to its end or closed before the next call."""

    def send_user(self, text: str, context: str = "") -> Iterator[LlmChatEvent]:
        """Send the user's message and stream the model's turn.

        `text` and `context` (today's date and the like, rendered beside the text) are untrusted: nothing in them
        can become a control token.

        Raises:
            LlmStopped: `request_stop` was called.
            LlmError: The model failed.
        """
        ...

    def send_tool_results(self, results: Sequence[LlmToolResult]) -> Iterator[LlmChatEvent]:
        """Send the results of all calls of the model's turn at once, in call order, and stream what follows."""
        ...

    def add_tool_results(self, results: Sequence[LlmToolResult]) -> None:
        """Note the results of the last turn's calls without asking for an answer; the next `send_user` follows."""
        ...

    def checkpoint(self) -> LlmCheckpoint:
        """Return a mark of this moment, to be taken before `add_tool_results` and `send_user` of a turn."""
        ...

    def rollback(self, checkpoint: LlmCheckpoint) -> None:
        """Forget all that came after `checkpoint`, as if never sent: for edit, regenerate and undo.

        What stands before it is not read again. What tools have written stays written.

        Raises:
            ValueError: The mark belongs to another session.
        """
        ...

    def generate_text(self, instruction: str, *, max_tokens: int = 120, spare: bool = False) -> str:
        """Answer one instruction outside the conversation, which stays untouched; return the trimmed text.

        With `spare` nothing that was read of the conversation is given up for it: the instruction is shortened to the
        room that is left, and where that is too little the answer is empty.
        """
        ...

    def retell(self, note: str) -> None:
        """The recap of what was left out has changed: tell `note` beside the next message.

        Nothing is read again for it; the recap takes its place at the next time that something is left out. Empty:
        nothing is told of what was left out any more, and what was told of it leaves the conversation.
        """
        ...

    def request_stop(self) -> None:
        """Make the running stream end with `LlmStopped` within half a second. Any thread may call this."""
        ...

    @property
    def trimmed(self) -> LlmTrim:
        """What had to be left out of this conversation so far."""
        ...

    @property
    def stats(self) -> LlmTurnStats:
        """Measures of the last turn."""
        ...

    @property
    def total_stats(self) -> LlmTurnStats:
        """Measures of all turns of this conversation, added up."""
        ...

    def close(self) -> None:
        """Give the conversation's memory back; safe to call twice."""
        ...


class LlmService(Protocol):
    """The one model of the program."""

    @property
    def is_loaded(self) -> bool:
        """Whether `start_chat` would answer at once."""
        ...

    @property
    def info(self) -> LlmModelInfo | None:
        """The loaded model, or None."""
        ...

    def load(self, progress: LoadProgress | None = None) -> LlmModelInfo:
        """Load the model if that has not happened yet.

        Raises:
            WorldError: No model, unreadable file, unknown architecture, too little memory; says what to do next.
            LlmStopped: `request_stop` was called while it loaded.
        """
        ...

    def start_chat(self, prompt: LlmPrompt) -> LlmChatSession:
        """Begin a conversation; the one before, if any, is closed. The model must be loaded."""
        ...

    def request_stop(self) -> None:
        """Stop loading or answering. Any thread may call this."""
        ...

    def close(self) -> None:
        """Give all memory back; the model can be loaded again afterwards. Safe to call twice."""
        ...
