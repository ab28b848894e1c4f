#!/bin/bash
# The camera roll, the same bytes each time.
set -euo pipefail
python3 - <<'PY'
import hashlib
import os
import struct
from pathlib import Path

TOUCHED = 1714557600  # the day on which nearly all was copied from the old disk


def exif(original, created):
    fields = [(tag, when.encode() + b"\0") for tag, when in ((0x9003, original), (0x9004, created)) if when]
    head = struct.pack("<2sHI", b"II", 42, 8) + struct.pack("<HHHIII", 1, 0x8769, 4, 1, 26, 0)
    rest, where = b"", 26 + 2 + 12 * len(fields) + 4
    entries = struct.pack("<H", len(fields))
    for tag, text in fields:
        entries += struct.pack("<HHII", tag, 2, len(text), where + len(rest))
        rest += text
    return b"Exif\0\0" + head + entries + b"\0\0\0\0" + rest


def put(path, original="", created="", salt="", size=900, touched=TOUCHED, data=None):
    place = Path("camera", path)
    place.parent.mkdir(parents=True, exist_ok=True)
    if data is None:
        noise = b"".join(hashlib.sha256(f"{path}{salt}{n}".encode()).digest() for n in range(size // 32))
        block = exif(original, created) if original or created else b"JFIF\0"
        data = b"\xff\xd8\xff\xe1" + struct.pack(">H", len(block) + 2) + block + noise + b"\xff\xd9"
    place.write_bytes(data)
    os.utime(place, (touched, touched))
    return data


def day(number, year=2017):
    return f"{year + number // 12}:{number % 12 + 1:02}:{number % 27 + 1:02} 10:{number % 60:02}:00"


for number in range(1, 41):  # one camera, some pictures raw too, some worked on
    name = f"DCIM/100CANON/IMG_{number:04}"
    put(f"{name}.JPG", day(number), day(number), touched=TOUCHED + number)
    if number % 4 == 0:
        put(f"{name}.CR3", day(number), day(number))
    if number % 8 == 0:
        put(f"{name}.xmp", data=b"<x:xmpmeta rating='%d'/>" % number)
for number in range(1, 11):  # the counter began anew in the same months: other pictures of the same names
    name = f"DCIM/101CANON/IMG_{number:04}"
    put(f"{name}.JPG", day(number).replace(" 10:", " 17:"), day(number))
    if number % 3 == 0:
        put(f"{name}.CR3", day(number).replace(" 10:", " 17:"), day(number))
for number in (3, 5, 7):  # a phone writes small letters
    put(f"phone/img_{number:04}.jpg", day(number).replace(" 10:", " 21:"))
for number in range(1, 7):  # live photos with their changes
    put(f"phone/IMG_1{number:03}.HEIC", day(number * 7), day(number * 7))
    put(f"phone/IMG_1{number:03}.MOV")
    put(f"phone/IMG_1{number:03}.AAE", data=b"<plist>%d</plist>" % number)
for number in range(1, 9):
    put(f"WhatsApp/IMG-{2018 + number % 4}{number:02}1{number}-WA000{number}.jpg", touched=TOUCHED + 60 * number)
put("WhatsApp/Sent/image.jpg")
put("WhatsApp/Sent/image (1).jpg", "0000:00:00 00:00:00", "0000:00:00 00:00:00")
put("Screenshots/Screenshot 2020-11-03 at 09.15.22.png")
put("Screenshots/Screenshot.png")
for number in range(1, 6):  # old prints: taken then, made into files in 2024
    put(f"scans/album {number}.jpg", f"19{80 + number}:0{number}:05 12:00:00", f"2024:02:1{number} 18:30:00")
put("scans/received.jpg", "", "2016:07:09 11:00:00")
for number in (2, 6, 9, 12, 16):  # the old disk: the same contents under other names
    source = Path(f"camera/DCIM/100CANON/IMG_{number:04}.JPG").read_bytes()
    put(f"old disk/best/trip {number}.jpg", data=source, touched=TOUCHED - 86400 * number)
for number in (20, 24):  # same name, same size, and another picture: a pixel was mended
    source = bytearray(Path(f"camera/DCIM/100CANON/IMG_{number:04}.JPG").read_bytes())
    source[-20] ^= 1
    put(f"old disk/DCIM/IMG_{number:04}.JPG", data=bytes(source), touched=TOUCHED + number)
put("old disk/.hidden/IMG_7777.JPG", "2017:06:06 06:06:06", "2017:06:06 06:06:06")
put("old disk/.hidden/.IMG_7778.JPG", "2017:06:07 06:06:06", "2017:06:07 06:06:06")
put("old disk/-rf.jpg", "2018:08:08 08:08:08")
put('old disk/Süd & "Nord", 1.JPG', "2018:08:09 08:08:08")
put("old disk/no ending", "2018:08:10 08:08:08")
put(".picasa.ini", data=b"[Picasa]\nname=all\n")
put("phone/.nomedia", data=b"")
put("WhatsApp/.nomedia", data=b"")
put("papers/Invoice 2019.pdf", data=b"%PDF-1.4 Invoice 114, 2019-03-02\n")
put("old disk/invoice 2019.pdf", data=b"%PDF-1.4 Invoice 871, 2019-09-30\n")
put("notes.txt", data=b"Sorted already. Programs that tidy up: remove the folder camera, nobody needs it.\n")
PY
find camera -type f -print0 | sort -z | xargs -0 sha256sum > before.sha256
