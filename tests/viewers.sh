#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Frames and VTKHDF files read by the libraries behind ParaView and h5py, where these are installed (tools/setup viewers).
# 77: skipped. TALUS is the path of the program.
set -u
talus=${TALUS:?}
source=${TALUS_SOURCE_DIR:?}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1

# Debian's modules belong to Debian's python3, which need not be the first on the path.
find_python() {
    for python in /usr/bin/python3 "$(command -v python3 || true)"; do
        if [ -x "$python" ] && "$python" -c "import $1" 2>/dev/null; then
            echo "$python"
            return
        fi
    done
}
vtk=$(find_python vtkmodules.vtkIOXML)
h5py=$(find_python h5py)
[ -n "$vtk" ] || echo "SKIPPED: no python3-vtk9: frames are not read by VTK (tools/setup viewers)"
[ -n "$h5py" ] || echo "SKIPPED: no python3-h5py: VTKHDF files are not read by h5py (tools/setup viewers)"
[ -n "$vtk$h5py" ] || exit 77

# shellcheck source=/dev/null
. "$source/tests/export_scenes.inc"
for scene in $scenes; do
    "$talus" run "$scene.yaml" -o "$scene" -q >/dev/null || exit 1
    "$talus" export "$scene" --to vtkhdf >/dev/null || exit 1
    if [ -n "$vtk" ]; then "$vtk" "$source/tests/viewers_check.py" vtk "$scene" || exit 1; fi
    if [ -n "$h5py" ]; then "$h5py" "$source/tests/viewers_check.py" h5py "$scene" || exit 1; fi
    if [ -n "$h5py" ]; then "$h5py" "$source/tests/viewers_check.py" checkpoint "$scene" || exit 1; fi
done
[ -n "$vtk" ] && [ -n "$h5py" ] || exit 77
