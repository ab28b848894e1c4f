const audit = require("desk-audit");
const express = require("express");
const path = require("path");
const match = require("./lib/match");
const routes = require("./lib/routes");
const tickets = require("./lib/tickets");

const app = express();
app.use(express.json());
app.use(express.urlencoded());
audit(app);

app.get("/tickets", (req, res) => {
  res.json(tickets.found(req.query.filter || {}));
});

app.get("/tickets/:id.:format?", (req, res) => {
  const ticket = tickets.one(req.param("id"));
  if (!ticket) return res.send(404, "no such ticket");
  if (req.params.format === "txt") return res.type("txt").send(`#${ticket.id} ${ticket.title} (${ticket.status})`);
  res.json(ticket);
});

app.post("/tickets", (req, res) => {
  if (!req.body.title) return res.json(400, { error: "a title is needed" });
  res.json(201, tickets.add(req.body.title, (req.body.from && req.body.from.name) || "unknown"));
});

app.post("/tickets/:id/close", (req, res) => {
  tickets.close(req.params.id);
  res.redirect("back");
});

app.del("/tickets/:id", (req, res) => {
  res.send(tickets.remove(req.params.id) ? 204 : 404);
});

app.get("/files/*", (req, res) => {
  res.sendfile(path.join(__dirname, "files", path.normalize("/" + req.params[0])));
});

app.get("/report", (req, res) => {
  res.json({ open: tickets.found({ ...req.query.by, status: "open" }).length });
});

app.get("/routes", (req, res) => {
  res.json(routes(app));
});

app.get("/may", (req, res) => {
  res.json({ allowed: match("/tickets/:id/notes/:note?", req.query.path || "") });
});

module.exports = app;
