import { expect, test } from "vitest";

import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import { fixedShards } from "../../../src/index/shards/shard-count.ts";
import { shardedBackend } from "../../../src/index/shards/backend.ts";
import { openWriter } from "../../contract/index/tested-index.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";

const PATHS = Array.from({ length: 20 }, (_, at) => `src/file${at}.ts`);

test("every file of a shard has a number, and no other number is one", async () => {
  const backend = new MemoryBackend();
  const writer = await openWriter(shardedBackend(backend, { shards: fixedShards(2) }));
  addPlain(writer, Object.fromEntries(PATHS.map((path) => [path, "alpha"])));
  await writer.commit();
  await writer.close();
  const found: string[] = [];
  for (const number of [0, 1]) {
    // oxlint-disable-next-line no-await-in-loop -- one shard after the other
    const shard = await backend.shard(authorized("n"), number);
    if (shard === undefined) throw new Error("there are two shards");
    // oxlint-disable-next-line no-await-in-loop -- as above
    const { files } = await shard.beginSearch(["alpha"]).statistics();
    for (let file = 0; file < files; file += 1) {
      const path = shard.files.path(file);
      expect(shard.files.facts(file)).toMatchObject({ path });
      expect(shard.files.chunks(file)).toHaveLength(1);
      found.push(path);
    }
    expect(() => shard.files.path(files)).toThrow(RangeError);
    expect(() => shard.files.facts(-1)).toThrow(RangeError);
  }
  expect(found.toSorted()).toEqual(PATHS.toSorted());
});
