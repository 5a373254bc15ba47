// A session of revision 2026-07-28, with the messages that Claude Code sends, and the shipped program.
import { createInterface } from "node:readline";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

import { createTokenFor } from "../spec/commands-here.ts";
import { createPlace, exitCode, startProgram, type Place } from "../spec/program.ts";
import { MODERN_RESULT_META, modernParams, type Wire } from "../helpers/rpc.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const place = createPlace({ "docs/bees.md": "# Bees\n\nA hive winters on its own honey.\n" });
let token = "";
beforeAll(async () => {
  ({ token } = await createTokenFor(place));
});
afterAll(() => place.remove());

function open(at: Place, SERVICE_TOKEN: string) {
  const child = startProgram(at, ["mcp", "--stdio"], { SERVICE_TOKEN });
  const ended = exitCode(child);
  const received: Wire[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    received.push(JSON.parse(line));
    for (const check of waiting) check();
  });
  const request = (
    id: string,
    method: string,
    params: Readonly<Record<string, unknown>> = {},
  ): Promise<Wire> => {
    const message = { jsonrpc: "2.0", id, method, params: modernParams(params) };
    child.stdin.write(`${JSON.stringify(message)}\n`);
    return new Promise((resolve) => {
      const check = (): void => {
        const reply = received.find((one) => one.id === id);
        if (reply !== undefined) resolve(reply);
      };
      waiting.add(check);
    });
  };
  return { child, ended, received, request };
}

test("Claude Code's messages are answered without initialize, and SIGINT ends the subscription", async () => {
  const { child, ended, received, request } = open(place, token);
  const probe = await request("server-discover-probe-1", "server/discover");
  expect(probe.result).toMatchObject({
    supportedVersions: ["2026-07-28"],
    resultType: "complete",
    _meta: MODERN_RESULT_META,
  });
  const listening = request("listen:0", "subscriptions/listen", {
    notifications: { toolsListChanged: true, promptsListChanged: true },
  });
  const list = await request("1", "tools/list");
  expect(list.result).toMatchObject({ ttlMs: 300_000, cacheScope: "private" });
  const params = { name: "search_context", arguments: { query: "what do bees live on in winter" } };
  const found = await request("2", "tools/call", params);
  expect(JSON.stringify(found.result)).toContain("honey");
  child.kill("SIGINT");
  expect((await listening).result).toEqual({
    resultType: "complete",
    _meta: { ...MODERN_RESULT_META, "io.modelcontextprotocol/subscriptionId": "listen:0" },
  });
  expect(await ended).toBe(130);
  const acknowledged = received.filter(
    ({ method }) => method === "notifications/subscriptions/acknowledged",
  );
  expect(acknowledged.map(({ params: sent }) => sent?.["notifications"])).toEqual([
    { toolsListChanged: true },
  ]);
});

test("without a token the probe is answered with the command to run and the tools are listed; nothing else is answered", async () => {
  const strange = createPlace();
  const { child, ended, request } = open(strange, "");
  const { result } = await request("probe", "server/discover");
  expect(result?.["instructions"]).toContain("svc auth token create");
  const { error } = await request("listen:0", "subscriptions/listen", { notifications: {} });
  expect(error?.data.error_code).toBe("UNAUTHENTICATED");
  expect((await request("1", "tools/list")).result?.["tools"]).toHaveLength(12);
  const call = await request("2", "tools/call", { name: "outline", arguments: {} });
  expect(call.result).toMatchObject({
    resultType: "complete",
    isError: true,
    structuredContent: { error_code: "UNAUTHENTICATED" },
  });
  child.stdin.end();
  expect(await ended).toBe(0);
  strange.remove();
});
