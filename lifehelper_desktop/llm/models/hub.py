"""Questions to the Hugging Face Hub and its errors in words. Imports the network library: only where one downloads.

The Hub's own download function cannot be paused, does not compare checksums and hands large files to a second
library; so the app asks it for address, size and checksum only, and reads the bytes itself (`download.py`).
"""

from __future__ import annotations

import logging
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.request import getproxies

import httpx
from huggingface_hub import get_hf_file_metadata, hf_hub_url
from huggingface_hub.errors import (
    GatedRepoError,
    HfHubHTTPError,
    OfflineModeIsEnabled,
    RemoteEntryNotFoundError,
    RepositoryNotFoundError,
    RevisionNotFoundError,
)

from lifehelper_desktop.base.errors import WorldError
from lifehelper_desktop.base.i18n import _
from lifehelper_desktop.llm.models.known import KnownModel
from lifehelper_desktop.llm.models.words import size_text

_log = logging.getLogger(__name__)

_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_MAX_BYTES: Final = 200 * 10**9


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """What the Hub says of a file: where it is (one fixed commit), bytes, SHA-256 in hexadecimal."""

    url: str
    size: int
    sha256: str


def ask_hub(model: KnownModel, endpoint: str | None = None) -> RemoteFile:
    """Ask the Hub for a model's file. `endpoint` is another Hub's address; else `HF_ENDPOINT`, else the public one.

    Raises:
        WorldError: The Hub does not tell size and checksum, so that the file could not be verified.
        httpx.HTTPError, OSError: See `in_words`.
    """
    endpoint = (endpoint or os.environ.get("HF_ENDPOINT") or "").rstrip("/") or None
    try:
        found = get_hf_file_metadata(hf_hub_url(model.repo, model.file, endpoint=endpoint), endpoint=endpoint)
    except httpx.HTTPError:
        raise
    except (ValueError, ImportError, httpx.InvalidURL) as error:  # what the environment names cannot be used
        _log.warning("address or proxy", exc_info=error)
        raise WorldError(
            _("서버 주소나 프록시 설정이 올바르지 않아요."),
            _("환경 변수 HF_ENDPOINT, HTTPS_PROXY, ALL_PROXY를 확인한 뒤 다시 시도해 주세요."),
        ) from error
    checksum = (found.etag or "").lower()
    if found.size is None or not 0 < found.size < _MAX_BYTES or not _SHA256.fullmatch(checksum):
        _log.warning("the hub says of %s/%s: %s", model.repo, model.file, found)
        raise WorldError(
            _("서버가 파일의 크기와 체크섬을 알려 주지 않아 받지 않았어요."),
            _("인터넷 연결과 HF_ENDPOINT 설정을 확인하고 다시 시도해 주세요."),
        )
    # The commit of this answer: a file that changes meanwhile on the Hub is never mixed with the one begun.
    url = hf_hub_url(model.repo, model.file, revision=found.commit_hash, endpoint=endpoint)
    return RemoteFile(url, found.size, checksum)


def in_words(error: Exception, model: KnownModel, folder: Path) -> WorldError:
    """Return an error of the network, the Hub or the disk as it is told to the user; `folder` takes model files."""
    _log.warning("download of %s/%s: %s", model.repo, model.file, error)
    status = error.response.status_code if isinstance(error, HfHubHTTPError) else 0
    if isinstance(error, GatedRepoError) or status == 403 or (status == 401 and model.gated):
        return _gated(model, folder)
    if isinstance(error, OfflineModeIsEnabled):
        return WorldError(
            _("오프라인으로 정해져 있어서 받지 않았어요 (HF_HUB_OFFLINE)."),
            _("환경 변수 HF_HUB_OFFLINE을 지우고 앱을 다시 열어 주세요."),
        )
    if isinstance(error, RepositoryNotFoundError | RemoteEntryNotFoundError | RevisionNotFoundError):
        return WorldError(
            _("Hugging Face에서 이 파일을 찾지 못했어요: {name}").format(name=f"{model.repo}/{model.file}"),
            _("이름이 바뀌었을 수 있어요. {page}에서 GGUF 파일을 직접 받은 뒤 ‘파일 추가’로 더해 주세요.").format(
                page=model.page
            ),
        )
    if status == 429 or status >= 500:
        return WorldError(_("서버가 지금은 바빠요 ({status}).").format(status=status), _("잠시 뒤에 이어받아 주세요."))
    if isinstance(error, HfHubHTTPError):
        return WorldError(
            _("서버가 요청을 받아 주지 않았어요 ({status}).").format(status=status or "?"),
            _("{page}에서 파일을 직접 받은 뒤 ‘파일 추가’로 더해 주세요.").format(page=model.page),
        )
    if isinstance(error, httpx.ProxyError):
        return WorldError(
            _("프록시 서버에 연결하지 못했어요."),
            _("환경 변수 HTTPS_PROXY와 NO_PROXY를 확인한 뒤 다시 시도해 주세요."),
        )
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) and getproxies().keys() & {"http", "https", "all"}:
        return WorldError(
            _("서버나 프록시에 연결하지 못했어요."),
            _("인터넷 연결과 환경 변수 HTTPS_PROXY를 확인하고 이어받아 주세요. 받아 둔 부분은 그대로 있어요."),
        )
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return WorldError(
            _("서버에 연결하지 못했어요. 지금 오프라인인 것 같아요."),
            _("인터넷 연결을 확인하고 이어받아 주세요. 받아 둔 부분은 그대로 있어요."),
        )
    return WorldError(
        _("받는 중에 연결이 끊겼어요."),
        _("인터넷 연결을 확인하고 이어받아 주세요. 받아 둔 부분은 그대로 있어요."),
    )


def _gated(model: KnownModel, folder: Path) -> WorldError:
    return WorldError(
        _("이 모델은 Hugging Face에서 약관에 동의한 사람에게만 열려 있어요."),
        _("{page}에 로그인해 동의하고 {file} 파일을 받아 이 폴더에 넣어 주세요: {folder}").format(
            page=model.page, file=model.file, folder=folder
        ),
    )


def no_space(needed: int, free: int) -> WorldError:
    """Return the error for a disk that is too full; both in bytes."""
    return WorldError(
        _("디스크에 자리가 부족해요. {needed}가 더 필요한데 {free} 남아 있어요.").format(
            needed=size_text(needed), free=size_text(free)
        ),
        _("자리를 비운 뒤에 다시 받아 주세요. 받아 둔 부분은 그대로 있어요."),
    )
