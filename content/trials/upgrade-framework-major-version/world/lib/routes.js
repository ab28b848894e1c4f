// What the monitoring asks for: every route with its methods.
module.exports = (app) =>
  ((app._router || {}).stack || [])
    .filter((layer) => layer.route)
    .map((layer) => `${Object.keys(layer.route.methods).join(",")} ${String(layer.route.path).split(/[:*{]/)[0]}`);
