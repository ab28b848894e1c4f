import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { main } from "../dist/cli.js";

const events = JSON.parse(readFileSync(new URL("../samples/events.json", import.meta.url), "utf8"));

async function said(...argv) {
  const file = join(mkdtempSync(join(tmpdir(), "lendery-")), "events.jsonl");
  writeFileSync(file, events.map((event) => JSON.stringify(event)).join("\n"));
  const lines = [];
  await main([...argv, "--file", file], (line) => lines.push(line));
  return { lines, stored: readFileSync(file, "utf8") };
}

test("summary counts", async () => {
  const { lines } = await said("summary");
  assert.deepEqual(lines, ["events: lent 3, fined 2, extended 2, returned 2", "returned: 0", "out: 1", "fines: 7.50 EUR"]);
});

test("overdue names the fee", async () => {
  assert.deepEqual((await said("overdue", "--today", "2026-06-01")).lines, ["vice-0002: 12 days, 5.00 EUR"]);
});

test("log describes each event", async () => {
  const { lines } = await said("log");
  assert.equal(lines[1], "p-0002 owes 2.50 EUR for loan 17");
  assert.equal(lines[8], "saw-0001 is back: blade is blunt");
});

test("lend stores an event and says so", async () => {
  const { lines, stored } = await said("lend", "axe-0001", "p-0009", "--days", "3");
  assert.match(lines[0], /^desk: .* axe-0001 to p-0009 until /);
  assert.match(stored, /"id":"event-0010"/);
});
