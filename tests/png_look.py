# SPDX-License-Identifier: Apache-2.0
# Look at a PNG of 8 bits a channel without interlace: prints width, height, number of colours. With two files also how
# many pixels of a box (left, top, right, bottom; pixels) differ.
import struct
import sys
import zlib


def load(path):
    data = open(path, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", path + ": is no PNG"
    at, body = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        part = data[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + part) == struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0]
        if kind == b"IHDR":
            width, height, depth, color = struct.unpack(">IIBB", part[:10])
            assert depth == 8 and part[12] == 0
        if kind == b"IDAT":
            body += part
        at += 12 + length
    size = {0: 1, 2: 3, 3: 1, 6: 4}[color]
    raw, rows, before, at = zlib.decompress(body), [], bytes(width * size), 0
    for _ in range(height):
        row = unfilter(raw[at], raw[at + 1 : at + 1 + width * size], before, size)
        at += 1 + width * size
        rows.append(row)
        before = row
    return width, height, size, rows


# One loop for each kind of row, and none where nothing is to be added: most rows of a figure are like that.
def unfilter(how, row, before, size):
    if how == 0 or (how == 2 and not any(before)):
        return row
    if how == 2 and not any(row):
        return before
    if how == 2:
        return bytes([(a + b) & 255 for a, b in zip(row, before)])
    out, up = bytearray(size) + row, bytes(size) + before
    for x in range(size, len(out)):
        left, above, corner = out[x - size], up[x], up[x - size]
        if how == 1:
            add = left
        elif how == 3:
            add = (left + above) >> 1
        else:
            a, b, c = abs(above - corner), abs(left - corner), abs(left + above - 2 * corner)
            add = left if a <= b and a <= c else above if b <= c else corner
        out[x] = (out[x] + add) & 255
    return bytes(out[size:])


def pixels(row, size):
    return [row[x : x + size] for x in range(0, len(row), size)]


width, height, size, rows = load(sys.argv[1])
if len(sys.argv) == 2:
    print(width, height, len({pixel for row in set(rows) for pixel in pixels(row, size)}))
else:
    *like, others = load(sys.argv[2])
    assert [width, height, size] == like
    left, top, right, bottom = (int(text) for text in sys.argv[3:7]) if len(sys.argv) > 3 else (0, 0, width, height)
    pairs = [pair for pair in zip(rows[top:bottom], others[top:bottom]) if pair[0] != pair[1]]
    print(sum(a != b for one, other in pairs for a, b in list(zip(pixels(one, size), pixels(other, size)))[left:right]))
