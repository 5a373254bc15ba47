import { hash, randomBytes } from "node:crypto";

import { expect, test } from "vitest";

import type { KnownFile } from "../../../src/sources/text/source-text.ts";
import { PostgresTexts } from "../../../src/sources/text/postgres-texts.ts";
import { textsContract } from "../../contract/texts.ts";
import { keepDocument } from "../../helpers/keep-document.ts";
import { authorized } from "../../helpers/authorized.ts";
import { needs } from "../../helpers/needs.ts";
import { serverForTests } from "../../helpers/postgres-for-tests.ts";

const TEAM = authorized("team");

function hashOf(bytes: Buffer): string {
  return hash("sha256", bytes).slice(0, 32);
}

/** Fields that these texts ignore. */
const ROW = { mtimeMs: 0, inode: 0, indexedMs: 0, flags: 0 };

/** Stores contents, as an indexing run does. */
async function keep(texts: PostgresTexts, contents: ReadonlyMap<string, Buffer>): Promise<void> {
  const archive = texts.archiveOf(TEAM);
  for (const [key, bytes] of contents) archive.keep(key, bytes);
  await archive.flush();
}

needs(["postgres"], () => {
  const server = serverForTests();

  // The data that an indexing run stores of each file: its row and its content.
  textsContract(() => {
    const files = new Map<string, KnownFile>();
    const store = new PostgresTexts(server.freshDatabase(), async (_, path) => files.get(path));
    return {
      open: () => store.open(TEAM, []),
      write: async (path, bytes, mtimeMs) => {
        files.set(path, { ...ROW, size: bytes.length, mtimeMs, hash: hashOf(bytes) });
        await keep(store, new Map([[hashOf(bytes), bytes]]));
      },
      remove: (path) => void files.delete(path),
      writeDocument: async (path, bytes, text) => {
        files.set(path, { ...ROW, size: bytes.length, hash: hashOf(bytes) });
        const archive = store.archiveOf(TEAM);
        if (text !== undefined) keepDocument(archive, bytes, text);
        await archive.flush();
      },
    };
  });

  test("many contents are stored in batches, and each namespace has its own", async () => {
    const url = server.freshUrl();
    const contents = new Map(
      Array.from({ length: 40 }, (_, at) => {
        const bytes = Buffer.concat([Buffer.from([at]), randomBytes(300_000)]);
        return [hashOf(bytes), bytes] as const;
      }),
    );
    const files = new Map([...contents].map(([key, { length }]) => [key, { length }]));
    const fileOf = async (_: string, path: string): Promise<KnownFile> => ({
      ...ROW,
      size: files.get(path)?.length ?? 0,
      hash: path,
    });
    await keep(new PostgresTexts(server.open(url), fileOf), contents);
    const other = new PostgresTexts(server.open(url), fileOf);
    const reader = other.open(TEAM, []);
    const readNow = await reader.prefetch([...contents.keys()]);
    for (const [key, bytes] of contents) {
      const text = readNow(key);
      expect("bytes" in text && text.bytes.equals(bytes)).toBe(true);
    }
    const [key = ""] = contents.keys();
    expect(await other.open(authorized("other"), []).read(key)).toMatchObject({
      problem: "gone",
      error: { code: "PATH_NOT_FOUND" },
    });
  });

  test("contents that no file has are deleted after a while", async () => {
    const database = server.freshDatabase();
    const texts = new PostgresTexts(database, async () => undefined);
    await keep(texts, new Map(["a", "b"].map((name) => [name, Buffer.from(name)])));
    const { collect } = texts.archiveOf(TEAM);
    await collect(async () => new Set(["a"]));
    expect(await database.query("SELECT hash FROM file_content")).toHaveLength(2);
    await database.query("UPDATE file_content SET stored_at = stored_at - interval '1 hour'");
    await collect(async () => new Set(["a"]));
    expect(await database.query("SELECT hash FROM file_content")).toEqual([{ hash: "a" }]);
  });
});
