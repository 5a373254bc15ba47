import { expect, test } from "vitest";

import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import { MemoryIndexes } from "../../../src/index/memory/indexes.ts";
import { indexContract } from "../../contract/index.ts";
import { NAMESPACE, openWriter } from "../../contract/index/tested-index.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";

indexContract(() => {
  const indexes = new MemoryIndexes();
  return {
    one: new MemoryBackend(indexes),
    other: new MemoryBackend(indexes),
    revokeWriter: () => indexes.revokeWriter(NAMESPACE),
    problems: async () => [],
  };
});

test("a writer that waits before its commit is refused when another one has written meanwhile", async () => {
  const indexes = new MemoryIndexes();
  const backend = new MemoryBackend(indexes);
  const { promise: mayCommit, resolve: allow } = Promise.withResolvers<undefined>();
  const late = await openWriter(backend, { beforeCommit: () => mayCommit });
  addPlain(late, { "late.ts": "late" });
  const committed = late.commit();
  indexes.revokeWriter(NAMESPACE);
  const successor = await openWriter(backend);
  addPlain(successor, { "a.ts": "alpha" });
  await successor.commit();
  allow(undefined);
  await expect(committed).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  expect([...(await successor.files()).keys()]).toEqual(["a.ts"]);
});

test("a listener that another one stops is not called any more", async () => {
  const backend = new MemoryBackend();
  const called: string[] = [];
  const stops = [() => {}];
  stops.push(
    backend.watch(NAMESPACE, () => {
      called.push("first");
      stops[2]?.();
    }),
  );
  stops.push(backend.watch(NAMESPACE, () => called.push("second")));
  const writer = await openWriter(backend);
  await writer.commit();
  expect([...new Set(called)]).toEqual(["first"]);
});
