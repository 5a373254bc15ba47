import { expect, test } from "vitest";

import { IncludedHeaders } from "../../src/graph/included-headers.ts";

type Includes = Readonly<Record<string, readonly string[]>>;

/** The headers of each of these files, and which files were read. */
async function call(
  includes: Includes,
  ...paths: readonly string[]
): Promise<{ headers: readonly (readonly string[])[]; read: readonly string[] }> {
  const read: string[] = [];
  const all = new IncludedHeaders(async (path) => {
    read.push(path);
    return includes[path] ?? [];
  });
  const headers: (readonly string[])[] = [];
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const path of paths) headers.push([...(await all.of(path))]);
  return { headers, read };
}

const INCLUDES: Includes = {
  "a.c": ["a.h", "a.h"],
  "b.c": ["c.h", "a.h"],
  "a.h": ["c.h", "missing.h"],
  "c.h": ["a.h", "d.h"],
  "d.h": [],
};

test("headers are found through headers, closest first, also in a circle", async () => {
  const { headers } = await call(INCLUDES, "a.c", "b.c");
  expect(headers).toEqual([
    ["a.h", "c.h", "missing.h", "d.h"],
    ["c.h", "a.h", "d.h", "missing.h"],
  ]);
});

test("each file is read once for all files", async () => {
  const { read } = await call(INCLUDES, "a.c", "b.c", "a.c");
  expect(read.toSorted()).toEqual(["a.c", "a.h", "b.c", "c.h", "d.h", "missing.h"]);
});

test("searches that wait for the same headers do not disturb each other", async () => {
  const waiting: (() => void)[] = [];
  const all = new IncludedHeaders(async (path) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return INCLUDES[path] ?? [];
  });
  const sets = Promise.all(["a.c", "b.c"].map((path) => all.of(path)));
  const isDone = sets.then(() => true);
  while (!(await Promise.race([isDone, new Promise((resolve) => setImmediate(resolve))])))
    for (const resolve of waiting.splice(0)) resolve();
  const [one, other] = (await sets).map((set) => [...set]);
  expect(one).toEqual(["a.h", "c.h", "missing.h", "d.h"]);
  expect(other).toEqual(["c.h", "a.h", "d.h", "missing.h"]);
  const again = await all.of("a.c");
  expect(["d.h", "a.c", "b.c"].map((path) => again.has(path))).toEqual([true, false, false]);
});

test("a file of very many headers has the closest ones", async () => {
  const chain = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [`${at}.h`, [`${at + 1}.h`]]),
  );
  const { headers } = await call({ ...chain, "a.c": ["0.h"] }, "a.c");
  expect(headers[0]?.slice(0, 3)).toEqual(["0.h", "1.h", "2.h"]);
  expect(headers[0]?.length).toBe(400);
});
