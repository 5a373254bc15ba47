// Kills a process right before each of its write calls in turn, and makes such calls fail.
import { join } from "node:path";

import { expect, test } from "vitest";

import { createToken } from "../../../src/credentials/access-tokens.ts";
import { recordOf } from "../../../src/credentials/find-credential.ts";
import { acknowledged, problemsOf } from "./acknowledged.ts";
import { auditedHome, logDamage, openAudited } from "./audited.ts";
import { type Ended, inPairs, memoryHome, start } from "./programs.ts";
import { faulty, readTrace, traced } from "./system-calls.ts";
import { needs } from "../../helpers/needs.ts";

const CHANGES = 4;

/** One call of a process that makes the changes: the nth call of that name. */
interface Call {
  readonly name: string;
  readonly nth: number;
}

let calls: Promise<readonly Call[]> | undefined;

/** Returns the write calls of a process that makes all of its changes. They are the same for all tests. */
function writeCalls(): Promise<readonly Call[]> {
  return (calls ??= tracedCalls());
}

async function tracedCalls(): Promise<readonly Call[]> {
  const { root } = memoryHome();
  const trace = join(root, "trace");
  // A first run, so that the traced one does not fill the cache of compiled modules.
  await start("change-credentials.ts", [join(root, "first"), "1", "save"]).ended;
  const args = [join(root, "whole"), String(CHANGES), "save"];
  const { end, errors } = await start("change-credentials.ts", args, traced(trace)).ended;
  expect([end, errors]).toEqual([0, ""]);
  const counts = new Map<string, number>();
  return readTrace(trace).map(({ name }) => {
    const nth = (counts.get(name) ?? 0) + 1;
    counts.set(name, nth);
    return { name, nth };
  });
}

/** Runs a process with a fault. Returns how it ended, and the problems of the store afterwards. */
async function meet(wrapper: readonly string[]): Promise<Ended & { problems: string[] }> {
  const home = memoryHome();
  const { ended } = start("change-credentials.ts", [home.root, String(CHANGES), "save"], wrapper);
  const result = await ended;
  const inFlight = result.end === 0 ? 0 : 1;
  const changes = [acknowledged(result.output)];
  const problems = [...(await problemsOf(auditedHome(home.root), changes, inFlight))];
  // The store and the audit log continue as if nothing had happened.
  const { store, close } = await openAudited(home.root);
  const { secret } = await createToken(store, { name: "after" });
  if ((await recordOf(store, secret)) === undefined) problems.push("a new token is not found");
  const damage = logDamage(home.root, store);
  if (damage !== undefined) problems.push(damage);
  await close();
  return { ...result, problems };
}

needs(["strace"], () => {
  test("a process killed at any of its writes loses no acknowledged change", async () => {
    const found = await writeCalls();
    const faults = found.map((call) => faulty(call, "signal=SIGKILL"));
    const ends = await inPairs(faults, meet);
    expect(ends.flatMap(({ problems }) => problems)).toEqual([]);
    expect(ends.map(({ errors }) => errors).join("")).toBe("");
    const killed = ends.filter(({ end }) => end === "SIGKILL").length;
    // Waking another thread is a write as well, and is not always needed.
    expect(killed).toBeGreaterThan(faults.length * 0.9);
  }, 120_000);
});

needs(["strace"], () => {
  test("a disk that fails to sync is reported, and acknowledged changes are kept", async () => {
    const found = await writeCalls();
    const syncs = found.filter(({ name }) => name === "fsync").filter((_, at) => at % 2 === 0);
    const ends = await inPairs(
      syncs.map((call) => faulty(call, "error=EIO")),
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
    // A change is made even if only its anchor was not written; the next change raises the anchor.
    expect(failed.length).toBeGreaterThan(2);
  }, 60_000);
});
