// Lost access: the credential of a caller was revoked, or its namespace was removed and another created under the name.
// Also messages without a request.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { revokeCredential } from "../../../src/credentials/revoke.ts";
import { tools } from "../../../src/tools/registry.ts";
import { request } from "../../helpers/project.ts";
import {
  modernParams,
  recordingLogger,
  serveInMemory,
  type StreamServer,
} from "../../helpers/rpc.ts";
import { tree } from "../../helpers/tree.ts";
import { promise, sized } from "../promise.ts";
import { leaked } from "./canaries.ts";
import { Channels, type Call, type Channel } from "./channels.ts";
import { MINE, THEIRS } from "./folders.ts";
import { createWorld, type Asker, type World } from "./world.ts";

const { canaries } = THEIRS;
/** One of each engine. */
const CHANNELS: readonly Channel[] = ["http-modern", "stdio"];
const OTHER_FILES = {
  "src/ledger.ts": "export function settleInvoice(): void {}\n",
  "docs/ledger.md": "# The ledger\n",
};
const LONG_TIMEOUT = { timeout: 60_000 };

/** Queries that the canaries answer, and queries for all content. */
const ASKED: readonly (readonly [tool: string, input: Call["input"]])[] = [
  ["search_context", { query: "ledger settles an invoice" }],
  ["search_context", { query: canaries.content }],
  ["search_text", { pattern: "zq" }],
  ["search_text", { pattern: "zq.*vwj", regex: true, output: "files" }],
  ["find_symbol", { name: "settle" }],
  ["read_context", { targets: ["src/ledger.ts", "docs/ledger.md"] }],
  ["find_references", { symbol: "settleInvoice" }],
  ["outline", {}],
  ["outline", { path: "src/ledger.ts" }],
  ["find_related", { target: "src/ledger.ts" }],
  ["analyze_impact", { target: "settleInvoice" }],
  ["index_status", { detail: "skipped" }],
  ["list_changes", { since: "0" }],
  ["set_monitor", { action: "list" }],
];
const QUESTIONS = ASKED.map(([tool, input]) => ({ tool, input, wantsProgress: false }));

async function answersOf(
  channels: Channels,
  asker: Asker,
): Promise<readonly { readonly call: Call; readonly answer: string }[]> {
  const answers: { call: Call; answer: string }[] = [];
  for (const channel of CHANNELS) {
    for (const call of QUESTIONS) {
      // eslint-disable-next-line no-await-in-loop -- a client that sends one query after the other
      answers.push({ call, answer: await channels.ask(channel, asker, call) });
    }
  }
  return answers;
}

function leaksIn(answers: Awaited<ReturnType<typeof answersOf>>): readonly string[] {
  return answers.flatMap(({ call, answer }) =>
    leaked([canaries], { answer, request: JSON.stringify(call.input) }),
  );
}

/** The name itself is not a secret to a caller with a credential for it. */
function contentIn(answers: Awaited<ReturnType<typeof answersOf>>): readonly string[] {
  return leaksIn(answers).filter((canary) => canary !== canaries.namespace);
}

promise(
  [28, 29, 35],
  "an answer is not repeated after the credential is revoked, or after the namespace is removed and created again under its name",
  async () => {
    const world = await createWorld({ hasTheirs: true });
    const channels = new Channels(world);
    const [asker, revoked] = [askerOf(world, "theirs"), askerOf(world, "theirs-too")];
    const before = [...(await answersOf(channels, revoked)), ...(await answersOf(channels, asker))];
    expect(contentIn(before).length).toBeGreaterThan(20);
    await revokeCredential(world.store, { kind: "token", id: await idOf(world, revoked.name) });
    const refused = await answersOf(channels, revoked);
    expect(leaksIn(refused)).toEqual([]);
    for (const { answer } of refused) expect(answer).toMatch(/CREDENTIAL_REVOKED|RATE_LIMITED/);
    const called = { ...request(), namespace: THEIRS.name };
    await world.local.removeNamespace(called);
    const between = await answersOf(channels, asker);
    expect(contentIn(between)).toEqual([]);
    const folder = tree(OTHER_FILES);
    onTestFinished(folder.dispose);
    await world.local.index({ ...called, source: folder.path });
    const after = await answersOf(channels, asker);
    expect(contentIn(after)).toEqual([]);
    expect(after.map(({ answer }) => answer).join("\n")).toContain("settleInvoice");
    return before.length + refused.length + between.length + after.length;
  },
);

promise([28], "hits of a monitor reach only the credential that created it", async () => {
  const world = await createWorld({ hasTheirs: true });
  const [mine, theirs] = [listen(world, "mine"), listen(world, "theirs")];
  for (const [server, text] of [
    [mine, "settle"],
    [theirs, "settle"],
  ] as const) {
    // eslint-disable-next-line no-await-in-loop -- one after the other
    await server.request(
      "tools/call",
      modernParams({
        name: "set_monitor",
        arguments: { action: "create", name: "all", pattern: text },
      }),
    );
  }
  const rounds = sized({ quick: 2, full: 20 });
  for (let round = 1; round <= rounds; round += 1) {
    // The other caller's file first: when the own hit has arrived, theirs would have arrived as well.
    for (const one of [THEIRS, MINE]) {
      const root = world.roots[one.name] ?? "";
      mkdirSync(join(root, one.canaries.folder), { recursive: true });
      writeFileSync(
        join(root, one.canaries.folder, `${round}.ts`),
        `export const settle${round} = "${one.canaries.content}";\n`,
      );
      // eslint-disable-next-line no-await-in-loop -- as above
      await world.local.index({ ...request(), namespace: one.name, source: root });
    }
    // eslint-disable-next-line no-await-in-loop -- as above
    await expect.poll(() => hitsOf(theirs), LONG_TIMEOUT).toBe(round);
    // eslint-disable-next-line no-await-in-loop -- as above
    await expect.poll(() => hitsOf(mine), LONG_TIMEOUT).toBe(round);
  }
  expect(leaked([canaries], { answer: JSON.stringify(mine.received), request: "" })).toEqual([]);
  expect(leaked([canaries], { answer: JSON.stringify(theirs.received), request: "" })).not.toEqual(
    [],
  );
  expect(leaked([MINE.canaries], { answer: JSON.stringify(theirs.received), request: "" })).toEqual(
    [],
  );
  return rounds;
});

/** A client that takes hits of its monitors. */
function listen(world: World, asker: string): StreamServer {
  const { secret, kind } = askerOf(world, asker);
  const server = serveInMemory({
    tools,
    engine: () => Promise.resolve(world.local),
    authorize: async () => world.authenticate(secret, kind),
    logger: recordingLogger().logger,
  });
  onTestFinished(() => server.stop());
  const notifications = { "dev.svc/monitorHits": true };
  const params = modernParams({ notifications });
  server.send({ jsonrpc: "2.0", id: "hits", method: "subscriptions/listen", params });
  return server;
}

function hitsOf({ received }: StreamServer): number {
  const paths = received
    .filter(({ method }) => method === "notifications/dev.svc/monitor_hits")
    .map(({ params }) => JSON.stringify(params?.["hits"]));
  return new Set(paths.flatMap((text) => [...text.matchAll(/\/\d+\.ts/g)].map(([name]) => name)))
    .size;
}

function askerOf({ askers }: World, name: string): Asker {
  const { [name]: found } = askers;
  if (found === undefined) throw new Error(`there is no ${name}`);
  return found;
}

async function idOf({ store }: World, name: string): Promise<string> {
  const found = (await store.list()).find((record) => record.name === name);
  return found?.id ?? "";
}
