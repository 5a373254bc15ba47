// The nodes of a backend that search for each other, and the secret by which they know each other. The clock of the server
// decides who is silent.

import { randomBytes } from "node:crypto";

import type { Database } from "../../postgres/database.ts";

/** How often a node announces itself, and reads who else is there. */
export const NODE_INTERVAL_MS = 5000;
/** A node that was silent for longer is not asked. */
const MAX_SILENCE_MS = 3 * NODE_INTERVAL_MS;

const SECRET_BYTES = 32;

/** Methods throw BACKEND_UNAVAILABLE. */
export class NodeDirectory {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Says that the node at this address searches for others. Repeat it every NODE_INTERVAL_MS. */
  async announce(address: string): Promise<void> {
    await this.#database.query(
      "INSERT INTO search_node (address, seen_at) VALUES ($1, clock_timestamp()) " +
        "ON CONFLICT (address) DO UPDATE SET seen_at = excluded.seen_at",
      [address],
    );
    await this.#database.query(
      "DELETE FROM search_node WHERE seen_at < clock_timestamp() - interval '1 day'",
    );
  }

  async retire(address: string): Promise<void> {
    await this.#database.query("DELETE FROM search_node WHERE address = $1", [address]);
  }

  /** The addresses of the nodes that were heard of lately, in order. */
  async addresses(): Promise<readonly string[]> {
    const rows = await this.#database.query(
      "SELECT address FROM search_node WHERE seen_at >= clock_timestamp() - $1 * interval '1 ms' ORDER BY address",
      [MAX_SILENCE_MS],
    );
    return rows.map(({ address }) => String(address));
  }

  /** The first node makes the secret. */
  async secret(): Promise<Buffer> {
    await this.#database.query(
      "INSERT INTO node_secret (secret) VALUES ($1) ON CONFLICT DO NOTHING",
      [randomBytes(SECRET_BYTES)],
    );
    const [row] = await this.#database.query("SELECT secret FROM node_secret");
    const secret = row?.["secret"];
    if (!Buffer.isBuffer(secret)) throw new Error("the secret of the nodes is missing");
    return secret;
  }
}
