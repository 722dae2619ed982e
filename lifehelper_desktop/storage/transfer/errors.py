"""Why a file cannot be read or an import cannot be carried out, told in words with the next step."""

from __future__ import annotations

from lifehelper_desktop.base.errors import WorldError


class TransferError(WorldError):
    """A file or an import that was refused; nothing was written.

    Attributes:
        code: `unreadable`, `unknown_format`, `too_new`, `too_old`, `too_large`, `bad_rows`, `bad_choice`, `nothing`,
            `not_found`, `unknown_zone` (read it again with a zone) or `stopped`.
    """

    def __init__(self, code: str, message: str, next_step: str = "") -> None:
        """Keep the code and both sentences, which are in the language in force."""
        super().__init__(message, next_step)
        self.code = code
