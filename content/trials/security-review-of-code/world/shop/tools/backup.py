"""Packs the files of all tenants; run by us, by hand."""

import subprocess

subprocess.run("tar -czf backup.tar.gz files", shell=True, check=True)
