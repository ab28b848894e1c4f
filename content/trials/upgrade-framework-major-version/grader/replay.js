// playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
// replay.js FOLDER ANSWERS: starts the build in a folder and writes down what it answers.
const { spawn } = require("child_process");
const fs = require("fs");
const http = require("http");
const net = require("net");

const [folder, out, hook] = process.argv.slice(2);
const form = "application/x-www-form-urlencoded";
const asked = [
  ["GET", "/tickets"], ["GET", "/tickets?filter[status]=open"], ["GET", "/tickets?filter[from]=bob&filter[status]=open"],
  ["GET", "/tickets?filter[status][]=open&filter[status][]=closed"], ["GET", "/TICKETS/"], ["GET", "/tickets/3"], ["GET", "/tickets/3.txt"],
  ["GET", "/tickets/3.json"], ["GET", "/tickets/77"], ["GET", "/tickets/3?id=1"], ["POST", "/tickets"], ["POST", "/tickets", form, "title=x&from[name]=zoe"],
  ["POST", "/tickets", form, "title="], ["POST", "/tickets", "application/json", '{"title": "y", "from": {"name": "kim"}}'],
  ["POST", "/tickets", "application/json", "{no"], ["POST", "/tickets", "text/plain", "title=a"], ["GET", "/tickets/4"], ["POST", "/tickets/3/close", "", "", "/tickets?page=9"],
  ["POST", "/tickets/3/close"], ["GET", "/tickets/3"], ["DELETE", "/tickets/1"], ["DELETE", "/tickets/1"], ["GET", "/files/help.txt"],
  ["GET", "/files/../app.js"], ["GET", "/files/nothing"], ["GET", "/routes"], ["GET", "/may?path=/tickets/3/notes"], ["GET", "/may?path=/tickets/3/notes/9"],
  ["GET", "/may?path=/tickets/3"], ["GET", "/may?path=/files/help.txt"], ["GET", "/none"], ["GET", "/audit"], ["GET", "/report"],
  ["GET", "/report?by[from]=bob"], ["GET", "/report?by[from]=bob&by[from]=kim"], ["GET", "/REPORT/"],
];
const free = net.createServer().listen(0, "127.0.0.1", () => {
  const port = free.address().port;
  free.close(() => {
    const server = spawn("node", ["server.js"], { cwd: folder, env: { ...process.env, PORT: port, NODE_ENV: "production", ...(hook && { NODE_OPTIONS: `--require ${hook}` }) }, stdio: "ignore" });
    const ask = ([method, path, type, body, referer]) => new Promise((done) => {
      const headers = { ...(type && { "content-type": type }), ...(referer && { referer }) };
      if (body) headers["content-length"] = Buffer.byteLength(body);
      const request = http.request({ port, host: "127.0.0.1", method, path, headers, agent: false }, (answer) => {
        let text = "";
        answer.on("data", (part) => (text += part));
        answer.on("end", () => done([method, path, answer.statusCode, (answer.headers["content-type"] || "").replace(/ /g, "").toLowerCase(), answer.headers.location || "", text]));
      });
      request.on("error", (error) => done([method, path, error.code]));
      request.end(body);
    });
    (async () => {
      for (let tries = 0; tries < 300 && (await ask(["GET", "/"])).length === 3; tries++) await new Promise((later) => setTimeout(later, 100));
      const answers = [];
      for (const one of asked) answers.push(await ask(one));
      fs.writeFileSync(out, JSON.stringify(answers));
      server.kill("SIGKILL");
      process.exit(0);
    })();
  });
});
