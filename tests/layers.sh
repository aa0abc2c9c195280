#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The layer and citation checks pass on the tree and fail, naming the line, on planted violations.
set -euo pipefail
source_dir=${TALUS_SOURCE_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

"$source_dir/tools/check_layers"
"$source_dir/tools/check_citations"

# plant CHECK FILE LINE: CHECK has to fail on a file with only LINE in it and say where.
plant() {
    rm -rf "$copy/tree"
    mkdir -p "$copy/tree/$(dirname "$2")" "$copy/tree/docs"
    cp "$source_dir/docs/references.bib" "$copy/tree/docs"
    printf '/* head */\n%s\n' "$3" >"$copy/tree/$2"
    if output=$("$source_dir/tools/$1" "$copy/tree"); then
        echo "$1 accepted in $2: $3"
        exit 1
    fi
    case $output in "$2:"[12]": "*) ;; *) echo "$1 on $2: no file and line in: $output"; exit 1 ;; esac
}
# accept CHECK FILE LINE: the same, but nothing is wrong with it.
accept() {
    if (plant "$@") >/dev/null; then
        echo "$1 refused in $2: $3"
        exit 1
    fi
}

plant check_layers src/math/a.c '#include "world/bodies.h"'
plant check_layers src/solve/a.c '#include "geom/shape.h"'
plant check_layers src/measure/a.c '#include "sim/sim.h"'
plant check_layers src/base/a.c '#include "../math/vec3.h"'
plant check_layers cli/a.c '#include "base/error.h"'
plant check_layers papers/chain/a.c '#include "sim/sim.h"'
plant check_layers src/sim/a.c '#include <mpi.h>'
plant check_layers src/scene/a.c '#include <png.h>'
plant check_layers src/base/a.c 'void *f(void) { return malloc(3); }'
plant check_layers src/io/a.c '    free (pointer);'
plant check_layers src/attic/a.c 'int x;'
plant check_citations src/law/a.c '/* [Nobody1999, eq. 3] */'

accept check_layers src/sim/a.c '#include "solve/problem.h"'
accept check_layers cli/a.c '#include "talus/talus.h"'
accept check_layers src/base/a.c 'memory_free(memory, block, 1, 1); /* not free() nor "malloc(" */'
accept check_layers src/sim/a.c 'pool->free(pool); const char *text = "free(";'
accept check_citations src/law/a.c '/* [Moreau1988, eq. 4.12] */'
echo "all planted violations were found"
