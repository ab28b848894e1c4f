// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
// Whether a path is one that guests may see: the same patterns as the routes have.
const toRegexp = require("path-to-regexp");

module.exports = (pattern, path) => toRegexp(pattern, []).test(path);
