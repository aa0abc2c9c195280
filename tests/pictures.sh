#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# talus picture from outside: stored states look like final.png, series have one range and one view, every kind of
# colour, mistakes. TALUS is the path of the program.
source=${TALUS_SOURCE_DIR:?}
. "$source/tests/program.inc"
# shellcheck source=/dev/null
. "$source/tests/export_scenes.inc"
python=$(command -v python3 || true)
[ -n "$python" ] || echo "SKIPPED: no python3: what is in the pictures is not looked at"

# look NAME FILE WIDTH HEIGHT COLOURS: a picture of this size with more colours than that.
look() {
    [ -n "$python" ] || return
    "$python" "$source/tests/png_look.py" "$2" >looked || { check "$1: is a PNG" false; return; }
    read -r width height colours <looked
    check "$1: width" [ "$width" = "$3" ]
    check "$1: height" [ "$height" = "$4" ]
    check "$1: not blank" [ "$colours" -gt "$5" ]
}

# ---- the last frame and the final state look like final.png, to the last bit --------------------------
for scene in plane shapes periodic skin; do
    expect "run $scene" 0 "$talus" run $scene.yaml -o $scene -q --set output.picture.forces=true \
        --set output.picture.width=300 --set output.picture.height=220 --set 'output.frames.events=[end]'
    expect "picture of $scene" 0 "$talus" picture $scene
    check "$scene: says where" says "^$scene/picture.png$"
    check "$scene: the last frame is final.png" cmp -s $scene/final.png $scene/picture.png
    expect "bare $scene" 0 "$talus" run $scene.yaml -o bare-$scene -q --set output.picture.forces=true \
        --set output.picture.width=300 --set output.picture.height=220 --set output.frames=false
    expect "picture of bare $scene" 0 "$talus" picture bare-$scene -o bare.png
    check "$scene: without frames, too" cmp -s $scene/final.png bare.png
done
look "plane" plane/picture.png 300 220 50
look "space" shapes/picture.png 300 220 500
expect "the first frame" 0 "$talus" picture plane --frame 0 -o first.png
check "the first frame looks otherwise" [ "$(cmp -s first.png plane/picture.png; echo $?)" = 1 ]
expect "one file" 0 "$talus" picture plane/frames/frame_000000.vtm -o file.png -s 300x220 --forces
check "a frame alone" cmp -s first.png file.png

# ---- options --------------------------------------------------------------------------------------
for color in speed '|v|' v.z omega.x '|omega|' '|f|' '|tq|' radius mass coordination type group shape id x height pressure spin; do
    expect "color $color" 0 "$talus" picture shapes --color "$color" -o color.png -s 160x120
    look "color $color" color.png 160 120 100
done
for more in --forces --no-grains --no-walls --no-legend '--map grey' '--range 0:2' '--view x' '--view z' '--view iso' '--view 10,60' '--title t'; do
    # shellcheck disable=SC2086
    expect "option $more" 0 "$talus" picture shapes --no-forces $more -o option.png -s 200x150
    look "option $more" option.png 200 150 20
    cmp -s option.png plain.png 2>/dev/null && check "option $more changes something" false
    [ -e plain.png ] || expect "plain" 0 "$talus" picture shapes --no-forces -o plain.png -s 200x150
done

# ---- a series -------------------------------------------------------------------------------------
expect "series" 0 "$talus" picture periodic --frames : -o film -s 300x220 --color v.z -q
check "counts" says "^4 pictures in film$"
check "tells how to join them" says "^ffmpeg .*'film/picture_%06d.png'.*'film/film.mp4'$"
check "four" [ "$(ls film)" = "$(printf 'picture_%06d.png\n' 0 1 2 3)" ]
if [ -n "$python" ]; then
    # Right of the shadow on the floor there is the legend only: one range for all.
    changed=$("$python" "$source/tests/png_look.py" film/picture_000000.png film/picture_000003.png 254 55 300 190)
    check "one range of colours" [ "$changed" = 0 ]
    changed=$("$python" "$source/tests/png_look.py" film/picture_000000.png film/picture_000003.png 0 0 220 200)
    check "but another state" [ "$changed" -gt 100 ]
fi
expect "every second" 0 "$talus" picture periodic --frames ::2 -o half -s 160x120
check "two" [ "$(ls half | wc -l)" = 2 ]
expect "default place" 0 "$talus" picture periodic --frames 0:2 -s 160x120
check "in the results" [ -e periodic/pictures/picture_000001.png ]

# ---- mistakes -------------------------------------------------------------------------------------
expect "unknown colour" 1 "$talus" picture plane --color sped -o wrong.png
check "names it" complains 'no quantity "sped"; it has speed, '
expect "less" 0 "$talus" run alone.yaml -o less -q --set 'output.frames.quantities=[mass]'
expect "not stored" 1 "$talus" picture less --color '|f|' -o wrong.png
check "names it" complains 'frame_000003.vtm: has no quantity "|f|"'
expect "no forces" 1 "$talus" picture less --color mass --forces -o wrong.png
check "names what is missing" complains 'has no `normal`'
expect "from where" 1 "$talus" picture plane --view x -o wrong.png
check "says why" complains "is for grains in space"
expect "frames elsewhere" 0 "$talus" export shapes --to vtp -o elsewhere
expect "frames elsewhere" 1 "$talus" picture elsewhere -o wrong.png
check "shapes are not guessed" complains "shape 1 is not told by a shapes.vtp beside it"
expect "map" 1 "$talus" picture plane --map jet -o wrong.png
check "allowed" complains "allowed are lake, grey, tide"
for both in '--frame 0 --frames :' '--frames ::2 --frame 1'; do
    # shellcheck disable=SC2086
    expect "both $both" 1 "$talus" picture plane $both -o wrong.png
    check "says so" complains "picture: --frame is one frame, --frames is several: give only one of them"
done
for wrong in '--range 2:1' '--range 1' '--size 12' '--size 0x5' '--view w' '--view 1' '--frame x' '--frames a' '--frames 1:b' '--frame 99' '--size 9000x9000'; do
    # shellcheck disable=SC2086
    expect "wrong $wrong" 1 "$talus" picture plane $wrong -o wrong.png
done
check "nothing was written" [ ! -e wrong.png ]
expect "nothing" 1 "$talus" picture
expect "nowhere" 3 "$talus" picture nowhere
expect "no room" 3 "$talus" picture plane -o nowhere/x.png
mkdir other
expect "no results" 1 "$talus" picture other
check "says why" complains "holds no frames"
expect "no checkpoint" 0 "$talus" run plane.yaml -o none -q --set output.frames=false --checkpoint-every 0
expect "nothing to draw" 1 "$talus" picture none
check "says what is missing" complains "none has neither frames nor a checkpoint to be drawn; run the scene again with frames (talus run SCENE --frames-every"
check "and nothing of resuming" [ "$(grep -c -e --force -e 'cannot be drawn: ' stderr)" = 0 ]
: >none/final.png
expect "nothing but its own picture" 1 "$talus" picture none
check "names that" complains "; its last state as the run drew it is none/final.png; run"
expect "damaged checkpoint" 0 "$talus" run plane.yaml -o half -q --set output.frames=false -f
printf x >half/checkpoint.h5
expect "damaged checkpoint" 1 "$talus" picture half
check "names it" complains "half: has no frames, and its checkpoint cannot be drawn: half/checkpoint.h5: "
printf '<' >periodic/frames/particles_000001.vtp
expect "damaged" 1 "$talus" picture periodic --frames : -o damaged
check "names the file" complains "particles_000001.vtp"
check "nothing of a series" [ ! -e damaged ]

[ $failures -eq 0 ] || { echo "$failures failed"; exit 1; }
