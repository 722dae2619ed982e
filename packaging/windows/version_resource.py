"""The version resource of the `.exe` files: what Explorer shows under properties, and the task manager as the name."""

from __future__ import annotations

from typing import Final

_KOREAN, _UNICODE = 0x0412, 1200
_ENGLISH: Final = 0x0409
_TEXT: Final = """\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3f, flags=0x0, OS=0x40004, fileType=0x1,
                    subtype=0x0, date=(0, 0)),
  kids=[
    StringFileInfo([
{tables}
    ]),
    VarFileInfo([VarStruct('Translation', [{translations}])]),
  ],
)
"""


def four_numbers(version: str) -> tuple[int, int, int, int]:
    """Return `1.2.3` as the four numbers that Windows compares; what follows the numbers (`rc1`) is left out.

    Raises:
        ValueError: It does not begin with a number.
    """
    numbers: list[int] = []
    for part in version.split(".")[:4]:
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if digits:
            numbers.append(min(int(digits), 0xFFFF))
        if digits != part:
            break
    if not numbers:
        raise ValueError(f"{version!r} is no version")
    padded = (*numbers, 0, 0, 0)
    return padded[0], padded[1], padded[2], padded[3]


def version_text(version: str, program: str) -> str:
    """Return the file that PyInstaller's EXE takes as `version`, for the program `program`.exe."""
    tables = []
    for language, product, words in (
        (_KOREAN, "라이프 헬퍼", "내 컴퓨터 안에서만 사는 습관 코치"),
        (_ENGLISH, "LifeHelper", "A habit coach that lives on your own machine"),
    ):
        # The task manager lists programs by FileDescription, so the name stands there.
        strings = {
            "CompanyName": "LifeHelper",
            "FileDescription": product,
            "Comments": words,
            "FileVersion": version,
            "InternalName": program,
            "OriginalFilename": f"{program}.exe",
            "ProductName": product,
            "ProductVersion": version,
        }
        rows = ", ".join(f"StringStruct({key!r}, {value!r})" for key, value in strings.items())
        tables.append(f"      StringTable('{language:04x}{_UNICODE:04x}', [{rows}]),")
    translations = ", ".join(str(each) for each in (_KOREAN, _UNICODE, _ENGLISH, _UNICODE))
    return _TEXT.format(numbers=four_numbers(version), tables="\n".join(tables), translations=translations)
