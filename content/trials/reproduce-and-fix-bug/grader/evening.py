# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Asks a room, started as on draft evenings, a long evening of right and wrong requests; prints each answer, last the open files."""

import glob
import os
import random
import subprocess
import sys
import time
import urllib.error
import urllib.request

PORT = 19000 + os.getpid() % 1000
dice = random.Random(46)


def ask(method, path, body=b""):
    asked = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", method=method, data=body if method == "POST" else None)
    try:
        with urllib.request.urlopen(asked, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""


def open_files(process):
    found = []
    for one in glob.glob(f"/proc/{process.pid}/fd/*"):
        try:
            found.append(os.readlink(one))
        except OSError:
            pass
    return sum(name.endswith("board.db") for name in found)


def evening():
    names = ["Abebe", "Hale", "Lindqvist", "Moreau", "Okafor", "Tran", "Nobody", "O'Hara", ""]
    teams = ["Reds", "Blues", "Greens", "Nobody"]
    for _ in range(160):
        player, team = dice.choice(names), dice.choice(teams)
        yield dice.choice([
            ("GET", f"/rank?player={player}"), ("GET", "/ranks"), ("GET", f"/team?name={team}"), ("GET", "/nowhere"),
            ("POST", f"/pick?team={team}&player={player}"), ("GET", f"/export?week={dice.choice([44, 44, 45])}"), ("GET", "/rank"),
            ("POST", "/import", f"Hale,{dice.randint(1, 99)}\nTran,{dice.randint(1, 99)}\n{dice.choice(['Moreau', 'Abebe,5', 'Hale,3'])}".encode()),
        ])
    for request in (("GET", "/rank?player=Nobody"), ("GET", "/team?name=x"), ("GET", "/export?week=9"), ("POST", "/import", b"Hale,1\nHale,2"),
                    ("POST", "/import", b"Hale,1\nx"), ("POST", "/pick?team=x&player=Tran")):
        yield from [request] * 5
        yield from [("GET", "/ranks"), ("POST", "/pick?team=Reds&player=new" + request[1][1:4]), ("GET", "/team?name=Reds"), ("GET", "/stats")]


room = subprocess.Popen(["scripts/dev.sh"], env={**os.environ, "BOARD_PORT": str(PORT)}, stdout=-3, stderr=-3)
try:
    for _ in range(200):
        if ask("GET", "/stats")[0] == 200:
            break
        time.sleep(0.1)
    else:
        sys.exit("the room does not start")
    print("open:", open_files(room))
    for number, request in enumerate(evening()):
        status, text = ask(*request)
        twice = len(request) == 3 and sorted(line.split(b",")[0] for line in request[2].splitlines()) != sorted(
            {line.split(b",")[0] for line in request[2].splitlines()})
        print(number, request, "" if twice else (status, text))
    print("open:", open_files(room))
finally:
    room.kill()
