import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { PostgresIndex } from "../../../src/index/postgres/backend.ts";
import type { IndexReader } from "../../../src/index/port.ts";
import { shardedBackend } from "../../../src/index/shards/backend.ts";
import { fixedShards } from "../../../src/index/shards/shard-count.ts";
import { NAMESPACE, openWriter } from "../../contract/index/tested-index.ts";
import { pathsWith } from "../../engine/fixtures/check-index.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";
import { tree } from "../../helpers/tree.ts";

/** The version of a reader, and its results. */
async function found(reader: IndexReader | undefined): Promise<unknown> {
  return [reader?.version, reader && (await pathsWith(reader, "alpha"))];
}

needs(["postgres"], () => {
  const server = serverForTests();

  test("a commit to several shards arrives on another node, in all of them or as a whole", async () => {
    const { path, dispose } = tree();
    const url = server.freshUrl();
    const open = (name: string): PostgresIndex =>
      new PostgresIndex({ database: server.open(url), cacheDirectory: join(path, name) });
    const [one, other] = [open("one"), open("other")];
    onTestFinished(() => {
      one.close();
      other.close();
      dispose();
    });
    const writer = await openWriter(shardedBackend(one, { shards: fixedShards(3) }));
    const files = Array.from({ length: 12 }, (_, at) => `src/file${at}.ts`);
    addPlain(writer, Object.fromEntries(files.map((file) => [file, "alpha"])));
    const version = await writer.commit();
    await writer.close();
    const namespace = authorized(NAMESPACE);
    const whole = await found(await other.reader(namespace, { atLeast: version }));
    expect(await other.shardCount(namespace)).toBe(3);
    expect(whole).toEqual([version, files.toSorted()]);
    expect(await found(await shardedBackend(other).reader(namespace))).toEqual(whole);
  });
});
