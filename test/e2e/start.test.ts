// `npm start` ends with a screen that a newcomer can read at once.
import { execFileSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const QUESTION = "how is damage of an asset found";
const TERMINAL_LINES = 24;

let base = "";
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "svc-start-test-"));
});
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

test("the last screen of npm start has the question, three results and one instruction", () => {
  const args = [join(ROOT, "scripts/start.mjs"), QUESTION, join(ROOT, "src/base")];
  const steps = openSync(join(base, "steps"), "w");
  const output = execFileSync(process.execPath, args, {
    cwd: base,
    env: { PATH: process.env["PATH"], HOME: base, TMPDIR: base, INIT_CWD: ROOT },
    encoding: "utf8",
    stdio: ["ignore", "pipe", steps],
  });
  const lines = output.trim().split("\n");
  expect(lines.length).toBeLessThan(TERMINAL_LINES);
  expect(lines[0]).toMatch(/^svc indexed \d+ files in [\d.]+ s and answered in \d+ ms\.$/);
  expect(lines[2]).toBe(QUESTION);
  const results = lines.filter((line) => /^\d\. \S+\.ts:\d+-\d+ {2}\S+/.test(line));
  expect(results.map((line) => line.slice(0, 2))).toEqual(["1.", "2.", "3."]);
  for (const result of results) expect(lines[lines.indexOf(result) + 1]).toMatch(/^ {5}\S/);
  expect(lines.filter((line) => line.includes("dist/svc"))).toEqual([
    "Connect your editor or coding agent: dist/svc install CLIENT (claude-code, cursor, vscode, …)",
  ]);
  expect(lines.at(-1)).toContain("dist/svc install CLIENT");
  expect(readFileSync(join(base, "steps"), "utf8")).toMatch(
    /^Building dist\/svc, the executable … (?:up to date|[\d.]+ s)\nIndexing \S+src\/base … [\d.]+ s\n$/,
  );
}, 120_000);
