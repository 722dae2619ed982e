"""Why a question in SQL was refused, in words that say what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rapidfuzz import process

from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.storage.asking.views import BY_NAME
from lifehelper_desktop.storage.text import shorten

_NEAR: Final = 70  # likeness of two names, 0 to 100, from which on one is offered for the other
_LISTED: Final = 3  # tables whose columns are listed
_MESSAGE_MAX: Final = 120


class SqlRefused(Exception):  # noqa: N818 - a refusal, as the domain's
    """The question was not, or not wholly, answered; nothing has changed.

    Attributes:
        code: What kind: `sql_time`, `sql_no_column` …
        reason: What to do instead, in the user's language.
    """

    def __init__(self, code: str, reason: str) -> None:
        """Keep both."""
        super().__init__(reason)
        self.code = code
        self.reason = reason


_FIXED: Final = {
    "sql_empty": N_("SELECT 문을 하나 적어 주세요."),
    "sql_nul": N_("SQL에 쓸 수 없는 글자가 있어요. 그 글자를 빼고 다시 적어 주세요."),
    "sql_many": N_("한 번에 한 문장만 읽어요. SELECT 문 하나로 나누어 주세요."),
    "sql_not_select": N_("읽기만 할 수 있어요. SELECT 문으로 적어 주세요."),
    "sql_parameter": N_("?나 :이름 대신 값을 바로 적어 주세요."),
    "sql_too_long": N_("SQL이 너무 길어요. 더 짧게 적어 주세요."),
    "sql_too_complex": N_("SQL이 너무 복잡해요. 하위 질의나 WITH를 줄여서 나누어 물어 주세요."),
    "sql_columns": N_("열이 너무 많아요. * 대신 필요한 열의 이름만 적어 주세요."),
    "sql_too_big": N_("값 하나가 너무 길어져서 멈췄어요. 글을 잇지 말고 행으로 읽어 주세요."),
    "sql_memory": N_("결과를 만드는 데 메모리가 너무 많이 들어 멈췄어요. 기간이나 습관으로 좁혀 주세요."),
    "sql_time": N_("시간 안에 끝나지 않아 멈췄어요. 기간이나 습관으로 좁히고 끝이 있게 적어 주세요."),
    "sql_stopped": N_("사용자가 멈추었어요."),
    "sql_function_value": N_("함수에 넣을 수 없는 값이 있어요. printf의 폭은 999까지 숫자로 적어 주세요."),
    "sql_aggregate": N_("집계 함수가 놓일 수 없는 자리에 있어요. 집계로 거를 때는 HAVING을 써 주세요."),
}

_TODAY: Final = (N_("오늘은 {sql}처럼 읽어요"), "date('now')")
_MONTH: Final = (N_("달은 month 열이나 {sql}처럼 읽어요"), "strftime('%m', day)")
_WEEKDAY: Final = (N_("요일은 weekday나 weekday_no 열로 읽어요"), "")
_LIKE: Final = N_("{sql}처럼 적어요")
#: Functions of other databases: what to write here, and an example that goes into it.
_INSTEAD: Final = {
    "now": _TODAY,
    "curdate": _TODAY,
    "getdate": _TODAY,
    "month": _MONTH,
    "extract": _MONTH,
    "date_trunc": _MONTH,
    "year": (N_("해는 {sql}처럼 읽어요"), "strftime('%Y', day)"),
    "day": (N_("날은 {sql}처럼 읽어요"), "strftime('%d', day)"),
    "dayofweek": _WEEKDAY,
    "dayname": _WEEKDAY,
    "weekday": _WEEKDAY,
    "datediff": (N_("며칠 사이인지는 {sql}처럼 세요"), "julianday(a) - julianday(b)"),
    "to_char": (_LIKE, "strftime('%Y-%m', day)"),
    "date_format": (_LIKE, "strftime('%Y-%m', day)"),
    "date_sub": (_LIKE, "date(day, '-7 days')"),
    "date_add": (_LIKE, "date(day, '+7 days')"),
    "dateadd": (_LIKE, "date(day, '+7 days')"),
    "concat": (_LIKE, "title || note"),
    "if": (_LIKE, "iif(kept, 1, 0)"),
    "left": (_LIKE, "substr(note, 1, 10)"),
    "string_agg": (_LIKE, "group_concat(note, ', ')"),
}


def refused(code: str) -> SqlRefused:
    """Return the refusal of this code, which says the same every time."""
    return SqlRefused(code, _(_FIXED[code]))


def no_table(name: str) -> SqlRefused:
    """Return the refusal of a table that may not be asked: with the name that may be meant, and those that exist.

    `name` may be empty: SQLite does not always say it.
    """
    words = _("‘{name}’ 표는 없어요.").format(name=shorten(name, 40)) if name else _("그런 표는 없어요.")
    return SqlRefused("sql_no_table", _with_near(f"{words} {_tables()}", name, list(BY_NAME)))


def _tables() -> str:
    return _("있는 표: {names}.").format(names=", ".join(BY_NAME))


def no_function(name: str) -> SqlRefused:
    """Return the refusal of a function that does not exist or may not be used."""
    words = _("{name} 함수는 쓸 수 없어요.").format(name=shorten(name, 40))
    instead = _INSTEAD.get(name.casefold())
    if instead is not None:
        message, sql = instead
        words += " " + _("대신 {instead}.").format(instead=_(message).format(sql=sql))
    return SqlRefused("sql_no_function", words)


def no_column(name: str, tables: Iterable[str]) -> SqlRefused:
    """Return the refusal of an unknown column: with the columns of the tables that the question names."""
    shown = [BY_NAME[table] for table in dict.fromkeys(tables) if table in BY_NAME]
    column = name.rpartition(".")[2]
    words = _("‘{name}’ 열은 없어요.").format(name=shorten(name, 40))
    for view in shown[:_LISTED]:
        words += " " + _("{table}의 열: {names}.").format(table=view.name, names=", ".join(view.columns))
    if not shown:
        words += " " + _tables()
    columns = list(dict.fromkeys(each for view in shown or BY_NAME.values() for each in view.columns))
    return SqlRefused("sql_no_column", _with_near(words, column, columns))


def _with_near(words: str, name: str, names: Sequence[str]) -> str:
    found = process.extractOne(name.casefold(), names, score_cutoff=_NEAR)
    if found is None or found[0] == name:
        return words
    return _("{words} 혹시 {near}인가요?").format(words=words, near=found[0])


def _ambiguous(name: str) -> SqlRefused:
    words = _("{name} 열이 여러 표에 있어요. 표 이름을 앞에 붙여 주세요: entries.{name}")
    return SqlRefused("sql_ambiguous", words.format(name=shorten(name.rpartition(".")[2], 40)))


def _syntax(near: str) -> SqlRefused:
    words = _("‘{near}’ 가까이에서 문법이 맞지 않아요. SQLite의 SELECT 문법으로 고쳐 주세요.")
    return SqlRefused("sql_syntax", words.format(near=shorten(near, 40)))


def _arguments(name: str) -> SqlRefused:
    words = _("{name} 함수에 넣은 값의 수가 맞지 않아요.").format(name=shorten(name, 40))
    return SqlRefused("sql_function_arguments", words)


def _unfinished(_found: str) -> SqlRefused:
    return SqlRefused("sql_syntax", _("문장이 끝나지 않았어요. 따옴표와 괄호를 닫고 SELECT 문을 끝까지 적어 주세요."))


def _by_code(code: str) -> Callable[[str], SqlRefused]:
    return lambda _found: refused(code)


# SQLite's messages; the group is what they name. They have been the same for many years, and one that is not known here
# is passed on as it is.
_MESSAGES: Final[tuple[tuple[re.Pattern[str], Callable[[str], SqlRefused]], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), make)
    for pattern, make in (
        (r"no such table: (?:(?:main|temp)\.)?(.+)", no_table),
        (r"access to (?:(?:main|temp)\.)?(.+)\.[^.]* is prohibited", no_table),
        (r"no such function: (.+)", no_function),
        (r"not authorized to use function: (.+)", no_function),
        (r"ambiguous column name: (.+)", _ambiguous),
        (r'near "(.+)": syntax error', _syntax),
        (r'unrecognized token: "(.*)"', _syntax),
        (r"wrong number of arguments to function (.+)\(\)", _arguments),
        (r"(user-defined function raised)", _by_code("sql_function_value")),
        (r"(incomplete input)", _unfinished),
        (r"(misuse of (?:aggregate|window)|aggregate functions are not allowed)", _by_code("sql_aggregate")),
        (r"(You can only execute one statement)", _by_code("sql_many")),
        (r"(Incorrect number of bindings|variable number must be|too many SQL variables)", _by_code("sql_parameter")),
        (r"(string or blob too big)", _by_code("sql_too_big")),
        (r"(too many columns)", _by_code("sql_columns")),
        (
            r"(parser stack overflow|too many|Expression tree is too large|at most \d+ tables)",
            _by_code("sql_too_complex"),
        ),
        (r"(cannot modify|attempt to write a readonly)", _by_code("sql_not_select")),
        (r"(query string is too large)", _by_code("sql_too_long")),
    )
)
# Newer versions quote the name and go on: `no such column: "x" - should this be a string literal …`.
_NO_COLUMN: Final = re.compile(r'no such column: "?(.+?)"?(?: - should this be .*)?\Z', re.DOTALL)


def from_message(message: str, tables: Iterable[str], secret: str) -> SqlRefused:
    """Return the refusal that SQLite's `message` comes to.

    Args:
        message: What SQLite says, in English.
        tables: Those that the question names.
        secret: The prefix of the inner names, which must never be told.
    """
    message = message.replace(secret, "")
    missing = _NO_COLUMN.match(message)
    if missing is not None:
        return no_column(missing[1], tables)
    for pattern, make in _MESSAGES:
        found = pattern.match(message)
        if found is not None:
            return make(found[1])
    words = _("SQLite가 이렇게 답했어요: {message}").format(message=shorten(message, _MESSAGE_MAX))
    return SqlRefused("sql_error", words)
