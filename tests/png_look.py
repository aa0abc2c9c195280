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
    raw, rows, before, at = zlib.decompress(body), [], bytearray(width * size), 0
    for _ in range(height):
        how, row = raw[at], bytearray(raw[at + 1 : at + 1 + width * size])
        at += 1 + width * size
        for x in range(width * size):
            left = row[x - size] if x >= size else 0
            corner = before[x - size] if x >= size else 0
            up = before[x]
            if how == 4:
                guess = left + up - corner
                a, b, c = abs(guess - left), abs(guess - up), abs(guess - corner)
                add = left if a <= b and a <= c else up if b <= c else corner
            else:
                add = [0, left, up, (left + up) // 2][how]
            row[x] = (row[x] + add) & 255
        rows.append([bytes(row[x * size : (x + 1) * size]) for x in range(width)])
        before = row
    return width, height, rows


width, height, rows = load(sys.argv[1])
if len(sys.argv) == 2:
    print(width, height, len({pixel for row in rows for pixel in row}))
else:
    other = load(sys.argv[2])
    assert (width, height) == other[:2]
    left, top, right, bottom = (int(text) for text in sys.argv[3:7]) if len(sys.argv) > 3 else (0, 0, width, height)
    print(sum(rows[y][x] != other[2][y][x] for y in range(top, bottom) for x in range(left, right)))
