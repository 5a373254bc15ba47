import { expect, test } from "vitest";

import {
  addDocuments,
  mostDocuments,
  NO_DOCUMENTS,
} from "../../../src/index/scoring/term-documents.ts";

test("documents are added up by field before the field with most of them counts", () => {
  const parts = [
    { body: 3, names: 1, path: 0 },
    { body: 0, names: 4, path: 2 },
  ];
  const sum = parts.reduce(addDocuments, NO_DOCUMENTS);
  expect(sum).toEqual({ body: 3, names: 5, path: 2 });
  expect(mostDocuments(sum)).toBe(5);
});
