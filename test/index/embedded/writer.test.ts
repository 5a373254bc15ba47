import { expect, onTestFinished, test } from "vitest";

import type { IndexWriter } from "../../../src/index/port.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import type { Fault } from "../../../src/index/embedded/storage/storage-fault.ts";
import {
  adding,
  LARGE,
  NAMESPACE,
  numbered,
  placeToWrite,
} from "../../engine/fixtures/written-place.ts";
import { authorized } from "../../helpers/authorized.ts";

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
  const before = await backend.reader(authorized(NAMESPACE));
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
