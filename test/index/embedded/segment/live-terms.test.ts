import { expect, onTestFinished, test } from "vitest";

import { EmbeddedBackend } from "../../../../src/index/embedded/backend.ts";
import { testedIndex } from "../../../contract/index/tested-index.ts";
import { tree } from "../../../helpers/tree.ts";

function embeddedIndex(): ReturnType<typeof testedIndex> {
  const { path, dispose } = tree();
  const [one, other] = [new EmbeddedBackend(path), new EmbeddedBackend(path)];
  onTestFinished(() => {
    one.close();
    other.close();
    dispose();
  });
  return testedIndex(() => ({
    one,
    other,
    revokeWriter: () => {},
    problems: () => Promise.resolve([]),
  }));
}

test("a word that only replaced files have is in no chunk", async () => {
  const { commit, read } = embeddedIndex();
  await commit({ "a.ts": "alpha", "b.ts": "common", "c.ts": "common" });
  await commit({ "a.ts": "beta", "b.ts": "other" });
  const counts = await (await read()).termCounts(["alpha", "beta", "common"]);
  expect(counts[0]).toBe(0);
  expect(counts[1]).toBe(1);
  expect(counts[2]).toBeGreaterThan(0);
});

test("a word in the path of a live file, or in one of several segments, counts", async () => {
  const { commit, read } = embeddedIndex();
  await commit({ "zebra.ts": "alpha", "b.ts": "gone" });
  await commit({ "b.ts": "alpha" });
  const counts = await (await read()).termCounts(["zebra", "alpha", "gone"]);
  expect(counts.map((count) => count > 0)).toEqual([true, true, false]);
});
