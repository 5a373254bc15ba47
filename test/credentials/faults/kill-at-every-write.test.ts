// A process is killed at each of its calls that write, in turn: right before the call. And such calls fail.
import { join } from "node:path";

import { expect, test } from "vitest";

import { openOrCreateStore } from "../../../src/credentials/open-store.ts";
import { createToken } from "../../../src/credentials/tokens.ts";
import { acknowledged, problemsOf } from "./acknowledged.ts";
import { type Ended, inPairs, memoryHome, start } from "./programs.ts";
import { CAN_TRACE, faulty, readTrace, traced } from "./system-calls.ts";

const CHANGES = 4;
/** Kills at random moments where there is no strace. */
const RANDOM_KILLS = 90;

/** One of the calls of a process that makes the changes: the nth of that name. */
interface Call {
  readonly name: string;
  readonly nth: number;
}

interface Whole {
  readonly calls: readonly Call[];
  readonly durationMs: number;
}

/** A process that makes all of its changes. */
async function whole(): Promise<Whole> {
  const { root } = memoryHome();
  const trace = join(root, "trace");
  // Once before, so that it does not fill the cache of compiled modules.
  await start("change-credentials.ts", [join(root, "first"), "1", "save"]).ended;
  const began = performance.now();
  const args = [join(root, "whole"), String(CHANGES), "save"];
  const { end, errors } = await start("change-credentials.ts", args, CAN_TRACE ? traced(trace) : [])
    .ended;
  expect([end, errors]).toEqual([0, ""]);
  const durationMs = performance.now() - began;
  const counts = new Map<string, number>();
  const calls = (CAN_TRACE ? readTrace(trace) : []).map(({ name }) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return { name, nth };
  });
  return { calls, durationMs };
}

interface Fault {
  readonly wrapper: readonly string[];
  readonly killAfterMs?: number;
}

/** Lets a process meet a fault; how it ended, and what is wrong with the store afterwards. */
async function meet({ wrapper, killAfterMs }: Fault): Promise<Ended & { problems: string[] }> {
  const home = memoryHome();
  const { child, ended } = start(
    "change-credentials.ts",
    [home.root, String(CHANGES), "save"],
    wrapper,
  );
  const isTimed = killAfterMs !== undefined;
  const timer = isTimed ? setTimeout(() => child.kill("SIGKILL"), killAfterMs) : undefined;
  const result = await ended;
  clearTimeout(timer);
  const inFlight = result.end === 0 ? 0 : 1;
  const problems = [...(await problemsOf(home, [acknowledged(result.output)], inFlight))];
  // And it goes on as if nothing had been.
  const store = await openOrCreateStore(home);
  const { secret } = createToken(store, { name: "after" });
  if (store.find(secret) === undefined) problems.push("a new token is not found");
  store.close();
  return { ...result, problems };
}

test("a process killed at any of its writes loses nothing it was told is done", async () => {
  const { calls, durationMs } = await whole();
  const faults: readonly Fault[] = CAN_TRACE
    ? calls.map((call) => ({ wrapper: faulty(call, "signal=SIGKILL") }))
    : Array.from({ length: RANDOM_KILLS }, () => ({
        wrapper: [],
        killAfterMs: Math.random() * durationMs,
      }));
  const ends = await inPairs(faults, meet);
  expect(ends.flatMap(({ problems }) => problems)).toEqual([]);
  expect(ends.map(({ errors }) => errors).join("")).toBe("");
  const killed = ends.filter(({ end }) => end === "SIGKILL").length;
  // Waking another thread is a write as well, and is not always needed; one killed by time may be faster.
  expect(killed).toBeGreaterThan(faults.length * (CAN_TRACE ? 0.9 : 0.4));
}, 120_000);

test.each(CAN_TRACE ? ["fsync"] : [])(
  "a disk that fails to %s is told of, and what was acknowledged is kept",
  async (sync) => {
    const { calls } = await whole();
    const syncs = calls.filter(({ name }) => name === sync).filter((_, at) => at % 2 === 0);
    const ends = await inPairs(
      syncs.map((call) => ({ wrapper: faulty(call, "error=EIO") })),
      meet,
    );
    expect(ends.flatMap(({ problems }) => problems)).toEqual([]);
    const failed = ends.filter(({ end }) => end !== 0);
    for (const { end, errors } of failed) {
      expect([end, errors]).toEqual([
        1,
        expect.stringMatching(/code: 'CREDENTIAL_STORE',\n +hint: /),
      ]);
    }
    // A change whose anchor alone was not written is made all the same; the next one raises it.
    expect(failed.length).toBeGreaterThan(2);
  },
  60_000,
);
