import { expect, test } from "vitest";

import { spellingsOfFlag, spellingsOfName } from "../../../src/engine/drift/current-names.ts";

test("a flag has the spellings of options and fields", () => {
  expect(spellingsOfFlag("max-depth")).toEqual([
    "max-depth",
    "max_depth",
    "maxDepth",
    "MaxDepth",
    "MAX_DEPTH",
  ]);
});

test("a setting may be written without its prefix", () => {
  expect(spellingsOfName("CELERY_CACHE_BACKEND")).toEqual([
    "CELERY_CACHE_BACKEND",
    "CACHE_BACKEND",
    "cache_backend",
  ]);
  expect(spellingsOfName("CELERYD_MEDIATOR")).toEqual(["CELERYD_MEDIATOR", "MEDIATOR"]);
  expect(spellingsOfName("readAll")).toEqual(["readAll"]);
});
