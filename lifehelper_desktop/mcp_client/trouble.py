"""What went wrong with a server, in words for people. The texts of servers themselves are quoted, short and cleaned."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.storage.text import shorten


class Trouble(StrEnum):
    """Why a server is of no use now."""

    NOT_FOUND = "not_found"
    NOT_ALLOWED = "not_allowed"
    NOT_STARTED = "not_started"
    SLOW = "slow"
    ENDED = "ended"
    FLOOD = "flood"
    GARBAGE = "garbage"
    UNKNOWN_PROTOCOL = "unknown_protocol"


_WORDS: Final = {
    Trouble.NOT_FOUND: N_("프로그램을 찾지 못했어요. 설치되어 있는지, 이름이나 경로가 맞는지 봐 주세요."),
    Trouble.NOT_ALLOWED: N_("이 프로그램을 실행할 권한이 없어요."),
    Trouble.NOT_STARTED: N_("프로그램을 시작하지 못했어요."),
    Trouble.SLOW: N_("정해진 시간 안에 답하지 않았어요."),
    Trouble.ENDED: N_("프로그램이 끝났어요."),
    Trouble.FLOOD: N_("너무 많은 것을 보내서 연결을 끊었어요."),
    Trouble.GARBAGE: N_("MCP가 아닌 내용만 보내서 연결을 끊었어요."),
    Trouble.UNKNOWN_PROTOCOL: N_("서로 아는 MCP 버전이 없거나, 답을 알아들을 수 없었어요."),
}
_QUOTED_MAX: Final = 200


class ServerTrouble(Exception):  # noqa: N818 - of the server, told in words
    """A server cannot be used, or not in this call.

    Attributes:
        kind: What it is.
        detail: What the server said last, untrusted; may be empty.
    """

    def __init__(self, kind: Trouble, detail: str = "") -> None:
        """Name it."""
        super().__init__(kind.value)
        self.kind = kind
        self.detail = detail

    @property
    def words(self) -> str:
        """The same for people, in the language in force."""
        return words_of(self.kind, self.detail)


def words_of(kind: Trouble, detail: str = "") -> str:
    """Return the trouble in words, with what the server said last."""
    quoted = shorten(detail, _QUOTED_MAX)
    said = _("서버가 남긴 말: {words}").format(words=quoted) if quoted else ""
    return f"{_(_WORDS[kind])} {said}".strip()
