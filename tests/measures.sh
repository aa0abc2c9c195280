#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# talus measure and output: {measures: ...} from outside: tables, choices of frames, runs without frames, mistakes; measures
# change no run, and a resumed run has the same bytes.
# shellcheck source=/dev/null
. "${TALUS_SOURCE_DIR:?}/tests/program.inc"

cat >scene.yaml <<'END'
title: measured
gravity: [0, 0, -9.81]
time: { dt: 0.2 ms, end: 60 ms }
cell: { periodic: [x], origin: [-2 cm, 0, 0], size: [4 cm, 0, 0] }
grains:
  - fill: { box: { low: [-2 cm, -2 cm, 0.5 cm], high: [2 cm, 2 cm, 5 cm] }, count: 40 }
    radius: { uniform: [4 mm, 6 mm] }
boundaries:
  - { name: floor, plane: { point: [0, 0, 0], normal: [0, 0, 1] } }
output:
  every: 5 ms
  picture: false
  frames: { every: 20 ms, quantities: [mass, v, omega, group, shape, image, point, normal, force, mu, sliding] }
  measures:
    - stress
    - { name: profile, axis: z, bins: 4 }
    - { name: stress, as: low, from: [-2 cm, -3 cm, 0], to: [2 cm, 3 cm, 1 cm] }
    - { name: flow, at: 2 cm }
    - coordination
    - { name: coordination, as: Z, of: mean }
    - { name: fields, width: 1 cm, spacing: 2 cm }
END
expect "run" 0 "$talus" run scene.yaml -o all -q

# ---- they change nothing --------------------------------------------------------------------------
expect "without" 0 "$talus" run scene.yaml -o without -q --set 'output.measures=[]'
hash_of() { grep state_hash "$1/summary.json"; }
check "same state" [ "$(hash_of all)" = "$(hash_of without)" ]
check "no tables where none are asked for" [ ! -e without/measures ]
columns=$(head -1 without/series.tsv | tr '\t' '\n' | wc -l)
cut -f "1-$columns" all/series.tsv >cut.tsv
check "the rest of the series is the same" cmp -s cut.tsv without/series.tsv
check "columns of stress" grep -q "stress.sigma_xz\[Pa\]" all/series.tsv
check "columns under another name" grep -q "low.pressure\[Pa\]" all/series.tsv
check "means are columns" grep -q "Z.Z_no_rattlers" all/series.tsv
check "tables" [ "$(cd all/measures && echo *)" = "coordination.tsv fields.tsv profile.tsv" ]
check "a block of the profile for each row" [ "$(grep -c '^[0-9]' all/measures/profile.tsv)" = 52 ]

# ---- a resumed run has the same bytes -------------------------------------------------------------
expect "half" 0 "$talus" run scene.yaml -o half -q --set time.end=23ms
expect "resumed" 0 "$talus" run --resume half -q --set time.end=60ms
for file in series.tsv measures/profile.tsv measures/fields.tsv measures/coordination.tsv final.txt; do
    check "$file of a resumed run" cmp -s "all/$file" "half/$file"
done
expect "over again" 0 "$talus" run scene.yaml -o half -q --force --set 'output.measures=[stress]'
check "old tables are gone" [ ! -e half/measures ]

# ---- stored frames --------------------------------------------------------------------------------
expect "the last frame" 0 "$talus" measure all profile --set bins=4
grep -v '^#' stdout | tail -4 >measured.tsv
tail -4 all/measures/profile.tsv | cut -f 2- >written.tsv
check "stored and written by the run are the same" cmp -s measured.tsv written.tsv
expect "all frames" 0 "$talus" measure all stress --frames :
check "one row each" [ "$(grep -c '^[0-9]' stdout)" = 4 ]
check "with time" says "^time\[s\]"
expect "one of them" 0 "$talus" measure all stress --frame 1
check "without time" [ "$(grep -c '^time' stdout)" = 0 ]
expect "a frame by its name" 0 "$talus" measure all/frames/frame_000002.vtm packing
check "its box" says "^# box: x -0.02 to 0.02 m"
expect "into a file" 0 "$talus" measure all rose -o rose.tsv
check "the file" grep -q "^from\[rad\]" rose.tsv
expect "as JSON" 0 "$talus" measure all coordination --json
if command -v python3 >/dev/null; then
    check "is JSON" python3 -c 'import json; d = json.load(open("stdout")); assert d["columns"][0]["name"] == "contacts"; assert len(d["rows"][0]) == 3'
fi
for which in $("$talus" list measures | awk '{ print $1 }'); do
    expect "$which" 0 "$talus" measure all "$which"
    expect "describe $which" 0 "$talus" describe "$which"
    check "describe says what it is" says "^measure $which: "
done

# ---- without frames -------------------------------------------------------------------------------
expect "no frames" 0 "$talus" run scene.yaml -o bare -q --set output.frames=false --set 'output.measures=[]'
# Across periodic sides branches go the short way also without frames, and arms begin where centres were when forces were
# solved: final.txt and final_contacts.txt know the cell and the lag, no checkpoint is needed. Grains still move.
cat >around.yaml <<END
materials: [{name: glass, density: 2500}]
gravity: [0, 0, -9.81]
time: {dt: 1 ms, end: 80 ms}
cell: {periodic: [x, y], size: [3 cm, 3 cm, 0]}
grains: [{fill: {box: {low: [0, 0, 3 mm], high: [3 cm, 3 cm, 3 cm]}, count: 60}, radius: 3 mm}]
boundaries: [{name: floor, plane: {normal: [0, 0, 1]}}]
output: {picture: false, checkpoint: false}
END
"$talus" run around.yaml -o around -q >/dev/null
"$talus" run around.yaml -o around_frames -q --set 'output.frames={events: [end]}' >/dev/null
# Up to the kinetic stress: masses are not in final.txt.
for what in packing "fabric --set of=branches" "stress --set of=grains" stress; do
    # shellcheck disable=SC2086
    for run in around around_frames; do "$talus" measure $run $what | grep -v '^#' | cut -f 1-23 >$run.tsv; done
    check "$what without frames" cmp -s around.tsv around_frames.tsv
    check "$what: something" [ "$(wc -l <around.tsv)" -gt 1 ]
done

expect "contacts of the final state" 0 "$talus" measure bare forces
expect "masses are not in it" 1 "$talus" measure bare fields
check "which are missing" complains "final state: fields needs what was not stored: mass"
check "where they would be" complains "frames do"

# ---- mistakes -------------------------------------------------------------------------------------
expect "nothing" 1 "$talus" measure
expect "no name" 1 "$talus" measure all
expect "two names" 1 "$talus" measure all stress fabric
expect "unknown" 1 "$talus" measure all strain
check "what there is" complains 'no measure "strain"; there are stress, fabric'
expect "parameter" 1 "$talus" measure all rose --set bin=3
check "what it has" complains "it has bins, by, axis, contacts"
expect "value" 1 "$talus" measure all profile --set axis=q
check "what is allowed" complains "must be one of: x y z radial"
expect "frames" 1 "$talus" measure all stress --frames 7:3
expect "no such frame" 1 "$talus" measure all stress --frame 9
expect "frame" 1 "$talus" measure all stress --frame 1:2
expect "no such place" 3 "$talus" measure nowhere stress
check "one line" [ "$(wc -l <stderr)" = 1 ]

bad() { # bad WHAT MEASURES
    expect "$1" 1 "$talus" check scene.yaml --set "output.measures=$2"
    check "$1: says it" complains "$1"
}
bad "'strain' is not known" "[strain]"
bad "rose has no parameter" "[{name: rose, width: 3}]"
bad "must be one of: x y z" "[{name: rose, axis: w}]"
bad "two measures called 'stress'" "[stress, stress]"
bad "msd compares stored frames" "[msd]"
bad "cannot name a file" "[{name: rose, as: ../x}]"
bad "'name' is missing" "[{axis: x}]"

exit $((failures > 0))
