import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect } from "vitest";

import { serverFor } from "./server-for.ts";
import type { Item, Result } from "./stdio-client.ts";
import { verifies } from "./verifies.ts";

const server = serverFor({
  "src/credentials/revoke.ts": [
    "/** Revokes an access token: from now on it is refused. */",
    "export function revokeToken(id: string, now: Date): void {",
    "  tokens.set(id, { revokedAt: now });",
    "}",
  ].join("\n"),
  "src/credentials/audit.ts": [
    "/** Writes down that an access token was revoked, and by whom. */",
    "export function recordRevokedToken(id: string, by: string): void {",
    "  log.push(`token ${id} revoked by ${by}`);",
    "}",
  ].join("\n"),
  "src/http/refuse.ts": [
    "/** The answer to a revoked access token. */",
    "export function refuseRevokedToken(): Response {",
    '  return new Response("revoked token", { status: 401 });',
    "}",
  ].join("\n"),
  "docs/tokens.md": [
    "# Access tokens",
    "",
    "## Revoking an access token",
    "",
    "A revoked access token is refused from the same second, in every running process.",
  ].join("\n"),
  "docs/harvest.md": "# Harvest\n\nThe wheat of the northern fields ripens in August.\n",
});

async function listTools(): Promise<NonNullable<Result["tools"]>> {
  const { result } = await server().request("tools/list");
  return result?.tools ?? [];
}

function search(query: string): Promise<readonly Item[]> {
  return server().items("search_context", { query });
}

verifies("4.3/tools-list", "tools/list gives descriptors with a name and a schema", async () => {
  const tools = await listTools();
  expect(tools.length).toBeGreaterThan(0);
  for (const tool of tools) {
    expect(tool).toMatchObject({
      name: expect.stringMatching(/^[a-z0-9_]{1,40}$/),
      description: expect.any(String),
      inputSchema: { type: "object", additionalProperties: false },
    });
  }
});

verifies("4.3/search-context", "search_context takes a query, a string", async () => {
  const tools = await listTools();
  expect(tools.find(({ name }) => name === "search_context")?.inputSchema).toMatchObject({
    properties: { query: { type: "string", minLength: 3, maxLength: 10_000 } },
    required: ["query"],
  });
});

verifies(
  ["4.3/tools-call", "2.4/result-shape"],
  "tools/call takes a name and arguments and answers with content",
  async () => {
    const { result } = await server().request("tools/call", {
      name: "search_context",
      arguments: { query: "revoke an access token" },
    });
    expect(result).toHaveProperty("content", expect.any(Array));
    expect(result).not.toHaveProperty("isError", true);
  },
);

verifies(["2.4/type", "2.4/text"], "every item is a chunk of text", async () => {
  for (const item of await search("revoke an access token")) {
    expect(item.type).toBe("text");
    expect(item.text).not.toBe("");
  }
});

verifies(
  ["2.4/partial", "8/several-items", "8/partial-but-last"],
  "a query with many hits returns several items, all but the last partial",
  async () => {
    const items = await search("revoked access token");
    expect(items.length).toBeGreaterThan(1);
    expect(items.map(({ partial }) => partial)).toEqual(
      items.map((_, at) => at < items.length - 1),
    );
  },
);

verifies(["2.4/partial", "8/partial-but-last"], "a single item is not partial", async () => {
  const items = await server().items("read_context", { targets: ["docs/harvest.md"] });
  expect(items.map(({ partial }) => partial)).toEqual([false]);
});

verifies(
  ["2.4/cache-control", "8/ephemeral-items"],
  "a repeatable answer has cache_control on its last item, with nothing but its type",
  async () => {
    const items = await search("revoke an access token");
    expect(items.length).toBeGreaterThan(1);
    expect(items.at(-1)?.cache_control).toEqual({ type: "ephemeral" });
    expect(items.slice(0, -1).filter((item) => "cache_control" in item)).toEqual([]);
  },
);

verifies("1/code-and-documents", "one search finds code and documents", async () => {
  const text = (await search("how is an access token revoked")).map((item) => item.text).join("\n");
  expect(text).toContain("src/credentials/revoke.ts");
  expect(text).toContain("docs/tokens.md");
});

const TWELVE = [
  "outline",
  "search_context",
  "search_text",
  "find_symbol",
  "read_context",
  "find_references",
  "analyze_impact",
  "find_related",
  "index_status",
  "index_source",
  "list_changes",
  "set_monitor",
];

verifies(["1/twelve-tools", "8/tool-count"], "the MCP server exposes these 12 tools", async () => {
  expect((await listTools()).map(({ name }) => name)).toEqual(TWELVE);
});

verifies(
  "1/four-groups",
  "search, analysis, indexing and monitoring answer from the named namespace",
  async () => {
    const text = async (name: string, input: Readonly<Record<string, unknown>>): Promise<string> =>
      (await server().items(name, input)).map((item) => item.text).join("\n");
    // The first run answers before its last stage has ended.
    const ready = /^(\S+): ready, /;
    await expect.poll(() => text("index_status", {}), { timeout: 20_000 }).toMatch(ready);
    const namespace = ready.exec(await text("index_status", {}))?.[1] ?? "";
    expect(await text("search_text", { pattern: "wheat", namespace })).toContain("docs/harvest.md");
    expect(await text("outline", { path: "src/http/refuse.ts", namespace })).toContain(
      "refuseRevokedToken",
    );
    expect(await text("index_status", { namespace })).toContain(`${namespace}: ready, `);
    expect(await text("set_monitor", { action: "create", path: "docs/**", namespace })).toContain(
      '"watching":',
    );
    expect(await text("list_changes", { namespace })).toContain(" indexed .: ");
    const { error } = await server().request("tools/call", {
      name: "list_changes",
      arguments: { namespace: "nobodys" },
    });
    expect(error?.data).toMatchObject({ error_code: "NAMESPACE_NOT_FOUND" });
  },
);

verifies(
  ["8/repeats-save-latency", "2.4/cache-control"],
  "a repeated query has the same answer until a file of the answer is saved",
  async () => {
    const first = await search("when does the wheat ripen");
    expect(await search("when does the wheat ripen")).toEqual(first);
    expect(first[0]?.text).toContain("ripens in August");
    const [status] = await server().items("index_status", {});
    const root = /^ {2}source (.+)$/m.exec(status?.text ?? "")?.[1] ?? "";
    const file = join(root, "docs/harvest.md");
    writeFileSync(file, "# Harvest\n\nThe wheat of the northern fields ripens in September.\n");
    expect((await search("when does the wheat ripen"))[0]?.text).toContain("ripens in September");
  },
);

verifies("8/ephemeral-items", "items about the current state carry no cache_control", async () => {
  for (const [tool, input] of Object.entries({
    index_status: {},
    list_changes: {},
    set_monitor: { action: "list" },
  })) {
    const items = await server().items(tool, input);
    expect(items.length).toBeGreaterThan(0);
    expect(items.filter((item) => "cache_control" in item)).toEqual([]);
  }
});
