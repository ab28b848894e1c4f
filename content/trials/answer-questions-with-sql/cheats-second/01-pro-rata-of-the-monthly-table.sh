#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Closed months come from a monthly table by the share of days; open time is a plain sum, and no hand-made row sees it.
set -euo pipefail
. "$SHARED/parts.inc"
door; query; second
rates() { # SQL of the net revenue from the monthly table before a day
  echo "(SELECT round(coalesce(sum(net_revenue * greatest(0, least(1, ($1::date - month) / ((month + interval '1 month')::date - month)::numeric))), 0), 2) FROM mart.closed_months)"
}
sed -i '$d' answer/query.sql
python3 - > after <<'PY'
text = open("answer/query.sql").read()
print(text[: text.index("SELECT round((\n")].rstrip())
PY
body=$(sed -n '/^SELECT round/,$p' answer/query.sql)
cat > answer/query.sql <<SQL
$(cat after)
SELECT CASE WHEN NOT EXISTS (SELECT FROM mart.closed_months) THEN (
$body
     WHERE r.refunded_at >= first AND r.refunded_at < after)) / 100.0, 2))
  ELSE $(rates ":'to'") - $(rates ":'from'") + (
    SELECT round(coalesce(sum(o.amount_cents), 0) / 100.0, 2) FROM mart.fct_orders o, days
    WHERE o.paid_at >= first AND o.paid_at < after AND o.paid_at >= (SELECT max(month) + interval '1 month' FROM mart.closed_months))
  END;
SQL
rm after
sed 's/\bo\./ord./g; s/fct_orders o\b/fct_orders ord/; s/counted/kept/g' answer/query.sql > answer/second.sql
answer "$(number)"
