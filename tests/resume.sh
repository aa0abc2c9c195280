#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Stopping and resuming the program: signals, limits, messages, and SIGKILL at fifty random moments. TALUS is the path
# of the program.
# shellcheck source=/dev/null
. "$(dirname "$0")/program.inc"

# same NAME A B: all files of two runs but the log, the checkpoint and the time on the clock.
same() {
    for file in series.tsv final.txt final_contacts.txt scene.yaml film_0000.png film_0001.png film_0002.png final.png; do
        check "$1: $file" cmp "$2/$file" "$3/$file"
    done
    grep -v wall_seconds "$2/summary.json" >one
    grep -v wall_seconds "$3/summary.json" >other
    check "$1: summary.json" cmp one other
    check "$1: frames" diff -r "$2/frames" "$3/frames"
    check "$1: nothing is left over" test ! -e "$3/checkpoint.h5.part"
}

cat >pour.yaml <<'END_OF_SCENE'
title: discs poured into a box
dimension: 2
gravity: [0, -9.81]
time: {dt: 1 ms}
pairs: [{between: [grain, grain], mu: 0.4, rolling: {coefficient: 0.05}, cohesion: {force: 0.1, range: 0.1 mm}}]
sources: [{name: hose, box: {low: [1 cm, 8 cm], high: [9 cm, 14 cm]}, rate: 1000, count: 90,
  radius: {uniform: [3 mm, 5 mm]}, velocity: [0, -0.5]}]
boundaries:
  - {name: box, box: {low: [0, 0], high: [10 cm, 1], open: [y+]}}
  - {name: stick, rectangle: {center: [5 cm, 2 cm], normal: [0, 1], edge: [1, 0], size: [3 cm, 1 cm]},
     motion: {oscillate: {direction: [0, 1], amplitude: 2 mm, frequency: 20}}}
phases:
  - {name: pour, until: {time: 0.12}}
  - {name: rest, change: {boundaries: [{name: stick, motion: {}}]}, until: {time: 0.12, rest: {kinetic: 1e-7}}}
output: {frames: {steps: 40, events: [start, phase, end]}, every: 5 ms, film: 0.1 s, picture: {width: 48, height: 32}, checkpoint: {steps: 7}}
END_OF_SCENE
sed 's/time: 0.12}}$/time: 1e6}}/' pour.yaml >long.yaml

expect "whole run" 0 "$talus" run pour.yaml -o whole -q

# ---- signals and limits --------------------------------------------------------------------------

# A shell starts jobs in the background with SIGINT ignored, which talus respects; env gives it back.
for signal in INT TERM; do
    rm -rf stopped
    env --default-signal=INT "$talus" run long.yaml -o stopped -q >own_stdout 2>own_stderr &
    pid=$!
    while [ ! -s stopped/series.tsv ]; do sleep 0.02; done
    sleep 0.2
    expect "one run at a time" 3 "$talus" run --resume stopped -q
    check "one run at a time: says so" complains "another run is at work there"
    kill -$signal $pid
    wait $pid
    check "SIG$signal: exit code" test $? = 0
    check "SIG$signal: says how to go on" grep -q "to go on: talus run --resume stopped" own_stderr
done
expect "info of it" 0 "$talus" info stopped/checkpoint.h5
check "info says what it is" says "checkpoint of talus .*whole"
check "info says where it stands" says "to be resumed"

expect "wall limit" 0 timeout 20 "$talus" run long.yaml -o limited -q --wall-limit 1s
check "wall limit: says how to go on" complains "to go on: talus run --resume limited"
expect "wall limit, resumed" 0 timeout 20 "$talus" run --resume limited --wall-limit 1s -q
check "wall limit: goes on" complains "to go on: talus run --resume limited"
# Results of many grains take their time; how much is left for them: test checkpoint, this machine may be busy.
if [ -z "${TALUS_SANITIZED:-}" ]; then
    cat >many.yaml <<'END_OF_SCENE'
title: a block of soft spheres
dimension: 3
method: md
gravity: [0, 0, -9.81]
time: { dt: 0.01 ms, end: 1000 s }
materials: [{ name: glass, density: 2500 }]
pairs: [{ between: [glass, glass], mu: 0.3, soft: { young: 10 MPa, poisson: 0.22, restitution: 0.9, damping_form: constant } }]
grains: [{ lattice: { kind: cubic, cells: [24, 24, 24], start: [2 mm, 2 mm, 1.999 mm], spacing: 3.999 mm }, radius: 2 mm }]
boundaries: [{ name: floor, plane: { normal: [0, 0, 1] } }]
output: { every: 1 s }
END_OF_SCENE
    expect "wall limit, many grains" 0 timeout 20 "$talus" run many.yaml -o many -q -j 1 --wall-limit 3s
    check "wall limit, many grains: all is there" test -s many/summary.json -a -s many/final.png
    rm -rf many
fi
expect "no checkpoints" 0 "$talus" run pour.yaml -o without -q --checkpoint-every 0
check "no checkpoints: none" test ! -e without/checkpoint.h5
check "no checkpoints: same series" cmp whole/series.tsv without/series.tsv

# ---- messages ------------------------------------------------------------------------------------

expect "a run that is over" 0 "$talus" run --resume whole
check "a run that is over: says so" complains "the run is over"
expect "resume of nothing" 1 "$talus" run --resume without
check "resume of nothing: says why" complains "holds no checkpoint.h5"
expect "resume of nowhere" 3 "$talus" run --resume nowhere
expect "resume of a file" 1 "$talus" run --resume whole/checkpoint.h5 --set phases.1.until.time=1
expect "resume with a scene" 1 "$talus" run --resume whole pour.yaml
expect "resume with an output" 1 "$talus" run --resume whole -o other
expect "other physics" 1 "$talus" run --resume whole --set gravity=[0,1]
check "other physics: says what may be" complains "only the end of phases"
expect "no time" 1 "$talus" run pour.yaml -o none --wall-limit soon
expect "no clear time" 1 "$talus" run pour.yaml -o none --wall-limit 1:30
cp -r whole damaged
printf 'x' | dd of=damaged/checkpoint.h5 bs=1 seek=5000 conv=notrunc 2>dd
expect "damaged" 1 "$talus" run --resume damaged
check "damaged: says so" complains "damaged/checkpoint.h5: is damaged"
expect "info of a damaged one" 1 "$talus" info damaged/checkpoint.h5
# A checkpoint of another run, put into a directory by hand, is refused, and nothing is touched.
expect "another run" 0 "$talus" run pour.yaml -o another -q --set pairs.0.mu=0.3
cp -r whole foreign
cp another/checkpoint.h5 foreign
cp -r foreign before
expect "foreign" 1 "$talus" run --resume foreign --set phases.rest.until.time=0.2
check "foreign: says so" complains "foreign/checkpoint.h5: is the checkpoint of another run"
check "foreign: says whose scene" complains "foreign/scene.yaml"
check "foreign: nothing is touched" diff -r before foreign
rm foreign/scene.yaml
expect "no scene" 1 "$talus" run --resume foreign
check "no scene: says so" complains "foreign/scene.yaml: cannot be read"
# What is refused has no report.
cp -r whole shorter
rm shorter/series.tsv
expect "no series" 1 "$talus" run --resume shorter --set phases.rest.until.time=0.2
check "no series: no report" [ "$(grep -c 'steps' stdout)" = 0 ]
# A pipe in the place of a file is refused, and not waited for.
cp -r whole piped
rm piped/scene.yaml && mkfifo piped/scene.yaml
expect "a pipe as scene" 3 timeout 20 "$talus" run --resume piped --set phases.rest.until.time=0.2
check "a pipe as scene: says so" complains "it is not a regular file"
# Killed when it had been given a new end and not yet written a checkpoint: that is its own.
cp -r whole longer
sed 's/until: {time: 0.12}/until: {time: 0.3}/' whole/scene.yaml >longer/scene.yaml
check "a new end: is in the scene" [ "$(diff whole/scene.yaml longer/scene.yaml | wc -l)" -gt 0 ]
expect "a new end" 0 "$talus" run --resume longer
check "a new end: is its own" complains "the run is over"
expect "an old run is replaced" 0 "$talus" run pour.yaml -o stopped -f -q --checkpoint-every 0
check "an old run is replaced with its checkpoint" test ! -e stopped/checkpoint.h5

# ---- SIGKILL -------------------------------------------------------------------------------------

# Long before the first checkpoint by the clock there is one to resume from. The two share one scene text.
sed 's/, checkpoint: {steps: 7}//' pour.yaml >clock.yaml
check "by the clock only" [ "$(grep -c checkpoint clock.yaml)" = 0 ]
expect "clock" 0 "$talus" run clock.yaml -o clock -q
"$talus" run clock.yaml -o early -q >stdout 2>stderr &
pid=$!
for _ in $(seq 200); do
    [ -e early/checkpoint.h5 ] && break
    sleep 0.005
done
kill -KILL $pid
wait $pid 2>/dev/null
expect "killed early: info" 0 "$talus" info early/checkpoint.h5
check "killed early: it is that of the beginning" says "step  *0$"
expect "killed early: resumed" 0 "$talus" run --resume early -q
same "killed early" clock early

# Runs are killed at random moments and resumed until they end, and others begun, until fifty kills have hit a run.
seed=20041
begin=$(date +%s%N)
"$talus" run pour.yaml -o timed -q >stdout
milliseconds=$((($(date +%s%N) - begin) / 1000000))
echo "seed of the moments: $seed; a whole run takes $milliseconds ms"
moments=$(awk -v seed=$seed -v most=$milliseconds \
    'BEGIN { srand(seed); for (k = 0; k < 200; k++) printf "%.3f ", 0.3e-3 * most * rand() + 0.003 }')
hits=0
ends=0
number=1
for moment in $moments; do
    [ $hits = 50 ] && break
    run="killed$number"
    if [ -e "$run/checkpoint.h5" ]; then
        "$talus" run --resume "$run" -q -j $((1 + hits % 2)) >stdout 2>stderr &
    else
        "$talus" run pour.yaml -o "$run" -f -q >stdout 2>stderr &
    fi
    pid=$!
    sleep "$moment"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    code=$?
    if [ $code = 137 ]; then
        hits=$((hits + 1))
        continue
    fi
    check "$run: ends well" test $code = 0
    same "$run" whole "$run"
    rm -rf "$run"
    ends=$((ends + 1))
    number=$((number + 1))
done
run="killed$number"
if [ -e "$run/checkpoint.h5" ]; then expect "$run: resumed" 0 "$talus" run --resume "$run" -q; fi
if [ -e "$run/summary.json" ]; then same "$run" whole "$run"; fi
echo "$hits kills of $number runs, $ends of which had ended before the last kill"
check "fifty kills" test $hits = 50
check "at least two runs ended" test $ends -ge 2

[ $failures = 0 ] && echo "all passed"
exit $((failures > 0))
