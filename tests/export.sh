#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# talus export from outside: every format read back by a parser of its own (export_check.py), choices of frames, runs
# without frames, mistakes. TALUS is the path of the program.
set -u
talus=${TALUS:?}
source=${TALUS_SOURCE_DIR:?}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
failures=0

fail() {
    echo "FAILED: $*"
    sed 's/^/    /' stdout stderr 2>/dev/null | head -20
    failures=$((failures + 1))
}
# expect NAME CODE COMMAND...: run with stdout and stderr into files, compare the exit code.
expect() {
    local name=$1 code=$2
    shift 2
    "$@" >stdout 2>stderr
    local found=$?
    [ "$found" = "$code" ] || fail "$name: exit code $found, expected $code: $*"
}
says() { grep -q -- "$1" stdout || fail "no \"$1\" in what it says"; }
complains() { grep -q -- "$1" stderr || fail "no \"$1\" in what it complains of"; }

# shellcheck source=/dev/null
. "$source/tests/export_scenes.inc"

python=$(command -v python3 || true)
[ -n "$python" ] || echo "SKIPPED: no python3: what was exported is not read back"
for scene in $scenes; do
    expect "run $scene" 0 "$talus" run "$scene.yaml" -o "$scene" -q
    for format in dump xyz csv mercury vtkhdf; do
        expect "export $scene" 0 "$talus" export "$scene" --to $format
        [ "$(ls "$scene"/*.part 2>/dev/null)" = "" ] || fail "$scene: something half done is left"
    done
    [ -n "$python" ] || continue
    expect "check $scene" 0 "$python" "$source/tests/export_check.py" "$scene"
    cat stdout
done

# ---- from frames to frames: the same bytes --------------------------------------------------------
for scene in $scenes; do
    expect "frames of $scene" 0 "$talus" export "$scene" --to vtp -o "$scene-again"
    for file in "$scene"/frames/*_*.vt?; do
        cmp -s "$file" "$scene-again/$(basename "$file")" || fail "$file differs after reading and writing"
    done
done

# ---- which frames ---------------------------------------------------------------------------------
expect "one frame" 0 "$talus" export periodic --to xyz --frames 1 -o one
says "^1 frame$"
says "^./one.xyz$"
expect "the last" 0 "$talus" export periodic --to xyz --frames -1 -o last.xyz
[ "$(grep -c Lattice last.xyz)" = 1 ] || fail "the last frame only"
grep -q "Step=60" last.xyz || fail "the last frame is that of step 60"
expect "every second" 0 "$talus" export periodic --to xyz --frames ::2 -o second
[ "$(grep -c Lattice second.xyz)" = 2 ] || fail "two of four frames"
expect "from to" 0 "$talus" export periodic/frames --to xyz --frames 1:3 -o middle
[ "$(grep -c Lattice middle.xyz)" = 2 ] || fail "frames 1 and 2"
expect "a file" 0 "$talus" export periodic/frames/frame_000002.vtm --to xyz -o file
grep -q "Step=40" file.xyz || fail "frame 2 is that of step 40"
expect "no such frame" 1 "$talus" export periodic --to xyz --frames 9
complains "has 4 frames"
for wrong in a 1:b ::0 1:2:3:4 ''; do
    expect "frames $wrong" 1 "$talus" export periodic --to xyz "--frames=$wrong"
    complains "must be a number or A:B:STEP"
done

# ---- what is in them -------------------------------------------------------------------------------
for file in periodic/frames periodic/frames/frames.pvd; do
    expect "info of $file" 0 "$talus" info $file
    says "frames.pvd: 4 frames"
    says "^  particles  *[1-9]"
    says "^  contacts  *[1-9]"
done
expect "info of a frame" 0 "$talus" info periodic/frames/frame_000002.vtm
says "^  step  *40$"
says "arrays .*v(3) .*orientation(4)"
expect "info of a part" 0 "$talus" info periodic/frames/contacts_000003.vtp
says "arrays .*id1 id2 point(3)"
says "^  time  *[0-9.]* s$"
expect "info of VTKHDF" 0 "$talus" info periodic/export.particles.vtkhdf
says "vtkhdf: 4 frames"
says "^  arrays .*radius.* v "
head -c 1000 periodic/frames/contacts_000003.vtp >half.vtp
expect "info of half a part" 1 "$talus" info half.vtp
complains "half.vtp"

# ---- a run without frames: its final state --------------------------------------------------------
expect "run without" 0 "$talus" run periodic.yaml -o bare -q --set output.frames=false
[ ! -e bare/frames ] || fail "nobody asked for frames"
hash_of() { grep '"state_hash"' "$1/summary.json"; }
[ "$(hash_of bare)" = "$(hash_of periodic)" ] || fail "frames change the run"
expect "dry run" 0 "$talus" run periodic.yaml -n
says "at most 4 frames"

# ---- as VTKHDF when the run ends: the same files as exported, and they go with the frames -----------
expect "vtkhdf" 0 "$talus" run periodic.yaml -o hdf -q --set output.frames.format=vtkhdf
for kind in particles contacts wall_contacts walls; do
    [ "$(wc -c <hdf/frames/frames.$kind.vtkhdf)" = "$(wc -c <periodic/export.$kind.vtkhdf)" ] || fail "frames.$kind.vtkhdf"
done
expect "again" 0 "$talus" run periodic.yaml -o hdf -q --force
[ ! -e hdf/frames/frames.walls.vtkhdf ] || fail "an old file is left"
for format in dump xyz csv mercury vtkhdf vtp; do
    expect "final to $format" 0 "$talus" export bare --to $format
    says "^1 frame$"
done
# Positions, ids and velocities as the last frame has them, from the same numbers.
last=$(wc -l <last.xyz)
[ "$(wc -l <bare/export.xyz)" = "$last" ] || fail "as many grains"
diff <(tail -n +3 last.xyz | cut -d' ' -f2-6) <(tail -n +3 bare/export.xyz | cut -d' ' -f2-6) >/dev/null ||
    fail "the final state is not that of the last frame"

# Cell and material are those of the frames, with a checkpoint beside it and without.
for with in "" out; do
    [ -z "$with" ] || rm bare/checkpoint.h5
    expect "final to dump with$with checkpoint" 0 "$talus" export bare --to dump
    expect "final to xyz with$with checkpoint" 0 "$talus" export bare --to xyz
    [ "$(grep -A3 "BOX BOUNDS" bare/export.dump)" = "$(grep -A3 "BOX BOUNDS" periodic/export.dump | tail -4)" ] ||
        fail "final state: box of the dump"
    lattice() { sed -n 's/.*\(Lattice=.*\) Properties.*/\1/p' "$1" | tail -1; }
    [ "$(lattice bare/export.xyz)" = "$(lattice last.xyz)" ] || fail "final state: lattice"
    [ "$(tail -n +3 bare/export.xyz | cut -d' ' -f1 | sort -u)" = "$(tail -n +3 last.xyz | cut -d' ' -f1 | sort -u)" ] ||
        fail "final state: species"
done
# Its contacts are lines from centre to centre, as in the frames: so their ends as pictures show them are the same.
expect "final to vtp" 0 "$talus" export bare --to vtp -o again
expect "again to csv" 0 "$talus" export again --to csv -o again
expect "bare to csv" 0 "$talus" export bare --to csv -o once
cmp -s once.csv again.csv || fail "a final state comes back from frames"

# ---- nothing in it: a box that readers take -------------------------------------------------------
cat >nothing.yaml <<'END_OF_SCENE'
dimension: 3
time: {dt: 1 ms, steps: 1}
sources: [{name: late, box: {low: [0, 0, 1 cm], high: [9 cm, 9 cm, 14 cm]}, rate: 1e-3, count: 1, radius: 3 mm}]
boundaries: [{name: floor, plane: {normal: [0, 0, 1]}}]
output: {frames: {events: [start]}, picture: false}
END_OF_SCENE
expect "run of nothing" 0 "$talus" run nothing.yaml -o nothing -q
expect "nothing to xyz" 0 "$talus" export nothing --to xyz --frames 0
expect "nothing to dump" 0 "$talus" export nothing --to dump --frames 0
sed -n 's/.*Lattice="\([^"]*\)".*/\1/p' nothing/export.xyz | awk '{ exit !($1 * $5 * $9 > 0) }' || fail "a lattice without volume"
grep -A3 "BOX BOUNDS" nothing/export.dump | tail -3 | awk '!($2 > $1) { wrong = 1 } END { exit wrong }' || fail "a box without volume"

# ---- the short way, what there is, mistakes -------------------------------------------------------
expect "short" 0 "$talus" run plane.yaml -o short -q --set output.frames=false --frames-every 30ms
expect "short" 0 "$talus" run alone.yaml -o short2 -q --frames-every 30ms
[ "$(ls short2/frames/*.vtm | wc -l)" = 3 ] || fail "--frames-every 30ms of 60 ms makes three frames"
expect "list" 0 "$talus" list quantities
says "omega .*rad/s"
expect "describe" 0 "$talus" describe orientation
says "quaternion"
expect "no format" 1 "$talus" export periodic
complains "to what"
expect "unknown format" 1 "$talus" export periodic --to dmp
complains 'did you mean "dump"'
expect "nothing" 1 "$talus" export --to dump
expect "nowhere" 3 "$talus" export nowhere --to dump
complains "nowhere"
mkdir other
expect "no results" 1 "$talus" export other --to dump
complains "holds no frames"
expect "no room" 3 "$talus" export periodic --to dump -o nowhere/x
complains "nowhere/x.dump: cannot be created"
expect "no room" 3 "$talus" export periodic --to vtkhdf -o nowhere/x
head -c 3000 periodic/frames/particles_000001.vtp >cut && mv cut periodic/frames/particles_000001.vtp
expect "damaged" 1 "$talus" export periodic --to dump -o damaged
complains "particles_000001.vtp"
[ ! -e damaged.dump ] && [ ! -e damaged.dump.part ] || fail "half an export is left"
expect "less" 0 "$talus" run alone.yaml -o less -q --set 'output.frames.quantities=[mass]'
expect "mercury needs more" 1 "$talus" export less --to mercury
complains "lacks v or omega"
if [ -e /dev/full ]; then
    ln -s /dev/full full.xyz.part
    expect "full disk" 3 "$talus" export plane --to xyz -o full
    complains "full.xyz: cannot be written: No space left on device"
fi

[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
