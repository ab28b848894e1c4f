// What a patch release may do at any time: every private name (_parsedUrl) of the installed packages gets another one.
// No check of its own: `check-8.py --node` loads it into a build, which must answer as before.
const Module = require("module");

const core = new Set(["_"]);
for (const name of Module.builtinModules.filter((one) => /^(http|net|stream|events|fs|zlib|url|buffer|module)$/.test(one))) {
  const own = require(name);
  for (const part of [own, ...Object.values(own)]) {
    for (const one of [part, part && part.prototype]) {
      if (one && /object|function/.test(typeof one)) Object.getOwnPropertyNames(one).forEach((key) => core.add(key));
    }
  }
}
const { IncomingMessage, ServerResponse } = require("http");
const asked = new IncomingMessage(new (require("net").Socket)());
for (const one of [asked, asked.socket, asked._readableState, new ServerResponse(asked), new (require("stream").Duplex)()]) {
  for (const key of Object.getOwnPropertyNames(one)) core.add(key);
}
const compile = Module.prototype._compile;
Module.prototype._compile = function (text, file) {
  const foreign = /[\\/]node_modules[\\/]/.test(file);
  const renamed = (name) => (core.has(name) ? name : `${name}_r`);
  return compile.call(this, foreign ? text.replace(/(?<![\w$])_[a-zA-Z]\w*/g, renamed) : text, file);
};
