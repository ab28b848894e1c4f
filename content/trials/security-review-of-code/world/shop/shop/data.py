"""The invented data of an instance."""

import sqlite3


def fresh():
    database = sqlite3.connect(":memory:")
    database.executescript("""
        CREATE TABLE invoice (id INTEGER PRIMARY KEY, tenant TEXT, customer TEXT, amount INTEGER);
        CREATE TABLE line (invoice INTEGER, text TEXT);
        CREATE TABLE share (token TEXT, invoice INTEGER);
        INSERT INTO invoice VALUES (1, 'red', 'Ilse', 300), (2, 'red', 'Omar', 100), (3, 'red', 'Pia', 200), (4, 'blue', 'Quinn', 900);
        INSERT INTO line VALUES (1, 'chairs'), (2, 'lamp'), (3, 'table'), (4, 'confidential work');
        INSERT INTO share VALUES ('k3Zr0b1tq8Wf2LxY', 1);
    """)
    return database
