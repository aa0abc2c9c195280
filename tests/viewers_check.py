# SPDX-License-Identifier: Apache-2.0
"""viewers_check.py vtk|h5py|checkpoint RUN: RUN/frames, RUN/export.*.vtkhdf or RUN/checkpoint.h5, read by VTK or h5py, against a plain parser."""
import glob
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from export_check import check, read_frames  # noqa: E402


def vtk_rows(array):
    return [array.GetTuple(i) for i in range(array.GetNumberOfTuples())]


def check_vtk_block(name, data, block):
    check(data is not None, name, "was not read")
    check(data.GetNumberOfPoints() == len(block["points"]), name, "points")
    check([data.GetPoint(i) for i in range(data.GetNumberOfPoints())] == block["points"], name, "places")
    check(data.GetNumberOfCells() == len(block["cells"]), name, "cells")
    for c, cell in enumerate(block["cells"]):
        ids = data.GetCell(c).GetPointIds()
        check([ids.GetId(k) for k in range(ids.GetNumberOfIds())] == cell, name, "cell", c)
    arrays = data.GetPointData() if name == "particles" else data.GetCellData()
    for found, expected in ((arrays, block["data"]), (data.GetFieldData(), block["facts"])):
        for key, rows in expected.items():
            check(found.GetArray(key) is not None, name, key, "was not read")
            check(vtk_rows(found.GetArray(key)) == rows, name, key)


def check_vtk(run, frames):
    import vtkmodules.all as vtk

    for number, frame in enumerate(frames):
        reader = vtk.vtkXMLMultiBlockDataReader()
        reader.SetFileName("%s/frames/frame_%06d.vtm" % (run, number))
        check(reader.CanReadFile(reader.GetFileName()), "vtm")
        reader.Update()
        blocks = reader.GetOutput()
        names = [blocks.GetMetaData(i).Get(vtk.vtkCompositeDataSet.NAME()) for i in range(blocks.GetNumberOfBlocks())]
        check(names == [name for name in frame if name != "time"], "blocks", names)
        for i, name in enumerate(names):
            check_vtk_block(name, blocks.GetBlock(i), frame[name])
    shapes = run + "/frames/shapes.vtp"
    if os.path.exists(shapes):
        reader = vtk.vtkXMLPolyDataReader()
        reader.SetFileName(shapes)
        reader.Update()
        check(reader.GetOutput().GetNumberOfPolys() > 0, "shapes")
    print("%s: %d frames read by VTK %s" % (run, len(frames), vtk.vtkVersion.GetVTKVersion()))


def rows(values):
    return [tuple(v) if hasattr(v, "__len__") else (v,) for v in values.tolist()]


def check_hdf_block(name, group, frames):
    """Every frame is where Steps says, and is what the frames have."""
    steps = group["Steps"]
    check(steps.attrs["NSteps"] == len(frames), name, "NSteps")
    topologies = ["Vertices", "Lines", "Polygons", "Strips"]
    used = {"particles": 0, "contacts": 1, "wall_contacts": 1}.get(name, 2)
    if name == "membranes" and frames[0]["particles"]["facts"]["dimension"][0][0] < 3:
        used = 1
    for t, topology in enumerate(topologies):
        total = int(sum(group[topology]["NumberOfCells"]))
        check(len(group[topology]["Offsets"]) == total + len(frames), name, topology, "Offsets")
        check(t == used or total == 0, name, topology)
    for i, frame in enumerate(frames):
        block = frame.get(name, {"points": [], "cells": [], "data": {}})
        check(steps["Values"][i] == frame["time"] and steps["PartOffsets"][i] == i, name, "time")
        part = int(steps["PartOffsets"][i])
        n, first = int(group["NumberOfPoints"][part]), int(steps["PointOffsets"][i])
        check(rows(group["Points"][first : first + n]) == block["points"], name, "points")
        cells = group[topologies[used]]
        count, cell = int(cells["NumberOfCells"][part]), int(steps["CellOffsets"][i][used])
        corner = int(steps["ConnectivityIdOffsets"][i][used])
        offsets = cells["Offsets"][cell + i : cell + i + count + 1].tolist()
        ids = cells["Connectivity"][corner : corner + int(cells["NumberOfConnectivityIds"][part])].tolist()
        check([ids[offsets[c] : offsets[c + 1]] for c in range(count)] == block["cells"], name, "cells")
        kind = "PointData" if used == 0 else "CellData"
        length = n if used == 0 else count
        for key, expected in block["data"].items():
            start = int(steps[kind + "Offsets"][key][i])
            check(rows(group[kind][key][start : start + length]) == expected, name, key)


def check_h5py(run, frames):
    import h5py

    files = sorted(glob.glob(run + "/export.*.vtkhdf"))
    names = sorted({name for frame in frames for name in frame if name != "time"})
    check([os.path.basename(f).split(".")[1] for f in files] == names, "files", files)
    for path, name in zip(files, names):
        with h5py.File(path, "r") as file:
            group = file["VTKHDF"]
            check(list(group.attrs["Version"]) == [2, 0], "version")
            kind = group.attrs.get_id("Type").get_type()
            check(not kind.is_variable_str() and kind.get_size() == 8, "Type must be of fixed length")
            check(group.attrs["Type"] == b"PolyData", "type")
            check_hdf_block(name, group, frames)
    print("%s: %d files of VTKHDF read by h5py %s" % (run, len(files), h5py.__version__))


def forces_by_pair(first, second, forces):
    """Pairs that press, in either order of their names; the sum over their points, on the one named last."""
    pairs = {}
    for a, b, force in zip(first, second, forces):
        if any(force):
            sign = 1 if a < b else -1
            before = pairs.get((min(a, b), max(a, b)), (0, 0, 0))
            pairs[min(a, b), max(a, b)] = tuple(f + sign * g for f, g in zip(before, force))
    return pairs


def check_checkpoint(run, frames):
    """As docs/restart.md reads it, against the frame of the same moment."""
    import h5py

    with h5py.File(run + "/checkpoint.h5") as file:
        grains = file["bodies/boundary"][:] < 0
        last = frames[-1]["particles"]
        check(file["world/time"][0] == frames[-1]["time"], "time of the checkpoint")
        check(rows(file["bodies/position"][:][grains]) == last["points"], "checkpoint: position")
        for key, name in (("velocity", "v"), ("radius", "radius")):
            check(rows(file["bodies/" + key][:][grains]) == last["data"][name], "checkpoint:", key)
        pair, gid = file["contacts/pair"][:], file["bodies/gid"][:]
        force = pair["impulse"] / file["world/dt"][0]
        found = forces_by_pair(gid[pair["a"]], gid[pair["b"]], force.tolist())
        data = [frames[-1][name]["data"] for name in ("contacts", "wall_contacts")]
        ids = [sum((d[key] for d in data), []) for key in ("id1", "id2", "force")]
        stored = forces_by_pair([i[0] for i in ids[0]], [i[0] for i in ids[1]], ids[2])
        check(found.keys() == stored.keys(), "checkpoint: contacts", len(found), len(stored))
        largest = max((abs(f) for force in stored.values() for f in force), default=0)
        for key, force in stored.items():
            off = max(abs(f - g) for f, g in zip(force, found[key]))
            check(off <= 1e-14 * largest, "checkpoint: force", key, off)
        check("materials" in file["scene/text"][0].decode(), "checkpoint: scene")
    print("%s: checkpoint of %d grains and %d forces read by h5py" % (run, sum(grains), len(found)))


if __name__ == "__main__":
    all_frames = read_frames(sys.argv[2])
    {"vtk": check_vtk, "h5py": check_h5py, "checkpoint": check_checkpoint}[sys.argv[1]](sys.argv[2], all_frames)
