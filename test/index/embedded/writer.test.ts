import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";

import type { IndexWriter } from "../../../src/index/port.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import type { Fault } from "../../../src/index/storage/storage-fault.ts";
import { look } from "../../engine/fixtures/check-index.ts";
import { addPlain, plainFile } from "../../engine/fixtures/plain-file.ts";
import {
  adding,
  LARGE,
  NAMESPACE,
  numbered,
  placeToWrite,
} from "../../engine/fixtures/written-place.ts";

test("changes become visible all at once with the commit, and replaced content is gone", async () => {
  const { write, picture } = placeToWrite();
  await write(adding({ "a.ts": "alpha", "b.ts": "beta", "c.ts": "gamma" }));
  await write(async (writer) => {
    addPlain(writer, { "a.ts": "alef", "d.ts": "delta" });
    writer.remove("b.ts");
    expect(await picture()).toEqual({ "a.ts": "alpha", "b.ts": "beta", "c.ts": "gamma" });
    await writer.commit();
  });
  expect(await picture()).toEqual({ "a.ts": "alef", "c.ts": "gamma", "d.ts": "delta" });
});

test("uncommitted changes are dropped", async () => {
  const { write, picture } = placeToWrite();
  await write(adding({ "a.ts": "alpha" }));
  await write(async (writer) => {
    addPlain(writer, { "b.ts": "beta" });
    writer.remove("a.ts");
    writer.setNote("seen", "b");
  });
  expect(await picture()).toEqual({ "a.ts": "alpha" });
  expect(await write(async (writer) => writer.note("seen"))).toBeUndefined();
});

test("the last state of a file in a commit is stored", async () => {
  const { write, picture } = placeToWrite();
  await write(async (writer) => {
    addPlain(writer, { "a.ts": "first", "b.ts": "first", "c.ts": "first" });
    addPlain(writer, { "a.ts": "second" });
    writer.put({ ...plainFile("b.ts", "").state, skipped: "binary" });
    writer.remove("c.ts");
    await writer.commit();
    addPlain(writer, { "c.ts": "third" });
    writer.remove("c.ts");
    addPlain(writer, { "c.ts": "fourth" });
    await writer.commit();
  });
  expect(await picture()).toEqual({ "a.ts": "second", "c.ts": "fourth" });
});

test("new times and notes create no new version, and the next writer can read the notes", async () => {
  const { write, data } = placeToWrite();
  const before = await write(adding({ "a.ts": "alpha" }));
  const after = await write(async (writer) => {
    writer.touch({ ...plainFile("a.ts", "alpha").state, mtimeMs: 5.25 });
    writer.touch({ ...plainFile("gone.ts", "x").state, mtimeMs: 5.25 });
    writer.setNote("seen", "a");
    return writer.commit();
  });
  expect(after).toEqual(before);
  expect(await write(async (writer) => writer.note("seen"))).toBe("a");
  const row = await look(data, NAMESPACE, async ({ catalog }) => catalog.files.all());
  expect(row).toMatchObject([{ path: "a.ts", mtimeMs: 5.25, segment: 1, ordinal: 0 }]);
});

test("an empty first commit creates an index, a later one no new version", async () => {
  const { write, picture } = placeToWrite();
  const first = await write((writer) => writer.commit());
  expect(first).toMatchObject({ at: 1, epoch: expect.stringMatching(/.+/) });
  expect(await write((writer) => writer.commit())).toEqual(first);
  expect(await picture()).toEqual({});
});

async function change(writer: IndexWriter): Promise<void> {
  writer.setNote("seen", "new");
  writer.remove("a0.ts");
  await adding(numbered("a", 6, "b"), LARGE)(writer);
}

test.each<[string, Fault]>([
  ["fails for lack of space", { on: "write", nth: 1, fails: "ENOSPC" }],
  ["is torn", { on: "write", nth: 1, tearsAfter: 1000 }],
  ["fails", { on: "write", nth: 1, fails: "EIO" }],
])(
  "a write that %s leaves the old version intact, and the next run repairs it",
  async (_, fault) => {
    const { write, picture, segments } = placeToWrite();
    const old = numbered("a", 6);
    await write(adding(old, LARGE));
    expect(segments()).toHaveLength(1);
    await expect(write(change, [fault])).rejects.toMatchObject({
      code: "fails" in fault && fault.fails === "EIO" ? "INDEX_UNAVAILABLE" : "STORAGE_FULL",
    });
    expect(await picture()).toEqual(old);
    expect(await write(async (writer) => writer.note("seen"))).toBeUndefined();
    // The next writer removes the torn file.
    expect(segments()).toHaveLength(1);
    await write(change);
    expect(await picture()).toEqual(numbered("a", 6, "b"));
    expect(segments()).toHaveLength(1);
  },
);

test("a file that cannot be removed does not fail the commit, and is removed later", async () => {
  const { write, picture, segments } = placeToWrite();
  await write(adding(numbered("a", 6), LARGE));
  const refusing: Fault[] = [{ on: "remove", fails: "EACCES" }];
  await write(adding(numbered("a", 6, "b"), LARGE), refusing);
  expect(await picture()).toEqual(numbered("a", 6, "b"));
  expect(segments()).toHaveLength(2);
  await write(adding({ "c.ts": "gamma" }), refusing);
  expect(segments()).toHaveLength(2);
  await write((writer) => writer.commit());
  expect(segments()).toHaveLength(1);
  expect(await picture()).toEqual({ ...numbered("a", 6, "b"), "c.ts": "gamma" });
});

test("a folder that cannot be listed is INDEX_UNAVAILABLE, and the lock is released", async () => {
  const { write, picture } = placeToWrite();
  await expect(
    write(adding({ "a.ts": "alpha" }), [{ on: "list", fails: "EIO" }]),
  ).rejects.toMatchObject({ code: "INDEX_UNAVAILABLE" });
  await write(adding({ "a.ts": "alpha" }));
  expect(await picture()).toEqual({ "a.ts": "alpha" });
});

test("a reader never reads a file of a later segment as its own", async () => {
  const { write, data } = placeToWrite();
  await write(adding({ "a.ts": "alpha" }));
  await write(adding({ "b.ts": "beta" }));
  const backend = new EmbeddedBackend(data);
  onTestFinished(backend.close);
  const before = await backend.reader(NAMESPACE);
  // The last segment is removed, and the next one may get its number.
  await write(async (writer) => {
    writer.remove("b.ts");
    await writer.commit();
    await adding({ "c.ts": "gamma" })(writer);
  });
  const names = async (path: string) =>
    (await before?.symbolsOf(path))?.map(({ name }) => name) ?? [];
  expect(await names("a.ts")).toEqual(["alpha"]);
  expect(await names("c.ts")).not.toContain("beta");
});

type Step =
  | { readonly add: number; readonly size: number }
  | { readonly remove: number }
  | { readonly commit: true }
  | { readonly merge: true }
  | { readonly reopen: true };

const file = fc.integer({ min: 0, max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ add: file, size: fc.constantFrom(0, 0, 0, 300_000) }) },
  { weight: 2, arbitrary: fc.record({ remove: file }) },
  { weight: 3, arbitrary: fc.constant({ commit: true } as const) },
  { weight: 1, arbitrary: fc.constant({ merge: true } as const) },
  { weight: 1, arbitrary: fc.constant({ reopen: true } as const) },
);

test("after any steps the index has exactly the committed files", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { write, picture } = placeToWrite();
      const committed = new Map<string, string>();
      const pending = new Map<string, string | undefined>();
      const rest = [...steps];
      while (rest.length > 0) {
        // oxlint-disable-next-line no-await-in-loop -- one writer after the other
        await write(async (writer) => {
          for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
            if ("reopen" in next) break;
            // oxlint-disable-next-line no-await-in-loop -- one step after the other
            await apply(writer, next, pending);
            if (!("commit" in next)) continue;
            for (const [path, name] of pending) {
              if (name === undefined) committed.delete(path);
              else committed.set(path, name);
            }
            pending.clear();
          }
        });
        pending.clear();
      }
      expect(await picture()).toEqual(Object.fromEntries(committed));
    }),
    { numRuns: 25 },
  );
});

let names = 0;

async function apply(
  writer: IndexWriter,
  next: Step,
  pending: Map<string, string | undefined>,
): Promise<void> {
  if ("add" in next) {
    const name = `name${(names += 1)}`;
    addPlain(writer, { [`${next.add}.ts`]: name }, next.size);
    pending.set(`${next.add}.ts`, name);
  } else if ("remove" in next) {
    writer.remove(`${next.remove}.ts`);
    pending.set(`${next.remove}.ts`, undefined);
  } else if ("commit" in next) {
    await writer.commit();
  } else if ("merge" in next) {
    await writer.merge();
  }
}
