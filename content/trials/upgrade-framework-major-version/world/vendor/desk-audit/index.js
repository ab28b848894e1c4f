// What was done to tickets since the start; the auditors read it by GET /audit.
const done = [];

module.exports = (app) => {
  app.use((req, res, next) => {
    if (!["GET", "HEAD"].includes(req.method)) done.push(`${req.method} ${req.path}`);
    next();
  });
  app.get("/audit", (req, res) => {
    res.send(200, { count: done.length, last: done[done.length - 1] || null });
  });
};
