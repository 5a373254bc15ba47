// The cost of clients that send endless garbage or endless lines, or do not read, for the server, which runs as a
// separate process.
// oxlint-disable no-await-in-loop -- one after the other, as fast as it is taken
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";

import { expect } from "vitest";

import { fixtureTool, FIXTURE_SERVER, serveInMemory } from "../helpers/rpc.ts";
import { promise, sized } from "../trust/promise.ts";

const MIB = 1024 * 1024;
const PING = '{"jsonrpc":"2.0","id":"ping","method":"ping"}\n';
const PONG = '{"jsonrpc":"2.0","id":"ping","result":{}}';

/** Lines that the official SDK leaves unanswered or fails on: each with the code and id of its answer. */
const MALFORMED: readonly (readonly [Buffer | string, number, unknown])[] = [
  ["{bad", -32_700, null],
  ['{"a":bad}', -32_700, null],
  [`\ufeff${PING.trim()}`, -32_700, null],
  [Buffer.from([0x22, 0xff, 0x22]), -32_700, null],
  ['{"a":1}', -32_600, null],
  ['{"jsonrpc":"1.0","id":7,"method":"ping"}', -32_600, 7],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, null],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32_600, null],
  ["[]", -32_600, null],
  ["7", -32_600, null],
  ['{"jsonrpc":"2.0","id":"x","method":7}', -32_600, "x"],
  ['{"jsonrpc":"2.0","id":8,"method":"ping","params":[1]}', -32_602, 8],
  ['{"jsonrpc":"2.0","id":9,"method":"nothing"}', -32_601, 9],
  ['{"jsonrpc":"2.0","id":10,"method":"tools/call","params":{"name":"nothing"}}', -32_602, 10],
  [
    '{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"search_context","arguments":{"query":"ab"}}}',
    -32_602,
    11,
  ],
];

interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves when it has been read, except for the data that the pipe buffers. */
  readonly write: (bytes: string | Buffer) => Promise<void>;
  readonly lineCount: () => number;
  /** Resolves with the line of that number, from 0 on; older ones are not kept. */
  readonly line: (at: number) => Promise<string>;
  /** Peak memory growth in bytes since it answered its first request; 0 where the system does not report it. */
  readonly grownBytes: () => number;
  readonly close: () => Promise<number | null>;
}

async function start(onLine: (line: string, at: number) => void = () => {}): Promise<Running> {
  // The growth of a session is measured: code from a cache would count when it is first used.
  const { NODE_COMPILE_CACHE: _cache, ...env } = process.env;
  const child = spawn(process.execPath, [FIXTURE_SERVER], { env });
  child.stdin.on("error", () => {});
  let count = 0;
  let rest = "";
  let last = "";
  let isUp = false;
  const changed = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const one of lines) {
      last = one;
      if (isUp) onLine(one, count);
      count += 1;
    }
    for (const look of changed) look();
  });
  const line = (at: number): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (count <= at) return;
        changed.delete(look);
        resolve(last);
      };
      changed.add(look);
      look();
    });
  const write = async (bytes: string | Buffer): Promise<void> => {
    if (!child.stdin.write(bytes)) await once(child.stdin, "drain");
  };
  const exited = once(child, "close");
  await write(PING);
  expect(await line(0)).toBe(PONG);
  count = 0;
  isUp = true;
  const before = memoryOf(child, "VmRSS");
  return {
    child,
    write,
    lineCount: () => count,
    line,
    grownBytes: () => memoryOf(child, "VmHWM") - before,
    async close() {
      child.stdin.end();
      const [code]: unknown[] = await exited;
      return typeof code === "number" ? code : null;
    },
  };
}

function memoryOf({ pid }: ChildProcessWithoutNullStreams, name: "VmRSS" | "VmHWM"): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  const kilobytes = new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(file, "utf8"))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

promise(
  [15],
  "svc answers a flood of malformed lines line by line in bounded memory, and then the next call",
  async () => {
    const count = sized({ quick: 20_000, full: 1_000_000 });
    const errors = MALFORMED.map(([, code, id]) => [code, id]);
    const wrong: string[] = [];
    // The first of them never wait, so replies keep the order of their lines.
    const inOrder = MALFORMED.slice(0, -2);
    const whole = Math.floor(count / inOrder.length);
    const server = await start((line, at) => {
      const { id, error } = JSON.parse(line);
      if (at >= whole * inOrder.length) return;
      const [code, wanted] = errors[at % inOrder.length] ?? [];
      if (error.code !== code || id !== wanted || error.data.detail === "") wrong.push(line);
    });
    const block = Buffer.concat(
      inOrder.flatMap(([line]) => [Buffer.from(line), Buffer.from("\n")]),
    );
    for (let at = 0; at < whole; at += 50) {
      await server.write(Buffer.concat(Array(Math.min(50, whole - at)).fill(block)));
    }
    await server.line(whole * inOrder.length - 1);
    const grown = server.grownBytes();
    for (const [line, code, id] of MALFORMED.slice(-2)) {
      await server.write(`${line.toString()}\n`);
      expect(JSON.parse(await server.line(server.lineCount()))).toMatchObject({
        id,
        error: { code },
      });
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    expect(grown).toBeLessThan(50 * MIB);
    expect(await server.close()).toBe(0);
    return whole * inOrder.length + 2;
  },
);

promise(
  [16],
  "a line of 64 MB is refused once, in the memory of the longest accepted line, and the session continues",
  async () => {
    const rounds = sized({ quick: 1, full: 20 });
    for (let round = 0; round < rounds; round += 1) {
      const server = await start();
      const piece = Buffer.alloc(round % 2 === 0 ? MIB : 1000, "x");
      for (let sent = 0; sent < 64 * MIB; sent += piece.length) {
        await server.write(piece);
      }
      await server.write(`\n${PING}`);
      expect(await server.line(1)).toBe(PONG);
      expect(server.lineCount()).toBe(2);
      // 16 MiB of the line are kept before it is refused; the runtime needs the rest to receive it.
      expect(server.grownBytes()).toBeLessThan(24 * MIB);
      expect(await server.close()).toBe(0);
    }
    return rounds;
  },
);

promise(
  [18],
  "unread replies of a client stay below 8 MB, and the client gets each of them once when it reads again",
  async () => {
    const sizes = sized({ quick: 1, full: 4 });
    const kinds = [80_000, 2000, 100_000, 10].slice(0, sizes);
    for (const size of kinds) {
      const blob = fixtureTool("blob", async (_input, { emit }) => {
        emit({ text: "x".repeat(size) });
        return {};
      });
      const output = new PassThrough();
      const server = serveInMemory({ tools: [blob] }, output);
      output.pause();
      const ids = Array.from({ length: sized({ quick: 300, full: 3000 }) }, (_, id) => id);
      const calls = ids.map((id) => ({
        jsonrpc: "2.0",
        id,
        method: "tools/call",
        params: { name: "blob" },
      }));
      const pings = ids.map((id) => ({ jsonrpc: "2.0", id: `p${id}`, method: "ping" }));
      server.send(...calls.flatMap((one, at) => [one, pings[at], "garbage"]));
      let most = 0;
      // Until nothing moves any more, because the server waits for its reader.
      for (
        let still = 0, before = -1;
        still < 20;
        still = before === output.writableLength ? still + 1 : 0
      ) {
        before = output.writableLength;
        most = Math.max(most, before);
        await new Promise(setImmediate);
      }
      expect(most).toBeGreaterThan(0);
      expect(most).toBeLessThan(8 * MIB);
      output.on("data", () => (most = Math.max(most, output.writableLength)));
      output.resume();
      await server.waitForCount(ids.length * 3);
      expect(most).toBeLessThan(8 * MIB);
      expect(new Set(server.received.map(({ id }) => id)).size).toBe(ids.length * 2 + 1);
      server.stop();
      await server.done;
    }
    return kinds.length;
  },
);

promise(
  [18],
  "a process whose answers nobody reads grows by less than 50 MB, for any calls",
  async () => {
    const questions = [
      (id: number) =>
        `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"blob","arguments":{"size":80000}}}\n`,
      (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`,
      (id: number) => `garbage ${id}\n`,
    ].slice(0, sized({ quick: 1, full: 3 }));
    for (const question of questions) {
      let answered = 0;
      const server = await start(() => (answered += 1));
      server.child.stdout.pause();
      let requests = 0;
      let isTaken = true;
      while (isTaken) {
        const lines = Array.from({ length: 100 }, () => question((requests += 1)));
        const taken = server.write(lines.join("")).then(() => true);
        // When the server stops reading, the pipe stays full, because the server has nothing else to do.
        const stuck = new Promise<boolean>((resolve) => void setTimeout(resolve, 2000, false));
        isTaken = await Promise.race([taken, stuck]);
      }
      expect(server.grownBytes()).toBeLessThan(50 * MIB);
      const before = answered;
      server.child.stdout.resume();
      await server.line(requests - 1);
      expect(answered - before).toBeGreaterThan(0);
      expect(server.lineCount()).toBe(requests);
      expect(await server.close()).toBe(0);
    }
    return questions.length;
  },
);
