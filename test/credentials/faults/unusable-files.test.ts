// Too few file descriptors, and files replaced by something else.
import { spawnSync } from "node:child_process";
import { chownSync, lstatSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { acknowledged, problemsOf } from "./acknowledged.ts";
import { memoryHome, start } from "./programs.ts";
import { ANCHOR, contentOf, DATABASE, KEY, LOG, putFiles, sampleStore } from "./stored-state.ts";

test("a process with too few file descriptors reports it and loses nothing", async () => {
  const home = memoryHome();
  await start("try-store.ts", [home.root, "0"]).ended;
  const limited = ["sh", "-c", 'ulimit -n 64 && exec "$@"', "sh"];
  const { output, errors, end } = await start("few-descriptors.ts", [home.root], limited).ended;
  expect([errors, end]).toEqual(["", 0]);
  const lines = output.trim().split("\n");
  const refused = lines.filter((line) => line.startsWith("refused"));
  for (const line of refused) expect(line).toMatch(/^refused CREDENTIAL_STORE [A-Z].+\.$/);
  expect(refused.length).toBeGreaterThan(1);
  // With enough descriptors it works each time.
  expect(lines.at(-1)).toMatch(/^created /);
  expect(await problemsOf(home, [acknowledged(output)], 0)).toEqual([]);
});

/** Only root can change the owner of a file. */
const OTHERS = process.getuid?.() === 0 ? [12_345] : [];

const PLACES = [DATABASE, LOG, `${DATABASE}-shm`, `${DATABASE}-journal`, ANCHOR, KEY];

/** Ways to replace a file by something else. */
const SUBSTITUTES: Readonly<Record<string, (path: string) => unknown>> = {
  "a directory": (path) => mkdirSync(path, { mode: 0o700 }),
  "a pipe": (path) => spawnSync("mkfifo", ["-m", "600", path]),
  "a link that leads nowhere": (path) => symlinkSync(`${path}.away`, path),
  "a link to itself": (path) => symlinkSync(path, path),
};

test.each(Object.entries(SUBSTITUTES))(
  "%s in place of any file of a store is refused and left there",
  async (_what, put) => {
    const { home, closed, content } = await sampleStore();
    for (const name of PLACES) {
      const path = join(home.root, name);
      rmSync(path, { force: true });
      put(path);
      const before = lstatSync(path, { bigint: true });
      // oxlint-disable-next-line no-await-in-loop -- one state of the files after another
      const { error } = await contentOf(home);
      expect([name, error?.code, error?.hint]).toEqual([
        name,
        "CREDENTIAL_STORE",
        expect.stringMatching(/^[A-Z].+\.$/),
      ]);
      expect(lstatSync(path, { bigint: true })).toMatchObject({
        ino: before.ino,
        mode: before.mode,
      });
      rmSync(path, { recursive: true });
      putFiles(home.root, closed);
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect((await contentOf(home)).content).toBe(content);
    }
  },
);

test.each(OTHERS)("a file of user %i is refused, whichever it is", async (user) => {
  const { home, inUse } = await sampleStore();
  putFiles(home.root, inUse);
  for (const name of [DATABASE, LOG, ANCHOR, KEY]) {
    const path = join(home.root, name);
    chownSync(path, user, user);
    // oxlint-disable-next-line no-await-in-loop -- one state of the files after another
    const { error } = await contentOf(home);
    expect([name, error?.code]).toEqual([name, "CREDENTIAL_STORE"]);
    chownSync(path, 0, 0);
  }
});
