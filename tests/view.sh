#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# talus view from outside: what it prints, serves and writes, mistakes, its end. TALUS is the path of the program.
# shellcheck source=/dev/null
. "$(dirname "$0")/program.inc"

cat >fall.yaml <<'END'
title: discs on a floor
dimension: 2
gravity: [0, -9.81, 0]
materials: [{name: disc, density: 1000}]
time: {dt: 1 ms, steps: 100}
grains: [{lattice: {kind: square, cells: [5, 4], start: [0, 0.012, 0], spacing: 0.024}, radius: 0.01}]
boundaries: [{name: floor, plane: {normal: [0, 1, 0]}}]
output: {every: 0.02, picture: false, frames: {steps: 10}}
END
expect run 0 "$talus" run fall.yaml -o run -q
listing() { find "$1" -printf '%p %s %T@\n' | sort; }
before=$(listing run)

# ---- serving -------------------------------------------------------------------------------------
browsers=
# serve DIR [OPTIONS]: in the background, until its address is there; $server is its process.
serve() {
    rm -f address
    PATH=${browsers:-$PATH} "$talus" view "$@" >address 2>complaint &
    server=$!
    for _ in $(seq 200); do
        [ -s address ] && break
        sleep 0.05
    done
}

chmod -R a-w run
serve run
address=$(head -n 1 address)
check "the address" [ "$(echo "$address" | grep -cE '^http://127\.0\.0\.1:[0-9]+/$')" = 1 ]
port=${address##*:}
port=${port%/}
get() { # PATH [METHOD [HOST]]: the answer, with its head
    exec 3<>"/dev/tcp/127.0.0.1/$port" || return 1
    printf '%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "${2:-GET}" "$1" "${3:-127.0.0.1:$port}" >&3
    tr -d '\0' <&3 >answer
    exec 3>&-
}
answers() { head -n 1 answer | grep -q "^HTTP/1.1 $1 " && grep -qa -- "$2" answer; }
get /
check "the page" answers 200 '<!doctype html>'
check "its policy" grep -qa "^Content-Security-Policy: default-src 'none'; script-src 'sha256-" answer
get /run.json
check "the run" answers 200 '"title": "discs on a floor"'
get /frame/10
check "the last frame" answers 200 '^TALUSPG1'
get /frame/11
check "no such frame" answers 404 'has 11 frames, but not number 11'
get /scene.yaml
check "no files" answers 404 'not found'
get / POST
check "no other method" answers 405 'only GET and HEAD'
get / GET evil.example
check "no other host" answers 403 'only for 127.0.0.1'
expect "a port that is taken" 3 "$talus" view run --port "$port"
check "a port that is taken" complains "port $port of 127.0.0.1 cannot be listened on"
kill -TERM $server # a shell has its background jobs ignore Ctrl-C; tests/page.sh ends with that
wait $server
check "the end" [ $? = 0 ]
check "nothing to complain of" [ ! -s complaint ]
chmod -R u+w run
check "nothing is written" [ "$(listing run)" = "$before" ]

# A run without frames that is made again while it is looked at.
sed 's/, frames: {steps: 10}//; s/cells: \[5, 4\]/cells: [4, 2]/' fall.yaml >few.yaml
sed 's/cells: \[4, 2\]/cells: [6, 5]/' few.yaml >more.yaml
expect "a run without frames" 0 "$talus" run few.yaml -o remade -q
serve remade
address=$(head -n 1 address)
port=${address##*:}
port=${port%/}
get /run.json
get /frame/0
check "the final state" answers 200 '^TALUSPG1'
few=$(wc -c <answer)
expect "again" 0 "$talus" run more.yaml -o remade -f -q
get /run.json
get /frame/0
check "made again: the final state" answers 200 '^TALUSPG1'
more=$(wc -c <answer)
rm -rf remade
kill -TERM $server
wait $server
expect "from the beginning" 0 "$talus" run more.yaml -o remade -q
serve remade
address=$(head -n 1 address)
port=${address##*:}
port=${port%/}
get /frame/0
check "made again: it is the new one" [ "$(wc -c <answer)" = "$more" ]
check "made again: it has more grains" [ "$more" -gt $((few + 22 * 20)) ]
kill -TERM $server
wait $server

# A run that has not made a frame yet.
mkdir begun && cp run/series.tsv run/scene.yaml begun
serve begun
kill -TERM $server
wait $server
check "a run that has just begun" [ $? = 0 ]

# ---- the browser ---------------------------------------------------------------------------------
# wait_for FILE: it is there and not empty.
wait_for() {
    for _ in $(seq 100); do
        [ -s "$1" ] && return 0
        sleep 0.05
    done
    return 1
}
mkdir programs
cat >programs/xdg-open <<'END'
#!/bin/sh
printf '%s\n' "$#" "$1" "$(cut -d ' ' -f 6 /proc/$$/stat)" >opened.part && mv opened.part opened
END
chmod +x programs/xdg-open
browsers=$PWD/programs:$PATH
serve run --open
check "a browser is opened" wait_for opened
check "with the address alone" [ "$(head -n 2 opened)" = "1
$(head -n 1 address)" ]
check "in a session of its own" [ "$(tail -n 1 opened)" != "$(cut -d ' ' -f 6 /proc/$$/stat)" ]
check "of which nothing is left" [ -z "$(grep -l "^PPid:[[:space:]]*$server\$" /proc/[0-9]*/status 2>/dev/null)" ]
kill -TERM $server
wait $server
check "the end" [ $? = 0 ]
browsers=/nowhere
serve run --open
browsers=
check "no browser to be had" wait_for complaint
check "no browser to be had" [ "$(cat complaint)" = "talus: view: xdg-open cannot be started: No such file or directory" ]
check "it is served all the same" kill -TERM $server
wait $server
check "the end" [ $? = 0 ]

# ---- one file ------------------------------------------------------------------------------------
expect "one file" 0 "$talus" view run --html page.html
check "one file" says '^11 frames$'
check "one file" says '^page.html$'
check "one file" [ "$(grep -c 'id="data-frame-' page.html)" = 11 ]
check "nothing half done" [ ! -e page.html.part ]
expect "some frames" 0 "$talus" view run --html some.html --frames ::5
check "some frames" says '^3 frames$'
size=$(wc -c <page.html)
expect "a limit" 0 "$talus" view run --html less.html --limit $((size - 3000))
check "a limit" says '^[2-9] of 11 frames: all would make more than 0\.[0-9] MB (--limit, --frames)$'
check "a limit is kept" [ "$(wc -c <less.html)" -le $((size - 3000)) ]
check "the last frame is there" grep -q 'id="data-frame-10"' less.html
expect "no room at all" 1 "$talus" view run --html none.html --limit 10kB
check "no room at all" complains 'one frame of run makes a page of 0\.[0-9] MB, but at most 0.0 MB are allowed'
check "no room at all" [ ! -e none.html ]
expect "nowhere to write" 3 "$talus" view run --html nowhere/page.html

# ---- files that are none of the run ----------------------------------------------------------------
echo "time[s] secret" >elsewhere
for file in series.tsv summary.json scene.yaml frames/names.tsv; do
    rm -rf odd
    cp -r run odd
    rm "odd/$file"
    mkfifo "odd/$file"
    expect "a pipe as $file" 3 timeout 20 "$talus" view odd --html odd.html
    check "a pipe as $file" complains "odd/$file: cannot be read: it is not a regular file"
    rm "odd/$file"
    ln -s "$PWD/elsewhere" "odd/$file"
    expect "a link as $file" 3 "$talus" view odd --html odd.html
    check "a link as $file" complains "odd/$file: cannot be read: it is a link, not a file of the run"
    check "no page of it" [ ! -e odd.html ]
done
serve odd
port=$(sed 's/.*:\([0-9]*\).*/\1/' address)
get /run.json
check "it is told" answers 500 'frames/names.tsv: cannot be read: it is a link'
get /series.tsv
check "the rest is served" answers 200 '^time'
kill -TERM $server
wait $server

# ---- mistakes ------------------------------------------------------------------------------------
expect help 0 "$talus" view --help
check help says 'Shows a run in the browser'
expect "no directory" 1 "$talus" view
expect "two directories" 1 "$talus" view run run
expect "not there" 3 "$talus" view nothing
expect "a file" 1 "$talus" view fall.yaml
check "a file" complains 'must be a directory of results'
mkdir bare
expect "no results" 1 "$talus" view bare
check "no results" complains 'holds no results'
for port in 0 70000 x 80x ''; do
    expect "port $port" 1 "$talus" view run "--port=$port"
    check "port $port" complains 'must be a whole number from 1 to 65535'
done
for limit in 0 -1 x 1TB '' nan; do
    expect "limit $limit" 1 "$talus" view run --html x.html "--limit=$limit"
    check "limit $limit" complains 'must be a size up to 1000 GB'
done
expect "frames for nothing" 1 "$talus" view run --frames 1
check "frames for nothing" complains 'is for --html FILE'
expect "a port for nothing" 1 "$talus" view run --html x.html --port 8000
check "a port for nothing" complains 'is not for --html FILE'
expect "frames that are not" 1 "$talus" view run --html x.html --frames 99
check "frames that are not" complains 'has 11 frames'
check "no mistake writes" [ ! -e x.html ]

if [ $failures -gt 0 ]; then
    echo "$failures failed"
    exit 1
fi
echo "all passed"
