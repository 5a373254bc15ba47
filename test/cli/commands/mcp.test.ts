import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { createTokenFor, outputHere } from "../../spec/commands-here.ts";
import { createPlace, svc } from "../../spec/program.ts";
import { startServer } from "../../spec/stdio-client.ts";

const place = createPlace({ "README.md": "# Lighthouse\n\nThe lamp is lit at dusk.\n" });
afterAll(place.remove);

const QUESTION = "when is the canary lamp lit";

async function audited(): Promise<Readonly<Record<string, unknown>>[]> {
  const lines = await outputHere(place, "audit", "tail", "--json", "--lines", "1000");
  return lines
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ event }) => event === "call");
}

test("the log has the calls of a session after its end, and no others", async () => {
  const { token } = await createTokenFor(place);
  const server = startServer(place, { SERVICE_TOKEN: token, SERVICE_DEBUG: "true" });
  await server.request("initialize");
  await server.request("tools/list");
  await server.items("search_context", { query: `${QUESTION} ${token}` });
  await server.request("tools/call", { name: "nothing" });
  expect(await server.close()).toBe(0);

  // On a busy machine the first answer may be that the index is still being built.
  const calls = (await audited()).filter(({ outcome }) => outcome !== "INDEX_EMPTY");
  const principal = expect.stringMatching(/^tok_[0-9a-f]{16}$/);
  expect(calls).toMatchObject([
    { tool: "search_context", principal, namespace: "project", query_length: 70 },
    { tool: "nothing", principal, outcome: "TOOL_NOT_FOUND", items: 0 },
  ]);
  expect(JSON.stringify(calls)).not.toContain("canary");
  expect((await svc(place, "audit", "verify")).exit).toBe(0);
  // The debug log shows every message, without the secret.
  expect(server.stderr()).toContain(QUESTION);
  expect(server.stderr()).not.toContain(token.slice(4));
}, 30_000);

test("calls sent just before the end of input are audited, and refused ones too", async () => {
  const before = (await audited()).length;
  const server = startServer(place, { SERVICE_TOKEN: `svt_${"0".repeat(32)}0Byi4J` });
  const refused = server.request("tools/call", { name: "outline", arguments: {} });
  expect(await server.close()).toBe(0);
  expect((await refused).result?.structuredContent).toMatchObject({
    error_code: "UNAUTHENTICATED",
  });
  expect((await audited()).slice(before)).toMatchObject([
    { tool: "outline", principal: null, namespace: null, outcome: "UNAUTHENTICATED" },
  ]);
}, 30_000);

test("a session continues after the store gets another data key", async () => {
  const { token } = await createTokenFor(place);
  const server = startServer(place, { SERVICE_TOKEN: token });
  expect((await server.request("tools/list")).error).toBeUndefined();
  const keyFile = join(place.home, "other.key");
  const moved = await svc(place, "auth", "store", "migrate", "--to", "file", "--key-file", keyFile);
  expect(moved).toMatchObject({ exit: 0 });
  const { error } = await server.request("tools/call", { name: "outline", arguments: {} });
  expect(error).toBeUndefined();
  expect(await server.close()).toBe(0);
  expect((await audited()).at(-1)).toMatchObject({ tool: "outline", outcome: "ok" });
}, 30_000);

test("svc mcp alone serves standard input, and ends with it", async () => {
  const { exit, stdout } = await svc(place, "mcp");
  expect([exit, stdout]).toEqual([0, ""]);
});
