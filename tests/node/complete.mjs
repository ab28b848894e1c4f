// What yaml-language-server, which VS Code and most editors use, completes at a place of a YAML file, and underlines.
// node complete.mjs FOLDER FILE LINE COLUMN < text: JSON with labels and what it finds wrong.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, file, line, character] = process.argv.slice(2);
const place = createRequire(import.meta.url).resolve("yaml-language-server/package.json");
const server = spawn(process.execPath, [join(dirname(place), "bin/yaml-language-server"), "--stdio"], {
  stdio: ["pipe", "pipe", "inherit"],
});

function send(message) {
  const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
  server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
  server.stdin.write(body);
}

const answers = new Map();
let judged;
const judgement = new Promise((told) => (judged = told));

function ask(method, params) {
  const id = answers.size + 1;
  return new Promise((told) => {
    answers.set(id, told);
    send({ id, method, params });
  });
}

function take(message) {
  if (message.method === "textDocument/publishDiagnostics") {
    judged(message.params.diagnostics.map((found) => found.message));
  } else if (message.method && message.id !== undefined) {
    const settings = message.method === "workspace/configuration";
    send({ id: message.id, result: settings ? message.params.items.map(() => ({})) : null });
  } else if (!message.method) {
    answers.get(message.id)(message.result);
  }
}

let waiting = Buffer.alloc(0);
server.stdout.on("data", (part) => {
  waiting = Buffer.concat([waiting, part]);
  for (let end; (end = waiting.indexOf("\r\n\r\n")) >= 0; ) {
    const start = end + 4;
    const length = Number(/Content-Length: (\d+)/.exec(waiting.subarray(0, end))[1]);
    if (waiting.length < start + length) return;
    const body = waiting.subarray(start, start + length);
    waiting = waiting.subarray(start + length);
    take(JSON.parse(body));
  }
});

const root = pathToFileURL(resolve(folder)).href;
const uri = pathToFileURL(resolve(folder, file)).href;
await ask("initialize", {
  processId: process.pid,
  rootUri: root,
  capabilities: { workspace: { configuration: true } },
  workspaceFolders: [{ uri: root, name: "library" }],
});
send({ method: "initialized", params: {} });
const text = readFileSync(0, "utf8");
send({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "yaml", version: 1, text } } });
const underlined = await judgement;
const position = { line: Number(line), character: Number(character) };
const found = await ask("textDocument/completion", { textDocument: { uri }, position });
process.stdout.write(JSON.stringify({ completed: found.items.map((item) => item.label), underlined }));
await ask("shutdown");
send({ method: "exit" });
