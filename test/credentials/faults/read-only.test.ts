// A store that cannot be written can be read as usual; a change reports why it is impossible.
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { openOrCreateStore, openStore } from "../../../src/credentials/sealed/open-store.ts";
import { createToken } from "../../../src/credentials/access-tokens.ts";
import { codeOf } from "../home.ts";
import { start } from "./programs.ts";
import { smallDisk } from "./small-disk.ts";
import { filesOf, LOG, putFiles, sampleStore } from "./stored-state.ts";
import { needs } from "../../helpers/needs.ts";

/** Removes root's right to write where modes forbid it; other users need nothing. */
const BOUND_BY_MODES =
  process.getuid?.() === 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : [];

function setModes(root: string, names: readonly string[], access: "r" | "rw"): void {
  for (const name of names) {
    const directory = join(root, name);
    for (const file of readdirSync(directory)) {
      chmodSync(join(directory, file), access === "r" ? 0o400 : 0o600);
    }
    chmodSync(directory, access === "r" ? 0o500 : 0o700);
  }
}

test.each([
  ["closed", ["store", "keys"]],
  ["closed", ["store"]],
  ["closed", ["keys"]],
  ["killed", ["store", "keys"]],
  ["killed", ["store"]],
  ["killed", ["keys"]],
] as const)(
  "a store left %s, with %j read-only, is listed and not changed",
  async (state, names) => {
    const sample = await sampleStore();
    const { root } = sample.home;
    putFiles(root, sample[state]);
    setModes(root, names, "r");
    const { output, errors, end } = await start("try-store.ts", [root, "1"], BOUND_BY_MODES).ended;
    setModes(root, names, "rw");
    expect([errors, end]).toEqual(["", 0]);
    expect(output).toMatch(/^listed 3\nrefused CREDENTIAL_STORE [A-Z].+\.\nlisted 3\n$/);
    const after = await start("try-store.ts", [root, "1"]).ended;
    expect(after.output).toMatch(/^listed 3\ncreated svt_\w+\nlisted 4\n$/);
  },
);

needs(["mount"], () => {
  test.each(["closed", "killed"] as const)(
    "on a read-only disk a store left %s is listed, and changed once the disk is writable",
    async (state) => {
      const files = await sampleStore();
      const disk = smallDisk(1024);
      await (await openOrCreateStore(disk)).close();
      putFiles(disk.root, files[state]);
      expect(filesOf(disk.root).has(LOG)).toBe(state === "killed");
      disk.remount("ro");
      const store = await openStore(disk);
      expect(await store?.list()).toHaveLength(3);
      expect(store?.isReadOnly).toBe(true);
      expect(await codeOf(async () => store && (await createToken(store, { name: "no" })))).toBe(
        "CREDENTIAL_STORE",
      );
      expect(await store?.list()).toHaveLength(3);
      disk.remount("rw");
      expect(await codeOf(async () => store && (await createToken(store, { name: "four" })))).toBe(
        "ok",
      );
      expect(await store?.list()).toHaveLength(4);
      await store?.close();
    },
  );
});
