// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
// What the monitoring asks for: every route with its methods.
module.exports = (app) =>
  ((app._router || {}).stack || [])
    .filter((layer) => layer.route)
    .map((layer) => `${Object.keys(layer.route.methods).join(",")} ${String(layer.route.path).split(/[:*{]/)[0]}`);
