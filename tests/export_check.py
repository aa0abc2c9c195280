# SPDX-License-Identifier: Apache-2.0
"""An independent reading of what talus wrote, with nothing but Python's standard library.

export_check.py RUN: reads RUN/frames (XML, base64) and RUN/export.* (dump, xyz, csv, data, fstat), and fails if any
number of an export is not the same double as in the frames, or if a rule of the formats is broken.
"""
import base64
import math
import struct
import sys
import xml.etree.ElementTree as ElementTree

CODES = {"Int32": "i", "Int64": "q", "Float32": "f", "Float64": "d"}


def check(condition, *what):
    if not condition:
        sys.exit("export_check: " + " ".join(str(part) for part in what))


def read_array(element):
    raw = base64.b64decode(element.text or "", validate=True)
    (count,) = struct.unpack("<Q", raw[:8])
    check(count == len(raw) - 8, element.get("Name"), "has another length than it says")
    code = CODES[element.get("type")]
    values = struct.unpack("<%d%s" % (count // struct.calcsize(code), code), raw[8:])
    n = int(element.get("NumberOfComponents", "1"))
    return [values[i : i + n] for i in range(0, len(values), n)]


def read_vtp(path):
    text = open(path).read()
    check(text.index("<Piece") < text.index("<FieldData"), path, "FieldData stands before Piece: OVITO is lost")
    root = ElementTree.fromstring(text)
    check(root.tag == "VTKFile" and root.get("byte_order") == "LittleEndian", path, "head")
    check(root.get("compressor") is None, path, "is compressed")
    piece = root.find("PolyData/Piece")
    block = {"points": read_array(piece.find("Points/DataArray")), "data": {}, "facts": {}, "cells": []}
    for kind in ("PointData", "CellData"):
        for element in piece.findall(kind + "/DataArray"):
            block["data"][element.get("Name")] = read_array(element)
    for element in root.findall("PolyData/FieldData/DataArray"):
        block["facts"][element.get("Name")] = read_array(element)
        check(len(block["facts"][element.get("Name")]) == int(element.get("NumberOfTuples")), "tuples")
    for kind in ("Verts", "Lines", "Polys"):
        if piece.find(kind) is None:
            continue
        arrays = {e.get("Name"): [v[0] for v in read_array(e)] for e in piece.findall(kind + "/DataArray")}
        start = 0
        for end in arrays["offsets"]:
            block["cells"].append(arrays["connectivity"][start:end])
            start = end
        check(len(block["cells"]) == int(piece.get("NumberOf" + kind)), path, kind)
    check(len(block["points"]) == int(piece.get("NumberOfPoints")), path, "points")
    return block


def read_frames(run):
    frames = []
    root = ElementTree.parse(run + "/frames/frames.pvd").getroot()
    for entry in root.findall("Collection/DataSet"):
        frame = {"time": float(entry.get("timestep"))}
        blocks = ElementTree.parse(run + "/frames/" + entry.get("file")).getroot()
        for index, block in enumerate(blocks.findall("vtkMultiBlockDataSet/DataSet")):
            check(int(block.get("index")) == index, "index of a block")
            frame[block.get("name")] = read_vtp(run + "/frames/" + block.get("file"))
        check(frame["particles"]["facts"]["TimeValue"][0][0] == frame["time"], "times differ")
        frames.append(frame)
    return frames


def check_rules(frame):
    """What OVITO asks of a file of particles and of one of contacts."""
    grains = frame["particles"]
    count = len(grains["points"])
    check(grains["cells"] == [[i] for i in range(count)], "one vertex for each grain")
    ids = {row[0] for row in grains["data"]["id"]}
    check(len(ids) == count, "ids are not unique")
    for name in ("contacts", "wall_contacts"):
        if name not in frame:
            continue
        block = frame[name]
        check(len(block["points"]) == 2 * len(block["cells"]), name, "two points for each line")
        for (first,), (second,) in zip(block["data"]["id1"], block["data"]["id2"]):
            check(first in ids and ((second in ids) == (name == "contacts")), name, "ids", first, second)


def numbers(line):
    return [float(word) for word in line.split()]


def flat(rows, i):
    return list(rows[i])


def check_dump(frames, path):
    lines = iter(open(path).read().split("\n"))
    for frame in frames:
        grains = frame["particles"]
        check(next(lines) == "ITEM: TIME" and float(next(lines)) == frame["time"], "dump: time")
        check(next(lines) == "ITEM: TIMESTEP" and int(next(lines)) == grains["facts"]["step"][0][0], "dump: step")
        check(next(lines) == "ITEM: NUMBER OF ATOMS" and int(next(lines)) == len(grains["points"]), "dump: count")
        head = next(lines).split()
        check(head[:3] == ["ITEM:", "BOX", "BOUNDS"], "dump: box")
        for axis in range(3):
            low, high = numbers(next(lines))
            periodic = grains["facts"]["cell_periodic"][0][axis] == 1
            check(head[3 + axis] == ("pp" if periodic else "ff"), "dump: pp")
            if periodic:
                check(low == grains["facts"]["cell_origin"][0][axis], "dump: low")
            check(all(low <= p[axis] <= high for p in grains["points"]), "dump: a grain outside of the box")
        columns = next(lines).split()[2:]
        plane = grains["facts"]["dimension"][0][0] < 3
        check(("z" in columns) == (not plane), "dump: z")
        for i in range(len(grains["points"])):
            row = dict(zip(columns, numbers(next(lines))))
            check(row["id"] == grains["data"]["id"][i][0] + 1, "dump: id")
            check((row["x"], row["y"]) == grains["points"][i][:2], "dump: position")
            for name, keys in (("v", "vx vy vz"), ("f", "fx fy fz"), ("omega", "omegax omegay omegaz"),
                               ("tq", "tqx tqy tqz"), ("orientation", "quatw quati quatj quatk"),
                               ("mass", "mass"), ("radius", "radius"), ("type", "type"), ("shape", "shape")):
                check(tuple(row[k] for k in keys.split()) == grains["data"][name][i], "dump:", name)
    check(next(lines) == "", "dump: more than frames")


def check_local_dump(frames, path):
    lines = iter(open(path).read().split("\n"))
    for frame in frames:
        contacts = frame["contacts"]
        for _ in range(5):
            line = next(lines)
        check(line == "ITEM: NUMBER OF BONDS" and int(next(lines)) == len(contacts["cells"]), "bonds: count")
        for _ in range(4):
            next(lines)
        columns = next(lines).split()
        check(columns[:4] == ["ITEM:", "BONDS", "batom1", "batom2"], "bonds: head")
        for i in range(len(contacts["cells"])):
            row = dict(zip(columns[2:], numbers(next(lines))))
            check(row["batom1"] == contacts["data"]["id1"][i][0] + 1, "bonds: id")
            check(row["fn"] == contacts["data"]["fn"][i][0], "bonds: fn")
            check(tuple(row["force" + c] for c in "xyz") == contacts["data"]["force"][i], "bonds: force")


def check_xyz(frames, path):
    lines = iter(open(path).read().split("\n"))
    for frame in frames:
        grains = frame["particles"]
        check(int(next(lines)) == len(grains["points"]), "xyz: count")
        head = next(lines)
        properties = head.split("Properties=")[1].split()[0].split(":")
        check(properties[:6] == ["species", "S", "1", "pos", "R", "3"], "xyz: first columns")
        check(float(head.split("Time=")[1].split()[0]) == frame["time"], "xyz: time")
        check('pbc="%s"' % " ".join("T" if p else "F" for p in grains["facts"]["cell_periodic"][0]) in head, "xyz: pbc")
        names = {"velo": "v", "force": "f", "torque": "tq"}
        for i in range(len(grains["points"])):
            words = next(lines).split()
            check(words[0] == "glass", "xyz: species")
            values = [float(word) for word in words[1:]]
            check(tuple(values[:3]) == grains["points"][i], "xyz: position")
            at = 3
            for k in range(6, len(properties), 3):
                n = int(properties[k + 2])
                expected = grains["data"][names.get(properties[k], properties[k])][i]
                if properties[k] == "orientation":
                    expected = expected[1:] + expected[:1]  # x y z w
                check(tuple(values[at : at + n]) == expected, "xyz:", properties[k])
                at += n
            check(at == len(values), "xyz: columns")


def check_csv(frames, path, blocks):
    lines = iter(open(path).read().split("\n"))
    columns = next(lines).split(",")
    for frame in frames:
        for name in blocks:
            block = frame[name]
            for i in range(len(block["cells"])):
                values = [float(word) for word in next(lines).split(",")]
                check(len(values) == len(columns), "csv: columns")
                expected = [frame["time"], frame["particles"]["facts"]["step"][0][0]]
                if name == "particles":
                    expected += block["points"][i]
                for rows in block["data"].values():
                    expected += rows[i]
                check(values == expected, "csv: row", i, values, expected)
    check(next(lines) == "", "csv: more than frames")


def check_mercury(frames, path):
    data, fstat = open(path + ".data").read().split("\n"), iter(open(path + ".fstat").read().split("\n"))
    at, waiting = 0, None
    for frame in frames:
        grains = frame["particles"]
        head = numbers(data[at])
        check(head[0] == len(grains["points"]) and head[1] == frame["time"] and len(head) == 8, "data: head")
        for i, point in enumerate(grains["points"]):
            row = numbers(data[at + 1 + i])
            check(len(row) == 14 and tuple(row[:3]) == point, "data: position")
            check(tuple(row[3:6]) == grains["data"]["v"][i] and row[6] == grains["data"]["radius"][i][0], "data: v")
            check(tuple(row[10:13]) == grains["data"]["omega"][i], "data: omega")
        at += 1 + len(grains["points"])
        # The forces of all lines of a grain are those of the frame, with their sign: walls are written turned round.
        line = waiting if waiting is not None else next(fstat)
        check(line.startswith("#") and float(line.split()[1]) == frame["time"], "fstat: time")
        check(next(fstat).startswith("#") and next(fstat).startswith("#"), "fstat: head")
        sums = [[0.0, 0.0, 0.0] for _ in grains["points"]]
        for line in fstat:
            if line == "" or line.startswith("#"):
                waiting = line
                break
            row = numbers(line)
            check(len(row) == 16, "fstat: columns")
            sign = -1.0 if row[2] < 0 else 1.0
            for k in range(3):
                sums[int(row[1])][k] += sign * (row[8] * row[10 + k] + row[9] * row[13 + k])
        scale = 1e-9 + max((abs(c) for f in grains["data"]["f"] for c in f), default=0.0)
        for i, total in enumerate(sums):
            for k in range(3):
                check(math.isclose(total[k], grains["data"]["f"][i][k], abs_tol=1e-12 * scale * 100), "fstat: force", i)


def main(run):
    frames = read_frames(run)
    for frame in frames:
        check_rules(frame)
    path = run + "/export"
    check_dump(frames, path + ".dump")
    check_local_dump(frames, path + ".contacts.dump")
    check_xyz(frames, path + ".xyz")
    check_csv(frames, path + ".csv", ["particles"])
    check_csv(frames, path + ".contacts.csv", ["contacts", "wall_contacts"])
    check_mercury(frames, path)
    blocks = sorted({name for frame in frames for name in frame if name != "time"})
    print("%s: %d frames with %s: all exports are exact" % (run, len(frames), ", ".join(blocks)))


if __name__ == "__main__":
    main(sys.argv[1])
