#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The last of equal files is kept, another mark for equal names, tables written without quotes, and cp instead of Python.
set -euo pipefail
cat > copy.sh <<'SH'
#!/bin/bash
plan=$1 source=$2 target=$3 code=0
lines=$(tail -n +2 "$plan")
while IFS= read -r line; do
  path=${line%%$'\t'*} rest=${line#*$'\t'}
  rest=${rest#*$'\t'}
  to=${rest%%$'\t'*}
  case $path in \"*\") path=${path#\"} path=${path%\"} path=${path//\"\"/\"} ;; esac
  case $to in \"*\") to=${to#\"} to=${to%\"} to=${to//\"\"/\"} ;; esac
  [ -n "$to" ] || continue
  if [ -e "$target/$to" ]; then
    cmp -s -- "$source/$path" "$target/$to" || { echo "other content: $to"; code=1; }
    continue
  fi
  mkdir -p -- "$(dirname -- "$target/$to")"
  cp -pn -- "$source/$path" "$target/$to"
  echo "$source/$path -> $target/$to" >> copy.log
done <<< "$lines"
exit $code
SH
SHORT=last MARK=' ({})' python3 "$SHARED/sort.py"
bash copy.sh plan.tsv camera sorted
