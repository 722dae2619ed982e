#!/usr/bin/env bash
# Run the portable llama.cpp wheel on processors that this machine is not, by qemu-user:
#   Nehalem (2008, the oldest that NumPy and Qt run on) and Haswell load the starter model and answer a message,
#   a Core 2 and qemu64 (below x86-64-v2) say in words that the coach and the window do not work there.
#
#   packaging/llama/test_old_cpu.sh WHEEL [PYTHON]
#
# PYTHON has the app's libraries (default: .venv/bin/python); its own llama_cpp is not used. QEMU names another
# emulator than qemu-x86_64 or qemu-x86_64-static of the path. KEEP=FOLDER keeps the work folder and the model in it.
# Children of an emulated program run outside qemu-user: only what the process itself does is tested here.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
wheel=${1:?"usage: test_old_cpu.sh WHEEL [PYTHON]"}
python=${2:-$root/.venv/bin/python}
qemu=${QEMU:-$(command -v qemu-x86_64 || command -v qemu-x86_64-static || true)}
if [[ -z $qemu ]]; then
    echo "qemu-user is missing: sudo apt-get install -y qemu-user" >&2
    exit 2
fi
if [[ -n ${KEEP:-} ]]; then
    work=$KEEP
    mkdir -p "$work"
else
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
fi

site="$work/site" data="$work/자료 폴더" output="$work/output"
rm -rf "$site"
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-index --target "$site" "$wheel"
export PYTHONPATH="$site:$root" PYTHONUTF8=1 LC_ALL=C.UTF-8
unset OMP_WAIT_POLICY GOMP_SPINCOUNT DISPLAY WAYLAND_DISPLAY
failures=0

# check CODE PATTERN TITLE COMMAND...: run it, and check its exit code and what it says.
check() {
    local code=$1 pattern=$2 title=$3 begin=$SECONDS got=0
    shift 3
    timeout "${LIMIT:-1500}" "$@" >"$output" 2>&1 </dev/null || got=$?
    if [[ $got -eq $code ]] && grep -Eq -- "$pattern" "$output"; then
        echo "ok    $title ($((SECONDS - begin)) s)"
        grep -E -m 1 -o -- "$pattern" "$output" | sed 's/^/        /'
    else
        echo "FAILED $title: exit code $got, wanted $code and /$pattern/" >&2
        tail -n 20 "$output" >&2
        failures=$((failures + 1))
    fi
}

cli=("$python" -m lifehelper_desktop cli --data-dir "$data" --lang ko)
echo "wheel: $(basename "$wheel"), $(stat -c %s "$wheel") bytes; emulator: $("$qemu" -version | head -n 1)"
check 0 '"cpu_variant": "[a-z0-9_]+"' "this machine: doctor" "${cli[@]}" doctor --json
for pair in Nehalem:sse42 Haswell:haswell; do
    cpu=${pair%%:*}
    on=("$qemu" -cpu "$cpu" "${cli[@]}")
    check 0 "\"cpu_variant\": \"${pair##*:}\"" "$cpu: doctor" "${on[@]}" doctor --json
    check 0 '"type": "model_message", "text": "[^"]+"' "$cpu: the starter model answers" "${on[@]}" chat --json 안녕
done
for cpu in core2duo qemu64; do
    on=("$qemu" -cpu "$cpu" "${cli[@]}")
    window=(env LC_ALL=ko_KR.UTF-8 "$qemu" -cpu "$cpu" "$python" -m lifehelper_desktop)
    check 3 '코치가 답할 수 없어요' "$cpu: the coach" "${on[@]}" chat 안녕
    check 3 '창을 열 수 없어요' "$cpu: the window" "${window[@]}"
    check 1 'python run.py cli habits' "$cpu: run.py" "$qemu" -cpu "$cpu" "$python" "$root/run.py"
    check 3 '"cpu_missing": "[^"]+"' "$cpu: doctor" "${on[@]}" doctor --json
    check 0 '습관' "$cpu: the habits are there" "${on[@]}" habits
done
if ((failures)); then
    echo "$failures failed" >&2
    exit 1
fi
echo "all passed"
