#!/usr/bin/env bash
# Installs the packages as people do and lives with them: packaging/linux/test_install.sh DIST [SUITE...]
#
# For each suite (bookworm, trixie) a clean Debian is made (debootstrap), and in it
#   .deb: an older version is installed by apt, opened through its desktop entry, a habit made and logged; then the newer
#         one over it while the window is open: it ends by itself, the data is still there, the coach answers; then
#         remove and purge: nothing is left but the data.
#   .run: the same without root, for a user of its own whose home has a space and Hangul in its name.
# Needs root, debootstrap, Xvfb and about 3 GB below WORK (default: a temporary folder, removed at the end). CACHE, when it
# is set, keeps the bare systems for the next time. Pictures of the windows go to PICTURES when it is set.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
dist=$(realpath "${1:?usage: test_install.sh DIST [SUITE...]}")
shift
suites=("$@")
[ $# -gt 0 ] || suites=(bookworm trixie)
made_work=
if [ -z "${WORK:-}" ]; then
    WORK=$(mktemp -d)
    made_work=yes
fi
cache=${CACHE:-$WORK/cache}
version=$(python3 "$here/../build.py" --print-version)
deb=$(echo "$dist"/lifehelper-desktop_"$version"_*.deb)
runfile=$(echo "$dist"/LifeHelper-"$version"-*.run)
root=
screen_pid=
opened=

say() { printf '\n== %s\n' "$*"; }
die() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

cleanup() {
    [ -z "$screen_pid" ] || kill "$screen_pid" 2>/dev/null || :
    for each in "$WORK"/*/; do
        for inside in tmp/.X11-unix proc dev/shm dev sys; do
            if mountpoint -q "$each$inside"; then umount "$each$inside" 2>/dev/null || umount -l "$each$inside"; fi
        done
    done
    [ -z "$made_work" ] || rm -rf --one-file-system "$WORK"
}
trap cleanup EXIT

# ---- a clean system and a screen

make_root() {
    local suite=$1
    mkdir -p "$cache"
    if [ ! -d "$cache/$suite" ]; then
        debootstrap --variant=minbase "$suite" "$cache/$suite.part" ${MIRROR:+"$MIRROR"} >"$WORK/debootstrap-$suite.log"
        mv "$cache/$suite.part" "$cache/$suite"
    fi
    root=$WORK/$suite
    [ ! -d "$root" ] || die "$root is there already"
    cp -a "$cache/$suite" "$root"
    apt-config dump | { grep -E '^Acquire::https?::Proxy' || :; } >"$root/etc/apt/apt.conf.d/90proxy"
    cp /etc/resolv.conf "$root/etc/resolv.conf"
    mount --bind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount -t proc proc "$root/proc"
    mkdir -p "$root/tmp/.X11-unix"
    mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
    inside root apt-get -q update >/dev/null
    # What a desktop brings and no package of ours should: the program that opens desktop entries, a session bus.
    inside root apt-get -q install -y --no-install-recommends libglib2.0-bin dbus-daemon desktop-file-utils \
        shared-mime-info >"$WORK/apt-desktop.log" 2>&1 || { tail -20 "$WORK/apt-desktop.log"; die "apt-get"; }
    inside root useradd --create-home --home-dir "/home/한글 이름" person
}

# inside USER COMMAND...: with an environment that holds only what a login on this screen would.
inside() {
    local user=$1 home=/root
    shift
    [ "$user" = root ] || home="/home/한글 이름"
    chroot "$root" /usr/bin/env -i HOME="$home" USER="$user" DISPLAY="${display:-}" LANG=C.UTF-8 LC_ALL= \
        LC_MESSAGES=ko_KR.UTF-8 DEBIAN_FRONTEND=noninteractive PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        setpriv --reuid="$user" --regid="$user" --init-groups -- "$@"
}

person() { inside person "$@"; }

start_screen() {
    coproc SCREEN { python3 "$here/../release/screen.py" 1280x800; }
    # shellcheck disable=SC2153 # bash sets it
    screen_pid=$SCREEN_PID
    read -r display <&"${SCREEN[0]}"
}

screen() {
    printf '%s\n' "$*" >&"${SCREEN[1]}"
    local answer
    read -r -t 180 answer <&"${SCREEN[0]}" || die "the screen does not answer to: $*"
    [ "${answer%% *}" = ok ] || die "$*: $answer"
    printf '%s\n' "${answer#ok}"
}

picture() {
    [ -z "${PICTURES:-}" ] || screen save "$PICTURES/$1.png" >/dev/null
}

# ---- what is done with an installed program; PROGRAM and COMMAND are its files

data="/home/한글 이름/.local/share/LifeHelper"

launch() {
    local entry=$1 name=$2
    desktop-file-validate "$root/$entry"
    person dbus-run-session -- sh -c "gio launch '$entry'; sleep 30" >"$WORK/launch.log" 2>&1 &
    local session=$!
    screen wait >"$WORK/paint"
    printf 'opened through %s, first picture after %s s\n' "$entry" "$(tr -d ' ' <"$WORK/paint")"
    sleep 3
    picture "$name"
    person "$PROGRAM" --quit || die "the window does not end"
    screen empty >/dev/null
    kill "$session" 2>/dev/null || :
    wait "$session" 2>/dev/null || :
}

# A window that stays open while its package is exchanged, and the look at how that went.
open_and_stay() {
    person dbus-run-session -- "$PROGRAM" >"$WORK/open.log" 2>&1 &
    opened=$!
    screen wait >/dev/null
    sleep 2
}

has_ended() {
    screen empty >/dev/null
    wait "$opened" || { cat "$WORK/open.log"; die "the window that was open did not end well at $1"; }
    printf 'the window that was open ended at %s\n' "$1"
}

log_habit() {
    person "$COMMAND" add daily-steps --text '저녁 먹고 20분 걸어요' >/dev/null
    person "$COMMAND" log 1 "done" >/dev/null
    person "$COMMAND" habits
}

still_there() {
    person "$COMMAND" --json habits | grep -q '"today": "done"' || die "the habit is gone after $1"
    printf 'the habit is still there after %s\n' "$1"
}

coach() {
    person "$COMMAND" chat '걷기 며칠째지?' --yes
}

quiet_log() {
    if grep -rE ' (WARNING|ERROR|CRITICAL) ' "$root$1"; then die "the log is not clean"; fi
    if compgen -G "$root$1/crash-*" >/dev/null; then die "there is a crash report"; fi
}

# All files outside what every program may change, to be compared before and after.
listing() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./sys -o -path ./tmp -o -path ./var/cache \
        -o -path ./var/lib/apt -o -path ./var/lib/dpkg -o -path ./var/log -o -path ./run -o -path ./home \) -prune \
        -o -print | sort)
}

packages() { inside root dpkg -l | awk '/^ii/ { print $2 }' | sort; }

# The same package under a lower version: what an upgrade starts from.
older_deb() {
    local folder=$WORK/older
    rm -rf "$folder"
    dpkg-deb -R "$deb" "$folder"
    sed -i "s/^Version: .*/Version: 0.0.9/" "$folder/DEBIAN/control"
    dpkg-deb --root-owner-group -Zzstd -z1 -b "$folder" "$root/tmp/older.deb" >/dev/null
    rm -rf "$folder"
}

apt() {
    local begin=$SECONDS
    inside root apt-get -q -y "$@" >"$WORK/apt.log" 2>&1 || { tail -30 "$WORK/apt.log"; die "apt-get $*"; }
    printf 'apt-get %s: %d s\n' "$*" $((SECONDS - begin))
}

test_deb() {
    local suite=$1
    PROGRAM=/usr/bin/lifehelper-desktop COMMAND=/usr/bin/lifehelper
    say "$suite: .deb, an older version first"
    older_deb
    cp "$deb" "$root/tmp/lifehelper.deb"
    listing >"$WORK/before"
    packages >"$WORK/packages-before"
    apt install ./tmp/older.deb
    packages >"$WORK/packages-after"
    printf 'packages that came along: %s\n' "$(comm -13 "$WORK/packages-before" "$WORK/packages-after" | wc -l)"
    launch /usr/share/applications/lifehelper-desktop.desktop "desktop-entry-first-$suite"
    log_habit
    [ "$(person gio mime application/x-gguf | grep -c lifehelper-desktop.desktop)" -ge 1 ] || die ".gguf has no program"
    say "$suite: .deb, the newer version over it"
    open_and_stay
    apt install ./tmp/lifehelper.deb
    has_ended "the upgrade"
    inside root dpkg -s lifehelper-desktop | grep -qx "Version: $version" || die "not upgraded"
    still_there "the upgrade"
    coach
    launch /usr/share/applications/lifehelper-desktop.desktop "desktop-entry-$suite"
    quiet_log "/home/한글 이름/.local/state/LifeHelper"
    [ ! -e "$root/home/한글 이름/.config/autostart" ] || die "there is an autostart entry nobody asked for"
    say "$suite: .deb, removed and purged"
    open_and_stay
    apt remove lifehelper-desktop
    has_ended "removing"
    [ ! -e "$root/usr/lib/lifehelper-desktop" ] || die "files are left in /usr/lib"
    if inside root dpkg -l lifehelper-desktop 2>/dev/null | grep -q '^rc'; then die "remove leaves settings behind"; fi
    apt install ./tmp/lifehelper.deb
    still_there "removing and installing again"
    apt purge lifehelper-desktop
    [ ! -e "$root/usr/lib/lifehelper-desktop" ] || die "files are left in /usr/lib"
    [ -f "$root$data/lifehelper.db" ] || die "the data is gone"
    apt autoremove --purge
    listing >"$WORK/after"
    left=$(comm -13 "$WORK/before" "$WORK/after" | grep -i -e lifehelper || :)
    [ -z "$left" ] || die "left behind: $left"
    printf 'nothing is left but the data\n'
}

test_run() {
    local suite=$1 share="/home/한글 이름/.local/share" opt="/home/한글 이름/.local/opt/lifehelper-desktop"
    PROGRAM=$opt/lifehelper-desktop COMMAND=$opt/lifehelper
    say "$suite: .run without root"
    # What the .run cannot bring: a desktop has it.
    apt install libgl1 libegl1 fontconfig-config xkb-data fonts-nanum
    rm -rf "${root:?}/home/한글 이름/.local" "${root:?}/home/한글 이름/.cache"
    cp "$runfile" "$root/tmp/lifehelper.run"
    local begin=$SECONDS
    person sh /tmp/lifehelper.run --quiet
    printf 'installed in %d s\n' $((SECONDS - begin))
    launch "$share/applications/lifehelper-desktop.desktop" "desktop-entry-run-$suite"
    log_habit
    say "$suite: .run over what is there"
    open_and_stay
    person sh /tmp/lifehelper.run --quiet
    has_ended "the upgrade"
    still_there "the upgrade"
    coach
    [ "$(person "/home/한글 이름/.local/bin/lifehelper" --version)" = "lifehelper $version" ] ||
        die "the link in ~/.local/bin does not work"
    say "$suite: .run uninstalled"
    person "$opt/uninstall"
    left=$(find "$root/home/한글 이름" -path '*/.local/share/LifeHelper' -prune -o -type f -printf './%P\n' |
        grep -e lifehelper -e LifeHelper | grep -v -e '^./.cache/LifeHelper' -e '^./.local/state/LifeHelper' || :)
    [ -z "$left" ] || die "left behind: $left"
    [ -f "$root$data/lifehelper.db" ] || die "the data is gone"
    printf 'nothing is left but the data\n'
}

say "the package itself"
desktop-file-validate "$here/lifehelper-desktop.desktop"
# The tags that tell of a mistake of ours; a program with its libraries inside is never free of all the others.
tags=$(grep -v '^#' "$here/lintian-tags" | paste -sd,)
lintian --allow-root --tags "$tags" --fail-on error,warning,info "$deb"
printf 'lintian is content with %d tags\n' "$(grep -cv '^#' "$here/lintian-tags")"
for suite in "${suites[@]}"; do
    say "$suite: a clean system"
    make_root "$suite"
    start_screen
    test_deb "$suite"
    test_run "$suite"
    kill "$screen_pid" 2>/dev/null || :
    wait "$screen_pid" 2>/dev/null || :
    screen_pid=
done
say "everything was as it should be on ${suites[*]}"
