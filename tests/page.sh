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

# A run in its middle: two of four frames, no summary. The same, stopped; one that is over, and what it is if made again otherwise.
cp -r periodic growing && rm growing/summary.json growing/final.txt || exit 1
sed -i '/frame_00000[23]/d' growing/frames/frames.pvd || exit 1
cp -r growing stopped && sed 's/"status": *"ok"/"status":"interrupted"/' periodic/summary.json >stopped/summary.json || exit 1
grep -q interrupted stopped/summary.json || exit 1
cp -r periodic again && cp -r periodic broken || exit 1
"$talus" run periodic.yaml -o other -q --set seed=7 >/dev/null || exit 1
"$talus" export other --to csv >/dev/null || exit 1
: >broken/frames/particles_000003.vtp || exit 1

# Polygons on a floor: bars that meet it askew, edges to be clicked on.
cat >chips.yaml <<END
dimension: 2
seed: 3
gravity: [0, -9.81]
time: {dt: 1 ms, end: 0.4 s}
materials: [{name: stone, density: 2500}]
pairs: [{between: [stone, stone], mu: 0.4}]
shapes: [{name: chip, voronoi: {radius: 10 mm, aspect: 1.3, variety: 5}}]
grains: [{shape: chip, orientation: random, fill: {box: {low: [0, 0], high: [0.2, 0.3]}, count: 30}}]
boundaries: [{name: box, box: {low: [0, 0], high: [0.2, 1], open: [y+]}}]
output: {picture: false, frames: {every: 0.2 s, events: end}}
END
"$talus" run chips.yaml -o chips -q >/dev/null || exit 1

if [ -z "${TALUS_SANITIZED:-}" ]; then
    node "$source/view/test/colors.mjs" || exit 1
    node "$source/view/test/hidden.mjs" || exit 1
fi
TALUS=$talus node "$source/view/test/page.mjs"
