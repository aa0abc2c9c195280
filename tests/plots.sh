#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# talus plot from outside: overviews, columns, one against another, several runs, measures, names that are hard to write,
# mistakes. Figures are looked at where gnuplot is installed; 77: skipped. TALUS is the path of the program.
source=${TALUS_SOURCE_DIR:?}
. "$source/tests/program.inc"
if ! command -v gnuplot >/dev/null; then
    echo "SKIPPED: no gnuplot (tools/setup)"
    exit 77
fi
python=$(command -v python3 || true)

cat >fall.yaml <<'END'
dimension: 2
materials: [{name: glass, density: 2500}]
pairs: [{between: [glass, glass], mu: 0.3}]
gravity: [0, -9.81, 0]
time: {dt: 1 ms, end: 0.3}
grains:
  - fill: {box: {low: [0, 0, 0], high: [20 cm, 20 cm, 0]}, count: 60}
    radius: {uniform: [8 mm, 12 mm]}
boundaries:
  - {name: low, plane: {normal: [0, 1, 0]}}
  - {name: left, plane: {normal: [1, 0, 0]}}
  - {name: right, plane: {point: [0.2, 0, 0], normal: [-1, 0, 0]}}
output: {every: 10 ms, picture: false, frames: {every: 100 ms}}
END
expect "run" 0 "$talus" run fall.yaml -o run -q
expect "another run" 0 "$talus" run fall.yaml -o other -q --set gravity='[0, -4, 0]'

# figure NAME STEM TEXT...: both formats are there, well made, with these texts in the SVG.
figure() {
    local name=$1 stem=$2
    shift 2
    check "$name: script and data" [ -s "$stem.gnuplot" ]
    if command -v xmllint >/dev/null; then
        check "$name: well-formed" xmllint --noout "$stem.svg"
    elif [ -n "$python" ]; then
        check "$name: well-formed" "$python" -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$stem.svg"
    else
        check "$name: whole" grep -q '</svg>' "$stem.svg"
    fi
    for text in "$@"; do check "$name: \"$text\" in the SVG" grep -qF -- "$text" "$stem.svg"; done
    [ -n "$python" ] && [ -z "${TALUS_SANITIZED:-}" ] || return 0
    "$python" "$source/tests/png_look.py" "$stem.png" >looked || { check "$name: is a PNG" false; return; }
    read -r width height colours <looked
    check "$name: not blank" [ "$colours" -gt 20 ]
}

# ---- series ---------------------------------------------------------------------------------------
expect "overview" 0 "$talus" plot run
check "tells the files" [ "$(cat stdout)" = "$(printf 'run/plot%s\n' .svg .png _data.tsv .gnuplot)" ]
figure "overview" run/plot 'energy (J)' 'time (s)' 'contacts per grain' 'overlap / diameter' 'speed_max (m/s)' dissipation
expect "columns" 0 "$talus" plot run kinetic_translation dissipation contacts -o cols --size 640x480 --title 'A_{1} title'
figure "columns" cols 'energy (' 'contacts' 'kinetic_translation' 'A_{1} title'
check "size" grep -q 'width="640" height="480"' cols.svg
[ -z "$python" ] || [ -n "${TALUS_SANITIZED:-}" ] || check "size" [ "$width $height" = "640 480" ]
# gnuplot leaves out of an SVG what does not fit.
for height in 377 411 512 577; do
    expect "height $height" 0 "$talus" plot run contacts -o high.svg --size 640x$height
    check "height $height: label below" grep -qF 'time (s)' high.svg
done
expect "wildcard" 0 "$talus" plot run 'l*.force_y' -o wild
figure "wildcard" wild 'force_y (N)' 'low.force_y' 'left.force_y'
check "only those" [ "$(grep -c 'using' wild.gnuplot)" = 2 ]
expect "table" 0 "$talus" plot wild_data.tsv -o again
check "a table is drawn like the run" cmp -s wild.png again.png
expect "log" 0 "$talus" plot run overlap_max -o log.svg --log y
check "one format" [ ! -e log.png ]
check "logarithmic" grep -q 'set logscale y' log.gnuplot
expect "png only" 0 "$talus" plot run contacts -o single --format png
check "one format" [ -e single.png ] && check "one format" [ ! -e single.svg ]

# ---- one against another, several runs --------------------------------------------------------------
expect "xy" 0 "$talus" plot run --xy packing_fraction coordination -o xy
figure "xy" xy packing_fraction coordination
expect "runs" 0 "$talus" plot run other contacts -o runs
figure "runs" runs contacts '>run<' '>other<'
check "data of each" [ -s runs_data_1.tsv ] && check "data of each" [ -s runs_data_2.tsv ]
expect "runs, xy" 0 "$talus" plot run other --xy packing_fraction coordination contacts -o both
figure "runs, xy" both 'run: coordination' 'other: contacts'

# ---- the script by hand gives the same ----------------------------------------------------------------
by_hand() { # STEM: with gnuplot alone
    mv "$1.png" first.png && mv "$1.svg" first.svg
    (cd "$(dirname "$1")" && gnuplot "$(basename "$1").gnuplot") 2>complaints || check "$1 by hand" false
    check "$1: gnuplot has nothing to complain of" [ ! -s complaints ]
    check "$1: the same PNG" cmp -s first.png "$1.png"
    check "$1: the same SVG" cmp -s first.svg "$1.svg"
}
if [ -z "${TALUS_SANITIZED:-}" ]; then
    for stem in run/plot runs xy; do by_hand $stem; done
fi

# ---- measures -------------------------------------------------------------------------------------
expect "forces" 0 "$talus" plot run --measure forces bins=12
figure "forces" run/plot_forces 'force / mean force' 'probability density'
check "mark at the mean" grep -q 'set arrow from first 1, graph 0' run/plot_forces.gnuplot
check "as many bins" [ "$(grep -cv '^[#f]' run/plot_forces_data.tsv)" = 12 ]
expect "coordination" 0 "$talus" plot run --measure coordination
figure "coordination" run/plot_coordination 'contacts of a grain' 'share of the grains'
expect "rose" 0 "$talus" plot run --measure rose
figure "rose" run/plot_rose 'density of contact directions (1/rad)' '90°' '225°' 'weak: below the mean force' 'strong: above the mean force'
expect "two roses" 0 "$talus" plot run other --measure rose -o roses
figure "two roses" roses '>run<' '>other<'
check "two roses: the key has room of its own" [ "$(grep -c '^ width="620"' roses.svg)" = 0 ]
expect "profile" 0 "$talus" plot run --measure profile
figure "profile" run/plot_profile 'position (' packing_fraction
check "height is upwards" grep -q "set ylabel 'position" run/plot_profile.gnuplot
# Blocks of a profile are no curves over time; the message says what to do, and that works.
expect "a run with blocks" 0 "$talus" run fall.yaml -o blocks -q --set output.measures='[{name: profile, bins: 4}]' --set time.end=0.05
expect "blocks" 1 "$talus" plot blocks/measures/profile.tsv -o saw
check "blocks: what to do" complains 'talus plot blocks --measure profile --frame N'
check "blocks: nothing is made" [ ! -e saw.svg ]
expect "blocks, as told" 0 "$talus" plot blocks --measure profile --frame 0
expect "info of blocks" 0 "$talus" info blocks/measures/profile.tsv
check "info of blocks: rows" says 'profile.tsv: 24 rows'
check "info of blocks: times" says 'times  *6, from 0 to 0.05 s'
check "info of blocks: columns" says 'columns .*position\[m\].*packing_fraction'
awk '/^[#t]/ || $1 == 0' blocks/measures/profile.tsv >block.tsv
expect "one block" 0 "$talus" plot block.tsv --xy position packing_fraction coordination -o block
figure "one block" block packing_fraction coordination
# Long keys stay one below the other and on the page: the first and the last name begin at the same place.
expect "long keys" 0 "$talus" plot block.tsv --xy position '*' -o keys
key_left() { grep -B1 ">$1<" keys.svg | sed -n 's/.*translate(\([0-9.]*\),.*/\1/p' | tail -1; }
check "long keys: one column" [ "$(key_left sigma_xx)" = "$(key_left sigma_yy)" ]
check "long keys: told" [ -n "$(key_left sigma_yy)" ]
# Why there is nothing to be drawn.
expect "no kinds" 1 "$talus" plot run --measure mixing
check "no kinds: why" complains "no two kinds by group: nothing to mix; give grains a .group."
expect "one state" 0 "$talus" export run --to vtp --frames 0 -o single_state
expect "one state" 1 "$talus" plot single_state --measure msd --log y
check "one state: why" complains "msd compares states, and there is only one"
expect "two runs" 0 "$talus" plot run other --measure forces -o two
figure "two runs" two '>run<' '>other<'
expect "one number for a state" 0 "$talus" plot run --measure stress
figure "one number for a state" run/plot_stress 'time (s)' 'stress (' sigma_xy pressure
check "of all frames" [ "$(grep -cv '^[#t]' run/plot_stress_data.tsv)" = 4 ]
expect "displacements" 0 "$talus" plot run --measure msd -o msd
figure "displacements" msd 'mean square displacement (' msd_x
expect "chosen columns" 0 "$talus" plot run --measure fabric anisotropy -o chosen
figure "chosen columns" chosen anisotropy
expect "fields" 0 "$talus" plot run --measure fields
figure "fields" run/plot_fields 'density (kg/m²)' 'vy (' 'sigma_yy (' 'x (m)' 'y (m)'
check "fields: three maps" [ "$(grep -c 'with image' run/plot_fields.gnuplot)" = 3 ]
check "fields: embedded, no file beside" [ "$(grep -c '<image' run/plot_fields.svg)" = 3 ]
# What is drawn is what is measured, but for cells that no grain reaches.
"$talus" measure run fields -o fields.tsv
data() { grep -v '^#' "$1" | tail -n +2; }
check "fields: all cells" [ "$(data run/plot_fields_data.tsv | wc -l)" = "$(data fields.tsv | wc -l)" ]
total() { data "$1" | awk -v c="$2" '$c != "nan" {s += $c} END {printf "%.9g", s}'; }
check "fields: the same mass" [ "$(total run/plot_fields_data.tsv 3)" = "$(total fields.tsv 3)" ]
check "fields: empty cells are blank" [ "$(data fields.tsv | awk '$3 == 0' | wc -l)" = "$(data run/plot_fields_data.tsv | awk '$3 == "nan"' | wc -l)" ]
range() { grep 'set cbrange \[-*[0-9]' "$1" | sed -n "$2p" | tr -d 'a-z[]' | awk -F: '{print ($1 + $2 == 0), ($1 == 0)}'; }
check "fields: density from zero" [ "$(range run/plot_fields.gnuplot 1)" = "0 1" ]
check "fields: velocity both ways" [ "$(range run/plot_fields.gnuplot 2)" = "1 0" ]
expect "chosen fields" 0 "$talus" plot run --measure fields 'v?' spacing=1cm -o velocities --size 500x700 --title Here
figure "chosen fields" velocities 'vx (' 'vy (' Here
expect "fields as curves" 0 "$talus" plot run --measure fields --xy y density -o curves
figure "fields as curves" curves 'density (kg/m²)'
cat >space.yaml <<'END'
dimension: 3
time: {dt: 1 ms, steps: 3}
grains:
  - {lattice: {kind: cubic, cells: [2, 3, 2], start: [0, 0, 0], spacing: 0.02}, radius: 0.01, velocity: [0, 1, 0], group: a}
  - {lattice: {kind: cubic, cells: [2, 3, 2], start: [0.04, 0, 0], spacing: 0.02}, radius: 0.01, velocity: [0, 1, 0], group: b}
output: {picture: false, frames: {every: 1 ms}}
END
expect "run in space" 0 "$talus" run space.yaml -o space -q
expect "fields in space" 0 "$talus" plot space --measure fields density vy spacing=5mm
figure "fields in space" space/plot_fields 'density (kg/m³)' 'z (m)' 'slice at y = 0.02052 m'
check "one slice" [ "$(data space/plot_fields_data.tsv | awk '{print $1, $2}' | sort -u | wc -l)" = "$(data space/plot_fields_data.tsv | wc -l)" ]
expect "mixing" 0 "$talus" plot space --measure mixing cell=3cm -o mixing
figure "mixing" mixing 'mixing index M' 'time ('
check "mixing: nothing else" [ "$(grep -c using mixing.gnuplot)" = 1 ]
expect "fields of two" 1 "$talus" plot run other --measure fields -o wrong
check "says so" complains "maps of fields are of one run; 2 are given"
expect "logarithmic map" 1 "$talus" plot run --measure fields --log y -o wrong
expect "too many maps" 1 "$talus" plot run --measure fields '*' -o wrong
check "says so" complains "more than 8 maps"
expect "a row of cells" 1 "$talus" plot run --measure fields 'from=[0, 0, 0]' 'to=[0.2, 0.02, 0]' spacing=2cm -o wrong
check "says so" complains "the grid has 10 x 1 cells; a map needs two at least each way"
expect "an earlier frame" 0 "$talus" plot run --measure coordination --frame 0 -o early

# ---- names that are hard to write --------------------------------------------------------------------
hard="a b'c\"d_{e}"
mkdir "$hard" && cp run/series.tsv "$hard"
expect "hard name" 0 "$talus" plot "$hard" contacts
figure "hard name" "$hard/plot" contacts
expect "hard names" 0 "$talus" plot "$hard" run contacts -o "$hard/\$(x) \`y\` é"
figure "hard names" "$hard/\$(x) \`y\` é" "a b'c"
check "as it is written" grep -q "d_{e}" "$hard/\$(x) \`y\` é.svg"

# ---- a run that is going on ---------------------------------------------------------------------------
mkdir going && head -c 6000 run/series.tsv >going/series.tsv
expect "half a row" 0 "$talus" plot going contacts
check "whole rows only" [ "$(grep -cv '^[#t]' going/plot_data.tsv)" = "$(($(wc -l <going/series.tsv) - 1))" ]

# ---- what is no file is not waited for --------------------------------------------------------------------
mkdir pipe && mkfifo pipe/series.tsv
expect "a pipe" 3 timeout 20 "$talus" plot pipe contacts
check "says so" complains "pipe/series.tsv: cannot be read: it is not a regular file"
cp -r run piped
for file in frames.pvd names.tsv particles_000003.vtp; do
    rm piped/frames/$file && mkfifo piped/frames/$file
    expect "a pipe as $file" "$([ $file = names.tsv ] && echo 0 || echo 3)" timeout 20 "$talus" picture piped --color type -o piped.png
    rm piped/frames/$file && cp run/frames/$file piped/frames
done

# ---- mistakes -------------------------------------------------------------------------------------
expect "unknown column" 1 "$talus" plot run contcats -o wrong
check "nearest" complains "no column 'contcats'; did you mean 'contacts'?"
expect "no match" 1 "$talus" plot run 'nothing*' -o wrong
expect "xy of nothing" 1 "$talus" plot run --xy time -o wrong
expect "unknown x" 1 "$talus" plot run --xy tme contacts -o wrong
check "nearest" complains "did you mean 'time'?"
expect "not positive" 1 "$talus" plot run bonds --log y -o wrong
check "says why" complains "column 'bonds' has no positive numbers"
expect "unknown measure" 1 "$talus" plot run --measure forxes -o wrong
for wrong in '--format pdf' '--log z' '--size 10x10' '--size 5' '--frame x' '--frame 1' 'bins=3'; do
    # shellcheck disable=SC2086
    expect "wrong $wrong" 1 "$talus" plot run contacts $wrong -o wrong
done
expect "too many" 1 "$talus" plot run '*' -o wrong
check "says so" complains "too many for one figure"
check "nothing was written" [ -z "$(ls wrong* 2>/dev/null)" ]
expect "nothing" 1 "$talus" plot
expect "nowhere" 3 "$talus" plot nowhere
expect "no room" 3 "$talus" plot run contacts -o nowhere/x
expect "over its own table" 1 "$talus" plot wild_data.tsv -o wild
check "says so" complains "would be replaced"

# Without gnuplot the script and the data are left; with one that fails its complaint is told.
mkdir empty broken
printf '#!/bin/sh\necho "line 3: no such terminal" >&2\nexit 1\n' >broken/gnuplot && chmod +x broken/gnuplot
expect "no gnuplot" 3 env PATH="$place/empty" "$talus" plot run contacts -o alone
check "names the package" complains "apt install gnuplot-nox"
check "leaves the script" says "^./alone.gnuplot$" && check "leaves the data" [ -s alone_data.tsv ]
expect "gnuplot fails" 3 env PATH="$place/broken:$PATH" "$talus" plot run contacts -o alone
check "tells why" complains "could not draw ./alone.gnuplot: line 3: no such terminal"

[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
