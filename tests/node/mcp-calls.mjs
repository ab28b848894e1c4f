// What a model is shown through the official TypeScript SDK: node mcp-calls.mjs URL v1|v2 < JSON of [name, arguments]…
// Prints JSON: the tools, each with its tokens (o200k), and for each call its text, or the words of what was thrown.

import { readFileSync } from "node:fs";

import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

const parts = { // where each generation keeps the client and its way over HTTP
  v1: ["@modelcontextprotocol/sdk/client/index.js", "@modelcontextprotocol/sdk/client/streamableHttp.js"],
  v2: ["@modelcontextprotocol/client"],
}[process.argv[3]];
const { Client, StreamableHTTPClientTransport } = Object.assign({}, ...(await Promise.all(parts.map((part) => import(part)))));

const client = new Client({ name: "a test", version: "1" });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
const { tools } = await client.listTools();
const listed = tools.map((tool) => {
  const { outputSchema: _, ...taken } = tool;
  const told = [taken, tool].map((form) => countTokens(JSON.stringify(form)));
  return { name: tool.name, inputSchema: tool.inputSchema, tokens: told };
});
const calls = [];
for (const [name, sent] of JSON.parse(readFileSync(0, "utf8"))) {
  try {
    const result = await client.callTool({ name, arguments: sent });
    const text = result.content.map((part) => part.text).join("\n");
    const told = [text, JSON.stringify(result.structuredContent ?? {})].map((form) => countTokens(form));
    calls.push({ text, isError: !!result.isError, structured: result.structuredContent, tokens: told });
  } catch (error) {
    calls.push({ thrown: String(error.message) });
  }
}
await client.close();
console.log(JSON.stringify({ instructions: client.getInstructions(), listed, calls }));
