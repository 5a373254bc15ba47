// A session ends on request, however many calls are queued. These tests check numbers and order; `npm run bench --
// ends` measures the time.
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { createTokenFor, outputHere } from "../spec/commands-here.ts";
import { JSON_BODY, post, startHttp } from "../spec/http-server.ts";
import { createPlace, exitCode, startProgram, type Place } from "../spec/program.ts";
import type { Reply } from "../spec/stdio-client.ts";

process.env["SVC_BIN"] ??= join(import.meta.dirname, "../../dist/svc");

/** More than the 64 calls that may run at a time. */
const CALLS = 400;
/** An upper bound for the calls that the server answers before it reads a signal that follows them immediately. */
const MAX_ANSWERS = 32;
const FILES = 300;
const START_MS = 60_000;

let place: Place;
let token = "";

/** Three functions, one of which uses the file before. */
function source(number: number): string {
  const names = ["open", "read", "close"].map((verb) => `${verb}Ledger${number}`);
  const bodies = names.map(
    (name) => `/** What ${name} does. */\nexport function ${name}(page: number): number {\n`,
  );
  const user = `  return ${number === 0 ? "page" : `openLedger${number - 1}(page)`};\n}\n`;
  return bodies.map((body) => body + user).join("\n");
}

beforeAll(async () => {
  const names = Array.from({ length: FILES }, (_, at) => at);
  place = createPlace(
    Object.fromEntries(names.map((at) => [`src/p${at % 20}/f${at}.ts`, source(at)])),
  );
  ({ token } = await createTokenFor(place));
  await outputHere(place, "index", place.root);
}, START_MS);
afterAll(() => place.remove());

/** Each call has another question, so that no answer comes from a cache. */
function call(id: number): string {
  const params = { name: "outline", arguments: { max_tokens: 19_000 + id } };
  return `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`;
}

interface Ended {
  readonly code: number | null;
  /** Ids of the calls that were answered, in the order of their answers. */
  readonly ids: readonly number[];
}

/** Queues many calls, and then immediately ends the session in one way. */
async function endBehindCalls(end: "end of input" | NodeJS.Signals): Promise<Ended> {
  const child = startProgram(place, ["mcp", "--stdio"], { SERVICE_TOKEN: token });
  const ended = exitCode(child);
  const chunks: string[] = [];
  child.stdin.on("error", () => {});
  child.stderr.resume();
  const isReady = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk: string) => {
      chunks.push(chunk);
      resolve();
    });
  });
  // Everything is loaded by then.
  child.stdin.write(call(CALLS));
  await isReady;
  child.stdin.write(Array.from({ length: CALLS }, (_, id) => call(id)).join(""));
  if (end === "end of input") child.stdin.end();
  else child.kill(end);
  const code = await ended;
  const lines = chunks.join("").split("\n");
  // The output consists of whole lines.
  expect(lines.pop()).toBe("");
  const replies = lines.map((line): { id: number; result?: object } => JSON.parse(line));
  expect(replies.filter(({ result }) => result === undefined)).toEqual([]);
  return { code, ids: replies.map(({ id }) => id).filter((id) => id !== CALLS) };
}

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s starts none of the calls that wait, and aborts those at work",
  async (signal) => {
    const { code, ids } = await endBehindCalls(signal);
    expect(code).toBe(130);
    expect(ids.length).toBeLessThan(MAX_ANSWERS);
    expect(new Set(ids).size).toBe(ids.length);
  },
);

test("the end of input drops the calls that are not finished soon, and answers the others once", async () => {
  const { code, ids } = await endBehindCalls("end of input");
  expect(code).toBe(0);
  expect(ids.length).toBeLessThan(CALLS);
  expect(new Set(ids).size).toBe(ids.length);
});

test("SIGTERM has svc serve refuse at once the calls that wait, and none of them is begun", async () => {
  const { token: bearer } = await createTokenFor(place);
  // None is refused because it has waited too long, however busy the machine is.
  await outputHere(place, "config", "set", "queue_timeout_seconds", "25");
  const server = await startHttp(place);
  const headers = { ...JSON_BODY, Authorization: `Bearer ${bearer}` };
  const outcome = async (id: number): Promise<string> => {
    try {
      const { status, body } = await post<Reply>(`${server.url}/mcp`, headers, call(id));
      return `${status} ${body.error?.data.detail ?? "answered"}`;
    } catch {
      return "not taken";
    }
  };
  await outcome(CALLS);
  const replies = Array.from({ length: CALLS }, (_, id) => outcome(id));
  await Promise.any(replies);
  const code = await server.close("SIGTERM");
  const counts = new Map<string, number>();
  for (const reply of await Promise.all(replies)) counts.set(reply, (counts.get(reply) ?? 0) + 1);
  expect(code).toBe(0);
  const refusal =
    "503 The server is shutting down and has not started this call. Try again in a second.";
  // The server closes a connection that had not sent its request by then.
  const taken = [...counts.keys()].filter((one) => one !== "not taken");
  expect(taken.toSorted()).toEqual(["200 answered", refusal]);
  expect(counts.get(refusal)).toBeGreaterThan(0);
});
