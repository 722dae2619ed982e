"""Reference files out of the source package of llama-cpp-python, downloaded once by pip and kept in pytest's cache.

Neither the chat template nor the vocabulary of Gemma 4 is ours to commit, and both must be the ones of the engine that
the lock file names; its hash is what pip checks the download against.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TEMPLATE = "models/templates/google-gemma-4-31B-it.jinja"
VOCABULARY = "models/ggml-vocab-gemma-4.gguf"
_LOCKED = re.compile(r"^llama-cpp-python==(\S+) \\\n((?:\s+--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)


def reference_files(cache: Path) -> dict[str, Path]:
    """Return the reference files by their names in llama.cpp's tree; downloads what `cache` lacks."""
    lock = (ROOT / "packaging" / "lock" / "app.txt").read_text(encoding="utf-8")
    found = _LOCKED.search(lock)
    assert found is not None, "llama-cpp-python is not locked"
    version, hashes = found.group(1), found.group(2).replace("\\", "").split()
    folder = cache / f"{version}-{hashes[0].rpartition(':')[2][:12]}"
    files = {name: folder / Path(name).name for name in (TEMPLATE, VOCABULARY)}
    if all(file.is_file() for file in files.values()):
        return files
    with tempfile.TemporaryDirectory(dir=cache) as place:
        work = Path(place)
        _extract(_download(work, version, hashes), files, work)
        folder.mkdir(exist_ok=True)
        for file in files.values():
            (work / file.name).replace(file)
    return files


def _download(work: Path, version: str, hashes: list[str]) -> Path:
    wanted = work / "wanted.txt"
    wanted.write_text(" ".join([f"llama-cpp-python=={version}", *hashes]) + "\n", encoding="utf-8")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--no-binary", "llama-cpp-python", "--require-hashes", "-r", str(wanted), "-d", str(work)]
    # pip asks the package for its metadata, which must not begin to compile anything.
    environment = {key: value for key, value in os.environ.items() if key not in ("CMAKE_ARGS", "PYTHONPATH")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=work)
    assert done.returncode == 0, f"pip download failed:\n{done.stdout}\n{done.stderr}"
    (archive,) = work.glob("llama_cpp_python-*.tar.gz")
    return archive


def _extract(archive: Path, files: dict[str, Path], work: Path) -> None:
    left = dict(files)
    with tarfile.open(archive, "r:gz") as package:
        for member in package:
            for name in [name for name in left if member.name.endswith(f"/vendor/llama.cpp/{name}")]:
                source = package.extractfile(member)
                assert source is not None
                with (work / left.pop(name).name).open("wb") as target:
                    shutil.copyfileobj(source, target)
            if not left:
                return
    raise AssertionError(f"the source package lacks {sorted(left)}")
