const assert = require("node:assert");
const { test, before, after } = require("node:test");
const app = require("../app");

let server, base;
before(() => new Promise((ready) => (server = app.listen(0, "127.0.0.1", ready))).then(() => (base = `http://127.0.0.1:${server.address().port}`)));
after(() => server.close());

test("tickets are listed", async () => {
  assert.strictEqual((await (await fetch(`${base}/tickets`)).json()).length, 3);
});
test("one ticket", async () => {
  assert.strictEqual((await (await fetch(`${base}/tickets/1`)).json()).title, "Printer on fire");
});
test("one ticket as text", async () => {
  assert.strictEqual(await (await fetch(`${base}/tickets/2.txt`)).text(), "#2 Mouse gone (closed)");
});
test("no ticket", async () => {
  assert.strictEqual((await fetch(`${base}/tickets/99`)).status, 404);
});
test("a ticket without a title is refused", async () => {
  const answer = await fetch(`${base}/tickets`, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  assert.strictEqual(answer.status, 400);
});
test("a ticket is removed", async () => {
  assert.strictEqual((await fetch(`${base}/tickets/3`, { method: "DELETE" })).status, 204);
});
test("a file", async () => {
  assert.match(await (await fetch(`${base}/files/help.txt`)).text(), /555/);
});
test("guests see notes", async () => {
  assert.deepStrictEqual(await (await fetch(`${base}/may?path=/tickets/3/notes/4`)).json(), { allowed: true });
});
