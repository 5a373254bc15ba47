// node bench/http/overhead-server.ts ROOT: one engine behind svc's server and behind that of the official SDK, and
// called in the process itself. It sends the two ports over its channel, and the time of each call that it receives.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema } from "@modelcontextprotocol/sdk/types.js";

import { createEngine } from "../../src/engine/create-engine.ts";
import { tools } from "../../src/tools/registry.ts";
import type { ContentItem } from "../../src/tools/tool.ts";
import { LOCAL, recordingLogger } from "../../test/helpers/rpc.ts";
import { serveOwn, serveSdk1 } from "./servers.ts";

export interface ToolCall {
  readonly name: string;
  readonly input: Record<string, unknown>;
}

const [root = "."] = process.argv.slice(2);
const { logger } = recordingLogger();
const engine = createEngine({
  dataDirectory: process.env["SERVICE_HOME"] ?? "",
  home: process.env["HOME"] ?? "",
  logger,
  workspace: () => root,
  // The same call comes three times and must cost the same each time.
  answerCache: { maxBytes: 0 },
});

async function call({ name, input }: ToolCall): Promise<readonly ContentItem[]> {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const items: ContentItem[] = [];
  await tool.call(input, {
    engine: () => Promise.resolve(engine),
    principal: LOCAL,
    signal: new AbortController().signal,
    emit: (item) => void items.push(item),
    progress: () => {},
  });
  return items;
}

const own = await serveOwn(tools, () => Promise.resolve(engine));
const peer = await serveSdk1(() => {
  const server = new Server({ name: "peer", version: "0.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const items = await call({ name: params.name, input: params.arguments ?? {} });
    return { content: items.map(({ text }) => ({ type: "text", text })) };
  });
  return server;
});
process.send?.({ own: own.port, peer: peer.port });

process.on("message", (toolCall: ToolCall) => {
  const from = performance.now();
  void call(toolCall).then(() => process.send?.(performance.now() - from));
});

process.once("disconnect", () => {
  void Promise.all([own.end(), peer.end()]).then(() => engine.close());
});
