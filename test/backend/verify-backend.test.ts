import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import type { StoredDescription } from "../../src/backend/backend.ts";
import { openBackend } from "../../src/backend/open-backend.ts";
import { verifyBackend, type VerifiedNamespace } from "../../src/backend/verify-backend.ts";
import { needs } from "../helpers/needs.ts";
import { serverForTests } from "../helpers/postgres-for-tests.ts";
import { createProject, request } from "../helpers/project.ts";
import { LOCAL } from "../helpers/rpc.ts";
import { tree } from "../helpers/tree.ts";

const FILES = { "a.md": "The aardvark sleeps.\n", "b.md": "The badger digs.\n" };

async function indexed(description: StoredDescription): Promise<void> {
  const backend = await openBackend(description);
  const project = createProject(FILES, { backend, namespace: "zoo" });
  onTestFinished(project.dispose);
  await project.engine.index(request());
  await project.engine.close();
}

async function verified(
  description: StoredDescription,
  wanted?: string,
): Promise<readonly VerifiedNamespace[]> {
  const all: VerifiedNamespace[] = [];
  for await (const one of verifyBackend(description, { principal: LOCAL, wanted })) all.push(one);
  return all;
}

function place(): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  return path;
}

test("an index in files is intact until a byte of it changes", async () => {
  const dataDirectory = place();
  const description = { kind: "embedded", dataDirectory } as const;
  expect(await verified(description)).toEqual([]);
  await indexed(description);
  expect(await verified(description)).toEqual([{ namespace: "zoo", files: 2, damage: [] }]);
  await expect(verified(description, "farm")).rejects.toMatchObject({
    code: "NAMESPACE_NOT_FOUND",
  });
  // Such a small segment is a row of the catalogue. A byte in the free space of a page would belong to no record.
  const file = join(dataDirectory, "namespaces/zoo/catalog.db");
  const bytes = readFileSync(file);
  const word = bytes.indexOf("aardvark");
  expect(word).toBeGreaterThan(0);
  bytes[word] = (bytes[word] ?? 0) ^ 0xff;
  writeFileSync(file, bytes);
  const [damaged] = await verified(description, "zoo");
  expect(damaged?.damage).not.toEqual([]);
});

needs(["postgres"], () => {
  const server = serverForTests();

  async function shared() {
    const url = server.freshUrl();
    const folder = place();
    const description = {
      kind: "postgres",
      url,
      cacheDirectory: join(folder, "cache"),
      dataDirectory: folder,
    } as const;
    await indexed(description);
    return { description, database: server.open(url) };
  }

  test("a shared index is intact, also on a machine without a copy", async () => {
    const { description } = await shared();
    const whole = [{ namespace: "zoo", files: 2, damage: [] }];
    expect(await verified(description)).toEqual(whole);
    expect(await verified({ ...description, cacheDirectory: place() })).toEqual(whole);
  });

  test("damaged objects of the database are named", async () => {
    const { description, database } = await shared();
    await database.query("UPDATE index_part SET body = set_byte(body, 9, 255 - get_byte(body, 9))");
    expect(await verified(description)).toEqual([
      {
        namespace: "zoo",
        files: 0,
        damage: expect.arrayContaining([expect.stringMatching(/is damaged in the database/)]),
      },
    ]);
  });

  test("missing and damaged texts are counted", async () => {
    const { description, database } = await shared();
    await database.query(
      "UPDATE file_content SET body = 'garbage' WHERE hash = (SELECT min(hash) FROM file_content)",
    );
    await database.query(
      "DELETE FROM file_content WHERE hash = (SELECT max(hash) FROM file_content)",
    );
    expect(await verified(description)).toEqual([
      {
        namespace: "zoo",
        files: 2,
        damage: ["1 texts are missing in the database.", "1 texts are damaged in the database."],
      },
    ]);
  });
});
