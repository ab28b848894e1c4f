// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
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
