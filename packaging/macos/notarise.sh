#!/usr/bin/env bash
# Have Apple notarise a signed disk image, and put the ticket into it: notarise.sh FILE.dmg
# Needs the variables APPLE_ID, APPLE_TEAM_ID and APPLE_APP_PASSWORD (an app-specific password).
set -euo pipefail

image=${1:?usage: notarise.sh FILE.dmg}
: "${APPLE_ID:?}" "${APPLE_TEAM_ID:?}" "${APPLE_APP_PASSWORD:?}"

answer=$(xcrun notarytool submit "$image" --apple-id "$APPLE_ID" --team-id "$APPLE_TEAM_ID" \
    --password "$APPLE_APP_PASSWORD" --wait --output-format json)
echo "$answer"
if [ "$(plutil -extract status raw -o - - <<<"$answer")" != Accepted ]; then
    number=$(plutil -extract id raw -o - - <<<"$answer")
    xcrun notarytool log "$number" --apple-id "$APPLE_ID" --team-id "$APPLE_TEAM_ID" --password "$APPLE_APP_PASSWORD"
    exit 1
fi
xcrun stapler staple "$image"
spctl --assess --type open --context context:primary-signature --verbose "$image"
