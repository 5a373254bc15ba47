// The indexing tools over real connections.
import { expect, test } from "vitest";

import { ask, callTool, serveProject, TOKEN } from "./serve-project.ts";

test("progress of index_source comes as events with increasing numbers, then the result", async () => {
  const server = await serveProject({ "a.ts": "export function aardvark() {}\n" });
  const params = {
    name: "index_source",
    arguments: { source: server.project.root, wait_ms: 25_000 },
    _meta: { progressToken: "p" },
  };
  const { body } = await ask(server, "/mcp", {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      Authorization: `Bearer ${TOKEN}`,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const events = [...body.matchAll(/^data: (.*)$/gm)].map(
    ([, data = ""]): { params?: { progress: number; total: number }; result?: unknown } =>
      JSON.parse(data),
  );
  const updates = events.flatMap((event) => event.params ?? []);
  const numbers = updates.map(({ progress }) => progress);
  expect(numbers.length).toBeGreaterThan(0);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  expect(new Set(updates.map(({ total }) => total))).toEqual(new Set([100]));
  expect(events.at(-1)?.result).toMatchObject({ structuredContent: { done: true, unchanged: 1 } });
}, 60_000);

test("a repository is not fetched for a client over HTTP", async () => {
  const server = await serveProject({ "a.md": "aardvark\n" });
  for (const source of ["https://example.org/a.git", "git@example.org:a.git", "file:///etc"]) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    const { body } = await callTool(server, "index_source", { source });
    expect(body).toContain('"FORBIDDEN"');
    expect(body).toContain("svc index URL");
  }
}, 60_000);
