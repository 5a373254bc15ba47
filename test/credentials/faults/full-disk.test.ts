// A full disk: the error says so, nothing is lost, and everything works again once there is room.
import { readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { openOrCreateStore } from "../../../src/credentials/sealed/open-store.ts";
import { createToken } from "../../../src/credentials/access-tokens.ts";
import { recordOf } from "../../../src/credentials/find-credential.ts";
import { codeOf } from "../home.ts";
import { acknowledged, problemsOf } from "./acknowledged.ts";
import { memoryHome, start } from "./programs.ts";
import { smallDisk } from "./small-disk.ts";
import { needs } from "../../helpers/needs.ts";

/** Maximum number of free pages tried: a change with all its files needs fewer. */
const MAX_FREE = 24;
const PAGE = 4096;
const DISK_KIB = 512;

needs(["mount"], () => {
  test("on a full or almost full disk a change succeeds or fails with STORAGE_FULL, and reading works", async () => {
    const disk = smallDisk(DISK_KIB);
    const ballast = join(disk.root, "ballast");
    const first = await openOrCreateStore(disk);
    const made = [(await createToken(first, { name: "first" })).secret];
    await first.close();
    const codes: string[] = [];
    for (let free = 0; free <= MAX_FREE; free += 1) {
      const { bavail } = statfsSync(disk.root);
      writeFileSync(ballast, Buffer.alloc((bavail - free) * PAGE));
      /* oxlint-disable no-await-in-loop -- one state of the disk after another */
      const code = await codeOf(async () => {
        const store = await openOrCreateStore(disk);
        try {
          expect(await store.list()).toHaveLength(made.length);
          const attempt = await codeOf(async () =>
            made.push((await createToken(store, { name: `with ${free}` })).secret),
          );
          expect(await store.list()).toHaveLength(made.length);
          const found = await Promise.all(made.map((secret) => recordOf(store, secret)));
          expect(found).not.toContain(undefined);
          codes.push(attempt);
        } finally {
          await store.close();
        }
      });
      // Reading the store needs no room.
      expect([free, code]).toEqual([free, "ok"]);
      expect(readdirSync(disk.keyDirectory).toSorted()).toEqual(["credentials.anchor", "data.key"]);
      rmSync(ballast);
      const changes = acknowledged(made.map((secret) => `created ${secret}\n`).join(""));
      expect(await problemsOf(disk, [changes], 0)).toEqual([]);
      /* oxlint-enable no-await-in-loop */
    }
    expect(new Set(codes)).toEqual(new Set(["STORAGE_FULL", "ok"]));
    expect(codes.at(-1)).toBe("ok");
  }, 30_000);
});

needs(["mount"], () => {
  test("a store that could not be created on a full disk is created once there is room", async () => {
    const disk = smallDisk(DISK_KIB);
    const ballast = join(disk.root, "ballast");
    for (let free = 2; free <= MAX_FREE; free += 1) {
      writeFileSync(ballast, Buffer.alloc((statfsSync(disk.root).bavail - free) * PAGE));
      /* oxlint-disable no-await-in-loop -- one state of the disk after another */
      const code = await codeOf(async () => (await openOrCreateStore(disk)).close());
      expect(["ok", "STORAGE_FULL"]).toContain(code);
      rmSync(ballast);
      expect(await codeOf(async () => (await openOrCreateStore(disk)).close())).toBe("ok");
      /* oxlint-enable no-await-in-loop */
      for (const path of [disk.directory, disk.keyDirectory]) rmSync(path, { recursive: true });
    }
  }, 30_000);
});
test("with files at their size limit the change is refused, the rest works", async () => {
  const home = memoryHome();
  const limited = ["sh", "-c", 'ulimit -f 128 && exec "$@"', "sh"];
  const { output, errors, end } = await start("try-store.ts", [home.root, "50"], limited).ended;
  expect([errors, end]).toEqual(["", 0]);
  const changes = acknowledged(output);
  const { length } = changes.created;
  expect(length).toBeGreaterThan(1);
  expect(output).toMatch(/^refused (?:STORAGE_FULL|CREDENTIAL_STORE) [A-Z].+\.$/m);
  expect(output).toMatch(new RegExp(`^listed ${length}$`, "m"));
  expect(await problemsOf(home, [changes], 0)).toEqual([]);
  const after = await start("try-store.ts", [home.root, "20"]).ended;
  expect(after.output).toMatch(new RegExp(`^listed ${length + 20}$`, "m"));
});
