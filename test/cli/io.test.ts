import { spawn, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

import { expect, test } from "vitest";

import { createMemoryIo } from "../../src/cli/io.ts";

const SOURCE = pathToFileURL(join(import.meta.dirname, "../../src/cli/io.ts")).href;

interface Child {
  readonly colour?: string;
  readonly stdio?: StdioOptions;
  /** Stops reading standard output after the first piece. */
  readonly leaveEarly?: boolean;
}

/** Runs the body in a separate process, with its terminal as `io`. Returns its output and exit code. */
async function runChild(body: string, { colour = "auto", stdio, leaveEarly = false }: Child = {}) {
  const script = `import { createTerminalIo } from ${JSON.stringify(SOURCE)};
    const io = createTerminalIo({ color: ${JSON.stringify(colour)} });
    ${body}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: stdio ?? ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit");
  if (leaveEarly) child.stdout?.once("data", () => child.stdout?.destroy());
  const out = child.stdout === null || leaveEarly ? "" : text(child.stdout);
  const err = child.stderr === null ? "" : text(child.stderr);
  const [code] = await exited;
  return { code, out: await out, err: await err };
}

test("the two streams are separate and nothing is added", async () => {
  const body = 'io.out("a"); io.err("b"); io.out("c\\n"); await io.flush();';
  expect(await runChild(body)).toEqual({ code: 0, out: "ac\n", err: "b" });
});

test("a pipe is not a terminal, has 80 columns and no colour", async () => {
  const body = "io.out(JSON.stringify([io.isTerminal, io.errIsTerminal, io.columns, io.color]))";
  expect((await runChild(body)).out).toBe("[false,false,80,false]");
});

test.each([
  ["always", "true"],
  ["never", "false"],
])("colour %s is %s without a terminal", async (colour, expected) => {
  expect((await runChild("io.out(String(io.color && io.errColor))", { colour })).out).toBe(
    expected,
  );
});

test("all of a large text arrives before the process ends", async () => {
  const { out } = await runChild('io.out("x".repeat(3_000_000)); await io.flush();');
  expect(out.length).toBe(3_000_000);
});

test("a reader that leaves closes the output instead of the process", async () => {
  const body = `
    while (!io.outputClosed.aborted) { io.out("line\\n".repeat(1000)); await io.flush(); }
    io.out("ignored"); await io.flush();
    io.err(io.outputClosed.reason.code);`;
  expect(await runChild(body, { leaveEarly: true })).toEqual({ code: 0, out: "", err: "EPIPE" });
});

test("an output that cannot be written is known once it is flushed", async () => {
  const readOnly = openSync(devNull, "r");
  const body = 'io.out("x"); await io.flush(); io.err(io.outputClosed.reason.code);';
  const result = await runChild(body, { stdio: ["ignore", readOnly, "pipe"] });
  closeSync(readOnly);
  expect(result).toEqual({ code: 0, out: "", err: "EBADF" });
});

test("output to the null device is lost, other output is not", async () => {
  const body = "io.err(String(io.outputIsLost));";
  for (const [stdout, isLost] of [
    [openSync(devNull, "w"), "true"],
    [openSync(import.meta.filename, "r"), "false"],
    ["pipe", "false"],
  ] as const) {
    expect((await runChild(body, { stdio: ["ignore", stdout, "pipe"] })).err).toBe(isLost);
    if (typeof stdout === "number") closeSync(stdout);
  }
});

test("the test double records output until its output is closed", () => {
  const io = createMemoryIo({ columns: 40 });
  io.out("a");
  io.closeOutput();
  io.out("b");
  io.err("c");
  expect([io.stdout(), io.stderr(), io.columns]).toEqual(["a", "c", 40]);
});

test("output is awaited often without a warning", async () => {
  const body = 'for (let at = 0; at < 50; at += 1) { io.out("x"); await io.flush(); }';
  expect(await runChild(body)).toEqual({ code: 0, out: "x".repeat(50), err: "" });
});
