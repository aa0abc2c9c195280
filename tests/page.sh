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
for run in periodic shapes; do
    "$talus" export $run --to csv >/dev/null || exit 1
done
"$talus" measure periodic fabric --json >fabric.json || exit 1
"$talus" view periodic --html periodic.html >/dev/null || exit 1

# More grains than a machine without a graphics processor draws in time.
if [ -z "${TALUS_SANITIZED:-}" ]; then
    cat >many.yaml <<END
$grains3
grains: [{lattice: {kind: cubic, cells: [29, 29, 25], start: [0, 0, 5 mm], spacing: 9.9 mm}, radius: {uniform: [4 mm, 4.9 mm]}}]
boundaries: [{name: floor, plane: {normal: [0, 0, 1]}}]
END
    "$talus" run many.yaml -o many -q --set time.end=1ms >/dev/null || exit 1
fi

# A run in its middle: two of four frames, no summary.
cp -r periodic growing && rm growing/summary.json growing/final.txt || exit 1
sed -i '/frame_00000[23]/d' growing/frames/frames.pvd || exit 1

if [ -z "${TALUS_SANITIZED:-}" ]; then
    node "$source/view/test/colors.mjs" || exit 1
    node "$source/view/test/hidden.mjs" || exit 1
fi
TALUS=$talus node "$source/view/test/page.mjs"
