#!/usr/bin/env bash
# Tests the installer's logic under wine with a stand-in for the program: install, upgrade over a running program, one
# that does not end, an upgrade broken off, a full disk, folders of others, uninstall with and without the records, and
# every page in Korean and English. Nothing of the real program, which cannot be made on Linux, is run here.
#
#   apt-get install nsis wine wine64 gcc-mingw-w64-x86-64 xvfb xdotool imagemagick fonts-nanum
#   packaging/windows/test_installer.sh [FOLDER FOR PICTURES]
#
# Needs PYTHON (default: python3) with PySide6, which draws the icon. The disk is only filled where one may be mounted.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}
work=$(mktemp -d)
pictures=${1:-$work/pictures}
mkdir -p "$pictures"
# A Windows of its own: whatever the caller uses wine for stays as it is.
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEARCH=win64 WINEDLLOVERRIDES="mscoree,mshtml="
unset WAYLAND_DISPLAY
started=()
passed=0

finish() {
    status=$?
    timeout 60 wineserver -k || true
    for each in "${started[@]}"; do kill "$each" 2>/dev/null || true; done
    if mountpoint -q "$work/small"; then umount "$work/small"; fi
    if [ "$status" = 0 ]; then
        rm -rf "$work"
        echo "passed: $passed checks"
    else
        echo "FAILED; what was made is in $work" >&2
    fi
}
trap finish EXIT

ok() { passed=$((passed + 1)); echo "ok   $1"; }
fail() { echo "FAIL $1" >&2; exit 1; }
check() { # WORDS COMMAND...
    local words=$1
    shift
    if "$@" >/dev/null 2>&1; then ok "$words"; else fail "$words ($*)"; fi
}
check_not() {
    local words=$1
    shift
    if "$@" >/dev/null 2>&1; then fail "$words ($*)"; else ok "$words"; fi
}
run() { timeout 120 wine "$@"; }
code_of() { # leaves the exit code in $code
    code=0
    run "$@" || code=$?
}
install_to() { # FOLDER VERSION; by cmd, since /D= takes no quotes and wine would put some around a folder with a space
    code_of cmd /c "Z:${work//\//\\}\\setup-$2.exe /S /D=$1"
}
registry() { # KEY -> its values, and those of the keys in it, below HKCU\Software; nothing when it is not there
    # All is exported, which works whatever is there: a `reg` that fails must not look like a key that is gone.
    timeout 60 wine reg export 'HKCU\Software' "Z:$work/all.reg" /y >/dev/null 2>&1 || fail "the registry cannot be read"
    iconv -f UTF-16LE -t UTF-8 "$work/all.reg" | tr -d '\r' |
        sed -e '/^\[/b' -e 's/^"//' -e 's/"=/=/' -e 's/^\([^=]*\)="/\1=/' -e 's/"$//' -e 's/\\\(.\)/\1/g' |
        KEY="[HKEY_CURRENT_USER\\Software\\$1" awk '
            BEGIN { key = tolower(ENVIRON["KEY"]) }
            /^\[/ { line = tolower($0); on = line == key "]" || index(line, key "\\") == 1 }
            on' >"$work/registry"
}
entry() { # VALUE -> what the uninstall entry says of it
    registry "$entry_key"
    sed -n "s/^$1=//p" "$work/registry"
}
holds() { # KEY WORDS
    registry "$1"
    grep -iF -- "$2" "$work/registry"
}
write() { # KEY VALUE DATA, below HKCU\Software; VALUE "" is the nameless one
    local name=(/v "$2")
    [ -n "$2" ] || name=(/ve)
    timeout 60 wine reg add "HKCU\\Software\\$1" "${name[@]}" /d "$3" /f >/dev/null 2>&1
}
none() { test -z "$(find "$1" -name '*.lnk')"; }
wait_for() { # SECONDS COMMAND...
    local end=$((SECONDS + $1))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || fail "it did not come: $*"
        sleep 0.2
    done
}

# ---- a display, a fresh Windows, two versions of a program ------------------------------------------------------

if [ -z "${DISPLAY:-}" ]; then
    Xvfb -displayfd 6 -screen 0 1024x768x24 -nolisten tcp -noreset 6>"$work/display" 2>/dev/null &
    started+=("$!")
    wait_for 20 test -s "$work/display"
    DISPLAY=:$(cat "$work/display")
    export DISPLAY
fi
timeout 300 wine wineboot -i >/dev/null 2>&1
timeout 60 wine winecfg -v win10 >/dev/null 2>&1
for each in Tahoma "MS Shell Dlg" "MS Shell Dlg 2" Gulim 굴림 "Malgun Gothic" "맑은 고딕"; do # wine brings no Korean font
    timeout 60 wine reg add 'HKCU\Software\Wine\Fonts\Replacements' /v "$each" /d NanumGothic /f >/dev/null 2>&1
done
users=$WINEPREFIX/drive_c/users
home=$(find "$users" -mindepth 1 -maxdepth 1 -not -name Public | head -1)
local=$home/AppData/Local
program=$local/Programs/LifeHelper
data=$local/LifeHelper
menu="$home/AppData/Roaming/Microsoft/Windows/Start Menu/Programs"
program_there="C:\\users\\$(basename "$home")\\AppData\\Local\\Programs\\LifeHelper" # the same for Windows
entry_key='Microsoft\Windows\CurrentVersion\Uninstall\LifeHelper'
run_key='Microsoft\Windows\CurrentVersion\Run'

x86_64-w64-mingw32-gcc -O1 -mwindows -DUNICODE -o "$work/stand-in.exe" "$here/stand_in.c"
for version in 0.1.0 0.2.0; do
    app=$work/$version
    mkdir -p "$app/_internal/하위 폴더"
    cp "$work/stand-in.exe" "$app/lifehelper-desktop.exe"
    cp "$work/stand-in.exe" "$app/lifehelper.exe"
    echo "$version" >"$app/_internal/version.txt"
    # shellcheck disable=SC2016 # the sign is part of the name
    echo "$version" >"$app/_internal/하위 폴더/\$한글 이름.txt"
done
echo old >"$work/0.1.0/_internal/only in the old one.txt"
head -c 6000000 /dev/urandom >"$work/0.2.0/_internal/large.bin"
setup() { # FOLDER VERSION NAME
    "$python" "$here/make_installer.py" --app "$work/$1" --version "$2" --out "$work/$3.exe" --compressor zlib
}
for version in 0.1.0 0.2.0; do setup "$version" "$version" "setup-$version"; done
cp -r "$work/0.1.0" "$work/copy"
setup copy 0.1.0 again
check "the same folder gives the same installer" cmp "$work/setup-0.1.0.exe" "$work/again.exe"

# ---- install ----------------------------------------------------------------------------------------------------

write 'Classes\.gguf' '' Other.gguf # another program's, as is the next one
write 'Classes\.gguf\OpenWithProgids' Other.gguf ''
timeout 60 wine winecfg -v win7 >/dev/null 2>&1
code_of "$work/setup-0.1.0.exe" /S
[ "$code" = 3 ] || fail "on a Windows that is too old: $code"
check_not "on a Windows that is too old it stops with code 3" test -e "$program"
timeout 60 wine winecfg -v win10 >/dev/null 2>&1
code_of "$work/setup-0.1.0.exe" /S /LANG=1042
[ "$code" = 0 ] || fail "silent install ended with $code"
ok "silent install"
check "the files are there" diff -r "$work/0.1.0/_internal" "$program/_internal"
check "the Start menu has it" test -f "$menu/라이프 헬퍼.lnk"
check "the desktop has it only when asked for" none "$home/Desktop"
for pair in "DisplayVersion=0.1.0" "Publisher=LifeHelper" "DisplayName=라이프 헬퍼"; do
    [ "$(entry "${pair%%=*}")" = "${pair#*=}" ] || fail "uninstall entry: $pair"
done
size=$(entry EstimatedSize)
size=$((16#${size#dword:}))
[ "$size" -gt 100 ] || fail "uninstall entry: size $size"
ok "the uninstall entry tells name, version, publisher and size ($size kB)"
[ "$(entry QuietUninstallString)" = "\"$program_there\\uninstall.exe\" /S" ] || fail "uninstall entry: how to be silent"
ok "and how to uninstall without a window"
check "model files can be opened with it" holds 'Classes\.gguf\OpenWithProgids' 'LifeHelper.gguf='
check "and are given to it by their path" \
    holds 'Classes\LifeHelper.gguf\shell\open\command' "@=\"$program_there\\lifehelper-desktop.exe\" \"%1\""
mkdir -p "$data"
echo records >"$data/lifehelper.db"

# ---- upgrade over a running program -----------------------------------------------------------------------------

run "$program/lifehelper-desktop.exe" &
started+=("$!")
wait_for 30 xdotool search --name '^LifeHelper$'
begun=$(date +%s%N)
code_of "$work/setup-0.2.0.exe" /S /LANG=1042
took=$((($(date +%s%N) - begun) / 1000000))
[ "$code" = 0 ] || fail "upgrade ended with $code"
ok "upgrade over a running program ($took ms)"
check "the running program was asked, and saved" grep -q saved "$data/saved.txt"
check_not "it has ended" xdotool search --name '^LifeHelper$'
check "the new files are there, the old ones gone" diff -r "$work/0.2.0/_internal" "$program/_internal"
check_not "nothing is left aside" test -e "$program/_previous"
check "the records are kept" grep -q records "$data/lifehelper.db"
[ "$(entry DisplayVersion)" = 0.2.0 ] || fail "the version in the uninstall entry"
ok "the uninstall entry tells the new version"
code_of "$work/setup-0.2.0.exe" /S /LANG=1033
[ "$code" = 0 ] || fail "repair ended with $code"
check "and all is there" diff -r "$work/0.2.0/_internal" "$program/_internal"
[ "$(find "$menu" -name '*.lnk' | wc -l)" = 1 ] || fail "one shortcut after the language changed"
ok "installing again repairs, and in another language leaves one shortcut"
code_of "$work/setup-0.1.0.exe" /S
[ "$code" = 2 ] || fail "an older version over a newer one: $code"
check "an older version does not replace a newer one unasked" diff -r "$work/0.2.0/_internal" "$program/_internal"
rm -r "$program/_internal" "$program/lifehelper-desktop.exe"
code_of "$work/setup-0.2.0.exe" /S
[ "$code" = 0 ] || fail "over an installation that lost its files: $code"
check "what was lost is mended" diff -r "$work/0.2.0/_internal" "$program/_internal"

# ---- an upgrade that was broken off by the end of the machine ---------------------------------------------------

broken_off() { # NAME...: what had been moved aside by then
    mkdir "$program/_previous"
    touch "$program/_previous/undo"
    for each in "$@"; do mv "$program/$each" "$program/_previous/$each"; done
}
broken_off _internal lifehelper-desktop.exe
install_to 'C:\else where' 0.2.0
[ "$code" = 2 ] || fail "a second copy: $code"
check_not "no second copy is made beside the one that is there" test -e "$WINEPREFIX/drive_c/else where"
code_of "$work/setup-0.2.0.exe" /S
[ "$code" = 0 ] || fail "after an upgrade that was broken off: $code"
check "after an upgrade that was broken off it goes on" diff -r "$work/0.2.0/_internal" "$program/_internal"
broken_off _internal uninstall.exe # the program itself not yet
mkdir "$program/_internal"
echo half >"$program/_internal/version.txt"
run "$program/lifehelper.exe" --stubborn & # so that this attempt fails as well
started+=("$!")
wait_for 30 xdotool search --name '^LifeHelper$'
code_of "$work/setup-0.2.0.exe" /S
[ "$code" = 2 ] || fail "over a command that runs: $code"
timeout 60 wine taskkill /f /im lifehelper.exe >/dev/null 2>&1
check "and where that fails too, the older version is put back" diff -r "$work/0.2.0/_internal" "$program/_internal"
check "with its program and uninstaller" bash -c "cmp '$work/stand-in.exe' '$program/lifehelper-desktop.exe' && test -f '$program/uninstall.exe'"
check_not "and nothing is left aside" test -e "$program/_previous"
# An upgrade that went well could not remove all of the older version: that is no older version to go back to.
mkdir -p "$program/_previous/_internal"
echo stale >"$program/_previous/_internal/version.txt"
code_of "$work/setup-0.2.0.exe" /S
[ "$code" = 0 ] || fail "over what an upgrade left: $code"
check "what an upgrade could not remove goes with the next one" diff -r "$work/0.2.0/_internal" "$program/_internal"
check_not "and is gone" test -e "$program/_previous"

# ---- a program that does not end, and a full disk: the old version stays ----------------------------------------

run "$program/lifehelper-desktop.exe" --stubborn &
stubborn=$!
wait_for 30 xdotool search --name '^LifeHelper$'
code_of "$work/setup-0.2.0.exe" /S
[ "$code" = 2 ] || fail "over a program that does not end: $code"
ok "over a program that does not end it stops with code 2"
check "nothing was changed" diff -r "$work/0.2.0/_internal" "$program/_internal"
code_of "$program/uninstall.exe" /S "_?=$program_there"
[ "$code" = 2 ] || fail "uninstalling a program that does not end: $code"
check "the uninstaller stops as well" diff -r "$work/0.2.0/_internal" "$program/_internal"
kill "$stubborn"
timeout 60 wine taskkill /f /im lifehelper-desktop.exe >/dev/null 2>&1 || true

code_of "$program/uninstall.exe" /S "_?=$program_there"
[ "$code" = 0 ] || fail "uninstall ended with $code"
rm -r "$program" # with _? it runs in place and cannot remove itself

mkdir "$work/small"
if mount -t tmpfs -o size=5m tmpfs "$work/small" 2>/dev/null; then
    ln -sfn "$work/small" "$WINEPREFIX/dosdevices/q:"
    install_to 'Q:\LifeHelper' 0.2.0
    [ "$code" = 2 ] || fail "install on a full disk: $code"
    check_not "of a first installation on a full disk nothing is left" test -e "$work/small/LifeHelper"
    install_to 'Q:\LifeHelper' 0.1.0
    [ "$code" = 0 ] || fail "install on a small disk: $code"
    install_to 'Q:\LifeHelper' 0.2.0
    [ "$code" = 2 ] || fail "upgrade on a full disk: $code"
    check "on a full disk the old version is put back" diff -r "$work/0.1.0/_internal" "$work/small/LifeHelper/_internal"
    check "and its program" cmp "$work/stand-in.exe" "$work/small/LifeHelper/lifehelper-desktop.exe"
    check "and its uninstaller" test -s "$work/small/LifeHelper/uninstall.exe"
    check_not "nothing is left aside there" test -e "$work/small/LifeHelper/_previous"
    code_of "$work/small/LifeHelper/uninstall.exe" /S '_?=Q:\LifeHelper'
    umount "$work/small"
    rm "$WINEPREFIX/dosdevices/q:"
else
    echo "not run: a full disk (nothing may be mounted here)"
fi

# ---- folders that the user chooses ------------------------------------------------------------------------------

other="$WINEPREFIX/drive_c/other app"
mkdir -p "$other/_internal"
echo theirs | tee "$other/other.exe" >"$other/_internal/version.txt"
install_to 'C:\other app' 0.1.0
[ "$code" = 2 ] || fail "into another program's folder: $code"
check "another program's folder is left alone" grep -q theirs "$other/_internal/version.txt"
install_to "C:\\$(printf 'l%.0s' {1..225})" 0.1.0
check "a path that is too long stops with code 2" test "$code" = 2
install_to "C:\\users\\$(basename "$home")\\AppData\\Local\\LifeHelper\\app" 0.1.0
[ "$code" = 2 ] || fail "into the records: $code"
check_not "it does not go among the records" test -e "$data/app"
odd='빈 폴더 (1) 100%'
mkdir "$WINEPREFIX/drive_c/$odd"
install_to "C:\\$odd" 0.1.0
[ "$code" = 0 ] || fail "into an empty folder with an odd name: $code"
check "into an empty folder with an odd name" diff -r "$work/0.1.0/_internal" "$WINEPREFIX/drive_c/$odd/_internal"
check "which the uninstall entry names" test "$(entry InstallLocation)" = "C:\\$odd"
code_of "$WINEPREFIX/drive_c/$odd/uninstall.exe" /S # as Windows calls it: a copy goes on, which removes this one too
wait_for 30 bash -c "! test -e '$WINEPREFIX/drive_c/$odd'"
ok "and uninstalled there, with the folder"
code_of "$work/setup-0.2.0.exe" /S
[ "$code" = 0 ] || fail "install after all that: $code"

# ---- uninstall --------------------------------------------------------------------------------------------------

echo mine >"$program/_internal/내 파일.txt"
write "$run_key" LifeHelper x
write "$run_key" Other x
write 'Classes\AppUserModelId\LifeHelper' DisplayName LifeHelper
run "$program/lifehelper-desktop.exe" &
started+=("$!")
wait_for 30 xdotool search --name '^LifeHelper$'
code_of "$program/uninstall.exe" /S "_?=$program_there"
[ "$code" = 0 ] || fail "uninstall ended with $code"
ok "uninstall of a running program"
rm -f "$program/uninstall.exe" # with _? it runs in place and cannot remove itself
[ "$(find "$program" -type f)" = "$program/_internal/내 파일.txt" ] || fail "what is left: $(find "$program")"
ok "only a file that the installer never wrote is left"
check "the Start menu is empty" none "$menu"
check "the registry can still be read" holds "$run_key" Other=
check_not "the uninstall entry is gone" holds "$entry_key" DisplayName
check_not "it starts at login no more" holds "$run_key" LifeHelper
check_not "Windows knows its notifications no more" holds 'Classes\AppUserModelId\LifeHelper' DisplayName
check_not "model files know it no more" holds 'Classes' LifeHelper.gguf
check "another program keeps its model files" holds 'Classes\.gguf' '@=Other.gguf'
check "and its place among the choices" holds 'Classes\.gguf\OpenWithProgids' Other.gguf
check "the records are kept" grep -q records "$data/lifehelper.db"
timeout 60 wine reg delete 'HKCU\Software\Classes\.gguf' /f >/dev/null 2>&1
code_of "$work/setup-0.1.0.exe" /S
code_of "$program/uninstall.exe" /S /REMOVEDATA "_?=$program_there"
check_not "with /REMOVEDATA they are gone" test -e "$data"
check_not "of a kind of file that nobody else knows no key is left" holds Classes gguf
rm -rf "$program"

# ---- the pages --------------------------------------------------------------------------------------------------

picture() { # NAME: the installer's window, once it has drawn
    sleep 2
    import -window "$window" "$pictures/$1.png"
}
press() { xdotool key --delay 80 "$@"; }
pages() { # LANGUAGE NUMBER TITLE UNINSTALL-TITLE SHORTCUT
    run "$work/setup-0.1.0.exe" "/LANG=$2" &
    local running=$!
    wait_for 30 xdotool search --onlyvisible --name "$3"
    local window
    window=$(xdotool search --onlyvisible --name "$3" | tail -1)
    xdotool windowfocus --sync "$window" || true
    picture "installer-$1-1-welcome"
    code_of "$work/setup-0.2.0.exe" /S
    [ "$code" = 2 ] || fail "a second installer at the same time: $code"
    check_not "a second installer at the same time stops ($1)" test -e "$program"
    press Return
    picture "installer-$1-2-terms"
    press Return
    picture "installer-$1-3-parts"
    press Return
    picture "installer-$1-4-folder"
    press Return
    wait_for 30 test -f "$program/uninstall.exe"
    picture "installer-$1-5-finish"
    press Return
    wait_for 30 test -f "$menu/$5.lnk"
    # The last page has started the program: the installer has to ask whether it may close it.
    wait_for 30 xdotool search --name '^LifeHelper$'
    wait "$running" || fail "the installer ended with $?"
    rm -f "$data/saved.txt"
    run "$work/setup-0.2.0.exe" "/LANG=$2" &
    running=$!
    wait_for 30 xdotool search --onlyvisible --name "$3"
    window=$(xdotool search --onlyvisible --name "$3" | tail -1)
    xdotool windowfocus --sync "$window" || true
    local asks="[ \$(xdotool search --onlyvisible --name '$3' | wc -l) -gt 1 ]" tries=0
    until bash -c "$asks"; do # one page after another, however slow the machine is
        tries=$((tries + 1))
        [ "$tries" -lt 15 ] || fail "it does not ask whether it may close the program"
        press Return
        sleep 2
    done
    window=$(xdotool search --onlyvisible --name "$3" | grep -v "^$window\$" | tail -1)
    xdotool windowfocus --sync "$window" || true
    picture "installer-$1-6-running"
    check "it asks before it closes the program ($1)" test ! -e "$data/saved.txt"
    press Return
    wait_for 30 grep -q saved "$data/saved.txt"
    wait_for 30 cmp "$work/0.2.0/_internal/large.bin" "$program/_internal/large.bin"
    sleep 3
    window=$(xdotool search --onlyvisible --name "$3" | tail -1)
    xdotool windowfocus --sync "$window" || true
    press space # not to be started again
    press Return
    wait "$running" || fail "the installer ended with $?"
    run "$program/uninstall.exe" "/LANG=$2" "_?=$program_there" &
    running=$!
    wait_for 30 xdotool search --onlyvisible --name "$4"
    window=$(xdotool search --onlyvisible --name "$4" | tail -1)
    xdotool windowfocus --sync "$window" || true
    picture "uninstaller-$1-1-confirm"
    press Return
    picture "uninstaller-$1-2-parts"
    press Return
    wait_for 30 bash -c "! test -f '$menu/$5.lnk'"
    picture "uninstaller-$1-3-done"
    press Return
    wait "$running" || fail "the uninstaller ended with $?"
    rm -r "$program"
}
pages en 1033 'LifeHelper Setup' 'LifeHelper Uninstall' LifeHelper
ok "every page, English"
pages ko 1042 '라이프 헬퍼' '라이프 헬퍼' '라이프 헬퍼'
ok "every page, Korean"
