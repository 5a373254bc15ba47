// Malicious clients: sockets that hold resources, and bodies that do not end. All of them on this machine.
import { connect, type Socket } from "node:net";

import { get, ping, type Target } from "./mix.ts";

const DRIBBLE_MS = 250;
/** More than the system holds for a connection. */
const PIPELINED = 200;
/** First bytes of a handshake of TLS 1.2 or later, without the rest. */
const CLIENT_HELLO = "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03";

/** A slow client: its first bytes, and what it repeats. */
interface Habit {
  readonly begin: (target: Target) => string;
  readonly goOn: (socket: Socket) => void;
  readonly isPaused?: true;
}

export const HABITS: Readonly<Record<"headers" | "body" | "reader" | "handshake", Habit>> = {
  headers: {
    begin: ({ port }) => `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `,
    goOn: (socket) => void socket.write("a"),
  },
  body: {
    begin: (target) =>
      ping(target).replace(/Content-Length: \d+[^]*$/, "Content-Length: 9999\r\n\r\n{"),
    goOn: (socket) => void socket.write(" "),
  },
  // It requests much data without a credential, and reads a byte of it now and then.
  reader: {
    begin: (target) => get("/openapi.json", target).repeat(PIPELINED),
    goOn: (socket) => void socket.read(1),
    isPaused: true,
  },
  handshake: { begin: () => CLIENT_HELLO, goOn: (socket) => void socket.write("\x00") },
};

export interface Attacker {
  readonly destroy: () => void;
}

export function slowClient(habit: Habit, target: Target): Attacker {
  const socket = connect({ port: target.port, host: "127.0.0.1" });
  // A socket that the test reads itself accepts no more than its buffer.
  if (habit.isPaused) socket.on("readable", () => {});
  else socket.resume();
  socket.on("error", () => {});
  socket.once("connect", () => socket.write(habit.begin(target), "latin1"));
  const timer = setInterval(() => {
    if (!socket.destroyed && socket.writable) habit.goOn(socket);
  }, DRIBBLE_MS);
  socket.once("close", () => clearInterval(timer));
  return { destroy: () => void socket.destroy() };
}

const PART = Buffer.alloc(64 * 1024, 0x20);

/** Sends a body of this many bytes as fast as the server reads it. Returns the bytes read, and the status. */
export function sendBody(
  target: Target,
  { bytes, isChunked }: { readonly bytes: number; readonly isChunked: boolean },
): Promise<{ readonly takenBytes: number; readonly status: number }> {
  return new Promise((resolve) => {
    const length = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${bytes}`;
    const head = ping(target).replace(/Content-Length: \d+[^]*$/, `${length}\r\n\r\n`);
    const part = isChunked
      ? Buffer.concat([Buffer.from(`${PART.length.toString(16)}\r\n`), PART, Buffer.from("\r\n")])
      : PART;
    const socket = connect({ port: target.port, host: "127.0.0.1" });
    let status = 0;
    let sent = 0;
    const pump = (): void => {
      while (sent < bytes && !socket.destroyed && socket.writable) {
        sent += part.length;
        if (!socket.write(part)) return;
      }
    };
    socket.on("data", (data: Buffer) => (status ||= Number(data.toString("latin1", 9, 12))));
    socket.on("drain", pump).on("error", () => {});
    // Bytes that wait in this process were not accepted.
    let waiting = 0;
    const looking = setInterval(() => (waiting = socket.writableLength), 10);
    socket.once("close", () => {
      clearInterval(looking);
      resolve({
        takenBytes: socket.bytesWritten - Math.max(waiting, socket.writableLength),
        status,
      });
    });
    socket.once("connect", () => {
      socket.write(head);
      pump();
    });
  });
}

/** Opens connections that send nothing. */
export function openSilent(
  { port }: Target,
  count: number,
): Attacker & { readonly opened: Promise<unknown> } {
  const sockets = Array.from({ length: count }, () =>
    connect({ port, host: "127.0.0.1" })
      .on("error", () => {})
      .resume(),
  );
  const opened = sockets.map(
    (socket) =>
      new Promise<void>((resolve) => {
        socket.once("connect", resolve).once("close", () => resolve());
      }),
  );
  return {
    opened: Promise.all(opened),
    destroy: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Sends this many requests at once on one connection. Returns the statuses of their answers, in order. */
export function pipeline(target: Target, count: number): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const socket = connect({ port: target.port, host: "127.0.0.1" });
    const statuses: string[] = [];
    let rest = "";
    socket.setEncoding("latin1").on("error", () => {});
    socket.on("data", (text: string) => {
      const parts = (rest + text).split("HTTP/1.1 ");
      rest = `HTTP/1.1 ${parts.pop() ?? ""}`;
      statuses.push(...parts.filter((part) => part !== "").map((part) => part.slice(0, 3)));
      // The last one is complete if nothing follows it.
      if (statuses.length === count - 1 && /\r\n\r\n[^]*\}$/.test(rest)) socket.destroy();
    });
    socket.once("close", () => {
      const last = /^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1];
      resolve(last === undefined ? statuses : [...statuses, last]);
    });
    socket.write(ping(target).repeat(count));
  });
}
