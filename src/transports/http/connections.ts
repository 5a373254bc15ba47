import type { Socket } from "node:net";
import { setImmediate } from "node:timers";

import type { HttpLimits } from "./limits.ts";

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Requests on it that are not answered yet. */
  requests: number;
  /** When it was opened, or its last request answered. */
  idleSince: number;
  /** The `idleSince` that the last sweep saw: what was sent before that sweep has been read since. */
  seenIdleSince?: number;
}

/**
 * The open connections. Of those from one address that wait for a request only some are kept: a client
 * that opens more than it uses, or begins requests without ending them, would take them all.
 */
export class Connections {
  readonly #limits: Pick<HttpLimits, "idleConnections" | "idleGraceMs">;
  /** By their far end: under TLS, requests know another socket than the one that was accepted. */
  readonly #open = new Map<string, Connection>();
  #isEnding = false;
  #taken = 0;

  constructor(limits: Pick<HttpLimits, "idleConnections" | "idleGraceMs">) {
    this.#limits = limits;
  }

  /** How many there have been. */
  get taken(): number {
    return this.#taken;
  }

  add(socket: Socket): void {
    this.#taken += 1;
    const key = farEnd(socket);
    const connection: Connection = {
      socket,
      address: socket.remoteAddress ?? "",
      requests: 0,
      idleSince: performance.now(),
    };
    this.#open.set(key, connection);
    socket.once("close", () => {
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
  }

  /** Call what is returned when the request is answered. */
  begin(socket: Socket): () => void {
    const connection = this.#open.get(farEnd(socket));
    if (connection === undefined) return () => {};
    connection.requests += 1;
    return () => {
      connection.requests -= 1;
      connection.idleSince = performance.now();
      if (this.#isEnding && connection.requests === 0) connection.socket.destroySoon();
    };
  }

  /** Closes idle connections beyond the limit of their address, the longest idle first. */
  sweep(): void {
    const surplus = this.#surplus();
    // What has come in the meantime is read first: a connection that is closed then loses a request.
    setImmediate(() => {
      for (const { connection, idleSince } of surplus) {
        const { socket, requests, idleSince: since } = connection;
        if (requests === 0 && since === idleSince) socket.destroy();
      }
    });
  }

  #surplus(): readonly { connection: Connection; idleSince: number }[] {
    const before = performance.now() - this.#limits.idleGraceMs;
    const idle: Connection[] = [];
    for (const connection of this.#open.values()) {
      if (connection.requests > 0) continue;
      const { idleSince, seenIdleSince } = connection;
      // A busy server may not have read yet what a client sent long ago.
      if (idleSince <= before && seenIdleSince === idleSince) idle.push(connection);
      connection.seenIdleSince = idleSince;
    }
    return [...Map.groupBy(idle, ({ address }) => address).values()].flatMap((some) =>
      some
        .toSorted((one, other) => one.idleSince - other.idleSince)
        .slice(0, Math.max(0, some.length - this.#limits.idleConnections))
        .map((connection) => ({ connection, idleSince: connection.idleSince })),
    );
  }

  /** Closes those without a request now, the others when theirs are answered. */
  end(): void {
    this.#isEnding = true;
    for (const { socket, requests } of this.#open.values()) {
      if (requests === 0) socket.destroy();
    }
  }

  destroy(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }
}

function farEnd({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
