#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The talus program from outside: exit codes, messages, files, signals. TALUS is the path of the program.
# shellcheck source=/dev/null
. "$(dirname "$0")/program.inc"

last_line_is() { [ "$(tail -n 1 stdout)" = "$1" ]; }
one_line_error() { [ "$(wc -l <stderr)" -eq 1 ]; }

cat >fall.yaml <<'END'
title: discs on a floor
dimension: 2
gravity: [0, -9.81, 0]
materials: [{name: disc, density: 1000}]
time: {dt: 1 ms, steps: 200}
grains: [{lattice: {kind: square, cells: [5, 4], start: [0, 0.012, 0], spacing: 0.024}, radius: 0.01}]
boundaries: [{name: floor, plane: {normal: [0, 1, 0]}}]
output: {every: 0.02}
END
sed 's/steps: 200/steps: 100000000/' fall.yaml >long.yaml
sed 's/dimension: 2/dimnsion: 2/; s/radius: 0.01/radius: -0.01/' fall.yaml >wrong.yaml
cat >diverge.yaml <<'END'
dimension: 2
time: {dt: 1e10, steps: 50}
materials: [{name: nothing, density: 1e-40}]
grains: [{list: [{at: [0, 0, 0]}], radius: 1e-40, group: light}]
forces: [{name: push, on: light, force: [1e30, 0, 0]}]
END

# ---- help and mistakes in the command line ---------------------------------------------------------
expect version 0 "$talus" --version
check version says '^talus [0-9]'
expect help 0 "$talus" --help
check help says 'exit codes'
for command in run check list describe reference info compare papers bench; do
    expect "help of $command" 0 "$talus" $command --help
    check "help of $command" says "^usage: talus $command"
done
expect "no command" 1 "$talus"
expect "unknown command" 1 "$talus" rum
check "unknown command" complains 'did you mean "run"'
expect "unknown option" 1 "$talus" run fall.yaml --forse
check "unknown option" complains 'did you mean --force'
expect "missing value" 1 "$talus" run fall.yaml -o
expect "missing scene" 1 "$talus" run
expect "two scenes" 1 "$talus" run fall.yaml long.yaml
expect "set without =" 1 "$talus" run fall.yaml --set dt
check "set without =" complains 'time.dt=1e-4'
expect "bad jobs" 1 "$talus" run fall.yaml -j many
check "nothing was written" [ ! -e out ]

# ---- check ---------------------------------------------------------------------------------------------
expect check 0 "$talus" check fall.yaml
check check says 'ok: 2D, 20 grains, 1 boundaries, 1 phases'
expect "check with set" 0 "$talus" check fall.yaml --set time.steps=7
check "check with set" says 'at most 7 steps'
expect "check a wrong scene" 1 "$talus" check wrong.yaml
check "both mistakes" complains 'wrong.yaml:2:.*dimnsion'
check "both mistakes" complains 'wrong.yaml:6:.*-0.01'
cat >overlap.yaml <<'END'
dimension: 2
time: {dt: 1 ms, steps: 2}
grains: [{list: [{at: [0, 2]}, {at: [1.5, 2]}, {at: [9, 0.9]}], radius: 1}]
boundaries: [{name: floor, plane: {normal: [0, 1]}}]
END
sed 's/9, 0.9/9, 0.1/' overlap.yaml >sunk.yaml
check "check without overlap" [ -z "$("$talus" check fall.yaml | grep overlap)" ]
expect "check overlaps" 0 "$talus" check overlap.yaml
check "check overlaps" says '^largest overlap at the start: 0.25 mean diameters (grains [0-9]* and [0-9]*)'
expect "check a grain in a wall" 0 "$talus" check sunk.yaml
check "check a grain in a wall" says '^largest overlap at the start: 0.45 mean diameters (grain [0-9]* and boundary floor)'
expect "run says it too" 0 "$talus" run sunk.yaml -o sunk
check "run says it too" says 'warning *large overlap'
expect "check a missing file" 3 "$talus" check nothing.yaml

# ---- run -----------------------------------------------------------------------------------------------
expect run 0 "$talus" run fall.yaml
check "default directory" last_line_is out/fall
for file in scene.yaml series.tsv summary.json log.txt final.txt final_contacts.txt final.png; do
    check "out/fall/$file" [ -s out/fall/$file ]
done
check "table" says 'kinetic \[J\]'
check "verdict" says 'verdict'
check "rows" [ "$(wc -l <out/fall/series.tsv)" -eq 12 ]
check "no part files" [ -z "$(find out -name '*.part')" ]
expect "second run refused" 3 "$talus" run fall.yaml
check "second run refused" complains 'earlier run'
check "second run refused" one_line_error
expect "force" 0 "$talus" run fall.yaml --force
expect "another directory" 0 "$talus" run fall.yaml -o deep/er/place --quiet --set time.steps=20 -j1
check "another directory" last_line_is deep/er/place
check "quiet" [ "$(wc -l <stdout)" -eq 1 ]
check "set" grep -q '"steps": 20,' deep/er/place/summary.json
expect "more threads" 0 "$talus" run fall.yaml -o threads -q -j 4
check "more threads" [ "$(grep state_hash threads/summary.json)" = "$(grep state_hash out/fall/summary.json)" ]

expect "one frame or several" 1 "$talus" measure out/fall stress --frames : --frame 1
check "one frame or several" complains 'measure: --frame is one frame, --frames is several: give only one'

before=$(cat out/fall/summary.json)
expect "wrong scene" 1 "$talus" run wrong.yaml -o out/fall --force
check "wrong scene harms nothing" [ "$before" = "$(cat out/fall/summary.json)" ]
expect "wrong value of --set" 1 "$talus" run fall.yaml -f --set solver.sweeps=-3
check "wrong value of --set" complains 'sweeps'
expect "below a file" 3 "$talus" run fall.yaml -o fall.yaml/out
check "below a file" one_line_error
expect "a file" 3 "$talus" run fall.yaml -o wrong.yaml
check "a file is left alone" grep -q dimnsion wrong.yaml
expect "missing scene file" 3 "$talus" run nothing.yaml
expect diverged 2 "$talus" run diverge.yaml -o diverged
check diverged complains 'body 0'
check "diverged writes" grep -q '"status": "diverged"' diverged/summary.json
check "diverged writes" [ -s diverged/final.txt ]

# ---- a disk that fills up ------------------------------------------------------------------------------
mkdir full && ln -s /dev/full full/final.txt.part
expect "full disk" 3 "$talus" run fall.yaml -o full
check "full disk" complains 'final.txt: cannot be written: No space left'
check "full disk" one_line_error
(
    ulimit -f 8
    "$talus" run fall.yaml -q -o limit --set output.every=0 --set output.picture=false >stdout 2>stderr
    echo $? >code
)
check "file size limit" [ "$(cat code)" = 3 ]
check "file size limit" complains 'cannot be written'
"$talus" list >/dev/full 2>stderr
check "full standard output" [ $? -eq 3 ]
check "full standard output" complains 'standard output'
"$talus" run fall.yaml -o piped 2>stderr | head -n 1 >/dev/null
check "closed pipe: no complaint" [ ! -s stderr ]
check "closed pipe: results complete" grep -q '"status": "ok"' piped/summary.json

# ---- Ctrl-C --------------------------------------------------------------------------------------------
# A shell without job control starts background jobs with SIGINT ignored, which talus respects; env
# gives it back.
for signal in INT TERM; do
    env --default-signal=INT "$talus" run long.yaml -o stopped$signal --set output.every=10 >stdout 2>stderr &
    pid=$!
    tries=0
    while [ ! -s stopped$signal/series.tsv ] && [ $tries -lt 100 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
    sleep 0.3
    kill -$signal $pid
    wait $pid
    check "signal $signal ends with 0" [ $? -eq 0 ]
    check "signal $signal" complains 'interrupted; all results are written'
    check "signal $signal" last_line_is stopped$signal
    check "signal $signal" grep -q '"status": "interrupted"' stopped$signal/summary.json
    for file in scene.yaml series.tsv log.txt final.txt final_contacts.txt final.png; do
        check "signal $signal: $file" [ -s stopped$signal/$file ]
    done
done

env --default-signal=INT "$talus" run long.yaml -o twice --set output.every=10 >stdout 2>stderr &
pid=$!
sleep 0.5
kill -STOP $pid # so that both signals arrive before the end of the step
kill -INT $pid
kill -TERM $pid
kill -CONT $pid
wait $pid
check "two signals of different kind end cleanly" [ $? -eq 0 ]

# ---- dry run ---------------------------------------------------------------------------------------------
expect "dry run" 0 "$talus" run fall.yaml --dry-run -o dry
check "dry run" says '20 grains, 1 boundaries'
check "dry run" says 'at most 200 steps'
check "dry run" says 'while grains are apart, up to .* once they are packed'
check "dry run writes nothing" [ ! -e dry ]
expect "dry run of a wrong scene" 1 "$talus" run wrong.yaml --dry-run

# ---- list, describe, reference, info -----------------------------------------------------------------------
expect list 0 "$talus" list
check list says sphere
expect "list solvers" 0 "$talus" list solvers
check "list solvers" says nnsgs
check "list solvers" says apgd
check "list solvers" says auto
expect "list integrators" 0 "$talus" list integrators
check "list integrators" says gear5
for topic in shapes laws problem-solvers scenes papers benches keys; do
    expect "list $topic" 0 "$talus" list $topic
    check "list $topic" [ -s stdout ]
done
expect "list nonsense" 1 "$talus" list shpaes
check "list nonsense" complains 'did you mean "shapes"'
expect describe 0 "$talus" describe nsgs
expect "describe a law" 0 "$talus" describe coulomb
check "describe a law" says 'default 0, 0 or more'
expect "describe a paper" 0 "$talus" describe chain
check "describe a paper" says 'omega'
expect "describe nonsense" 1 "$talus" describe nsgz
expect reference 0 "$talus" reference
check reference says 'max_sweeps'
expect "info of a directory" 0 "$talus" info out/fall
check "info of a directory" says 'verdict'
expect "info of files" 0 "$talus" info out/fall/series.tsv out/fall/final.txt out/fall/scene.yaml
check "info of files" says '11 rows'
cat >nowhere.yaml <<'END_OF_SCENE'
dimension: 2
from: nowhere
time: {dt: 1 ms, steps: 1}
END_OF_SCENE
expect "from nowhere" 3 "$talus" check nowhere.yaml
check "from nowhere: where that stands" complains 'nowhere.yaml:2:7: from: .*nowhere'
cat >fine.yaml <<'END_OF_SCENE'
dimension: 2
time: {dt: 1 ms, steps: 1}
grains: [{lattice: {kind: square, cells: [10, 10], spacing: 2 cm}, radius: 1 cm}]
output: {measures: [{name: fields, spacing: 0.01 mm}]}
END_OF_SCENE
expect "fields too fine" 0 "$talus" check fine.yaml
check "fields too fine: a warning" says 'warning: rows will be left out: fields: the grid would have'
sed 's/0.01 mm/1 cm/' fine.yaml >coarse.yaml
expect "fields of a good size" 0 "$talus" check coarse.yaml
check "fields of a good size: none" test "$(grep -c warning stdout)" = 0
mkfifo pipe.json
expect "info of a pipe" 3 timeout 5 "$talus" info pipe.json
check "info of a pipe" complains 'not a regular file'
expect "info of nothing" 3 "$talus" info nowhere
expect "info of an empty directory" 1 "$talus" info .

# ---- soft grains: rules for the time step -----------------------------------------------------------------
# Mass pi and stiffness 100 pi, on a floor and against each other: t_c = pi sqrt(0.5 pi/100 pi) = 0.2221 s.
cat >soft.yaml <<'END'
dimension: 2
method: md
materials: [{name: disc, density: 1}]
pairs:
  - between: [disc, disc]
    mu: 0.5
    soft: {stiffness: 314.15926535897932, tangential_stiffness: 100, tangential_damping: 1, slip: velocity}
time: {dt: auto, steps: 10}
grains: [{row: {count: 2, spacing: 3}, radius: 1, velocity: [0.1, 0]}]
END
expect "check of soft grains" 0 "$talus" check soft.yaml
check "check of soft grains" says 'time step: collision time 0.2221 s, a hundredth of it 0.002221 s, friction bound 0.001 s'
check "check of soft grains" says 'dt = 0.001 s$'
expect "check of a long step" 0 "$talus" check soft.yaml -s time.dt=0.01
check "check of a long step" says 'warning: dt is 4.5 times t_c/100: 22.2 steps'
check "check of a long step" says 'warning: dt is 10 times the friction bound.* 33 % too fast'
expect "check of fast grains" 0 "$talus" check soft.yaml -s 'grains.0.velocity=[10, 0]'
check "check of fast grains" says 'warning: grains may meet at up to 20 m/s.*V_c = 12.7 m/s'
expect "run of soft grains" 0 "$talus" run soft.yaml -o out/soft
check "run of soft grains" says 'time step: collision time'
check "log of soft grains" grep -q 'rules for dt' out/soft/log.txt
check "summary of soft grains" grep -q '"critical_speed"' out/soft/summary.json

# ---- compare -------------------------------------------------------------------------------------------------
expect "compare" 0 "$talus" compare fall.yaml -o both
check "compare: table" says '^  wall time .* s .* x [0-9]'
check "compare: stress" says '^  pressure  *N/m  *[0-9.]* '
check "compare: floor" says '^  force on floor, y  *N  *-61.63'
check "compare: both bear the weight" [ "$(awk '/force on floor, y/ { print sprintf("%.2f", $6) == sprintf("%.2f", $7) }' stdout)" = 1 ]
check "compare: what was chosen" says 'springs K = '
check "compare: the map" says 'N^(2/d) sqrt(m v^2/(K r^2)) = '
check "compare: hidden" says '^  md hides'
for file in compare.txt compare.json cd/summary.json md/summary.json; do
    check "compare: both/$file" [ -s both/$file ]
done
check "compare: soft scene" grep -q 'method: md' both/md/scene.yaml
check "compare: rigid scene" grep -q 'stop: residual' both/cd/scene.yaml
check "compare: the same time" grep -q 'end: 0.2' both/md/scene.yaml
expect "compare: soft scene runs again" 0 "$talus" run both/md/scene.yaml -o again --quiet
expect "compare: second time refused" 3 "$talus" compare fall.yaml -o both
check "compare: second time refused" complains 'earlier run'
expect "compare --json" 0 "$talus" compare fall.yaml --json --overlap 1e-2
check "compare --json: nothing else" [ "$(head -c 1 stdout)" = "{" ]
check "compare --json" says '"error": 0.01,'
check "compare --json" says '"time_ratio": [0-9]'
if command -v python3 >/dev/null; then
    check "compare --json is JSON" python3 -c 'import json; d = json.load(open("stdout")); assert d["md"]["steps"] > d["cd"]["steps"] == 200'
fi
expect "compare --stiffness" 0 "$talus" compare fall.yaml --stiffness 1e5 --quiet
check "compare --stiffness" says 'K = 1e+05 N/m'
expect "compare a soft scene" 0 "$talus" compare fall.yaml --set method=md \
    --set 'pairs=[{between: [disc, disc], mu: 0.3, soft: {stiffness: 1e5, damping: 20}}]'
check "compare a soft scene" says 'cd: e = 0\.[0-9]* between disc and disc'
expect "compare round corners" 1 "$talus" compare fall.yaml --set 'shapes=[{name: p, polygon: {sides: 5, radius: 0.01}, rounding: 1 mm}]' \
    --set grains.0.shape=p
check "compare round corners" complains 'fall.yaml: by md: .*sharp corners'
check "compare round corners: at once" [ ! -s stdout ]
expect "compare a wrong scene" 1 "$talus" compare wrong.yaml
check "compare a wrong scene" complains 'wrong.yaml:2:.*dimnsion'
expect "compare nothing" 3 "$talus" compare nothing.yaml
expect "compare what?" 1 "$talus" compare
expect "compare two scenes" 1 "$talus" compare fall.yaml long.yaml
expect "compare both ways" 1 "$talus" compare fall.yaml --overlap 1e-3 --stiffness 1e5
check "compare both ways" complains 'exclude each other'
for wrong in "--overlap -1" "--overlap 0.7" "--overlap x" "--stiffness 0" "--jobs 0" "--set dt"; do
    expect "compare $wrong" 1 "$talus" compare fall.yaml $wrong
    check "compare $wrong" one_line_error
done
cat >apart.yaml <<'END'
dimension: 2
time: {dt: 1 ms, steps: 5}
grains: [{list: [{at: [0, 0]}, {at: [5, 0]}], radius: 1}]
END
expect "compare without forces" 1 "$talus" compare apart.yaml
check "compare without forces" complains 'give a stiffness'
env --default-signal=INT "$talus" compare long.yaml -o stopped --quiet >stdout 2>stderr &
pid=$!
tries=0
while [ ! -s stopped/cd/series.tsv ] && [ $tries -lt 100 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
kill -INT $pid
wait $pid
check "compare stops" [ $? -eq 0 ]
check "compare stops" complains 'interrupted'

# ---- contact problems ----------------------------------------------------------------------------------------
expect "dump a problem" 0 "$talus" run fall.yaml -o dumped --dump-problem 150
for form in local global; do
    check "dump a problem: $form" [ -s dumped/problem_150_$form.hdf5 ]
    expect "solve $form" 0 "$talus" solve dumped/problem_150_$form.hdf5 --json --out solution_$form.hdf5
    check "solve $form" says '^{"solver": "auto", "iterations": [0-9]*, "seconds": [0-9.e-]*, "residual_q": [0-9.e-]*, "residual_siconos": [0-9.e-]*, "converged": true'
    check "solve $form: solution" [ -s solution_$form.hdf5 ]
    check "solve $form: nothing left over" [ ! -e solution_$form.hdf5.part ]
done
check "solve global" says '"motion_error": '
check "solve: laws apart" says '"residual_normal": [0-9.e-]*, "residual_friction": [0-9.e-]*, "rounding": [0-9.e-]*'
check "solve: nothing is stuck" says '"immovable": 0, "immovable_first": -1, "read_seconds": '
cp dumped/problem_150_local.hdf5 own.hdf5
expect "solve onto itself" 1 "$talus" solve own.hdf5 --out ./own.hdf5
check "solve onto itself" complains 'is the problem itself'
check "solve onto itself: kept" cmp -s own.hdf5 dumped/problem_150_local.hdf5
expect "dump again" 3 "$talus" run fall.yaml -o dumped
expect "dump too late" 1 "$talus" run fall.yaml -o late --dump-problem 100000
check "dump too late" complains 'ended after step 200: no contact problem of step 100000'
check "dump too late: results" [ -s late/summary.json ]
expect "dump which?" 1 "$talus" run fall.yaml -o late --dump-problem 0
expect "dump of soft grains" 1 "$talus" run soft.yaml -o softdump --dump-problem 2
check "dump of soft grains" complains 'rigid grains'
expect "solve for people" 0 "$talus" solve dumped/problem_150_global.hdf5
check "solve for people" says '^verdict    converged: residual below 1.0e-08'
check "solve for people" [ "$(wc -l <stdout)" -lt 30 ]
expect "solve too strictly" 2 "$talus" solve dumped/problem_150_local.hdf5 --tol 1e-30 --max-seconds 0.2
check "solve too strictly" says '^verdict    not converged'
check "solve too strictly" says 'the tolerance lies below rounding'
for solver in auto nsgs nnsgs convex apgd proximal interior; do
    expect "solve by $solver" 0 "$talus" solve dumped/problem_150_local.hdf5 --solver $solver --tol 1e-6
done
expect "solve by nonsense" 1 "$talus" solve dumped/problem_150_local.hdf5 --solver nsgss
check "solve by nonsense" complains 'did you mean "nsgs"'
expect "solve a scene" 1 "$talus" solve fall.yaml
check "solve a scene" complains 'is not an HDF5 file'
check "solve a scene" one_line_error
expect "solve a solution" 1 "$talus" solve solution_local.hdf5
check "solve a solution" complains 'not an FCLIB file'
head -c 3000 dumped/problem_150_local.hdf5 >cut.hdf5
expect "solve half a file" 1 "$talus" solve cut.hdf5
check "solve half a file" one_line_error
expect "solve nothing" 3 "$talus" solve nothing.hdf5
expect "solve what?" 1 "$talus" solve
expect "solve --tol" 1 "$talus" solve dumped/problem_150_local.hdf5 --tol 0
expect "solution nowhere" 3 "$talus" solve dumped/problem_150_local.hdf5 --out nowhere/solution.hdf5
check "solution nowhere" one_line_error
env --default-signal=INT "$talus" solve dumped/problem_150_local.hdf5 --tol 1e-30 --max-seconds 60 --json >stdout 2>stderr &
pid=$!
for _ in $(seq 400); do # until it listens to Ctrl-C
    caught=$(sed -n 's/^SigCgt:[[:space:]]*//p' /proc/$pid/status)
    [ $((16#${caught:-0} & 2)) != 0 ] && break
    sleep 0.05
done
sleep 0.2
kill -INT $pid
wait $pid
check "solve stops" [ $? -eq 2 ]
check "solve stops" says '"interrupted": true'
expect "info of a problem" 0 "$talus" info dumped/problem_150_global.hdf5
check "info of a problem" says 'global, 2D'
cat >roll.yaml <<'END'
dimension: 2
gravity: [0, -9.81, 0]
time: {dt: 1 ms, steps: 60}
materials: [{name: disc, density: 1000}]
pairs: [{between: [disc, disc], mu: 0.3, rolling: {coefficient: 0.1}}]
boundaries: [{name: floor, plane: {normal: [0, 1, 0]}}]
grains: [{list: [{at: [0, 1, 0], velocity: [0.5, 0, 0]}, {at: [2.01, 1, 0], velocity: [-0.5, 0, 0]}], radius: 1}]
END
expect "dump with rolling" 0 "$talus" run roll.yaml -o rolled --dump-problem 50
for form in local global; do
    expect "solve rolling $form" 0 "$talus" solve rolled/problem_50_$form.hdf5 --json
    check "solve rolling $form" says '"dimension": 2, "rolling": true'
done
expect "info of rolling" 0 "$talus" info rolled/problem_50_global.hdf5
check "info of rolling" says 'global, 2D, rolling friction, '
check "info of rolling" says 'mu 0.3, mu_r 0.05 to 0.1,'
sed 's/mu_r/mu_x/' rolled/problem_50_global.hdf5 >no_mu_r.hdf5
expect "rolling without mu_r" 1 "$talus" solve no_mu_r.hdf5
check "rolling without mu_r" complains 'fclib_global_rolling/vectors/mu_r is missing'
check "rolling without mu_r" one_line_error

# ---- papers, bench -----------------------------------------------------------------------------------------
expect papers 0 "$talus" papers
check papers [ "$(tr '\n' ' ' <stdout)" = "chain piston bagnold rolling cohesion heap compaction arch vault pentagons restitution relaxation detachment brake-failure shear-cell triaxial cd-md-border rigid-limit " ]
expect "unknown paper" 1 "$talus" papers chian
check "unknown paper" complains 'did you mean "chain"'
expect "papers without data" 3 env TALUS_DATA=/nonexistent "$talus" papers bagnold
expect bagnold 0 "$talus" papers bagnold --json -o bagnold
check "papers --json" says '{"name": "positions_differing", "measured": 0, "expected": 0, "tolerance": 0, "ok": true}'
check "papers tables" [ -s bagnold/paths.tsv ]
check "papers script" [ -s bagnold/figure.gp ]
if command -v gnuplot >/dev/null; then check "papers figure" [ -s bagnold/figure.png ]; fi
expect bench 0 "$talus" bench
check bench says '^step'
expect "unknown bench" 1 "$talus" bench stepp

if [ $failures -gt 0 ]; then
    echo "$failures failed"
    exit 1
fi
echo "all passed"
