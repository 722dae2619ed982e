#!/usr/bin/env bash
# Starts the window on every kind of display and at every scale, and ends it the way the session does: Wayland alone
# (weston without a screen of its own), X11 alone, both, and at 100 to 300 %. The log tells what Qt chose; the pictures
# are there to be looked at.
#
#   apt-get install weston xvfb xdotool imagemagick
#   packaging/linux/test_displays.sh [FOLDER FOR PICTURES]
#
# PROGRAM: the command of the window; default `python3 -m lifehelper_desktop`.
set -euo pipefail

work=$(mktemp -d)
pictures=${1:-$work/pictures}
mkdir -p "$pictures" "$work/home"
read -r -a program <<<"${PROGRAM:-python3 -m lifehelper_desktop}"
started=()
passed=0

finish() {
    status=$?
    for each in "${started[@]}"; do kill "$each" 2>/dev/null || true; done
    wait
    if [ "$status" = 0 ]; then
        rm -rf "$work"
        echo "passed: $passed checks"
    else
        tail -n 5 "$work"/*.log "$work"/data-*/logs/lifehelper.log >&2 || true
        echo "FAILED; what was made is in $work" >&2
    fi
}
trap finish EXIT

wait_for() { # SECONDS COMMAND...
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.1
    done
}

export XDG_RUNTIME_DIR=$work/runtime HOME=$work/home LANG=ko_KR.UTF-8 LC_ALL=C.UTF-8
mkdir -m 700 "$XDG_RUNTIME_DIR"
unset DISPLAY WAYLAND_DISPLAY QT_QPA_PLATFORM QT_SCALE_FACTOR

renderer=--use-pixman # without one weston draws nothing, and there is nothing to look at; its newer name:
if weston --help 2>&1 | grep -q -e --renderer; then renderer=--renderer=pixman; fi
weston --backend=headless-backend.so "$renderer" --debug --width=1600 --height=1000 --socket=wayland-test --idle-time=0 \
    --log="$work/weston.log" >/dev/null 2>&1 &
started+=("$!")
wait_for 20 test -S "$XDG_RUNTIME_DIR/wayland-test" || { echo "weston did not start" >&2; exit 1; }
Xvfb -displayfd 6 -screen 0 3840x2160x24 -nolisten tcp -noreset 6>"$work/display" 2>/dev/null &
started+=("$!")
wait_for 20 test -s "$work/display"
screen=:$(cat "$work/display")

try() { # NAME EXPECTED-PLATFORM VARIABLE...
    local name=$1 expected=$2 data=$work/data-$1
    shift 2
    env "$@" "${program[@]}" --data-dir "$data" --lang ko 2>"$work/$name.log" &
    local pid=$!
    started+=("$pid")
    wait_for 90 grep -q "lifehelper_desktop.qt: ready" "$data/logs/lifehelper.log"
    if [ "$expected" = xcb ]; then
        wait_for 60 env DISPLAY="$screen" xdotool search --onlyvisible --name '^라이프 헬퍼$'
        sleep 2
        DISPLAY=$screen import -window root "$pictures/$name.png"
    else
        sleep 2
        # --debug of weston lets anybody take a picture. It chooses the name itself.
        (cd "$work" && WAYLAND_DISPLAY=wayland-test weston-screenshooter >/dev/null)
        mv "$work"/wayland-screenshot-*.png "$pictures/$name.png"
    fi
    kill -0 "$pid" || { echo "FAIL $name: it ended by itself" >&2; exit 1; }
    local begun
    begun=$(date +%s%N)
    kill -TERM "$pid"
    wait "$pid" || { echo "FAIL $name: it ended with $?" >&2; exit 1; }
    local took=$((($(date +%s%N) - begun) / 1000000))
    [ "$took" -lt 3000 ] || { echo "FAIL $name: the end took $took ms" >&2; exit 1; }
    [ -f "$data/window.json" ] || { echo "FAIL $name: its place was not kept" >&2; exit 1; }
    local line
    line=$(grep -o "display: .*" "$data/logs/lifehelper.log" | tail -1)
    case $line in "display: $expected"*) ;; *) echo "FAIL $name: $line" >&2; exit 1 ;; esac
    [ ! -s "$work/$name.log" ] || { echo "FAIL $name: $(cat "$work/$name.log")" >&2; exit 1; }
    passed=$((passed + 1))
    echo "ok   $name: $line; ended in $took ms"
}

try wayland wayland WAYLAND_DISPLAY=wayland-test
try wayland-and-x11 wayland WAYLAND_DISPLAY=wayland-test DISPLAY="$screen"
try wayland-gone-x11-there xcb WAYLAND_DISPLAY=wayland-nowhere DISPLAY="$screen"
try x11 xcb DISPLAY="$screen"
try chosen-by-the-user xcb WAYLAND_DISPLAY=wayland-test DISPLAY="$screen" QT_QPA_PLATFORM=xcb
for percent in 100 125 150 200 300; do
    try "scale-$percent" xcb DISPLAY="$screen" QT_SCALE_FACTOR="$(printf '%d.%02d' $((percent / 100)) $((percent % 100)))"
done
