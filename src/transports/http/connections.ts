import type { Socket } from "node:net";
import { setImmediate } from "node:timers";

import type { HttpLimits } from "./limits.ts";

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** Number of requests on it that are not answered yet. */
  requests: number;
  /** Time on the clock of `performance.now()` when it was opened, or when its last request was answered. */
  idleSince: number;
  /** The `idleSince` that the last sweep saw. Data sent before that sweep has been read since. */
  sweptIdleSince?: number;
  /** The socket that responses are written to; under TLS it is not the accepted one. */
  writer: Socket;
  /** Time since which every sweep found data that the client has not read. */
  unreadSince?: number | undefined;
}

type Limits = Pick<HttpLimits, "connections" | "idleConnections" | "idleGraceMs" | "unreadMs">;

/**
 * The open connections. Only a limited number of idle connections per address is kept: otherwise a client that
 * opens more than it uses, or begins requests without ending them, would take them all.
 */
export class Connections {
  readonly #limits: Limits;
  /** By remote endpoint: under TLS, requests have another socket than the accepted one. */
  readonly #open = new Map<string, Connection>();
  /** The connections without any request so far, oldest first. */
  readonly #silent = new Set<Connection>();
  #isEnding = false;
  #acceptedCount = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Number of connections accepted so far. */
  get acceptedCount(): number {
    return this.#acceptedCount;
  }

  /**
   * Adds a connection. When the limit is exceeded, it closes the oldest one without a request, which may be this
   * one.
   */
  add(socket: Socket): void {
    this.#acceptedCount += 1;
    const key = remoteEndpoint(socket);
    const connection: Connection = {
      socket,
      address: socket.remoteAddress ?? "",
      requests: 0,
      writer: socket,
      idleSince: performance.now(),
    };
    this.#open.set(key, connection);
    this.#silent.add(connection);
    socket.once("close", () => {
      this.#silent.delete(connection);
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
    if (this.#open.size <= this.#limits.connections) return;
    const [longest] = this.#silent;
    if (longest === undefined) return;
    // Its close event comes later; until then another call would find it again.
    this.#silent.delete(longest);
    this.#open.delete(remoteEndpoint(longest.socket));
    longest.socket.destroy();
  }

  /** Number of unanswered requests on the connection of this socket. */
  waiting(socket: Socket): number {
    return this.#open.get(remoteEndpoint(socket))?.requests ?? 0;
  }

  /** Counts a request. Call the returned function when it is answered. */
  begin(socket: Socket): () => void {
    const connection = this.#open.get(remoteEndpoint(socket));
    if (connection === undefined) return () => {};
    this.#silent.delete(connection);
    connection.requests += 1;
    connection.writer = socket;
    return () => {
      connection.requests -= 1;
      connection.idleSince = performance.now();
      if (this.#isEnding && connection.requests === 0) connection.socket.destroySoon();
    };
  }

  /**
   * Closes connections whose clients do not read their responses, and idle ones beyond the limit of their address,
   * those idle for longest first.
   */
  sweep(): void {
    for (const { writer } of this.#unread()) writer.destroy();
    const surplus = this.#surplus();
    // First read the data that has arrived meanwhile: closing such a connection would lose a request.
    setImmediate(() => {
      for (const { connection, idleSince } of surplus) {
        const { socket, requests, idleSince: since } = connection;
        if (requests === 0 && since === idleSince) socket.destroy();
      }
    });
  }

  #unread(): readonly Connection[] {
    const now = performance.now();
    return [...this.#open.values()].filter((connection) => {
      const isUnread = connection.writer.writableLength > 0;
      connection.unreadSince = isUnread ? (connection.unreadSince ?? now) : undefined;
      return isUnread && now - (connection.unreadSince ?? now) > this.#limits.unreadMs;
    });
  }

  #surplus(): readonly { connection: Connection; idleSince: number }[] {
    const before = performance.now() - this.#limits.idleGraceMs;
    const idle: Connection[] = [];
    for (const connection of this.#open.values()) {
      if (connection.requests > 0) continue;
      const { idleSince, sweptIdleSince } = connection;
      // A busy server may not yet have read data that a client sent long ago.
      if (idleSince <= before && sweptIdleSince === idleSince) idle.push(connection);
      connection.sweptIdleSince = idleSince;
    }
    return [...Map.groupBy(idle, ({ address }) => address).values()].flatMap((some) =>
      some
        .toSorted((one, other) => one.idleSince - other.idleSince)
        .slice(0, Math.max(0, some.length - this.#limits.idleConnections))
        .map((connection) => ({ connection, idleSince: connection.idleSince })),
    );
  }

  /** Closes connections without a request now, the others when their requests are answered. */
  end(): void {
    this.#isEnding = true;
    for (const { socket, requests } of this.#open.values()) {
      if (requests === 0) socket.destroy();
    }
  }

  /** Closes all connections at once. */
  destroy(): void {
    for (const { socket } of this.#open.values()) socket.destroy();
  }
}

function remoteEndpoint({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
