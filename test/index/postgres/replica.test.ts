import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { indexLayout } from "../../../src/index/embedded/layout.ts";
import { PostgresIndex } from "../../../src/index/postgres/backend.ts";
import { Replica } from "../../../src/index/postgres/replica.ts";
import type { Database } from "../../../src/postgres/database.ts";
import { LARGE, NAMESPACE, openWriter } from "../../contract/index/tested-index.ts";
import { pathsWith } from "../../engine/fixtures/check-index.ts";
import { addPlain } from "../../engine/fixtures/plain-file.ts";
import { authorized } from "../../helpers/authorized.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";
import { tree } from "../../helpers/tree.ts";
import { rowsOf } from "./catalog-rows.ts";

interface Node {
  readonly index: PostgresIndex;
  readonly cache: string;
}

interface Cluster {
  readonly node: () => Node;
  readonly database: Database;
}

async function commit(
  { index }: Node,
  files: Readonly<Record<string, string>>,
  ballast = 0,
): Promise<void> {
  const writer = await openWriter(index);
  addPlain(writer, files, ballast);
  await writer.commit();
  await writer.merge();
  await writer.collect();
  await writer.close();
}

async function found({ index }: Node, word: string): Promise<readonly string[]> {
  const reader = await index.reader(authorized(NAMESPACE));
  if (reader === undefined) throw new Error("there is no index");
  return pathsWith(reader, word);
}

needs(["postgres"], () => {
  const server = serverForTests();

  function cluster(): Cluster {
    const { path, dispose } = tree();
    const url = server.freshUrl();
    const opened: PostgresIndex[] = [];
    onTestFinished(() => {
      for (const index of opened) index.close();
      dispose();
    });
    const node = (): Node => {
      const cache = join(path, `node-${opened.length}`);
      const index = new PostgresIndex({ database: server.open(url), cacheDirectory: cache });
      opened.push(index);
      return { index, cache };
    };
    return { node, database: server.open(url) };
  }

  test("a new node starts from the last base, and old commits and segments are deleted", async () => {
    const { node, database } = cluster();
    const writer = node();
    for (let at = 0; at < 70; at += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one commit after the other
      await commit(writer, { [`${at % 5}.ts`]: `alpha${at}` }, at % 20 === 0 ? LARGE : 0);
    }
    const [log] = await database.query("SELECT count(*) AS commits FROM index_commit");
    expect(Number(log?.["commits"])).toBeLessThan(70);
    const late = node();
    expect(await found(late, "alpha69")).toEqual(["4.ts"]);
    expect(rowsOf(late.cache)).toEqual(rowsOf(writer.cache));
    await database.query("UPDATE index_object SET dropped_at = dropped_at - interval '1 hour'");
    const before = await database.query("SELECT name FROM index_object");
    for (let at = 0; at < 70; at += 1) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      await commit(writer, { [`${at % 5}.ts`]: `beta${at}` });
    }
    const after = await database.query("SELECT name FROM index_object");
    expect(after.length).toBeLessThan(before.length + 2);
    expect(await found(node(), "beta69")).toEqual(["4.ts"]);
  });

  test("a node that was away for longer than the log starts from the base", async () => {
    const { node, database } = cluster();
    const [writer, away] = [node(), node()];
    await commit(writer, { "a.ts": "alpha" });
    expect(await found(away, "alpha")).toEqual(["a.ts"]);
    for (let at = 0; at < 70; at += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one commit after the other
      await commit(writer, { "a.ts": `gamma${at}` });
    }
    const [first] = await database.query("SELECT min(generation) AS first FROM index_commit");
    expect(Number(first?.["first"])).toBeGreaterThan(3);
    expect(await found(away, "gamma69")).toEqual(["a.ts"]);
    expect(rowsOf(away.cache)).toEqual(rowsOf(writer.cache));
  });

  test("a damaged copy is replaced by a good one", async () => {
    const { node } = cluster();
    const [writer, reader] = [node(), node()];
    await commit(writer, { "a.ts": "alpha" }, LARGE);
    expect(await found(reader, "alpha")).toEqual(["a.ts"]);
    const { segments } = indexLayout(reader.cache, NAMESPACE);
    for (const name of readdirSync(segments)) writeFileSync(join(segments, name), "damaged");
    expect(await reader.index.verify(authorized(NAMESPACE))).not.toEqual([]);
    await reader.index.reportDamage(NAMESPACE, "A segment is damaged.");
    expect(await reader.index.verify(authorized(NAMESPACE))).toEqual([]);
    expect(await found(reader, "alpha")).toEqual(["a.ts"]);
  });

  test("a copy that was changed by hand is not continued", async () => {
    const { node } = cluster();
    const [writer, reader] = [node(), node()];
    await commit(writer, { "a.ts": "alpha", "b.ts": "beta" });
    expect(await found(reader, "alpha")).toEqual(["a.ts"]);
    const { DatabaseSync } = await import("node:sqlite");
    const db = new DatabaseSync(indexLayout(reader.cache, NAMESPACE).catalog);
    db.exec("UPDATE file SET hash = 'changed' WHERE path = 'a.ts'");
    db.close();
    await commit(writer, { "a.ts": "gamma" });
    expect(await found(reader, "gamma")).toEqual(["a.ts"]);
    expect(rowsOf(reader.cache)).toEqual(rowsOf(writer.cache));
  });

  test.each([1, 2, 3, 4])(
    "after a restore from a backup and %i other commits, a newer copy shows what the database has",
    async (others) => {
      const { node, database } = cluster();
      const TABLES = ["index_head", "index_commit", "index_object", "index_part"];
      const [writer, away] = [node(), node()];
      await commit(writer, { "a.ts": "alpha" });
      for (const table of TABLES) {
        // oxlint-disable-next-line no-await-in-loop -- one connection
        await database.query(`CREATE TABLE backup_${table} AS TABLE ${table}`);
      }
      await commit(writer, { "b.ts": "beta" });
      await commit(writer, { "c.ts": "gamma" });
      expect(await found(away, "gamma")).toEqual(["c.ts"]);
      for (const table of TABLES) {
        // oxlint-disable-next-line no-await-in-loop -- as above
        await database.query(`DELETE FROM ${table}`);
        // oxlint-disable-next-line no-await-in-loop -- as above
        await database.query(`INSERT INTO ${table} SELECT * FROM backup_${table}`);
      }
      const another = node();
      for (let at = 1; at <= others; at += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one commit after the other
        await commit(another, { [`other${at}.ts`]: `delta${at}` });
      }
      expect(await found(away, `delta${others}`)).toEqual([`other${others}.ts`]);
      expect(await found(away, "gamma")).toEqual([]);
      expect(rowsOf(away.cache)).toEqual(rowsOf(another.cache));
    },
  );

  test("a new copy that was interrupted goes on, without what is damaged or no longer in use", async () => {
    const { node, database } = cluster();
    const [writer, reader] = [node(), node()];
    await commit(writer, { "a.ts": "alpha" }, LARGE);
    await commit(writer, { "b.ts": "beta" }, LARGE);
    const whole = indexLayout(writer.cache, NAMESPACE).segments;
    const [kept = "", damaged = "", ...others] = readdirSync(whole);
    expect([kept, damaged, others.length]).toEqual([kept, expect.stringMatching(/./), 0]);
    const draft = indexLayout(join(reader.cache, "hydrating"), NAMESPACE);
    mkdirSync(draft.segments, { recursive: true });
    copyFileSync(join(whole, kept), join(draft.segments, kept));
    writeFileSync(join(draft.segments, damaged), "cut");
    writeFileSync(join(draft.segments, "unknown.tmp"), "cut");
    for (const name of [draft.catalog, `${draft.catalog}-wal`]) writeFileSync(name, "cut");
    // The copy does not fetch existing data from the database.
    await database.query("UPDATE index_part SET body = '' WHERE name = $1", [kept]);
    expect(await found(reader, "alpha")).toEqual(["a.ts"]);
    expect(await found(reader, "beta")).toEqual(["b.ts"]);
    expect(readdirSync(indexLayout(reader.cache, NAMESPACE).segments)).toEqual(readdirSync(whole));
    expect(rowsOf(reader.cache)).toEqual(rowsOf(writer.cache));
    expect(existsSync(draft.directory)).toBe(false);
  });

  test("what another process has brought past an older state of the database stays", async () => {
    const { node, database } = cluster();
    const [writer, reader] = [node(), node()];
    await commit(writer, { "a.ts": "alpha" });
    expect(await found(reader, "alpha")).toEqual(["a.ts"]);
    await commit(writer, { "b.ts": "beta" });
    const slow = new Replica(database, reader.cache, NAMESPACE);
    const stale = await slow.log.head();
    await commit(writer, { "c.ts": "gamma" });
    const { directory } = indexLayout(reader.cache, NAMESPACE);
    const ofCommits = join(directory, "revisions", "one");
    mkdirSync(ofCommits, { recursive: true });
    // Between the request and the lock, the other process has already fetched the copy.
    const answers = [stale];
    const head = slow.log.head.bind(slow.log);
    slow.log.head = async () => {
      if (answers.length === 0) return head();
      expect(await found(reader, "gamma")).toEqual(["c.ts"]);
      return answers.pop();
    };
    await slow.catchUp();
    expect(answers).toEqual([]);
    expect(existsSync(ofCommits)).toBe(true);
    expect(rowsOf(reader.cache)).toEqual(rowsOf(writer.cache));
  });

  test("while the server is down, queries are answered from the copy, and commits are refused", async () => {
    const { node } = cluster();
    const one = node();
    await commit(one, { "a.ts": "alpha" });
    const writer = await openWriter(one.index);
    await server.kill();
    try {
      expect(await found(one, "alpha")).toEqual(["a.ts"]);
      addPlain(writer, { "b.ts": "beta" });
      await expect(writer.commit()).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
      await writer.close();
      await expect(openWriter(one.index)).rejects.toMatchObject({ code: "BACKEND_UNAVAILABLE" });
      await expect(node().index.reader(authorized(NAMESPACE))).rejects.toMatchObject({
        code: "BACKEND_UNAVAILABLE",
      });
    } finally {
      await server.start();
    }
    expect(await found(node(), "alpha")).toEqual(["a.ts"]);
  }, 60_000);

  test("a removed namespace is gone on every node, and begins again with another epoch", async () => {
    const { node } = cluster();
    const [one, other] = [node(), node()];
    await commit(one, { "a.ts": "alpha" }, LARGE);
    expect(await found(other, "alpha")).toEqual(["a.ts"]);
    await one.index.remove(NAMESPACE);
    expect(await one.index.reader(authorized(NAMESPACE))).toBeUndefined();
    expect(await other.index.reader(authorized(NAMESPACE))).toBeUndefined();
    await commit(other, { "b.ts": "beta" });
    expect(await found(one, "beta")).toEqual(["b.ts"]);
  });
});
