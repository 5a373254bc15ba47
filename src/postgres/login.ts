// How a connection logs in.

import { Client } from "pg";
import pgpass from "pgpass";

import type { DatabaseHost } from "./database-url.ts";

/** Thrown if the server asks for a password and there is none. */
export class NoPasswordError extends Error {}

/** Returns the password of the file that PGPASSFILE names (default ~/.pgpass). Throws NoPasswordError. */
export function passwordOf({
  host: { host, port },
  user,
  database,
}: {
  readonly host: DatabaseHost;
  readonly user: string;
  readonly database: string;
}): Promise<string> {
  // As psql does: the file has no folders of sockets.
  const name = host.startsWith("/") ? "localhost" : host;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  pgpass({ host: name, port, user, database }, (password) => {
    if (password === undefined || password === "") reject(new NoPasswordError("no password"));
    else resolve(password);
  });
  return promise;
}

/** How long the server may take to close a connection that ends. */
const GOODBYE_MS = 2000;

/**
 * Closes its socket when it cannot log in, and when the server does not close it. `pg` leaves it open, and the process would
 * wait for the server: a quarter of an hour if the network was cut meanwhile.
 */
export class LoginClient extends Client {
  /** Closes the connection at once, also one that is being made. */
  abandon(): void {
    this.connection.stream.destroy();
  }

  override connect(): Promise<Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<Client> | void {
    if (callback === undefined) return super.connect();
    return super.connect((error: Error) => {
      // Null after a success.
      if (error instanceof Error) this.end(() => {});
      callback(error);
    });
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | void {
    // The open socket keeps the process until then.
    const timer = setTimeout(() => this.abandon(), GOODBYE_MS).unref();
    this.once("end", () => clearTimeout(timer));
    return callback === undefined ? super.end() : super.end(callback);
  }
}
