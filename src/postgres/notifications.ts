// Notifications of the database, on a connection of their own.

import type { Database } from "./database.ts";
import type { OwnConnection } from "./own-connection.ts";

const RECONNECT_MS = 1000;

/** Called with the payload, or with undefined when notifications may have been lost. */
type Listener = (payload: string | undefined) => void;

/** Listens to one channel while anybody does. A lost connection is made again. */
export class Notifications {
  readonly #database: Database;
  readonly #channel: string;
  readonly #listeners = new Set<Listener>();
  #connection: OwnConnection | undefined;
  #isConnecting = false;

  /** `channel`: a plain name, which needs no quoting. */
  constructor(database: Database, channel: string) {
    this.#database = database;
    this.#channel = channel;
  }

  /** Returns a function that ends it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    void this.#connect();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.close();
    };
  }

  close(): void {
    this.#listeners.clear();
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.release(true);
  }

  async #connect(): Promise<void> {
    if (this.#connection !== undefined || this.#isConnecting) return;
    this.#isConnecting = true;
    try {
      const connection = await this.#database.connect();
      if (this.#listeners.size === 0) {
        connection.release();
        return;
      }
      this.#connection = connection;
      connection.client.on("notification", ({ payload }) => this.#report(payload));
      connection.client.once("end", () => this.#reconnect(connection));
      await connection.query(`LISTEN ${this.#channel}`);
      this.#report(undefined);
    } catch {
      this.#reconnect(this.#connection);
    } finally {
      this.#isConnecting = false;
    }
  }

  #reconnect(connection: OwnConnection | undefined): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    connection?.release(true);
    if (this.#listeners.size === 0) return;
    setTimeout(() => {
      if (this.#listeners.size > 0) void this.#connect();
    }, RECONNECT_MS).unref();
  }

  #report(payload: string | undefined): void {
    for (const listener of this.#listeners) listener(payload);
  }
}
