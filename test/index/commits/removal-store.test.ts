import { expect, test } from "vitest";

import {
  loadRemovals,
  newestRemovals,
  NO_REMOVALS,
  saveRemovals,
  type Removals,
} from "../../../src/index/commits/removal-store.ts";
import { memoryStorage } from "../../../src/index/embedded/storage/storage-memory.ts";

const REMOVALS: Removals = {
  head: "a".repeat(40),
  read: 3,
  isWhole: true,
  commits: [
    ["c".repeat(40), [["--dry-run", "src/b.ts", "", "likely"]]],
    [
      "b".repeat(40),
      [
        ["readBlobs", "src/a.ts", "readAll", "sure"],
        ["--dry-run", "src/a.ts", "--try", "moved"],
      ],
    ],
  ],
};

test("what is stored is loaded again", () => {
  const storage = memoryStorage();
  expect(loadRemovals(storage)).toBe(NO_REMOVALS);
  saveRemovals(storage, REMOVALS);
  const loaded = loadRemovals(storage);
  expect(loaded).toEqual(REMOVALS);
  expect([...newestRemovals(loaded)]).toEqual([
    ["--dry-run", { commit: "c".repeat(40), path: "src/b.ts", became: "", certainty: "likely" }],
    [
      "readBlobs",
      { commit: "b".repeat(40), path: "src/a.ts", became: "readAll", certainty: "sure" },
    ],
  ]);
});

test("a damaged file, and one of another version, count as none", () => {
  const storage = memoryStorage();
  for (const text of ["", "{", "[]", "null", '{"version":1,"commits":[]}', '{"version":2}']) {
    storage.write("removals.json", [Buffer.from(text)]);
    expect(loadRemovals(storage)).toBe(NO_REMOVALS);
  }
});
