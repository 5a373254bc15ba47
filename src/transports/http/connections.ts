import type { Socket } from "node:net";

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

  constructor(limits: Pick<HttpLimits, "idleConnections" | "idleGraceMs">) {
    this.#limits = limits;
  }

  add(socket: Socket): void {
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
    const before = performance.now() - this.#limits.idleGraceMs;
    const idle: Connection[] = [];
    for (const connection of this.#open.values()) {
      if (connection.requests > 0) continue;
      const { idleSince, seenIdleSince } = connection;
      // A busy server may not have read yet what a client sent long ago.
      if (idleSince <= before && seenIdleSince === idleSince) idle.push(connection);
      connection.seenIdleSince = idleSince;
    }
    for (const some of Map.groupBy(idle, ({ address }) => address).values()) {
      const surplus = some.length - this.#limits.idleConnections;
      if (surplus <= 0) continue;
      const oldest = some.toSorted((one, other) => one.idleSince - other.idleSince);
      for (const { socket } of oldest.slice(0, surplus)) socket.destroy();
    }
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
