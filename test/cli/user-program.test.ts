import { expect, onTestFinished, test } from "vitest";

import { endOf, startUserProgram } from "../../src/cli/user-program.ts";
import { tree } from "../helpers/tree.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";

test("arguments are values, whatever they contain", async () => {
  const folder = tree({ "out.txt": "" });
  onTestFinished(folder.dispose);
  const file = join(folder.path, "out.txt");
  const child = startUserProgram(`printf '%s\\n' first > '${file}'`, ["$(touch x)", "-rf; `id`"], {
    input: "inherit",
  });
  expect(await endOf(child)).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("first\n$(touch x)\n-rf; `id`\n");
});

test("a program that does not exist ends with 127", async () => {
  const child = startUserProgram("/nonexistent/editor 2>/dev/null", [], { input: "inherit" });
  expect(await endOf(child)).toBe(127);
});

test("the exit code is that of the program", async () => {
  const child = startUserProgram("exit 3", [], { input: "pipe", defaults: { LESS: "FRX" } });
  expect(await endOf(child)).toBe(3);
});
