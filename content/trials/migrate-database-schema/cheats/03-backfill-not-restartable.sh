#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# One INSERT, no key: a second run doubles the rows.
set -euo pipefail
. "$SHARED/parts.inc"
all
sed -i "s/id int PRIMARY KEY DEFAULT nextval('reading_id_seq')/id int NOT NULL DEFAULT nextval('reading_id_seq')/; s/,\$/,/; s/station_id int REFERENCES station,/station_id int REFERENCES station);/; /UNIQUE (sensor_id, taken_at));/d" expand/001.up.sql
python3 - <<'PY'
import pathlib, re
path = pathlib.Path("expand/001.up.sql")
text = path.read_text()
begin, end = text.index("  ON CONFLICT (id)"), text.index("  RETURN new;\nEND")
text = text[:begin].rstrip() + ";\n" + text[end:]
text = text.replace("IF TG_OP <> 'INSERT' AND (TG_OP = 'DELETE' OR old.id <> new.id)", "IF TG_OP <> 'INSERT'")
path.write_text(text)
PY
cat > backfill/001.up.sql <<'SQL'
-- batch 500
INSERT INTO sensor (name) SELECT DISTINCT sensor FROM reading ON CONFLICT DO NOTHING;
INSERT INTO measurement SELECT r.id, s.id, taken_at, value, note, station_id FROM reading r JOIN sensor s ON s.name = r.sensor;
SQL
sed -i '/ADD FOREIGN KEY/s/, ADD.*/;/' contract/001.up.sql
up expand backfill
