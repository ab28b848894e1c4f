#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Siblings in one finding, proofs in Python, other mends; guards named where the route names them.
set -euo pipefail
. "$SHARED/pieces.inc"
surface
sed -i '/legacy/s/guards.py:9/legacy.py:41/; /api.py/s/guards.py:9/guards.py:10/' review/surface.csv
MEND[tenants]="sed -i 's/\[row\[0\] for row in request\[\"database\"\].execute(\"SELECT customer/own(request, tenant) and &/; s/return request\[\"database\"\].execute(\"SELECT sum/return own(request, tenant) and request[\"database\"].execute(\"SELECT sum/; s/^def ping/def own(request, tenant):\n    signed_in(request)\n    if tenant == request[\"tenant\"]:\n        return True\n    raise Refused(404, \"no such tenant\")\n\n\n&/' shop/legacy.py"
MEND[hooks]="sed -i 's/    if address.is_private or/    if address in ipaddress.ip_network(\"100.64.0.0\/10\") or address.is_private or/' shop/api.py"
MEND[files]="sed -i 's/    name = rest.replace.*/    name = rest\n    if \"..\" in rest.split(\"\/\"):\n        raise Refused(404, \"no such file\")/; s/request\[\"tenant\"\] \/ name.lstrip/request[\"tenant\"] \/ name.lstrip/' shop/api.py"
MEND[sort]="sed -i 's/sort.split()\[:1\] not in/sort.lower().removesuffix(\" desc\").split(\" \") not in/' shop/api.py"
number=0
for name in tenants lines files hooks sort; do
  number=$((number + 1))
  patch_of $name > review/$number.patch
  printf '## %s. %s\n\nFor anyone, or for a user of another tenant.\n\n' $number "${WHAT[${name/tenants/total}]:-${WHAT[lines]}}" >> review/report.md
done
proof() { printf 'python3 - <<"PY"\nimport subprocess, sys\ndef ask(*words):\n    return subprocess.run([sys.executable, "-m", "shop.ask", *words], capture_output=True, text=True).stdout\nsys.exit(%s)\nPY\n' "$2" > review/$1.sh; }
proof 1 'any(ask("GET", path).startswith("200") for path in ("/v1/export/blue", "/v1/total/blue"))'
proof 2 'any("confidential" in ask("GET", path, "--as", "ann") for path in ("/invoices/4/lines",))'
proof 3 '"def " in ask("GET", "/files/....//....//shop/api.py", "--as", "ann")'
proof 4 'ask("POST", "/hooks", "--as", "bob", "--data", "{\"url\": \"https://100.127.255.254:8080/\"}").startswith("200")'
proof 5 'ask("GET", "/invoices?sort=amount%20LIMIT%202", "--as", "ann").endswith("[2, 3]\n")'
struck
