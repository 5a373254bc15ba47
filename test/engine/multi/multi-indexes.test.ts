import { expect, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { openIndexes } from "../../../src/engine/multi/multi-indexes.ts";
import type { OpenIndexes } from "../../../src/engine/open-indexes.ts";
import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import { authorized } from "../../helpers/authorized.ts";
import { readerOf } from "../../helpers/equal-readers.ts";
import { request } from "../../helpers/project.ts";
import { sourcesOfSvc, writeSources } from "../../helpers/sources-of-svc.ts";

type How = Parameters<OpenIndexes["use"]>[1];

async function partsOf(names: readonly string[]) {
  const backend = new MemoryBackend();
  await writeSources(backend, await sourcesOfSvc({ every: 100 }));
  const reader = await readerOf(backend);
  const used: How[] = [];
  const indexes: Pick<OpenIndexes, "use"> = {
    use: async ({ namespace = "" }, how, use) => {
      used.push(how);
      if (namespace.startsWith("broken"))
        throw new SvcError("INDEX_UNAVAILABLE", `The index of "${namespace}" is damaged.`);
      return use({ namespace: authorized(namespace), reader, sources: [] });
    },
  };
  const namespaces = {
    visible: async () => names.map(authorized),
    authorize: async (_request: unknown, name: string) => authorized(name),
  };
  return { parts: { indexes, namespaces }, used };
}

const ALL = { list: "all", readiness: "words" } as const;

test("few namespaces are kept fresh, and many are only searched", async () => {
  for (const [count, isKeptFresh] of [
    [2, true],
    [16, true],
    [17, false],
  ] as const) {
    const names = Array.from({ length: count }, (_, at) => `n${at}`);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { parts, used } = await partsOf(names);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const opened = await openIndexes(parts, ALL, request());
    expect(opened.indexes).toHaveLength(count);
    expect(used).toEqual(names.map(() => ({ readiness: "words", isKeptFresh })));
  }
});

test("a namespace that cannot be opened is named, and all of them are an error", async () => {
  const some = await partsOf(["broken", "whole"]);
  expect(await openIndexes(some.parts, ALL, request())).toMatchObject({
    indexes: [{ namespace: "whole" }],
    missing: ['"broken" was not searched: The index of "broken" is damaged.'],
  });
  const none = await partsOf(["broken", "broken-too"]);
  await expect(openIndexes(none.parts, ALL, request())).rejects.toThrow(
    expect.objectContaining({ code: "INDEX_UNAVAILABLE" }),
  );
});

test("without any namespace the error says how to make one", async () => {
  const { parts } = await partsOf([]);
  await expect(openIndexes(parts, ALL, request())).rejects.toThrow(
    expect.objectContaining({
      code: "NAMESPACE_NOT_FOUND",
      hint: "Index a project with `svc index`.",
    }),
  );
});
