// The built program for as long as its users run it: many processes on one index, and one process for hours.
import { expect } from "vitest";

import { longSession, QUERIES_PER_SECOND } from "../../bench/soak/long-session.ts";
import { manyProcesses } from "../../bench/soak/many-processes.ts";
import { promise, sized, trustSize } from "./promise.ts";

const LAG_MS = 120_000;
const MARGIN_MS = 600_000;
const ROOM_MB = 16;
const ROOM_MS = 50;

const HOUR_QUERIES = 3600 * QUERIES_PER_SECOND;
/** Of the long session; the other one lasts up to ten. */
const soakMinutes = Number(process.env["SVC_TRUST_MINUTES"] ?? "120");

/** Saved files and checked answers: some 27 a second. */
const many = sized({ quick: 130, full: 1600, soak: Math.min(10, soakMinutes) * 1600 });
promise(
  [7],
  "servers, indexers and an HTTP server on one index, some of them killed, answer with the content of the files, and one at a time indexes",
  async () => {
    const outcome = await manyProcesses({
      isDone: ({ saves, answers, takeOversMs }) =>
        saves + answers >= many && takeOversMs.length > 0,
      killEveryMs: sized({ quick: 2500, full: 10_000 }),
      servers: sized({ quick: 3, full: 8 }),
      files: sized({ quick: 60, full: 600 }),
      lagMs: LAG_MS,
    });
    expect([outcome.wrong.slice(0, 9), outcome.errors.slice(0, 9)]).toEqual([[], []]);
    expect(outcome.takeOversMs.length).toBeGreaterThan(0);
    expect(outcome.generations).toBeGreaterThan(0);
    return outcome.saves + outcome.answers;
  },
  many * 40 + MARGIN_MS,
);

const queries = QUERIES_PER_SECOND * sized({ quick: 1.5, full: 20, soak: soakMinutes * 60 });
// The memory of a process, read from /proc.
if (process.platform === "linux") {
  promise(
    [42],
    "a server that is queried while its files are edited holds no more descriptors at the end than after its warm-up",
    async () => {
      const session = await longSession(queries);
      const { fds, rssMb, p95Ms } = session;
      if (trustSize() !== "quick") process.stdout.write(`${JSON.stringify(session)}\n`);
      expect([session.wrong, session.errors]).toEqual([[], []]);
      expect(fds[1]).toBeLessThanOrEqual(fds[0]);
      if (trustSize() === "soak") expect(p95Ms[1]).toBeLessThan(2 * p95Ms[0] + ROOM_MS);
      // V8 frees memory late: usage rises for minutes and then falls at once, and only its floor shows growth.
      if (queries >= HOUR_QUERIES) expect(rssMb[1]).toBeLessThan(rssMb[0] + ROOM_MB);
      return queries;
    },
    (queries / QUERIES_PER_SECOND) * 1000 + MARGIN_MS,
  );
}
