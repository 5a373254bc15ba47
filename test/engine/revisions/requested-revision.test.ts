import { expect, test } from "vitest";

import {
  needsRevision,
  requireNoCommit,
} from "../../../src/engine/revisions/requested-revision.ts";
import { request } from "../../helpers/project.ts";

test("queries by words and names need the index of a commit, and queries of files do not", () => {
  const at = { ...request(), at: "v1" };
  for (const name of ["search", "findSymbols", "references", "outline", "related", "impact"])
    expect(needsRevision(name, at)).toBe(true);
  for (const name of ["read", "searchText", "why"]) expect(needsRevision(name, at)).toBe(false);
  expect(needsRevision("search", request())).toBe(false);
});

test("a request of several namespaces names no commit", () => {
  expect(() => requireNoCommit({ ...request(), at: "v1" })).toThrow("no commit in common");
  expect(() => requireNoCommit(request())).not.toThrow();
});
