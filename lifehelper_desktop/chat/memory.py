"""What is left of the beginning of a long conversation: made, told to the model, stored, and deleted by the user."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Callable
from typing import Final

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.chat.keeping import ConversationKeeper
from lifehelper_desktop.chat.messages import SummaryChanged, SummaryRunning
from lifehelper_desktop.chat.summary import (
    PROSE_MAX,
    RULE_MAX,
    Exchange,
    by_rule,
    clean_prose,
    exchanges_of,
    instruction,
    recap_note,
    recap_turn,
    with_changes,
)
from lifehelper_desktop.chat.talk import Talk
from lifehelper_desktop.llm.protocol import LlmChatSession, LlmError, LlmModelInfo, LlmStopped, LlmTrim, LlmTurn
from lifehelper_desktop.storage.store import Store
from lifehelper_desktop.storage.talk_summaries import SummaryMaker, TalkSummary

_log = logging.getLogger(__name__)

_BLOCK: Final = 8
"""A model that holds no conversation is summarised for in steps of so many messages; the last ones stay out of it."""
_PROSE_TOKENS: Final = 200


class TalkMemory:
    """Used on the thread that runs the conversation.

    The moment exchanges are left out, what the data says of them takes their place (`recap`). A chat-tuned model puts
    that into better words when it rests (`tidy`), and is told so beside the next message, which costs no reading anew.

    Attributes:
        summary: What stands for the beginning, or None; without text once the user deleted it.
        may_tidy: A model may put the summary into better words.
    """

    def __init__(self, store: Store, keeper: ConversationKeeper, talk: Talk, language: str, before: int = 0) -> None:
        """Remember for `talk`; `before` exchanges were told to the model ahead of the first message."""
        self._store = store
        self._keeper = keeper
        self._talk = talk
        self._language = language
        self._before = before
        self.clear()

    def clear(self) -> None:
        """A new conversation."""
        self.summary: TalkSummary | None = None
        self.may_tidy = False
        self._told_by_model: TalkSummary | None = None  # its prose, and how far it reaches
        self._told = ""  # by the last recap
        self._overtaken = False  # it was deleted by another hand, and the model has still to be told so
        self._unheard: set[int] = set()
        self._kept: int | None = None
        self._is_whole = True

    def open(self, conversation_id: int) -> None:
        """Take up what was stored with a conversation, and tell of it.

        Raises:
            WorldError: It could not be read.
        """
        self.clear()
        self._kept = conversation_id
        self.summary = self._store.summaries.get(conversation_id)
        if self.summary is not None:
            if self.summary.text and self.summary.maker is SummaryMaker.MODEL:
                self._told_by_model = self.summary
            self._talk.emit(SummaryChanged(self.summary))

    # -- what the model is told

    def session_begins(self) -> None:
        """The model is told all that was said so far."""
        self._unheard.clear()

    def not_heard(self) -> None:
        """The message that was just sent is answered without the model."""
        self._unheard.add(len(self._exchanges()))

    def recap(self, dropped: int) -> LlmTurn | None:
        """Return what the model is told in the place of its `dropped` oldest exchanges (`LlmPrompt.recap`)."""
        summary = self._reaching(self._covered_by(dropped))
        self._told = summary.text if summary is not None else ""
        return recap_turn(self._told, self._language) if self._told else None

    def look_again(self, session: LlmChatSession | None) -> None:
        """Before a turn: a summary that another program deleted meanwhile is told no longer."""
        if self._overtaken and self.summary is not None:
            self._forgotten(self.summary, session)
        if self._kept is None or self.summary is None or self._kept != self._keeper.conversation_id:
            return
        try:
            stored = self._store.summaries.get(self._kept)
        except WorldError as error:
            _log.warning("the summary could not be read: %s", error)
            return
        if stored is not None and stored.forgotten > self.summary.forgotten:
            self._forgotten(stored, session)
            self._talk.emit(SummaryChanged(stored))

    # -- after a turn, and at rest

    def after_turn(self, trim: LlmTrim, info: LlmModelInfo | None, session: LlmChatSession | None) -> bool:
        """Summarise by rule what the model has left out by now; return whether that is more than before.

        `trim` counts what the session has left out. A model that is not chat-tuned holds no conversation at all:
        for it the last messages stay out of the summary.
        """
        if info is None:
            return False
        self._see_what_is_kept()
        covers = self._covered_by(trim.exchanges) if info.chat_tuned else self._left_behind()
        summary = self._reaching(covers)
        if summary is None or summary == self.summary:
            return False
        self.may_tidy = info.chat_tuned
        self._keep(summary)
        text = self.summary.text if self.summary is not None else ""
        if text and text != self._told and info.chat_tuned and session is not None:
            session.retell(recap_note(text, self._language))
        return bool(text)

    def tidy(self, session: LlmChatSession | None, interrupted: Callable[[], bool]) -> None:
        """Let the model put the summary into better words; stopped at once when someone stops the session.

        What the conversation has read stays. A stopped try is made again at the next rest, a failed one is not.
        """
        summary = self.summary
        if not self.may_tidy or session is None or summary is None or not summary.text or interrupted():
            return
        exchanges = self._exchanges()[: summary.covers]
        before = self._told_by_model
        so_far, since = ("", summary.forgotten) if before is None else (before.text, before.covers)
        asked = instruction(exchanges[since:], so_far, self._language)
        self.may_tidy = False
        self._talk.emit(SummaryRunning(True))
        try:
            raw = session.generate_text(asked, max_tokens=_PROSE_TOKENS, spare=True)
        except LlmStopped:
            self.may_tidy = True
            return
        except LlmError as error:
            _log.warning("the summary by rule stays: the model failed: %s", error.kind)
            return
        finally:
            self._talk.emit(SummaryRunning(False))
        prose = clean_prose(raw, self._language)
        if not prose:
            _log.info("the summary by rule stays: the model's does not pass")
            return
        text = with_changes(prose, exchanges[summary.forgotten :])
        self._keep(TalkSummary(text, SummaryMaker.MODEL, summary.covers, summary.forgotten))
        if self.summary is not None and self.summary.text:
            self._told_by_model = dataclasses.replace(self.summary, text=prose)
            session.retell(recap_note(self.summary.text, self._language))

    def forget(self, session: LlmChatSession | None) -> None:
        """The user deletes the summary: the model is told it no longer, and none is made of the same exchanges."""
        if self.summary is None:
            return
        # Also where it is empty already: whoever emptied it has not told the model.
        empty = dataclasses.replace(self.summary, text="", forgotten=self.summary.covers)
        is_news = empty != self.summary
        self._forgotten(empty, session)
        if is_news:
            self._keep(empty)

    # -- inside

    def _forgotten(self, empty: TalkSummary, session: LlmChatSession | None) -> None:
        self.summary = empty
        self.may_tidy = self._overtaken = False
        self._told_by_model = None
        if session is not None:
            session.retell("")

    def _exchanges(self) -> list[Exchange]:
        return exchanges_of(self._talk.state.messages)

    def _covered_by(self, dropped: int) -> int:
        """Return how many of the user's messages stand before what a session that left out `dropped` still holds."""
        heard = [
            number
            for number, exchange in enumerate(self._exchanges(), 1)
            if exchange.is_answered and number not in self._unheard
        ]
        place = min(dropped - self._before, len(heard))
        return heard[place - 1] if place > 0 else 0

    def _left_behind(self) -> int:
        count = len(self._exchanges())
        return (count - 1) // _BLOCK * _BLOCK if count else 0

    def _reaching(self, covers: int) -> TalkSummary | None:
        """Return the summary when it reaches `covers` messages, or one by rule, or by model and rule, that does."""
        old = self.summary
        if covers <= (old.covers if old is not None else 0):
            return old
        exchanges = self._exchanges()[:covers]
        if old is None:
            return TalkSummary(by_rule(exchanges), SummaryMaker.RULE, covers)
        if old.text and old.maker is SummaryMaker.MODEL:
            newer = by_rule(exchanges[old.covers :], RULE_MAX // 2)
            text = f"{old.text}\n{newer}"
            if len(text) <= RULE_MAX + PROSE_MAX:
                return TalkSummary(text, old.maker, covers, old.forgotten)
        return TalkSummary(by_rule(exchanges[old.forgotten :]), SummaryMaker.RULE, covers, old.forgotten)

    def _see_what_is_kept(self) -> None:
        """What was said before a conversation was kept must not come to lie on the disk by way of its summary."""
        number = self._keeper.conversation_id
        if number != self._kept:
            self._kept = number
            self._is_whole = len(self._exchanges()) <= 1

    def _keep(self, summary: TalkSummary) -> None:
        self.summary = summary
        number = self._keeper.conversation_id
        if number is not None and number == self._kept and self._is_whole:
            try:
                self.summary = self._store.summaries.save(number, summary) or summary
            except WorldError as error:
                _log.warning("the summary is not stored: %s", error)
        if self.summary.forgotten > summary.forgotten:
            self.may_tidy, self._overtaken, self._told_by_model = False, True, None
        self._talk.emit(SummaryChanged(self.summary))
