import { expect, test } from "vitest";

import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import { prefixedShard } from "../../../src/index/multi/prefixed-shard.ts";
import { findCandidates } from "../../../src/index/scoring/find-candidates.ts";
import { queryOf, readerOf } from "../../helpers/equal-readers.ts";
import { sourcesOfSvc, writeSources } from "../../helpers/sources-of-svc.ts";

test("only the paths of results have the prefix; filters and chosen paths work as before", async () => {
  const backend = new MemoryBackend();
  await writeSources(backend, await sourcesOfSvc({ every: 30 }));
  const reader = await readerOf(backend);
  const query = queryOf("read a file");
  const terms = [...query.terms.keys()];
  const prefixed = (more: object = {}) =>
    findCandidates(
      reader.beginSearches(terms).map((shard) => prefixedShard(shard, "gin/")),
      { ...query, ...more },
    );
  const plain = await reader.candidates(query);
  const found = await prefixed();
  expect(found.files.length).toBeGreaterThan(3);
  expect(found.files.map(({ file, score }) => [file.path, score])).toEqual(
    plain.files.map(({ file, score }) => [`gin/${file.path}`, score]),
  );
  const [first, second] = found.files.map(({ file }) => file.path);
  const chosen = await prefixed({ paths: new Set([second, "flask/src/a.ts"]) });
  expect(chosen.files.map(({ file }) => file.path)).toEqual([second]);
  const filtered = await prefixed({
    filter: ({ path }: { readonly path: string }) => `gin/${path}` === first,
  });
  expect(filtered.files.map(({ file }) => file.path)).toEqual([first]);
});
