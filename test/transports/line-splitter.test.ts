import { describe, expect, test } from "vitest";

import { fixtureTool, serveInMemory, type StreamServer } from "../helpers/rpc.ts";

const MIB = 1024 * 1024;
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const PONG = { jsonrpc: "2.0", id: 1, result: {} };

const echo = fixtureTool("echo", async ({ text }, { emit }) => {
  emit({ text: String(text) });
  return {};
});
const never = fixtureTool("never", () => new Promise(() => {}));

function serve(): StreamServer {
  return serveInMemory({ tools: [echo, never] });
}

/** Returns all answers of the server to these bytes, written chunk by chunk. */
async function answersTo(...chunks: readonly (string | Buffer)[]): Promise<unknown[]> {
  const server = serve();
  for (const chunk of chunks) server.write(chunk);
  server.input.end();
  await server.done;
  return server.received;
}

function call(id: number, name: string, args: object = {}): object {
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } };
}

function padded(length: number): string {
  return PING.padEnd(length, " ");
}

function errorOf(code: number, error_code: string): object {
  return { jsonrpc: "2.0", id: null, error: { code, data: { error_code } } };
}

describe("S1 framing", () => {
  test("a line is one message; CRLF is accepted, blank lines are ignored", async () => {
    expect(await answersTo(`\n${PING}\r\n\r\n \t\n${PING}\n`)).toEqual([PONG, PONG]);
  });

  test("a last line without its newline is read", async () => {
    expect(await answersTo(PING)).toEqual([PONG]);
  });

  test("characters split over chunks arrive whole, one byte at a time", async () => {
    const text = "žluťoučký 🙂 \u2028 \ud800";
    const line = Buffer.from(`${JSON.stringify(call(1, "echo", { text }))}\n`);
    const bytes = Array.from(line, (byte) => Buffer.from([byte]));
    expect(await answersTo(...bytes)).toMatchObject([{ id: 1, result: { content: [{ text }] } }]);
  });

  test("answers are one line each, also when their text has line breaks", async () => {
    const text = "a\nb\r\nc\u2028d";
    expect(await answersTo(`${JSON.stringify(call(1, "echo", { text }))}\n`)).toMatchObject([
      { result: { content: [{ text }] } },
    ]);
  });
});

describe("S3 an unreadable line is answered, and the session continues", () => {
  test.each([
    ["bad JSON", "{bad"],
    ["text", "hello"],
    ["half an object", '{"jsonrpc":"2.0"'],
    ["invalid UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ["a cut-off character", Buffer.from([0x22, 0xf0, 0x9f, 0x22])],
    ["a byte order mark", `\ufeff${PING}`],
    ["only a byte order mark", "\ufeff"],
    ["a NUL", "\0"],
  ])("S3 %s is answered with -32700", async (_what, line) => {
    const answers = await answersTo(line, `\n${PING}\n`);
    expect(answers).toMatchObject([errorOf(-32700, "PARSE_ERROR"), PONG]);
    expect(answers[0]).toMatchObject({
      error: { message: "Parse error", data: { detail: expect.stringMatching(/./) } },
    });
  });
});

describe("S5 the longest line", () => {
  test("of 16 MiB is read", async () => {
    expect(await answersTo(`${padded(16 * MIB)}\n`)).toEqual([PONG]);
  });

  test("and one byte is MESSAGE_TOO_LARGE; the rest of it is skipped", async () => {
    expect(await answersTo(`${padded(16 * MIB + 1)}\n${PING}\n`)).toMatchObject([
      errorOf(-32600, "MESSAGE_TOO_LARGE"),
      PONG,
    ]);
  });

  test("a line of 40 MB in pieces is answered once, before it has ended", async () => {
    const server = serve();
    const piece = "x".repeat(1_000_000);
    for (let count = 0; count < 20; count += 1) server.write(piece);
    await server.waitForCount(1);
    for (let count = 0; count < 20; count += 1) server.write(piece);
    server.write(`\n${PING}\n`);
    await server.waitForCount(2);
    expect(server.received).toMatchObject([errorOf(-32600, "MESSAGE_TOO_LARGE"), PONG]);
    server.stop();
    await server.done;
  });

  test("two long lines in one chunk are answered one by one", async () => {
    const long = padded(16 * MIB + 1);
    expect(await answersTo(`${long}\n${PING}\n${long}\n${PING}\n`)).toMatchObject([
      errorOf(-32600, "MESSAGE_TOO_LARGE"),
      PONG,
      errorOf(-32600, "MESSAGE_TOO_LARGE"),
      PONG,
    ]);
  });
});
