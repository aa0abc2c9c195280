#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is made of a run never takes the place of the run's own files: plot, picture, measure, export and view refuse their
# names and links to them, and touch nothing; figures of one's own are replaced. TALUS is the path of the program.
. "${TALUS_SOURCE_DIR:?}/tests/program.inc"

cat >fall.yaml <<'END'
dimension: 2
materials: [{name: glass, density: 2500}]
gravity: [0, -9.81, 0]
time: {dt: 1 ms, end: 0.05}
grains: [{lattice: {kind: square, cells: [4, 3], start: [0, 0.01, 0], spacing: 0.021}, radius: 0.01}]
boundaries: [{name: floor, plane: {normal: [0, 1, 0]}}]
output: {every: 10 ms, picture: {width: 100, height: 80}, film: 20 ms, frames: {every: 20 ms}, measures: [stress]}
END
expect "run" 0 "$talus" run fall.yaml -o run -q
# Other names of the run and of its files.
ln -s run by && ln -s run/checkpoint.h5 link && ln run/final.txt hard && ln run/frames/names.tsv deep

sums() { (cd run && find . -type f -exec cksum {} + | sort); }
sums >before

# refused NAME COMMAND...: wrong input, one line, and nothing has changed.
refused() {
    local name=$1
    shift
    expect "$name" 1 "$talus" "$@"
    check "$name: one line" [ "$(wc -l <stderr)" = 1 ]
    check "$name: says why" complains "belongs to the results of a run and is not replaced; choose another name"
    sums | cmp -s before - || check "$name: nothing has changed" false
}
for file in series.tsv checkpoint.h5 scene.yaml summary.json log.txt final.txt final_contacts.txt final.png film_0001.png \
    film_0099.png problem_7_local.hdf5 frames/frames.pvd frames/frame_000000.vtm frames/particles_000001.vtp \
    frames/names.tsv measures/stress.tsv; do
    refused "measure into $file" measure run stress -o "run/$file"
done
for file in by/series.tsv ./run/../run/final.txt run/frames/../final.png link hard deep; do
    refused "measure into $file" measure run stress --json -o "$file"
    refused "picture into $file" picture run -s 60x50 -o "$file"
    refused "page into $file" view run --html "$file"
done
refused "of a frame" picture run/frames/frame_000000.vtm -o run/final.png
refused "figure" plot run contacts -o run/final.png
refused "figure as film" plot run contacts -o run/film_0000 --format png
refused "data of a figure" plot run contacts -o run/measures/x
refused "frames" export run --to vtp -o run/frames
refused "frames beside them" export run --to vtp -o run
refused "frames as one file" export run --to vtkhdf -o run/frames/frames
refused "frames as one file, named whole" export by --to vtkhdf -o by/frames/frames.vtkhdf
# Another run, and one of which there is no more than its checkpoint.
mkdir other && cp run/checkpoint.h5 other
refused "another run" measure run stress -o other/series.tsv
check "nothing there" [ "$(ls other)" = checkpoint.h5 ]

# ---- all else is written, and again ----------------------------------------------------------------------
mkdir mine
for round in first second; do
    expect "measure, $round time" 0 "$talus" measure run stress -o run/mine.tsv
    expect "picture, $round time" 0 "$talus" picture run -s 60x50 -o run/picture.png
    expect "picture elsewhere, $round time" 0 "$talus" picture run -s 60x50 -o mine/final.png
    expect "page, $round time" 0 "$talus" view run --html run/page.html
    expect "export, $round time" 0 "$talus" export run --to vtp -o mine/frames
    expect "export beside, $round time" 0 "$talus" export run --to csv
done

[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
