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

# ---- what cannot be measured is left out ----------------------------------------------------------
# Three grains fly apart: the grid around them would grow without bound.
cat >apart.yaml <<END
time: {dt: 1 ms, end: 0.2}
grains: [{list: [{at: [0, 0, 0], velocity: [-3, 0, 1]}, {at: [1 cm, 0, 0], velocity: [2, 3, 0]}, {at: [0, 2 cm, 0], velocity: [0, -4, -3]}], radius: 4 mm}]
output: {every: 10 ms, picture: false, measures: [fields, packing]}
END
expect "apart" 0 "$talus" run apart.yaml -o apart
check "apart: is told" says "measure fields left out of [0-9]* rows, first at step"
check "apart: what it would have taken" says "the grid would have [0-9.e+]* cells of 0.0079[0-9]* m (x -.*at most 100060 are possible in a run: give .from. and .to."
# A line in the log the first time and one at the end.
check "apart: in the log" [ "$(grep -c 'measure fields' apart/log.txt)" = 2 ]
check "apart: in the summary" grep -q '"kind": "measure fields left out"' apart/summary.json
check "apart: all other rows" [ "$(wc -l <apart/series.tsv)" = 22 ]
check "apart: rows while it was possible" grep -q "^0.05[0-9.]*	" apart/measures/fields.tsv
check "apart: no row is larger than possible" [ "$(grep -v '^#' apart/measures/fields.tsv | cut -f 1 | uniq -c | sort -n | tail -1 | awk '{ print ($1 <= 100060) }')" = 1 ]
check "apart: can be resumed" [ -s apart/checkpoint.h5 ]
expect "apart, stopped" 0 "$talus" run apart.yaml -o apart_half -q --set time.end=0.1
expect "apart, resumed" 0 "$talus" run --resume apart_half -q --set time.end=0.2
check "apart, resumed: the same" diff -r -x log.txt -x checkpoint.h5 -x summary.json apart apart_half
check "apart, resumed: the same warning" [ "$(grep -A5 'fields left out' apart/summary.json)" = "$(grep -A5 'fields left out' apart_half/summary.json)" ]
expect "apart, never possible" 0 "$talus" run apart.yaml -o never -q --set 'output.measures=[{name: fields, spacing: 0.1 mm}]'
check "never possible: no table" [ ! -e never/measures/fields.tsv ]
expect "with corners" 0 "$talus" run apart.yaml -o corners -q --set 'output.measures=[{name: fields, from: [-1, -1, -1], to: [1, 1, 1], spacing: 0.25}]'
check "with corners: all rows" [ "$(grep -vc '^[#t]' corners/measures/fields.tsv)" = $((21 * 512)) ]

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
bad "rose: bins = 7, must be even" "[{name: rose, bins: 7}]"
expect "nothing is written" 1 "$talus" run scene.yaml -o wrong -q --set "output.measures=[{name: rose, bins: 7}]"
check "nothing is written: no directory" [ ! -e wrong ]

exit $((failures > 0))
