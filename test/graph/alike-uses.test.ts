import { expect, test } from "vitest";

import { AlikeUses } from "../../src/graph/alike-uses.ts";
import { ModuleResolver } from "../../src/graph/modules/module-resolver.ts";
import { NameResolver } from "../../src/graph/name-resolver.ts";
import { ResolutionContext } from "../../src/graph/resolution-context.ts";
import { resolveUse } from "../../src/graph/resolve-use.ts";
import type { UseResolution } from "../../src/graph/use-resolution.ts";
import type { Use } from "../../src/parse/references/references.ts";
import { memoryIndex } from "../helpers/memory-index.ts";

const FILES = {
  "pool.h": "void drop(void *p);\nvoid size(void);\nvoid level(void);\n",
  "other.h": "struct valve { void (*drop)(void); };\nstruct gate { int level; };\n",
  "use.h": "static inline void third(void) { drop(0); drop(0); }\n",
  "use.c": `#include "pool.h"
struct pool { int size; };
struct gate { int width; };
int first(struct pool *pool) {
  drop(pool);
  size();
  level();
  return pool->size;
}
void *second(struct pool *pool) {
  drop(pool);
  size();
  level();
  return drop;
}
`,
};

/** The resolutions of the uses of a name in a file, and the reused ones from an earlier use. */
async function call(
  name: string,
  path = "use.c",
): Promise<{
  found: readonly UseResolution[];
  alone: readonly UseResolution[];
  known: readonly boolean[];
}> {
  const reader = await memoryIndex(FILES);
  const modules = new ModuleResolver({ tree: await reader.fileTree(), read: () => undefined });
  const context = new ResolutionContext(reader, modules);
  const names = new NameResolver(context);
  await context.symbols.learn(name, 1000);
  const file = await context.symbols.file(path);
  if (file === undefined) throw new Error("no file");
  const { uses } = await reader.referencesOf(path);
  const alike = new AlikeUses(names, file);
  const found: UseResolution[] = [];
  const alone: UseResolution[] = [];
  const known: boolean[] = [];
  for (const use of uses.filter((one: Use) => one.name === name)) {
    const before = alike.known(use);
    known.push(before !== undefined);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    found.push(before ?? (await alike.resolve(use)));
    // oxlint-disable-next-line no-await-in-loop -- as above
    alone.push(await resolveUse(names, file, use));
  }
  return { found, alone, known };
}

test("uses that mean the same are resolved once for each role", async () => {
  const { found, alone, known } = await call("drop");
  expect(found).toEqual(alone);
  expect(found.map(({ kind }) => kind)).toEqual(["exact", "exact", "exact"]);
  // The third one is a value.
  expect(known).toEqual([false, true, false]);
});

test.each([
  ["size", "a member of a type in the file"],
  ["level", "a member of a type in another file, of which the file has a namesake"],
])("a use of %s, which may be %s, is resolved each time", async (name) => {
  const { found, alone, known } = await call(name);
  expect(found).toEqual(alone);
  expect(new Set(known)).toEqual(new Set([false]));
});

test("a header may be one of C++, where a type has members from other files", async () => {
  const { found, alone, known } = await call("drop", "use.h");
  expect(found).toEqual(alone);
  expect(known).toEqual([false, false]);
});
