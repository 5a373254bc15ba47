import { expect, onTestFinished, test } from "vitest";

import { changedPages } from "../../../src/engine/drift/changed-pages.ts";
import { Yielder } from "../../../src/base/yielder.ts";
import type { LiteralQuery } from "../../../src/index/literal-query.ts";
import type { FileFacts, FileRow } from "../../../src/index/types.ts";
import { openHistory } from "../../../src/sources/open-history.ts";
import { gitRepository } from "../../helpers/git-repository.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";

const { signal } = new AbortController();
const READ_MS = 1_000_000;

function page(path: string): FileFacts {
  return { path, language: "markdown", role: "docs", flags: 0 };
}

const OTHER = page("docs/other.md");
const NAMING = page("docs/naming.md");
const CHANGED = page("docs/changed.md");
const STATED = page("docs/stated.md");
const PAGES = [OTHER, NAMING, CHANGED, STATED];

test("pages are read again that name what is newly removed, have changed, or had a statement", async () => {
  const { path, commit, dispose } = gitRepository();
  onTestFinished(dispose);
  const old = commit({ "a.ts": "1\n" });
  const fresh = commit({ "a.ts": "2\n" });
  const source = sourceAt(path);
  const history = await openHistory(source, signal);
  const removal = { path: "a.ts", became: "", certainty: "sure" } as const;
  const byKey = new Map([
    ["readBlobs", { commit: fresh, ...removal }],
    ["--dry-run", { commit: fresh, ...removal }],
    ["/lib/old name.ts", { commit: fresh, ...removal }],
    ["sendBlobs", { commit: old, ...removal }],
  ]);
  const asked: LiteralQuery[] = [];
  const reader = {
    async *textCandidates(query: LiteralQuery) {
      asked.push(query);
      yield NAMING;
    },
    file: async (one: string) =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only its time counts
      ({ indexedMs: one === CHANGED.path ? READ_MS + 1 : 0 }) as FileRow,
  };
  const statement = { path: STATED.path, hash: "", line: 1, name: "x", became: "" };
  const stored = {
    index: "1 1",
    heads: { [source.root]: old },
    readMs: READ_MS,
    statements: [{ ...statement, commit: old, authoredAt: "", words: [] }],
  };
  const options = { pages: PAGES, pasts: [{ source, history, byKey }], signal };
  const renewal = { stored, maxNew: 5, yielder: new Yielder() };
  expect(await changedPages(reader, renewal, options)).toEqual([NAMING, CHANGED, STATED]);
  expect(asked.flatMap((one) => ("parts" in one ? one.parts : [one]))).toEqual(
    ["readblobs", "read-blobs", "read\\-blobs", "dry-run", "dry\\-run", "old name.ts"].map(
      (text) => ({ kind: "literal", text }),
    ),
  );
  // The changes since an unknown commit are unknown.
  const unknown = { ...renewal, stored: { ...stored, heads: {} } };
  expect(await changedPages(reader, unknown, options)).toEqual(PAGES);
});
