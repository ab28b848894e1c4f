import assert from "node:assert/strict";
import { test } from "node:test";
import { Desk, State, addDays, daysBetween, describe, makeId, overdue, parseId } from "../dist/index.js";

const clock = () => new Date("2026-03-01T10:00:00Z");

test("ids there and back", () => {
  assert.equal(makeId("saw", 7), "saw-0007");
  assert.deepEqual(parseId("saw-0007"), { prefix: "saw", number: 7 });
  assert.equal(parseId("saw"), null);
});

test("a number given as a text", () => assert.equal(makeId("saw", "12"), "saw-0012"));

test("days", () => {
  assert.equal(addDays("2026-02-27", 3), "2026-03-02");
  assert.equal(daysBetween("2026-02-27", "2026-03-02"), 3);
  assert.ok(Number.isNaN(daysBetween(undefined, "2026-03-02")));
});

test("lend and give back", () => {
  const desk = new Desk(new State(), clock);
  assert.equal(desk.lend("saw-0001", "p-0002", 14).due, "2026-03-15");
  assert.equal(desk.giveBack("saw-0001").note, null);
  assert.throws(() => desk.giveBack("saw-0001"), /not lent/);
});

test("lend the same thing again", () => {
  const desk = new Desk(new State(), clock);
  assert.throws(() => desk.lendAgain(3), TypeError);
  desk.lend("saw-0001", "p-0002", 14);
  desk.giveBack("saw-0001");
  assert.deepEqual(desk.lendAgain(3), { kind: "lent", id: "event-0003", at: "2026-03-01", item: "saw-0001", person: "p-0002", due: "2026-03-04" });
});

test("extending what is not lent throws", () => {
  const event = { kind: "extended", id: "event-0001", at: "2026-03-01", item: "saw-0001", due: "2026-03-20" };
  assert.throws(() => new State().apply(event), TypeError);
});

test("overdue, the latest first", () => {
  const state = new State();
  const desk = new Desk(state, clock);
  desk.lend("saw-0001", "p-0002", 5);
  desk.lend("axe-0001", "p-0003", 2);
  assert.deepEqual(overdue(state, "2026-03-10").map((loan) => [loan.item, loan.late]), [["axe-0001", 7], ["saw-0001", 4]]);
});

test("an unknown event throws", () => assert.throws(() => describe({ kind: "odd" }), /unknown event/));
