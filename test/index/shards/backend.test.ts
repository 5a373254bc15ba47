import { rmSync } from "node:fs";

import { describe, expect, onTestFinished, test } from "vitest";

import { SvcError } from "../../../src/base/errors.ts";
import { EmbeddedBackend } from "../../../src/index/embedded/backend.ts";
import { literal } from "../../../src/index/literal-query.ts";
import { MemoryBackend } from "../../../src/index/memory/backend.ts";
import { MemoryIndexes } from "../../../src/index/memory/indexes.ts";
import type { IndexReader } from "../../../src/index/port.ts";
import { shardedBackend } from "../../../src/index/shards/backend.ts";
import type { ShardableBackend, ShardReader } from "../../../src/index/shards/port.ts";
import { fixedShards } from "../../../src/index/shards/shard-count.ts";
import { shardOf } from "../../../src/index/shards/shard-of.ts";
import { indexContract } from "../../contract/index.ts";
import { NAMESPACE, openWriter, type MakeBackends } from "../../contract/index/tested-index.ts";
import { look, pathsWith, problemsOf } from "../../engine/fixtures/check-index.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";
import { WEIGHTS } from "../../helpers/expect-candidates.ts";
import { tree } from "../../helpers/tree.ts";

function inMemory(shards: number): MakeBackends {
  return () => {
    const indexes = new MemoryIndexes();
    const open = () => shardedBackend(new MemoryBackend(indexes), { shards: fixedShards(shards) });
    return {
      one: open(),
      other: open(),
      revokeWriter: () => indexes.revokeWriter(NAMESPACE),
      problems: async () => [],
    };
  };
}

function inFiles(shards: number): MakeBackends {
  return () => {
    const { path, dispose } = tree();
    const embedded = new EmbeddedBackend(path);
    const [one, other] = [embedded, new EmbeddedBackend(path)].map((backend) =>
      shardedBackend(backend, { shards: fixedShards(shards) }),
    );
    if (one === undefined || other === undefined) throw new Error("there are two");
    onTestFinished(() => {
      one.close();
      other.close();
      dispose();
    });
    return {
      one,
      other,
      revokeWriter: () => rmSync(embedded.layout(NAMESPACE).writerLock),
      problems: async () => (await look(path, NAMESPACE, problemsOf)) ?? [],
    };
  };
}

describe("1 shard in memory", () => {
  indexContract(inMemory(1));
});
describe("3 shards in memory", () => {
  indexContract(inMemory(3));
});
describe("1 shard in files", () => {
  indexContract(inFiles(1));
});
describe("3 shards in files", () => {
  indexContract(inFiles(3));
});

const PATHS = Array.from({ length: 12 }, (_, at) => `src/file${at}.ts`);

async function filled(backend: ShardableBackend): Promise<ShardableBackend> {
  const writer = await openWriter(shardedBackend(backend, { shards: fixedShards(3) }));
  addPlain(writer, Object.fromEntries(PATHS.map((path) => [path, "alpha"])));
  await writer.commit();
  await writer.close();
  return backend;
}

function unreachable(): SvcError {
  return new SvcError("BACKEND_UNAVAILABLE", "The node does not answer.");
}

async function required(reader: Promise<IndexReader | undefined>): Promise<IndexReader> {
  const opened = await reader;
  if (opened === undefined) throw new Error("nothing is written yet");
  return opened;
}

const MISSING = "Shard 2 of 3 cannot be reached; its files are missing.";
const REACHED = PATHS.filter((path) => shardOf(path, 3) !== 1);

async function textPaths(reader: IndexReader): Promise<readonly string[]> {
  const paths: string[] = [];
  for await (const { path } of reader.textCandidates(literal("alpha"), {})) paths.push(path);
  return paths;
}

test("a shard that cannot be opened is named, and the other files are found", async () => {
  const inner = await filled(new MemoryBackend());
  const reader = await required(
    shardedBackend(inner, {
      source: {
        shardCount: inner.shardCount,
        shard: async (namespace, number, options) => {
          if (number === 1) throw unreachable();
          return inner.shard(namespace, number, options);
        },
      },
    }).reader(authorized(NAMESPACE)),
  );
  expect(reader.partial).toEqual([MISSING]);
  expect(REACHED.length).toBeGreaterThan(3);
  expect(REACHED.length).toBeLessThan(12);
  expect((await pathsWith(reader, "alpha")).toSorted()).toEqual(REACHED.toSorted());
  expect(await textPaths(reader)).toEqual(REACHED.toSorted());
  const lost = PATHS.find((path) => shardOf(path, 3) === 1) ?? "";
  expect(await reader.scopeOf(lost)).toBeUndefined();
  expect(await reader.symbolsOf(lost)).toEqual([]);
  // Rows are those of the whole index.
  expect(await reader.file(lost)).toMatchObject({ path: lost, hasContent: true });
  expect((await reader.summary()).files).toBe(12);
});

async function fail(): Promise<never> {
  throw unreachable();
}

/** The shard with this number fails once its methods are called. */
function failing(inner: ShardableBackend, bad: number): ShardableBackend["shard"] {
  return async (namespace, number, options) => {
    const reader = await inner.shard(namespace, number, options);
    if (number !== bad || reader === undefined) return reader;
    return new Proxy(reader, {
      get(target, name: keyof ShardReader) {
        if (name === "beginSearch") {
          return (terms: readonly string[]) => ({
            ...target.beginSearch(terms),
            ...FAILING_ROUNDS,
          });
        }
        if (name === "textCandidates") {
          return () => ({ [Symbol.asyncIterator]: () => ({ next: fail }) });
        }
        const value = target[name];
        return typeof value === "function" ? fail : value;
      },
    });
  };
}

const FAILING_ROUNDS = {
  statistics: async () => ({
    chunks: 4,
    files: 4,
    lengths: { body: 8, names: 4 },
    vectorBytes: 0,
    documents: [{ body: 4, names: 0, path: 0 }],
  }),
  scoreTerms: fail,
  end: () => undefined,
};

const CALLS: readonly (readonly [string, (reader: IndexReader) => Promise<unknown>])[] = [
  ["candidates", (reader) => pathsWith(reader, "alpha")],
  ["textCandidates", textPaths],
  ["termCounts", (reader) => reader.termCounts(["alpha"])],
  ["usesOf", (reader) => reader.usesOf("alpha")],
  ["summary", (reader) => reader.summary()],
  ["symbolsNamed", (reader) => reader.symbolsNamed("alpha", 5)],
];

test.each(CALLS)("a shard that fails during %s is left out from then on", async (_, ask) => {
  const inner = await filled(new MemoryBackend());
  const open = (bad: number): Promise<IndexReader> =>
    required(
      shardedBackend(inner, {
        source: { shardCount: inner.shardCount, shard: failing(inner, bad) },
      }).reader(authorized(NAMESPACE)),
    );
  const first = await open(0);
  expect(first.partial).toEqual([]);
  await ask(first);
  expect(first.partial).toEqual(["Shard 1 of 3 cannot be reached; its files are missing."]);
  expect(await pathsWith(first, "alpha")).toHaveLength(
    PATHS.filter((path) => shardOf(path, 3) !== 0).length,
  );
});

test("other errors of a shard are errors of the call", async () => {
  const inner = await filled(new MemoryBackend());
  const damaged = new SvcError("INDEX_UNAVAILABLE", "The index is damaged.");
  const backend = shardedBackend(inner, {
    source: {
      shardCount: inner.shardCount,
      shard: async (namespace, number, options) => {
        if (number === 2) throw damaged;
        return inner.shard(namespace, number, options);
      },
    },
  });
  await expect(backend.reader(authorized(NAMESPACE))).rejects.toBe(damaged);
});

test("without any shard the call fails", async () => {
  const inner = await filled(new MemoryBackend());
  const backend = shardedBackend(inner, {
    source: {
      shardCount: inner.shardCount,
      shard: async () => {
        throw unreachable();
      },
    },
  });
  await expect(backend.reader(authorized(NAMESPACE))).rejects.toMatchObject({
    code: "BACKEND_UNAVAILABLE",
  });
});

test("shards of different versions are opened again", async () => {
  const inner = await filled(new MemoryBackend());
  let opened = 0;
  const backend = shardedBackend(inner, {
    source: {
      shardCount: inner.shardCount,
      shard: async (namespace, number, options) => {
        opened += 1;
        if (opened === 3) {
          const writer = await openWriter(inner);
          addPlain(writer, { "src/new.ts": "alpha" });
          await writer.commit();
          await writer.close();
        }
        return inner.shard(namespace, number, options);
      },
    },
  });
  const reader = await required(backend.reader(authorized(NAMESPACE)));
  expect(await pathsWith(reader, "alpha")).toHaveLength(13);
  expect(opened).toBe(6);
});

test("one index in files is read as a whole and in shards, with the same candidates", async () => {
  const { path, dispose } = tree();
  const inner = await filled(new EmbeddedBackend(path));
  onTestFinished(() => {
    inner.close();
    dispose();
  });
  const [whole, divided] = await Promise.all([
    required(inner.reader(authorized(NAMESPACE))),
    required(shardedBackend(inner).reader(authorized(NAMESPACE))),
  ]);
  const query = { terms: new Map([["alpha", 1]]), weights: WEIGHTS, limit: 5 };
  const scores = async (reader: IndexReader): Promise<unknown> =>
    (await reader.candidates(query)).files.map(({ file, score }) => [file.path, score]);
  expect(await inner.shardCount(authorized(NAMESPACE))).toBe(3);
  expect(await scores(divided)).toEqual(await scores(whole));
});
