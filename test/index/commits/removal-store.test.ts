import { expect, test } from "vitest";

import {
  loadRemovals,
  NO_REMOVALS,
  saveRemovals,
  type Removals,
} from "../../../src/index/commits/removal-store.ts";
import { memoryStorage } from "../../../src/index/embedded/storage/storage-memory.ts";

const REMOVALS: Removals = {
  head: "a".repeat(40),
  read: 3,
  isWhole: true,
  byKey: new Map([
    [
      "readBlobs",
      { commit: "b".repeat(40), path: "src/a.ts", became: "readAll", certainty: "sure" },
    ],
    ["--dry-run", { commit: "c".repeat(40), path: "src/b.ts", became: "", certainty: "likely" }],
    ["/src/c.ts", { commit: "b".repeat(40), path: "src/c.ts", became: "", certainty: "moved" }],
  ]),
};

test("what is stored is loaded again", () => {
  const storage = memoryStorage();
  expect(loadRemovals(storage)).toBe(NO_REMOVALS);
  saveRemovals(storage, REMOVALS);
  expect(loadRemovals(storage)).toEqual(REMOVALS);
});

test("a damaged file, and one of another version, count as none", () => {
  const storage = memoryStorage();
  for (const text of ["", "{", "[]", "null", '{"version":0,"commits":[]}', '{"version":1}']) {
    storage.write("removals.json", [Buffer.from(text)]);
    expect(loadRemovals(storage)).toBe(NO_REMOVALS);
  }
});
