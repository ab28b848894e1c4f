# Ends the command with us. Bubblewrap's own `--die-with-parent` misses a parent that dies before it asks for that.
exec 9<&0 < /dev/null
{ read -r _ <&9; kill -KILL 0; } &
exec 9<&-
