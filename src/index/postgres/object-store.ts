// Files that never change, in the database: segments, and images of catalogues.

import { createHash } from "node:crypto";
import { closeSync, createReadStream, openSync, readSync, writeSync } from "node:fs";

import { copyOut } from "../../postgres/copy-out.ts";
import type { Database } from "../../postgres/database.ts";
import type { PostgresRow } from "../../postgres/sql.ts";
import { IndexDamage } from "../damage.ts";

/** PostgreSQL keeps values up to 1 GB, and reads and writes each as a whole. */
const PART_BYTES = 1 << 20;
/** Objects that a commit dropped stay for so long: nodes that are just fetching them need them. */
const MIN_DROPPED_MS = 10 * 60_000;
/** A name that needs no quoting in a statement. */
const PLAIN_NAME = /^[\w.-]+$/;

/** The objects of one namespace. Methods throw BACKEND_UNAVAILABLE and STORAGE_FULL. */
export class ObjectStore {
  readonly #database: Database;
  readonly #namespace: string;

  constructor(database: Database, namespace: string) {
    this.#database = database;
    this.#namespace = namespace;
  }

  /** Stores a file under a name that has never been used for another content. Does nothing if it is stored already. */
  async put(name: string, path: string): Promise<void> {
    const [stored] = await this.#database.query(
      "SELECT 1 FROM index_object WHERE namespace = $1 AND name = $2 AND dropped_at IS NULL",
      [this.#namespace, name],
    );
    if (stored !== undefined) return;
    const hash = createHash("sha256");
    let size = 0;
    const file = openSync(path, "r");
    try {
      for (let number = 0; ; number += 1) {
        const body = Buffer.alloc(PART_BYTES);
        const length = readSync(file, body, 0, PART_BYTES, size);
        if (length === 0) break;
        const part = body.subarray(0, length);
        size += length;
        hash.update(part);
        // oxlint-disable-next-line no-await-in-loop -- one part in memory at a time
        await this.#database.query(
          "INSERT INTO index_part (namespace, name, number, body) VALUES ($1, $2, $3, $4) " +
            "ON CONFLICT (namespace, name, number) DO NOTHING",
          [this.#namespace, name, number, part],
        );
      }
    } finally {
      closeSync(file);
    }
    // Last: an object without this row does not exist.
    await this.#database.query(
      "INSERT INTO index_object (namespace, name, size, sha256) VALUES ($1, $2, $3, $4) " +
        "ON CONFLICT (namespace, name) DO UPDATE SET dropped_at = NULL, dropped_generation = NULL",
      [this.#namespace, name, size, hash.digest()],
    );
  }

  /**
   * Copies an object to a new file. Throws INDEX_UNAVAILABLE if the object does not exist any more, or if its bytes are
   * not those that were stored.
   */
  async get(name: string, path: string): Promise<void> {
    const stored = await this.#requireStored(name);
    const file = openSync(path, "wx", 0o600);
    try {
      await this.#read(name, stored, (part) => writeSync(file, part));
    } finally {
      closeSync(file);
    }
  }

  /** Reads every object in use, and returns how much that was, and the names of those that are damaged. */
  async verify(): Promise<{
    readonly objects: number;
    readonly bytes: number;
    readonly damaged: readonly string[];
  }> {
    const rows = await this.#database.query(
      "SELECT name FROM index_object WHERE namespace = $1 AND dropped_at IS NULL ORDER BY name",
      [this.#namespace],
    );
    const damaged: string[] = [];
    let bytes = 0;
    for (const { name } of rows) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- each fills the connection
        const stored = await this.#requireStored(String(name));
        // oxlint-disable-next-line no-await-in-loop -- as above
        await this.#read(String(name), stored, (part) => (bytes += part.length));
      } catch (thrown) {
        if (!(thrown instanceof IndexDamage)) throw thrown;
        damaged.push(String(name));
      }
    }
    return { objects: rows.length, bytes, damaged };
  }

  /** Whether a file has the bytes of an object that is in use. */
  async isCopy(name: string, path: string): Promise<boolean> {
    const [stored] = await this.#database.query(
      "SELECT sha256 FROM index_object WHERE namespace = $1 AND name = $2 AND dropped_at IS NULL",
      [this.#namespace, name],
    );
    if (stored === undefined) return false;
    const hash = createHash("sha256");
    for await (const part of createReadStream(path)) hash.update(part);
    return hash.digest("hex") === hexOf(stored["sha256"]);
  }

  /** Returns size and checksum of an object. Throws INDEX_UNAVAILABLE if there is none. */
  async #requireStored(name: string): Promise<PostgresRow> {
    const [stored] = await this.#database.query(
      "SELECT size, sha256 FROM index_object WHERE namespace = $1 AND name = $2",
      [this.#namespace, name],
    );
    if (stored === undefined) throw new IndexDamage(`The shared backend has no ${name}.`);
    return stored;
  }

  /** Passes each part of an object to `take`, then throws INDEX_UNAVAILABLE if they are not what was stored. */
  async #read(name: string, stored: PostgresRow, take: (part: Buffer) => void): Promise<void> {
    const hash = createHash("sha256");
    let size = 0;
    const connection = await this.#database.connect();
    let isDone = false;
    try {
      for await (const part of copyOut(connection, this.#partsOf(name))) {
        take(part);
        hash.update(part);
        size += part.length;
      }
      isDone = true;
    } finally {
      // A connection with half a result cannot be used again.
      connection.release(!isDone);
    }
    const isEqual = size === stored["size"] && hash.digest("hex") === hexOf(stored["sha256"]);
    if (!isEqual) throw new IndexDamage(`${name} is damaged in the shared backend.`);
  }

  /** COPY takes no parameters. */
  #partsOf(name: string): string {
    for (const text of [name, this.#namespace]) {
      if (!PLAIN_NAME.test(text)) throw new IndexDamage(`"${text}" is not the name of an object.`);
    }
    return `SELECT body FROM index_part WHERE namespace = '${this.#namespace}' AND name = '${name}' ORDER BY number`;
  }

  /** Deletes objects that no copy needs: they were dropped before the base was made, and long enough ago. */
  async collect(baseGeneration: number, minDroppedMs = MIN_DROPPED_MS): Promise<void> {
    await this.#database.transaction(async (sql) => {
      const old = await sql.query(
        "DELETE FROM index_object WHERE namespace = $1 AND dropped_generation <= $2 " +
          "AND dropped_at < clock_timestamp() - $3 * interval '1 ms' RETURNING name",
        [this.#namespace, baseGeneration, minDroppedMs],
      );
      const names = old.map(({ name }) => String(name));
      if (names.length === 0) return;
      await sql.query("DELETE FROM index_part WHERE namespace = $1 AND name = ANY ($2)", [
        this.#namespace,
        names,
      ]);
    });
  }
}

function hexOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString("hex") : "";
}
