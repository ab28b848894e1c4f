#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# On the SDK's low-level interface: the list and the calls from one table; a call of what is not listed is a refusal.
set -euo pipefail
. "$SCRIPTS/honest.inc"
honest_desk
honest_tests
cat > server.mjs <<'JS'
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { descriptions, desk } from "./desk.mjs";

const string = { type: "string" };
const table = {
  find_tickets: [[], { status: { enum: ["open", "waiting", "closed"] }, text: string, offset: { type: "integer", minimum: 0 } }],
  get_ticket: [["ticket"], { ticket: string, offset: { type: "integer", minimum: 0 } }],
  find_customer: [["name"], { name: string }],
};
if (process.argv.includes("--allow-writes")) table.add_comment = [["ticket", "text"], { ticket: string, text: string }];
const tools = desk({ url: process.env.HELPDESK_URL, key: process.env.HELPDESK_KEY });
const server = new Server({ name: "helpdesk", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(table).map(([name, [required, properties]]) => ({
    name, description: descriptions[name], inputSchema: { type: "object", properties, required },
    annotations: name === "add_comment" ? { readOnlyHint: false, destructiveHint: true } : { readOnlyHint: true },
  })),
}));
const refused = (text) => ({ isError: true, content: [{ type: "text", text }] });
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
  if (!Object.hasOwn(table, name)) return refused(`There is no tool ${name}: ask for the list of tools.`);
  const [required, properties] = table[name];
  const wrong = required.find((key) => !(key in given)) ?? Object.keys(given).find((key) =>
    !(key in properties) || typeof given[key] !== (key === "offset" ? "number" : "string"));
  if (wrong) return refused(`The input ${wrong} is missing or of the wrong kind: see the description of ${name}.`);
  try {
    return { content: [{ type: "text", text: await tools[name](given) }] };
  } catch (error) {
    console.error(error);
    return refused(error.message);
  }
});
await server.connect(new StdioServerTransport());
JS
kept
