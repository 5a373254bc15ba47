// One scorer answers many queries with the same arrays.
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  oneof,
  record,
} from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import type { CandidateQuery } from "../../../src/index/scoring/candidates.ts";
import { openWriter } from "../../contract/index/tested-index.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";
import { differences } from "../../helpers/differences.ts";
import { queryOf, readerOf, resultsOf } from "../../helpers/equal-readers.ts";
import { tree } from "../../helpers/tree.ts";

test("no query leaves scores behind for the next one", { timeout: 60_000 }, async () => {
  const { path, dispose } = tree();
  const open = (): EmbeddedBackend => new EmbeddedBackend(path);
  const backend = open();
  onTestFinished(() => {
    backend.close();
    dispose();
  });
  const writer = await openWriter(backend);
  const files = Array.from({ length: 240 }, (_, at): [string, string] => [
    `src/file${at}.ts`,
    `word${at % 60} rare${at % 17}x${at % 13}`,
  ]);
  addPlain(writer, Object.fromEntries(files));
  await writer.commit();
  await writer.close();
  // One scorer answers all of these queries; for each, a new scorer gives the expected result.
  const used = await readerOf(backend);
  const query = record({
    words: array(
      oneof(
        integer({ min: 0, max: 59 }).map((at) => `word${at}`),
        integer({ min: 0, max: 16 }).map((at) => `rare${at}x${at % 13}`),
        constantFrom("function", "file3", "src"),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    hasVector: boolean(),
  }).map(({ words, hasVector }): CandidateQuery => {
    const { vector, ...rest } = queryOf(words.join(" "));
    return hasVector ? { ...rest, vector } : rest;
  });
  await assert(
    asyncProperty(query, async (asked) => {
      const fresh = open();
      const expected = await resultsOf(await readerOf(fresh), asked);
      fresh.close();
      expect(differences(await resultsOf(used, asked), expected)).toEqual([]);
    }),
    { numRuns: 150 },
  );
});
