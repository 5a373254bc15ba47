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
  sweptIdleSince?: number;
  /** What is written to: under TLS not what was accepted. */
  writer: Socket;
  /** Since when each sweep has found that something waits to be read by the client. */
  unreadSince?: number | undefined;
}

type Limits = Pick<HttpLimits, "connections" | "idleConnections" | "idleGraceMs" | "unreadMs">;

/**
 * The open connections. Of those from one address that wait for a request only some are kept: a client
 * that opens more than it uses, or begins requests without ending them, would take them all.
 */
export class Connections {
  readonly #limits: Limits;
  /** By their far end: under TLS, requests know another socket than the one that was accepted. */
  readonly #open = new Map<string, Connection>();
  /** Of those, by age, the ones on which no request has come. */
  readonly #silent = new Set<Connection>();
  #isEnding = false;
  #acceptedCount = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** How many there have been. */
  get acceptedCount(): number {
    return this.#acceptedCount;
  }

  /** Where there is no room, the one that has been silent for longest makes some: it may be this one. */
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
    // The event of its end comes later: until then another would find it again.
    this.#silent.delete(longest);
    this.#open.delete(remoteEndpoint(longest.socket));
    longest.socket.destroy();
  }

  /** How many requests on its connection wait for their answers. */
  waiting(socket: Socket): number {
    return this.#open.get(remoteEndpoint(socket))?.requests ?? 0;
  }

  /** Call what is returned when the request is answered. */
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
   * Closes connections whose clients leave their answers unread, and idle ones beyond the limit of their
   * address, the longest idle first.
   */
  sweep(): void {
    for (const { writer } of this.#unread()) writer.destroy();
    const surplus = this.#surplus();
    // What has come in the meantime is read first: a connection that is closed then loses a request.
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
      // A busy server may not have read yet what a client sent long ago.
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

function remoteEndpoint({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}
