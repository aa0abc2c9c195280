#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The page of a run in a headless browser (tools/setup page; npm ci in view/). 77: skipped. TALUS is the path of the program.
set -u
talus=${TALUS:?}
source=${TALUS_SOURCE_DIR:?}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1

skip() {
    echo "SKIPPED: $1"
    exit 77
}
command -v node >/dev/null || skip "no node: the page is not looked at (tools/setup page)"
[ -d "$source/view/node_modules/playwright-core" ] || skip "no view/node_modules: the page is not looked at (npm ci in view/)"
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || skip "no chromium: the page is not looked at (tools/setup page)"

# shellcheck source=/dev/null
. "$source/tests/export_scenes.inc"
for scene in $scenes; do
    "$talus" run "$scene.yaml" -o "$scene" -q >/dev/null || exit 1
done
"$talus" run periodic.yaml -o bare -q --set output.frames=false >/dev/null || exit 1
"$talus" export periodic --to csv >/dev/null || exit 1
"$talus" view periodic --html periodic.html >/dev/null || exit 1

# A run in its middle: two of four frames, no summary.
cp -r periodic growing && rm growing/summary.json growing/final.txt || exit 1
sed -i '/frame_00000[23]/d' growing/frames/frames.pvd || exit 1

node "$source/view/test/colors.mjs" || exit 1
TALUS=$talus node "$source/view/test/page.mjs"
