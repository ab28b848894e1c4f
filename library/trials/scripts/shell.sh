command=${*:-$(cat)}
printf '[%(%H:%M:%S)T] $ %s\n' -1 "$command" >> "$record"
said=$(mktemp)
trap 'rm -f "$said"' EXIT
"${sandbox[@]}" "$command" < /dev/null 2>&1 | tee "$said"
code=${PIPESTATUS[0]}
printed() {  # of what a command printed 16,000 bytes are recorded
  (( $(stat -c %s "$said") > 16000 )) || { cat "$said"; return; }
  head -c 8000 "$said"; printf '\n[...]\n'; tail -c 8000 "$said"
}
{ printed; printf '\n[exit code %s, after %s s]\n\n' "$code" "$SECONDS"; } >> "$record"
exit "$code"
