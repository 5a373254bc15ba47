// Arbitrary client messages through the pipes of a real process, hundreds at once.
import { createInterface } from "node:readline";

import * as fc from "fast-check";
import { afterAll, beforeAll, expect, vi } from "vitest";

import type { Wire } from "../helpers/rpc.ts";
import { anySession, METHODS, type AnySession } from "../mcp/any-message.ts";
import { Owed } from "../mcp/owed-replies.ts";
import { createPlace, createToken, exitCode, startProgram, type Place } from "../spec/program.ts";
import { promise, sized } from "../trust/promise.ts";

const LINES = 1000;
/** A listening request is answered when the session ends; tests of the end of sessions cover that. */
const ANSWERED = METHODS.filter((method) => method !== "subscriptions/listen");

let place: Place;
let token: string;
beforeAll(async () => {
  place = createPlace({
    "src/tokens.ts": "/** Revokes. */\nexport function revokeToken(id: string): void {}\n",
  });
  token = await createToken(place);
}, 60_000);
afterAll(() => place.remove());

async function survive({ version, lines }: AnySession): Promise<void> {
  const child = startProgram(place, ["mcp", "--stdio"], { SERVICE_TOKEN: token });
  const ended = exitCode(child);
  child.stdin.on("error", () => {});
  const owed = new Owed();
  const came: string[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => came.push(line));
  /** Checks the messages received since the last check. */
  const look = (): void => {
    for (const line of came.splice(0)) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `came` looks at its shape
      for (const message of [JSON.parse(line)].flat() as Wire[]) owed.came(message, place.home);
    }
  };
  const send = (line: string): void => {
    owed.line(line, version);
    child.stdin.write(`${line}\n`);
  };
  if (version !== undefined) {
    const params = { protocolVersion: version };
    send(JSON.stringify({ jsonrpc: "2.0", id: "first", method: "initialize", params }));
  }
  for (const line of lines) {
    const one = line.replaceAll(/[\r\n]/g, " ");
    // Blank lines are not messages.
    if (one.trim() !== "") send(one);
  }
  send('{"jsonrpc":"2.0","id":"last","method":"ping"}');
  await vi.waitFor(
    () => {
      look();
      expect(owed.wrong("too few")).toEqual([]);
    },
    { timeout: 60_000, interval: 20 },
  );
  child.stdin.end();
  expect(await ended).toBe(0);
  look();
  expect(owed.wrong()).toEqual([]);
}

promise(
  [17],
  "a process that receives any input answers each request once, and exits normally",
  async () => {
    const runs = sized({ quick: 2000, full: 50_000 }) / LINES;
    const sessions = fc.asyncProperty(anySession(LINES, ANSWERED), survive);
    await fc.assert(sessions, { numRuns: runs, endOnFailure: true });
    return runs * LINES;
  },
);
