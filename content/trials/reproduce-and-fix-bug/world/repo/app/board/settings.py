"""What the room is started with: local.ini in the working folder, then the environment."""

import configparser
import os


def read(environ=os.environ):
    file = configparser.ConfigParser()
    file.read("local.ini")
    board = file["board"] if file.has_section("board") else {}
    return {
        "pool": environ.get("BOARD_POOL", "simple"),
        "port": int(environ.get("BOARD_PORT", "8731")),
        "connections": int(board.get("connections", "50")),
        "wait": float(board.get("wait", "5")),
    }
