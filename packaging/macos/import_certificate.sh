#!/usr/bin/env bash
# Put the certificate of the variables CERTIFICATE (a .p12 in base64) and CERTIFICATE_PASSWORD into a keychain of its
# own, so that codesign finds it. For a machine that is thrown away afterwards.
set -euo pipefail

: "${CERTIFICATE:?}" "${CERTIFICATE_PASSWORD:?}"
folder=${RUNNER_TEMP:-$(mktemp -d)}
keychain=$folder/lifehelper.keychain-db
password=$(openssl rand -base64 24)
trap 'rm -f "$folder/lifehelper.p12"' EXIT

(umask 077 && base64 --decode <<<"$CERTIFICATE" >"$folder/lifehelper.p12")
security create-keychain -p "$password" "$keychain"
security set-keychain-settings -lut 21600 "$keychain"
security unlock-keychain -p "$password" "$keychain"
security import "$folder/lifehelper.p12" -k "$keychain" -P "$CERTIFICATE_PASSWORD" -T /usr/bin/codesign
security set-key-partition-list -S apple-tool:,apple: -s -k "$password" "$keychain" >/dev/null
read -r -d '' -a others < <(security list-keychains -d user | tr -d '"' && printf '\0')
security list-keychains -d user -s "$keychain" "${others[@]}"
