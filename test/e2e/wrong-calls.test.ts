// The information that an agent's model gets after a wrong call. Claude Code shows its model the message of a JSON-RPC
// error without its data, so only a result can contain the reason and the remedy.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTokenFor, outputHere } from "../spec/commands-here.ts";
import { createPlace } from "../spec/program.ts";
import { startServer, type Server } from "../spec/stdio-client.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const place = createPlace({
  "src/tide.ts": "export function turnTide(): void {}\n",
  "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n",
});
let server: Server;
beforeAll(async () => {
  await outputHere(place, "index", place.root);
  const { token } = await createTokenFor(place);
  server = startServer(place, { SERVICE_TOKEN: token });
}, 60_000);
afterAll(async () => {
  await server.close();
  place.remove();
});

type Input = Readonly<Record<string, unknown>>;

test.each<[tool: string, input: Input, code: string, text: RegExp]>([
  ["search_context", { query: "tide", limit: 0 }, "INVALID_PARAMS", /^limit: must be 1 to 50\.$/],
  [
    "search_context",
    { query: "tide", limit: "ten" },
    "INVALID_PARAMS",
    /^limit: must be a number, not "ten"\.$/,
  ],
  [
    "search_context",
    { query: "tide", colour: "blue" },
    "INVALID_PARAMS",
    /^search_context has no argument "colour"\. It takes: query, path, language, .*namespace\.$/,
  ],
  ["search_context", { query: "tide", kind: "prose" }, "INVALID_PARAMS", /must be code, docs/],
  ["search_context", { query: "tide", language: "typscript" }, "INVALID_PARAMS", /Nearest: types/],
  [
    "search_context",
    { query: "tide", cursor: "x" },
    "INVALID_CURSOR",
    /Repeat the call without a cur/,
  ],
  ["search_context", { query: "tide", path: "src/[" }, "INVALID_PARAMS", /^path: the glob "src/],
  ["search_text", {}, "INVALID_PARAMS", /^pattern is required\. It takes: pattern, regex, .*\.$/],
  ["search_text", { pattern: "(", regex: true }, "INVALID_PATTERN", /Patterns follow RE2/],
  ["search_text", { pattern: "a(?=b)", regex: true }, "INVALID_PATTERN", /no look-around/],
  [
    "read_context",
    { targets: { path: "src/tide.ts" } },
    "INVALID_PARAMS",
    /^targets: must be a list, not /,
  ],
  ["read_context", { targets: ["../x"] }, "PATH_OUTSIDE_SOURCE", /relative to the source's root/],
  ["outline", { path: "/etc/passwd" }, "PATH_OUTSIDE_SOURCE", /relative to the source's root/],
  ["outline", { path: "nowhere" }, "PATH_NOT_FOUND", /nowhere/],
  ["find_references", { symbol: "turnTyde" }, "SYMBOL_NOT_FOUND", /turnTide/],
  ["find_references", { symbol: "a", relation: "friends" }, "INVALID_PARAMS", /one of references/],
  ["list_changes", { since: "chg_nonsense" }, "INVALID_CURSOR", /without/],
  ["set_monitor", { action: "stop" }, "INVALID_PARAMS", /must be create, list or delete/],
  ["set_monitor", { action: "create" }, "INVALID_PARAMS", /requires one of query, pattern, symbol/],
  ["index_status", { detail: "all" }, "INVALID_PARAMS", /must be summary, skipped or health/],
])("%s with %j is a result that says why and what to do", async (name, input, code, text) => {
  const { result, error } = await server.request("tools/call", { name, arguments: input });
  expect(error).toBeUndefined();
  expect(result?.isError).toBe(true);
  expect(result?.content).toHaveLength(1);
  const [{ text: said } = { text: "" }] = result?.content ?? [];
  expect(said).toMatch(text);
  expect(result?.structuredContent).toEqual({ error_code: code, detail: said });
});

test.each<[params: Input, code: string, data: string]>([
  [{ name: "search_context", arguments: { query: "ab" } }, "INVALID_QUERY", "3 to 10,000"],
  [{ name: "search_context", arguments: {} }, "INVALID_QUERY", "query is required."],
  [
    { name: "search_context", arguments: { query: "tide", namespace: "none" } },
    "NAMESPACE_NOT_FOUND",
    "none",
  ],
  [{ name: "outline", arguments: { namespace: "none" } }, "NAMESPACE_NOT_FOUND", "none"],
  [{ name: "no_such_tool", arguments: {} }, "TOOL_NOT_FOUND", "tools/list lists the tools."],
  [{ arguments: {} }, "INVALID_PARAMS", "name is required"],
  [{ name: "outline", arguments: "src" }, "INVALID_PARAMS", "arguments must be an object."],
])("%j stays a JSON-RPC error, as the interface has it", async (params, code, detail) => {
  const { result, error } = await server.request("tools/call", params);
  expect(result).toBeUndefined();
  expect(error).toEqual({
    code: -32_602,
    message: "Invalid params",
    data: { error_code: code, detail: expect.stringContaining(detail) },
  });
});
