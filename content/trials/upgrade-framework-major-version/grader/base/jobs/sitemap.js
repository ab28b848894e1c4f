// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
// Every night: writes the paths that search engines may ask for into sitemap.txt.
const fs = require("fs");
const app = require("../app");

const paths = app._router.stack
  .filter((layer) => layer.route && layer.route.methods.get)
  .map((layer) => String(layer.route.path).split(/[:*{]/)[0]);
fs.writeFileSync("sitemap.txt", [...new Set(paths)].sort().join("\n") + "\n");
