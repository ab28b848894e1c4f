// Whether a path is one that guests may see: the same patterns as the routes have.
const toRegexp = require("path-to-regexp");

module.exports = (pattern, path) => toRegexp(pattern, []).test(path);
