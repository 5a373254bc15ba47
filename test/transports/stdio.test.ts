import { PassThrough } from "node:stream";

import { describe, expect, test } from "vitest";

import { fixtureTool, serveInMemory, type StreamServer } from "../helpers/rpc.ts";
import { stopTimers, timerMsOf } from "../helpers/stopped-clock.ts";

const MIB = 1024 * 1024;

const echo = fixtureTool("echo", async ({ text }, { emit }) => {
  emit({ text: String(text) });
  return {};
});
const never = fixtureTool("never", () => new Promise(() => {}));

function serve(): StreamServer {
  return serveInMemory({ tools: [echo, never] });
}

function call(id: number, name: string, args: object = {}): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

describe("S7 the end", () => {
  test("of input lets finished calls answer, and aborts the rest within a second", async () => {
    stopTimers();
    let isAborted = false;
    const wait = fixtureTool("wait", (_input, { signal }) => {
      signal.addEventListener("abort", () => (isAborted = true));
      return new Promise(() => {});
    });
    const server = serveInMemory({ tools: [echo, wait] });
    server.send(call(1, "wait"), call(2, "echo"));
    server.input.end();
    expect(await timerMsOf(server.done)).toBeLessThan(1000);
    expect(isAborted).toBe(true);
    expect(server.received).toMatchObject([{ id: 2 }]);
  });

  test("by the signal is immediate, without waiting for calls", async () => {
    const server = serve();
    server.send(call(1, "never"), { jsonrpc: "2.0", id: 2, method: "ping" });
    await server.waitForCount(1);
    stopTimers();
    server.stop();
    await server.done;
    expect(server.received).toMatchObject([{ id: 2 }]);
  });

  test("by a signal that was aborted before is immediate too", async () => {
    const server = serve();
    server.stop();
    await server.done;
    expect(server.input.destroyed).toBe(true);
  });

  test("by an error of the input or the output is silent", async () => {
    const first = serve();
    first.input.destroy(new Error("EIO"));
    await first.done;
    const second = serve();
    second.send(call(1, "never"));
    second.output.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
    await second.done;
    expect(second.received).toEqual([]);
  });

  test("comes within a second even when nobody reads the answers", async () => {
    stopTimers();
    const output = new PassThrough({ highWaterMark: 1 });
    const server = serveInMemory({ tools: [echo] }, output);
    output.pause();
    server.send(call(1, "echo", { text: "x".repeat(MIB) }));
    server.input.end();
    expect(await timerMsOf(server.done)).toBeLessThan(1000);
  });

  test("comes later while the client reads a long answer, and cuts nothing off", async () => {
    stopTimers();
    const output = new PassThrough({ highWaterMark: 1 });
    const server = serveInMemory({ tools: [echo] }, output);
    output.pause();
    server.send(call(1, "echo", { text: "x".repeat(MIB) }));
    server.input.end();
    const state = { isOver: false };
    const done = server.done.finally(() => (state.isOver = true));
    const readSlowly = async (): Promise<void> => {
      for (let turn = 0; !state.isOver; turn += 1) {
        // oxlint-disable-next-line no-await-in-loop -- one pass of the event loop is one millisecond of the timers
        await new Promise(setImmediate);
        if (turn % 300 === 0) output.read();
      }
    };
    const [ms] = await Promise.all([timerMsOf(done), readSlowly()]);
    expect(ms).toBeGreaterThan(1000);
    output.resume();
    await server.waitForCount(1);
    expect(server.received).toMatchObject([{ id: 1 }]);
  });
});
