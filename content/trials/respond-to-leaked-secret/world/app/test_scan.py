import pathlib
import subprocess
import sys
import tempfile
import unittest


def exit_code(text):
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place, "file.txt")
        path.write_text(text)
        return subprocess.run([sys.executable, "tools/scan.py", str(path)], capture_output=True).returncode


class Scan(unittest.TestCase):
    def test_private_key(self):
        self.assertEqual(exit_code("-----BEGIN PRIVATE " + "KEY-----\n"), 1)

    def test_nothing(self):
        self.assertEqual(exit_code("quay 1\n"), 0)
