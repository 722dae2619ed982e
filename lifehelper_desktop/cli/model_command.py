"""`lifehelper model`: which models there are, and fetching, choosing and removing them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lifehelper_desktop.base import settings
from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import N_, _
from lifehelper_desktop.cli.context import CliContext
from lifehelper_desktop.llm.models import terms
from lifehelper_desktop.llm.models.inventory import (
    ModelRow,
    Place,
    add_file,
    find_row,
    list_models,
    remove_model,
)
from lifehelper_desktop.llm.models.known import KnownModel, known_model, known_models
from lifehelper_desktop.llm.models.memory import Fit
from lifehelper_desktop.llm.models.words import size_text, time_left_text

OK, REFUSED, INTERRUPTED = 0, 1, 130

_FITS = {Fit.AMPLE: N_("여유"), Fit.TIGHT: N_("빠듯"), Fit.SHORT: N_("부족")}
_PLACES = {
    Place.BUNDLED: N_("앱에 들어 있음"),
    Place.HERE: N_("받아 둠"),
    Place.ADDED: N_("더한 파일"),
    Place.BEGUN: N_("받다가 멈춤"),
    Place.ABSENT: N_("받을 수 있음"),
}


def register(subs: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser."""
    model = subs.add_parser("model", parents=[common], help=_("모델 보기, 받기, 고르기"))
    commands = model.add_subparsers(dest="model_command", required=True, metavar=_("명령"))
    commands.add_parser("list", parents=[common], help=_("모델 목록 보기")).set_defaults(run=_list)
    add = commands.add_parser("add", parents=[common], help=_("내 GGUF 파일을 목록에 더하기"))
    add.add_argument("path", type=Path, metavar="PATH")
    add.set_defaults(run=_add)
    download = commands.add_parser("download", parents=[common], help=_("모델 받기; 멈춘 곳부터 이어받기"))
    download.add_argument("model_id", metavar="ID")
    download.add_argument("--accept-terms", action="store_true", help=_("모델의 약관에 동의하기"))
    download.set_defaults(run=_download)
    remove = commands.add_parser("remove", parents=[common], help=_("받은 모델을 지우기, 더한 파일은 목록에서만 빼기"))
    remove.add_argument("model_id", metavar="ID")
    remove.set_defaults(run=_remove)
    use = commands.add_parser("use", parents=[common], help=_("코치가 쓸 모델 고르기"))
    use.add_argument("model_id", metavar="ID")
    use.set_defaults(run=_use)


def _rows(context: CliContext) -> list[ModelRow]:
    stored = context.store.settings
    return list_models(context.paths, stored.get_str(settings.MODEL_PATH), stored.get_str(settings.ADDED_MODELS))


def _row(context: CliContext, name: str) -> ModelRow:
    row = find_row(_rows(context), name)
    if row is None:
        raise WorldError(
            _("그런 모델이 없어요: {name}").format(name=name),
            _("‘lifehelper model list’에서 이름을 확인해 주세요."),
        )
    return row


def row_json(row: ModelRow) -> dict[str, Any]:
    """Return one model as a JSON object; sizes in bytes."""
    known = row.known
    return {
        "id": row.id,
        "name": row.name,
        "place": row.place.value,
        "path": str(row.path) if row.path is not None else None,
        "in_use": row.in_use,
        "recommended": known is not None and known.recommended,
        "bytes": row.bytes,
        "fetched": row.fetched,
        "memory": {**asdict(row.need), "total": row.need.total},
        "available_memory": row.available,
        "fit": row.fit.value,
        "problem": row.problem,
        "repo": known.repo if known is not None else "",
        "file": known.file if known is not None else "",
        "terms": known.terms.id if known is not None else "",
        "terms_url": known.terms.url if known is not None else "",
    }


def _list(context: CliContext, _args: argparse.Namespace) -> int:
    rows = _rows(context)
    if context.as_json:
        context.print_json([row_json(row) for row in rows])
        return OK
    for row in rows:
        mark = "*" if row.in_use else " "
        context.print(f"{mark} {row.id}  {row.name}  [{_(_PLACES[row.place])}] {size_text(row.bytes)}")
        context.print("    " + _memory_words(row))
        if row.problem:
            context.print("    " + row.problem)
    context.print(_("* 지금 쓰는 모델"))
    return OK


def _memory_words(row: ModelRow) -> str:
    need = row.need
    return _(
        "메모리 {fit}: {total} = 파일 {file} + 문맥 {kv} + 계산 {compute} + 점수 {scores}, 지금 {free} 비어 있음"
    ).format(
        fit=_(_FITS[row.fit]),
        total=size_text(need.total),
        file=size_text(need.file),
        kv=size_text(need.kv),
        compute=size_text(need.compute),
        scores=size_text(need.scores),
        free=size_text(row.available),
    )


def _say(context: CliContext, row_id: str, words: str, **more: Any) -> int:
    if context.as_json:
        context.print_json({"status": "ok", "id": row_id, **more})
    else:
        context.print(words)
    return OK


def _add(context: CliContext, args: argparse.Namespace) -> int:
    stored = context.store.settings
    path, value = add_file(stored.get_str(settings.ADDED_MODELS), args.path)
    stored.set(settings.ADDED_MODELS, value)
    return _say(context, str(path), _("목록에 더했어요: {path}").format(path=path))


def _use(context: CliContext, args: argparse.Namespace) -> int:
    row = _row(context, args.model_id)
    if not row.is_here:
        raise WorldError(
            row.problem or _("아직 받지 않은 모델이에요: {name}").format(name=row.name),
            "" if row.problem else _("먼저 받아 주세요: lifehelper model download {id}").format(id=row.id),
        )
    context.store.settings.set(settings.MODEL_PATH, row.setting)
    return _say(context, row.id, _("이제 이 모델을 써요: {name}").format(name=row.name))


def _remove(context: CliContext, args: argparse.Namespace) -> int:
    row = _row(context, args.model_id)
    stored = context.store.settings
    stored.set(settings.ADDED_MODELS, remove_model(context.paths, row, stored.get_str(settings.ADDED_MODELS)))
    words = _("목록에서 뺐어요: {name}") if row.place is Place.ADDED else _("지웠어요: {name}")
    return _say(context, row.id, words.format(name=row.name))


def _download(context: CliContext, args: argparse.Namespace) -> int:
    model = known_model(args.model_id)
    if model is None or model.bundled:
        names = ", ".join(each.id for each in known_models() if not each.bundled)
        raise WorldError(_("받을 수 있는 모델이 아니에요: {name}").format(name=args.model_id), names)
    if (context.paths.models / model.file).is_file():
        return _say(context, model.id, _("이미 받아 두었어요: {name}").format(name=model.name), outcome="done")
    if not _terms_accepted(context, model, accept=args.accept_terms):
        return REFUSED
    # The network library is loaded here alone: nothing else of the command line needs it.
    from lifehelper_desktop.llm.models.download import DownloadControl, Phase, Progress, download

    def listen(progress: Progress) -> None:
        if context.as_json:
            context.print_json({"type": "progress", "id": model.id, **asdict(progress)})
        elif progress.phase is Phase.RECEIVING and sys.stderr is not None and sys.stderr.isatty():
            print("\r" + progress_words(progress), end="   ", file=sys.stderr, flush=True)

    try:
        outcome = download(model, context.paths.models, DownloadControl(), listen)
    except KeyboardInterrupt:
        print(_("멈췄어요. 같은 명령으로 이어받을 수 있어요."), file=sys.stderr)
        return INTERRUPTED
    path = context.paths.models / model.file
    words = _("다 받았어요: {path}").format(path=path)
    return _say(context, model.id, words, outcome=outcome.value, path=str(path))


def progress_words(progress: Any) -> str:
    """Return a `Progress` in words: percent, bytes, speed and time left."""
    percent = 100 * progress.done // max(1, progress.total)
    parts = [f"{percent}%", f"{size_text(progress.done)} / {size_text(progress.total)}"]
    if progress.speed:
        parts.append(f"{size_text(progress.speed)}/s")
    if progress.seconds_left is not None:
        parts.append(time_left_text(progress.seconds_left))
    return " · ".join(parts)


def _terms_accepted(context: CliContext, model: KnownModel, *, accept: bool) -> bool:
    """Return whether the model's terms are accepted, storing it when `accept` says so now; else show them."""
    stored = context.store.settings
    before = stored.get_str(settings.ACCEPTED_TERMS)
    if terms.accepted_on(before, model.terms) is not None:
        return True
    if accept:
        stored.set(settings.ACCEPTED_TERMS, terms.accept(before, model.terms, context.store.today()))
        return True
    reason = _("먼저 약관에 동의해 주세요: {title} ({url}). 동의하면 --accept-terms를 붙여 다시 실행해 주세요.").format(
        title=model.terms.title, url=model.terms.url
    )
    if context.as_json:
        context.print_json(
            {
                "status": "error",
                "code": "terms_not_accepted",
                "reason": reason,
                "terms": {"id": model.terms.id, "version": model.terms.version, "url": model.terms.url},
            }
        )
    else:
        print(model.terms.summary(context.language), reason, sep="\n", file=sys.stderr)
    return False
