"""Write the manual pages from the programs' own parsers: `python manpages.py FOLDER`. Runs in the build's environment.

What a page says is what `--help` says, in every language of the program.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from lifehelper_desktop.base.i18n import LANGUAGES, set_language
from release.project import COMMAND, WINDOW, source_date, version

_HEADS: Final = {
    "en": ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "FILES", "SEE ALSO"),
    "ko": ("이름", "사용법", "설명", "옵션", "명령", "파일", "함께 보기"),
}
_DATA: Final = {
    "en": "The habits, backups and models of the user; nothing else is kept. $XDG_DATA_HOME is followed.",
    "ko": "내 습관 기록과 백업, 모델이 있는 폴더예요. $XDG_DATA_HOME을 따라요.",
}


def escaped(text: str) -> str:
    """Return `text` so that roff shows it as it is."""
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines)


def page(parser: argparse.ArgumentParser, language: str, other: str) -> str:
    """Return the page of one program."""
    heads = _HEADS[language]
    day = datetime.fromtimestamp(source_date(), UTC).date().isoformat()
    summary = " ".join((parser.description or "").split()).rstrip(".")
    lines = [
        f'.TH {parser.prog.upper()} 1 "{day}" "LifeHelper {version()}"',
        f".SH {heads[0]}",
        f"{escaped(parser.prog)} \\- {escaped(summary)}",
        f".SH {heads[1]}",
        f".B {escaped(parser.prog)}",
        escaped(usage(parser)),
        f".SH {heads[2]}",
        escaped(" ".join((parser.epilog or parser.description or "").split())),
        f".SH {heads[3]}",
        *options(parser),
    ]
    commands = list(subcommands(parser))
    if commands:
        lines.append(f".SH {heads[4]}")
        for name, words, child in commands:
            lines += [".SS " + escaped(f"{name} {usage(child)}"), escaped(words), *options(child, parser)]
            for deeper, more, grandchild in subcommands(child):
                lines += [".TP", f".B {escaped(f'{name} {deeper} {usage(grandchild)}')}", escaped(more)]
    lines += [f".SH {heads[5]}", ".TP", ".I ~/.local/share/LifeHelper", escaped(_DATA[language])]
    lines += [f".SH {heads[6]}", f".BR {escaped(other)} (1)"]
    return "\n".join(line for line in lines if line) + "\n"


def usage(parser: argparse.ArgumentParser) -> str:
    """Return what follows the program's name on a command line."""
    text = " ".join(parser.format_usage().split())
    return text.partition(parser.prog)[2].strip()


def options(parser: argparse.ArgumentParser, above: argparse.ArgumentParser | None = None) -> Iterator[str]:
    """Give the options and arguments that are told of, without those that `above` has too."""
    formatter = parser._get_formatter()
    known = {name for action in above._actions for name in action.option_strings} if above is not None else set()
    for action in parser._actions:
        is_known = bool(known.intersection(action.option_strings))
        if is_known or action.help is argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction):
            continue
        yield ".TP"
        yield f".B {escaped(formatter._format_action_invocation(action))}"
        words = formatter._expand_help(action) if action.help else ""
        yield escaped(" ".join(words.split())) or "\\&"


def subcommands(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """Give name, words and parser of every command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words = {each.dest: each.help or "" for each in action._choices_actions}
            for name, child in action.choices.items():
                yield name, " ".join(words.get(name, "").split()), child


def main(folder: Path) -> int:
    """Write every page below `folder`: `man1` for English, `ko/man1` for Korean."""
    from lifehelper_desktop.cli.main import build_parser as command_parser
    from lifehelper_desktop.ui.start import build_parser as window_parser

    for language in LANGUAGES:
        set_language(language)
        place = folder / "man1" if language == "en" else folder / language / "man1"
        place.mkdir(parents=True, exist_ok=True)
        for parser, other in ((window_parser(), COMMAND), (command_parser(), WINDOW)):
            text = page(parser, language, other)
            (place / f"{parser.prog}.1").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
