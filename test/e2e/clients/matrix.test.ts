// The server as other clients see it, over both transports and in both eras, from the first list to a
// change of the list.
import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";

import { readTail } from "../../../src/credentials/audit/local/tail.ts";
import { isObject } from "../../../src/mcp/message.ts";
import { restrictToken } from "../../spec/open-store.ts";
import { CLIENTS, type ClientUnderTest, type Connected } from "./connect.ts";
import { startTarget, type Target } from "./target.ts";

const START_MS = 60_000;
const LONG_TIMEOUT = { timeout: 20_000 };

const QUESTION = { query: "turn of the tide" };
/** Tools that a read-only credential may not call. */
const CHANGING_TOOLS = ["index_source", "set_monitor"];

/** The error for a query of two characters. */
const WHAT_IS_WRONG = {
  typed: {
    code: -32_602,
    message: expect.stringContaining("Invalid params"),
    data: { error_code: "INVALID_QUERY", detail: expect.stringContaining("3 to 10,000") },
  },
  text: { message: expect.stringContaining('"error_code":"INVALID_QUERY"') },
};

let target: Target;
const connected = new Map<ClientUnderTest, Connected>();
beforeAll(async () => {
  target = await startTarget();
  await Promise.all(
    CLIENTS.map(async (client) => connected.set(client, await client.connect(target))),
  );
}, START_MS);
afterAll(async () => {
  await Promise.all([...connected.values()].map((client) => client.close()));
  await target.close();
});

function clientOf(under: ClientUnderTest): Connected {
  const client = connected.get(under);
  if (client === undefined) throw new Error(`${under.name} is connected before its tests`);
  return client;
}

/** The error of a call. */
async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (answer) => ({ answer }),
    (error: unknown) => error,
  );
}

describe.each(CLIENTS)("$name", (under) => {
  const { wire, revision, error: form, cancels } = under;

  test("lists the tools and calls one, in the requested revision", async () => {
    const client = clientOf(under);
    const names = await client.list();
    expect(names).toHaveLength(12);
    expect(names).toEqual(expect.arrayContaining(CHANGING_TOOLS));
    expect(await client.call("search_context", QUESTION)).toMatchObject({
      content: [{ type: "text", text: expect.stringContaining("The tide turns twice a day.") }],
    });
    expect(client.revision()).toBe(revision);
  });

  test("reads the error of a call, and the next call is answered", async () => {
    const client = clientOf(under);
    const error = await failureOf(client.call("search_context", { query: "ab" }));
    expect(error).toMatchObject(WHAT_IS_WRONG[form]);
    expect(await client.call("outline", { path: "nowhere" })).toMatchObject({
      isError: true,
      structuredContent: { error_code: "PATH_NOT_FOUND" },
    });
    // This client may now read a page that another client's test wrote.
    await expect
      .poll(() => client.call("index_status", {}), LONG_TIMEOUT)
      .toMatchObject({
        structuredContent: { namespaces: [{ name: "project", state: "ready" }] },
      });
  });

  test("cancels a waiting call: it ends at once, and the others continue", async () => {
    const client = clientOf(under);
    const since = await cursorOf(client);
    const stop = new AbortController();
    const before = await callsInFlight();
    const input = { since, wait_ms: 25_000 };
    const waiting = failureOf(client.call("list_changes", input, stop.signal));
    // On standard input, the server reads the first request first. Behind a bridge, the test queries the server itself.
    if (wire === "stdio") await client.call("index_status", {});
    else await vi.waitUntil(async () => (await callsInFlight()) > before, LONG_TIMEOUT);
    stop.abort();
    expect(await waiting).toBeInstanceOf(Error);
    expect(await client.call("search_context", QUESTION)).toHaveProperty("content");
    // If the server does not see the cancellation, its late answer causes no error.
    if (!cancels) writeFileSync(join(target.place.root, `${client.credential.id}.md`), "# Ebb\n");
    const outcomes = cancels ? ["ok", "cancelled"] : ["ok", "ok"];
    await expect.poll(() => outcomesOf(client), LONG_TIMEOUT).toEqual(outcomes);
    expect(await client.call("search_context", QUESTION)).toHaveProperty("content");
  });
});

test("each client lists what its credential may call now, and listening clients are notified", async () => {
  const left = (await clientOf(CLIENTS[0] ?? fail()).list()).filter(
    (name) => !CHANGING_TOOLS.includes(name),
  );
  await Promise.all(
    [...connected.values()].map(({ credential }) => restrictToken(target.place, credential.id)),
  );
  const listening = CLIENTS.filter(({ listens }) => listens);
  expect(left).toHaveLength(10);
  await expect
    .poll(
      () => Object.fromEntries(listening.map((one) => [one.name, clientOf(one).listings()])),
      LONG_TIMEOUT,
    )
    .toEqual(Object.fromEntries(listening.map(({ name }) => [name, left])));
  const lists = await Promise.all(CLIENTS.map((one) => clientOf(one).list()));
  expect(lists).toEqual(CLIENTS.map(() => left));
});

/** After all changes so far. */
async function cursorOf(client: Connected): Promise<unknown> {
  const { structuredContent } = await client.call("list_changes", {});
  return isObject(structuredContent) ? structuredContent["next_cursor"] : undefined;
}

async function callsInFlight(): Promise<number> {
  const text = await (await fetch(`${target.url}/metrics`)).text();
  return Number(/^svc_calls_in_flight (\d+)$/m.exec(text)?.[1]);
}

interface AuditedCall {
  readonly principal?: string;
  readonly tool?: string;
  readonly outcome?: string;
}

/** The outcomes of the client's calls of list_changes. */
function outcomesOf({ credential }: Connected): readonly unknown[] {
  const data = join(target.place.home, "data");
  const log = readTail({ directory: join(data, "audit"), keyDirectory: data }, Infinity);
  return (log?.lines ?? [])
    .map((line): AuditedCall => JSON.parse(line))
    .filter(({ principal, tool }) => principal === credential.id && tool === "list_changes")
    .map(({ outcome }) => outcome);
}

function fail(): never {
  throw new Error("there are clients");
}
