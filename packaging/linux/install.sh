#!/bin/sh
# Installs LifeHelper for one user, or takes it away again; runs from the unpacked .run file, and afterwards as
# "uninstall" from where it was installed. No root, no Python, nothing outside the home folder.
#
#   sh LifeHelper-VERSION-x86_64.run              install, or upgrade what is there
#   sh LifeHelper-VERSION-x86_64.run -- --uninstall
#   ~/.local/opt/lifehelper-desktop/uninstall     the same
#
# The habits (~/.local/share/LifeHelper) stay, whatever is done here.
set -eu
umask 022

name=lifehelper-desktop
: "${HOME:?}"
share=${XDG_DATA_HOME:-$HOME/.local/share}
config=${XDG_CONFIG_HOME:-$HOME/.config}
programs=$HOME/.local/bin
opt=$HOME/.local/opt
target=$opt/$name
list=$target/installed-files
new=$target.new
old=$target.old

case ${LC_ALL:-${LC_MESSAGES:-${LANG:-}}} in
ko*) korean=yes ;;
*) korean=no ;;
esac

say() {
    if [ "$korean" = yes ]; then printf '%s\n' "$1"; else printf '%s\n' "$2"; fi
}

# What is inside double quotes of an Exec line, then as a string of the file (the specification quotes twice).
quoted() {
    printf '%s' "$1" | sed -e 's/[\\"`$]/\\&/g' -e 's/\\/\\\\/g' -e 's/%/%%/g'
}

# The program in folder $1, as a string of a desktop entry.
escaped() {
    printf '%s' "$1/$name" | sed -e 's/\\/\\\\/g'
}

refresh() {
    # The desktop's caches; a desktop without these programs looks for itself.
    if command -v update-desktop-database >/dev/null; then
        update-desktop-database -q "$share/applications" || :
    fi
    if command -v update-mime-database >/dev/null && [ -d "$share/mime/packages" ]; then
        update-mime-database "$share/mime" >/dev/null 2>&1 || :
    fi
    if command -v gtk-update-icon-cache >/dev/null && [ -f "$share/icons/hicolor/icon-theme.cache" ]; then
        gtk-update-icon-cache -q -t "$share/icons/hicolor" || :
    fi
}

# Where nothing but our files was, their caches are all that is left; whoever needs them makes them again.
drop_caches() {
    if [ ! -d "$share/mime/packages" ]; then
        for each in XMLnamespaces aliases generic-icons globs globs2 icons magic mime.cache subclasses treemagic types \
            version application/x-gguf.xml; do
            rm -f "$share/mime/$each"
        done
        rmdir "$share/mime/application" "$share/mime" 2>/dev/null || :
    fi
    if [ "$(ls -A "$share/applications" 2>/dev/null)" = mimeinfo.cache ]; then
        rm -r "$share/applications"
    fi
}

# The processes of the installed program, by the file that they run: also those with data elsewhere, and servers that
# another program keeps open.
running() {
    file=$(stat -Lc '%d:%i' "$target/$name" 2>/dev/null) || return 0
    stat -Lc '%d:%i %n' /proc/[0-9]*/exe 2>/dev/null | sed -n "s,^$file /proc/\\([0-9]*\\)/exe\$,\\1,p"
}

# It would read modules of another version from here on. SIGTERM is what a session sends at its end: all is saved.
end_running() {
    tries=0
    # shellcheck disable=SC2046 # one word a process
    while [ -n "$(running)" ]; do
        if [ "$tries" -eq 50 ]; then
            say "켜져 있는 라이프 헬퍼를 끝낸 다음 다시 실행해 주세요." "Please close LifeHelper and run this again."
            exit 1
        fi
        [ "$tries" -gt 0 ] || kill -TERM $(running) 2>/dev/null || :
        tries=$((tries + 1))
        sleep 0.2
    done
}

# Whether a link in the folder of programs leads to us: someone may have put another program of that name there.
is_ours() {
    [ "$(readlink "$1" 2>/dev/null)" = "$target/${1##*/}" ]
}

# Removes what the list names, and the folders that this leaves empty.
remove_listed() {
    [ -f "$list" ] || return 0
    while IFS= read -r file; do
        case $file in
        "$programs"/*) is_ours "$file" || continue ;;
        esac
        rm -f "$file"
        folder=$(dirname "$file")
        while [ "$folder" != "$share" ] && [ "$folder" != "$HOME" ] && rmdir "$folder" 2>/dev/null; do
            folder=$(dirname "$folder")
        done
    done <"$list"
}

uninstall() {
    if [ ! -d "$target" ]; then
        say "설치되어 있지 않아요." "It is not installed."
        exit 0
    fi
    end_running
    remove_listed
    # The entry for starting at login, if the user had asked for it, would start nothing any more; one that starts a
    # program installed elsewhere is not ours.
    if grep -qxF -e "TryExec=$(escaped "$target")" -e "TryExec=$(escaped "$(cd "$target" && pwd -P)")" \
        "$config/autostart/$name.desktop" 2>/dev/null; then
        rm -f "$config/autostart/$name.desktop"
    fi
    rm -rf "$target" "$new" "$old"
    rmdir "$opt" "$programs" 2>/dev/null || :
    refresh
    drop_caches
    say "라이프 헬퍼를 지웠어요. 습관 기록은 그대로 있어요: $share/LifeHelper" \
        "LifeHelper is gone. Your habits are still there: $share/LifeHelper"
}

undo() {
    rm -rf "$new"
    [ -e "$target" ] || [ ! -e "$old" ] || mv "$old" "$target"
}

install() {
    here=$(cd "$(dirname "$0")" && pwd)
    mkdir -p "$opt" "$programs" "$share"
    # Everything is beside what is there before that is touched: a full disk, or the key that ends this, changes nothing.
    trap undo EXIT
    trap 'exit 1' HUP INT TERM
    rm -rf "$new" "$old"
    if ! error=$(cp -RP "$here/$name" "$new" 2>&1 && cp "$here/install.sh" "$new/uninstall" 2>&1); then
        say "설치할 자리에 쓰지 못했어요. 남은 공간과 권한을 살펴봐 주세요(450 MB가 필요해요): $opt" \
            "It cannot be written. Please look at the free space (450 MB are needed) and permissions of $opt"
        printf '%s\n' "$error" | tail -n 1
        exit 1
    fi
    # From where it will be: what was unpacked may lie in a folder that lets nothing run.
    if ! error=$("$new/$name" --version 2>&1); then
        say "이 시스템에서 실행할 수 없어요. 빠진 것이 있으면 설치해 주세요(데비안·우분투: libgl1 libegl1):" \
            "It does not run on this system. Please install what is missing (Debian, Ubuntu: libgl1 libegl1):"
        printf '%s\n' "$error"
        exit 1
    fi
    # Before anything is laid out, so that whatever happens then can be taken away again.
    (cd "$here/share" && find . -type f) | sed 's,^\./,,' | while IFS= read -r file; do
        printf '%s\n' "$share/$file"
    done >"$new/installed-files"
    printf '%s\n' "$programs/$name" "$programs/lifehelper" >>"$new/installed-files"
    end_running
    remove_listed
    [ ! -e "$target" ] || mv "$target" "$old"
    mv "$new" "$target"
    rm -rf "$old"
    mkdir -p "$programs" "$share" # what was removed may have left them empty

    (cd "$here/share" && find . -type f) | sed 's,^\./,,' | while IFS= read -r file; do
        mkdir -p "$share/$(dirname "$file")"
        cp "$here/share/$file" "$share/$file"
    done
    for link in "$programs/$name" "$programs/lifehelper"; do
        if { [ -e "$link" ] || [ -L "$link" ]; } && ! is_ours "$link"; then
            say "이미 있는 것은 그대로 두었어요: $link" "This was there already and stays: $link"
        else
            ln -sf "$target/${link##*/}" "$link"
        fi
    done
    # ~/.local/bin may not be in PATH, so the entry names the program itself.
    entry=$share/applications/$name.desktop
    program=$(quoted "$target/$name")
    while IFS= read -r line; do
        case $line in
        "Exec=$name"*) printf 'Exec="%s"%s\n' "$program" "${line#"Exec=$name"}" ;;
        *) printf '%s\n' "$line" ;;
        esac
    done <"$entry" >"$entry.new"
    mv "$entry.new" "$entry"
    refresh
    say "라이프 헬퍼를 설치했어요. 앱 목록에서 열거나 이렇게 실행해요: $target/$name" \
        "LifeHelper is installed. Open it from the list of programs, or run $target/$name"
    say "지우려면: $target/uninstall" "To remove it: $target/uninstall"
}

case ${1:-} in
--uninstall) uninstall ;;
"") if [ "$(basename "$0")" = uninstall ]; then uninstall; else install; fi ;;
*)
    say "쓰는 법: sh LifeHelper-….run [-- --uninstall]" "Usage: sh LifeHelper-….run [-- --uninstall]"
    exit 2
    ;;
esac
