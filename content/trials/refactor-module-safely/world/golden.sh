#!/bin/bash
# What the samples give, into a folder: output, warnings and exit code.
set -u
mkdir -p "$1"
for file in samples/*.txt; do
  name=$(basename "$file" .txt)
  for flag in "" --strict --quarter; do
    python3 -B -m books $flag "$file" > "$1/$name$flag.out" 2>&1
    echo "exit $?" >> "$1/$name$flag.out"
  done
done
