"""The models that the app offers, from `resources/models/models.json`. Any thread."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from lifehelper_desktop.base.paths import resources_dir

STARTER_ID: Final = "starter"
HUB: Final = "https://huggingface.co"


@dataclass(frozen=True, slots=True)
class Terms:
    """The licence of a model, accepted by the user before a download.

    Attributes:
        version: Version or date of the text; another one is asked for anew.
        summaries: One or two sentences by language.
    """

    id: str
    version: str
    title: str
    url: str
    summaries: dict[str, str]

    def summary(self, language: str) -> str:
        """Return the sentences in `language` (`ko` or `en`)."""
        return self.summaries.get(language) or self.summaries["en"]


@dataclass(frozen=True, slots=True)
class KnownModel:
    """One model that the app offers.

    Attributes:
        family: A value of the setting `model_family`, for information.
        bundled: Carried by the app, never downloaded.
        repo, file: Where the Hub has it; `file` is also its name in the models folder.
        bytes: Size of the file, about; the Hub's own figure is asked for at each download.
        gated: The Hub gives it only to people who accepted its terms on the web.
        confirmed: Whether repository, name and size were seen at the source.
        kv_bytes_per_token: Memory of keys and values per token of context (f16, full-size windows).
        vocabulary, width, feed_forward: Sizes for the estimate of the memory that computing takes.
    """

    id: str
    name: str
    family: str
    bundled: bool
    recommended: bool
    repo: str
    file: str
    bytes: int
    terms: Terms
    gated: bool
    confirmed: bool
    kv_bytes_per_token: int
    vocabulary: int
    width: int
    feed_forward: int
    summaries: dict[str, str]

    @property
    def page(self) -> str:
        """Address of the model's page on the Hub; empty for the bundled one."""
        return f"{HUB}/{self.repo}" if self.repo else ""

    def summary(self, language: str) -> str:
        """Return what the model is good for, in `language` (`ko` or `en`)."""
        return self.summaries.get(language) or self.summaries["en"]


@lru_cache(maxsize=1)
def known_models() -> tuple[KnownModel, ...]:
    """Return every model of the data file, in its order; the starter comes first."""
    return read_models(resources_dir() / "models" / "models.json")


def known_model(model_id: str) -> KnownModel | None:
    """Return the model called `model_id`, or None."""
    return next((each for each in known_models() if each.id == model_id), None)


def read_models(path: Path) -> tuple[KnownModel, ...]:
    """Read a data file of ours.

    Raises:
        KeyError, ValueError: The file is not as it should be, which is a bug of ours.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    terms = {key: _terms(key, value) for key, value in data["terms"].items()}
    models = tuple(_model(row, terms) for row in data["models"])
    if len({each.id for each in models}) != len(models) or len({each.file for each in models}) != len(models):
        raise ValueError(f"{path}: an id or a file name comes twice")
    return models


def _texts(row: dict[str, Any]) -> dict[str, str]:
    return {"ko": str(row["summary_ko"]), "en": str(row["summary_en"])}


def _terms(key: str, row: dict[str, Any]) -> Terms:
    return Terms(key, str(row["version"]), str(row["title"]), str(row["url"]), _texts(row))


def _model(row: dict[str, Any], terms: dict[str, Terms]) -> KnownModel:
    file = str(row["file"])
    if Path(file).name != file or not file.endswith(".gguf"):
        raise ValueError(f"{file!r} is no plain name of a GGUF file")
    return KnownModel(
        id=str(row["id"]),
        name=str(row["name"]),
        family=str(row["family"]),
        bundled=bool(row.get("bundled", False)),
        recommended=bool(row.get("recommended", False)),
        repo=str(row["repo"]),
        file=file,
        bytes=int(row["bytes"]),
        terms=terms[row["terms"]],
        gated=bool(row["gated"]),
        confirmed=bool(row["confirmed"]),
        kv_bytes_per_token=int(row["kv_bytes_per_token"]),
        vocabulary=int(row["vocabulary"]),
        width=int(row["width"]),
        feed_forward=int(row["feed_forward"]),
        summaries=_texts(row),
    )
