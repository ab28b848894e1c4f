"""The database of one evening."""

import sqlite3

TABLES = """
create table ranks (week integer not null, player text not null, rank integer not null, primary key (week, player));
create table picks (player text primary key, team text not null);
create table teams (name text primary key, picked integer not null default 0);
insert into teams (name) values ('Reds'), ('Blues'), ('Greens');
"""
WEEK = 44


def connect(path):
    return sqlite3.connect(path, timeout=0.2, check_same_thread=False)


def begin(path, seed):
    db = connect(path)
    db.executescript(TABLES)
    db.executemany(f"insert into ranks values ({WEEK}, ?, ?)", [line.split(",") for line in seed.split()])
    db.commit()
    db.close()
