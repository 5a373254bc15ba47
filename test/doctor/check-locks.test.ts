import { utimesSync, writeFileSync } from "node:fs";

import { expect, onTestFinished, test } from "vitest";

import { takeExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { lockHolderPid } from "../../src/base/lock-holder.ts";
import { patientWith } from "./patient.ts";

const here = patientWith(
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`many/${at}/a.md`, "# A\n"])),
);

test("a heartbeat of a killed watcher", async () => {
  const note = '{"mode":"watched","pid":4711,"folders":3}\n';
  writeFileSync(here.layout.heartbeat, note, { mode: 0o600 });
  expect(await here.complaints()).toEqual([
    expect.objectContaining({
      check: "locks",
      state: "warning",
      what: `${here.layout.heartbeat} was left by process 4711, which was killed`,
    }),
  ]);
});

test("a watcher that holds its lock without a heartbeat, and one that cannot watch", async () => {
  const { leaderLock, heartbeat } = here.layout;
  const release = takeExclusiveLock(leaderLock, 1000);
  onTestFinished(() => release?.());
  expect(lockHolderPid(leaderLock)).toBe(process.platform === "linux" ? process.pid : undefined);
  writeFileSync(heartbeat, '{"mode":"watched","pid":4711,"folders":3}\n', { mode: 0o600 });
  const old = new Date(Date.now() - 600_000);
  utimesSync(heartbeat, old, old);
  expect(await here.complaints()).toEqual([
    expect.objectContaining({
      what: expect.stringMatching(/^process 4711 should watch .* gave no sign of life for 60\d s$/),
    }),
  ]);
  writeFileSync(
    heartbeat,
    '{"mode":"polled","pid":4711,"folders":0,"problem":"The limit is reached."}\n',
  );
  expect(await here.complaints()).toEqual([
    expect.objectContaining({
      state: "warning",
      what: expect.stringContaining("The limit is reached."),
    }),
  ]);
});
