// The state of a shared index and its copies at rest.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { indexLayout } from "../../src/index/embedded/layout.ts";
import { copyPosition } from "../../src/index/postgres/copy-position.ts";
import type { Database } from "../../src/postgres/database.ts";
import { dataDirectoryOf, type Environment } from "../workspace.ts";

/**
 * Compares the copies of an index on these machines with each other, row by row and segment by segment, and with the
 * texts of the files, by path. Returns a sentence for each difference.
 */
export function copyProblems(
  homes: readonly Environment[],
  namespace: string,
  texts: ReadonlyMap<string, string>,
): readonly string[] {
  const problems: string[] = [];
  const copies = homes.map((env) => {
    const { catalog, segments } = indexLayout(copyFolder(env), namespace);
    if (!existsSync(catalog)) return new Map([["catalog", "none"]]);
    const db = new DatabaseSync(catalog, { readOnly: true });
    try {
      const hashes = hashesIn(db);
      for (const [path, text] of texts) {
        const indexed = hashes.get(path) ?? "nothing";
        if (indexed !== textHash(text)) problems.push(`${path} in ${catalog}: ${indexed}`);
      }
      return new Map([...rowsIn(db), ["segments", digestOf(filesIn(segments, db))]]);
    } finally {
      db.close();
    }
  });
  const parts = new Set(copies.flatMap((copy) => [...copy.keys()]));
  for (const part of parts) {
    const digests = copies.map((copy) => copy.get(part) ?? "nothing");
    if (new Set(digests).size === 1) continue;
    const places = homes.map((env) => positionOf(env, namespace));
    problems.push(`the copies differ in ${part}: ${digests.join(" ")}, at ${places.join(" ")}`);
  }
  return problems;
}

/** Returns the files for which the copy on a machine has none of these texts. */
export function staleFiles(
  env: Environment,
  namespace: string,
  texts: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  const { catalog } = indexLayout(copyFolder(env), namespace);
  const db = new DatabaseSync(catalog, { readOnly: true });
  try {
    const hashes = hashesIn(db);
    return [...texts]
      .filter(([path, any]) => !any.map(textHash).includes(hashes.get(path) ?? "nothing"))
      .map(([path]) => path);
  } finally {
    db.close();
  }
}

/** Path -> hash of the indexed content. */
function hashesIn(db: DatabaseSync): ReadonlyMap<string, string> {
  const rows = db.prepare("SELECT path, hash FROM file").all();
  return new Map(rows.map(({ path, hash }) => [String(path), String(hash)]));
}

/** Checks that each commit of the log follows its predecessor. */
export async function logProblems(
  database: Database,
  namespace: string,
): Promise<{ readonly generation: number; readonly problems: readonly string[] }> {
  const [head] = await database.query(
    "SELECT generation, base_generation, commit_id FROM index_head WHERE namespace = $1",
    [namespace],
  );
  const commits = await database.query(
    "SELECT generation, commit_id, follows FROM index_commit WHERE namespace = $1 ORDER BY generation",
    [namespace],
  );
  const problems: string[] = [];
  for (const [at, commit] of commits.entries()) {
    const before = commits[at - 1];
    if (before === undefined) continue;
    const isNext = Number(commit["generation"]) === Number(before["generation"]) + 1;
    if (!isNext || commit["follows"] !== before["commit_id"])
      problems.push(`commit ${String(commit["generation"])} does not follow its predecessor`);
  }
  const last = commits.at(-1);
  const generation = Number(head?.["generation"]);
  if (last?.["commit_id"] !== head?.["commit_id"] || Number(last?.["generation"]) !== generation)
    problems.push("the last commit is not that of the head");
  if (Number(commits[0]?.["generation"]) > Number(head?.["base_generation"]) + 1)
    problems.push("commits after the base are missing");
  return { generation, problems };
}

/** The folder with the copies of the only database of a machine. */
function copyFolder(env: Environment): string {
  const cache = join(dataDirectoryOf(env), "cache");
  const [only = ""] = existsSync(cache) ? readdirSync(cache) : [];
  return join(cache, only);
}

/** In the form of `file.hash`. */
function textHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

/** The number of the commit that a copy shows. */
function positionOf(env: Environment, namespace: string): string {
  return String(copyPosition(copyFolder(env), namespace)?.generation);
}

/** Table -> digest of its rows. */
function rowsIn(db: DatabaseSync): readonly (readonly [table: string, digest: string])[] {
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
  return tables.map((table) => {
    const rows = db.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all();
    return [table, digestOf(rows)] as const;
  });
}

function filesIn(folder: string, db: DatabaseSync): unknown {
  return db
    .prepare("SELECT name FROM segment WHERE is_row = 0 ORDER BY name")
    .all()
    .map(({ name }) => [
      name,
      digestOf(readFileSync(join(folder, String(name))).toString("latin1")),
    ]);
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, jsonable)).digest("hex").slice(0, 16);
}

function jsonable(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
}
