import { afterAll, beforeAll, expect } from "vitest";

import { createPlace, createToken } from "./program.ts";
import { startServer } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

interface Session {
  readonly stderr: string;
  readonly lines: readonly string[];
  readonly exit: number | null;
}

const IDS = ["id-initialize", "id-list", "id-call"];

const place = createPlace({ "docs/bees.md": "# Bees\n\nA hive winters on its own honey.\n" });
let token = "";
beforeAll(async () => {
  token = await createToken(place);
}, 60_000);
afterAll(place.remove);

/** The sequence that the interface calls typical, with ids that are easy to find in a log. */
async function session(env: Readonly<Record<string, string>>): Promise<Session> {
  const server = startServer(place, { SERVICE_TOKEN: token, ...env });
  const send = (id: string, method: string, params: unknown): Promise<unknown> =>
    server.raw(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  await send("id-initialize", "initialize", { clientInfo: { name: "spec" } });
  await send("id-list", "tools/list", {});
  await send("id-call", "tools/call", { name: "index_status", arguments: {} });
  const exit = await server.close();
  return { stderr: server.stderr(), lines: server.lines, exit };
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

verifies(
  ["4.4/start-arguments", "4.5/mcp-stdio", "4.4/sequence", "4.4/one-message-per-line"],
  "initialize, tools/list and tools/call each get one line, and the end of input ends the server",
  async () => {
    const { lines, exit } = await session({});
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
      IDS.map((id) => ({ jsonrpc: "2.0", id, result: expect.any(Object) })),
    );
    expect(exit).toBe(0);
  },
);

verifies(
  ["4.6/debug", "4.6/stderr-shows-messages", "4.4/one-message-per-line"],
  "SERVICE_DEBUG shows every message in both directions on standard error, and only there",
  async () => {
    const { stderr, lines } = await session({ SERVICE_DEBUG: "true" });
    expect(IDS.filter((id) => count(stderr, id) < 2)).toEqual([]);
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject(
      IDS.map((id) => ({ jsonrpc: "2.0", id })),
    );
    expect(stderr).not.toContain(token);
  },
);

verifies(
  ["4.6/log-level", "4.6/stderr-shows-messages"],
  "at level debug the messages are shown",
  async () => {
    const { stderr } = await session({ SERVICE_LOG_LEVEL: "debug" });
    expect(IDS.filter((id) => count(stderr, id) < 2)).toEqual([]);
  },
);

verifies(["4.6/log-level", "8/logging"], "at level info every call is one line", async () => {
  const { stderr } = await session({ SERVICE_LOG_LEVEL: "info" });
  const calls = stderr.split("\n").filter((line) => line.includes("index_status"));
  expect(calls).toHaveLength(1);
  expect(JSON.parse(calls[0] ?? "")).toMatchObject({ level: "info", tool: "index_status" });
});

verifies(
  ["4.6/log-level", "8/logging"],
  "at level warn a successful call logs nothing",
  async () => {
    const { stderr } = await session({ SERVICE_LOG_LEVEL: "warn" });
    expect(stderr).toBe("");
  },
);
