"""Prints what `exiftool -csv -r. -DateTimeOriginal -CreateDate FOLDER` would: ExifTool is not on this machine."""

import csv
import struct
import sys
from pathlib import Path


def dates(data):
    begin = data.find(b"Exif\0\0", 0, 4096) + 6
    if begin < 6:
        return "", ""
    place = begin + struct.unpack_from("<I", data, begin + 4)[0]
    place = begin + struct.unpack_from("<I", data, place + 2 + 8)[0]
    found = {}
    for number in range(struct.unpack_from("<H", data, place)[0]):
        tag, _, length, where = struct.unpack_from("<HHII", data, place + 2 + 12 * number)
        found[tag] = data[begin + where : begin + where + length].rstrip(b"\0").decode("ascii")
    return found.get(0x9003, ""), found.get(0x9004, "")


table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["SourceFile", "DateTimeOriginal", "CreateDate"])
for path in sorted(Path(sys.argv[1]).rglob("*")):
    if path.is_file():
        table.writerow([path, *dates(path.read_bytes())])
