import { afterAll, expect, test } from "vitest";

import { createMachine, type CliRun } from "../../helpers/cli.ts";
import { logMachine } from "./fixtures/log-machine.ts";

const here = logMachine();
afterAll(() => here.dispose());

function call(...words: readonly string[]): Promise<CliRun> {
  return here.svc("read", ...words);
}

test("a definition, lines of a file and a section are printed below their locations", async () => {
  const { code, out, err } = await call("writeLine", "src/main.ts:1", "docs/log.md#Logging");
  expect([code, err]).toEqual([0, ""]);
  expect(out).toBe(
    [
      "src/log.ts:1-4  writeLine, of 4 lines",
      "/** Writes a line. */",
      "export function writeLine(text: string): void {",
      "  send(text);",
      "}",
      "src/main.ts:1-1  of 5 lines",
      'import { writeLine } from "./log.ts";',
      "docs/log.md:1-3  Logging, of 3 lines",
      "# Logging",
      "",
      "Call `writeLine` for each line.",
      "",
    ].join("\n"),
  );
});

test("an empty file has no lines", async () => {
  expect((await call("src/empty.ts")).out).toBe("src/empty.ts  empty file\n");
});

test("escape sequences in a file never reach the terminal", async () => {
  const { out } = await call("src/main.ts");
  expect(out).toContain('writeLine("");');
  expect(out).not.toContain("\u001b");
});

test("-N numbers the lines, and --json has a record for each part", async () => {
  expect((await call("-N", "src/log.ts:2-3")).out).toContain("2  export function writeLine");
  const { out } = await call("--json", "src/log.ts:3", "gone.ts");
  expect(JSON.parse(out)).toEqual({
    namespace: "project",
    parts: [
      {
        target: "src/log.ts:3",
        path: "src/log.ts",
        start_line: 3,
        end_line: 3,
        total_lines: 4,
        symbol: "",
        text: "  send(text);",
        changed: false,
      },
    ],
    problems: [{ target: "gone.ts", code: "PATH_NOT_FOUND", detail: expect.any(String) }],
  });
});

test("a file that is too long ends with the flag that shows more, and where it goes on", async () => {
  const long = Array.from({ length: 200 }, (_, at) => `line ${at}`).join("\n");
  const machine = createMachine({ "a.txt": `${long}\n` });
  const { out } = await machine.svc("read", "a.txt", "--max-tokens", "100");
  machine.dispose();
  expect(out).toMatch(/… cut by --max-tokens; continue with a\.txt:\d+-200\n$/);
});

test("what cannot be read is reported apart from the rest, with an exit code", async () => {
  const { code, out, err } = await call("src/log.ts:3", "noSuchName");
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/^src\/log\.ts:3-3 .*\n {2}send\(text\);\n$/),
  ]);
  expect(err).toBe('svc: No symbol "noSuchName". Try `svc search` with its words.\n');
});

test("a binary file is not shown", async () => {
  const machine = createMachine({ "a.bin": "\u0000\u0001" });
  const { code, out, err } = await machine.svc("read", "a.bin");
  machine.dispose();
  expect([code, out, err]).toEqual([2, "", "svc: a.bin is a binary file and is not shown.\n"]);
});

test("nothing to print is an error", async () => {
  const { code, out, err } = await call("src/lag.ts");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain('No file "src/lag.ts". Nearest: src/log.ts');
});
