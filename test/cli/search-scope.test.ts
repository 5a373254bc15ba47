// Searches of several projects at a shell.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { searchScope } from "../../src/cli/search-scope.ts";
import { createMachine } from "../helpers/cli.ts";

vi.setConfig({ testTimeout: 30_000 });

const PROJECTS = {
  bakery: { "oven.ts": "/** Bakes bread. */\nexport function bake(): void {}\n" },
  mill: { "mill.ts": "/** Grinds flour. */\nexport function bake(): void {}\n" },
};

const here = createMachine({ "start.md": "# Start\n" });
afterAll(() => here.dispose());

beforeAll(async () => {
  for (const [name, contents] of Object.entries(PROJECTS)) {
    mkdirSync(join(here.root, name));
    for (const [file, text] of Object.entries(contents))
      writeFileSync(join(here.root, name, file), text);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await here.svc("index", join(here.root, name), "--namespace", name);
  }
});

async function jsonOf(...words: readonly string[]): Promise<unknown> {
  return JSON.parse((await here.svc(...words, "--json")).out);
}

test("the flags name one namespace, several or all", () => {
  expect(searchScope({ namespace: undefined, all: false }, "src")).toBeUndefined();
  expect(searchScope({ namespace: "gin", all: false }, "src")).toBe("gin");
  expect(searchScope({ namespace: "gin,flask", all: false }, undefined)).toBe("gin,flask");
  expect(searchScope({ namespace: undefined, all: true }, undefined)).toBe("*");
});

test("search, grep and symbols answer from several projects, with paths of the shell and the namespace", async () => {
  const found = await here.svc("search", "bake bread", "--namespace", "bakery,mill");
  expect(found.code).toBe(0);
  expect(found.out).toMatch(/^bakery\/oven\.ts:1-2 {2}bake {2}\[bakery\]$/m);
  const symbols = await here.svc("symbols", "bake", "--all");
  expect(symbols.out).toMatch(/ {2}bakery\/oven\.ts:1-2 {2}\[bakery\]/);
  expect(symbols.out).toMatch(/ {2}mill\/mill\.ts:1-2 {2}\[mill\]/);
  const lines = await here.svc("grep", "export function", "--all");
  expect(lines.out).toBe(
    "bakery/oven.ts:2:export function bake(): void {}\nmill/mill.ts:2:export function bake(): void {}\n",
  );
});

test("--json names the namespace of each result", async () => {
  const found = await jsonOf("search", "bake bread", "--all");
  expect(found).toMatchObject({
    namespace: "*",
    results: expect.arrayContaining([
      expect.objectContaining({ namespace: "bakery", path: "bakery/oven.ts" }),
    ]),
  });
  expect(await jsonOf("symbols", "bake", "--namespace", "bakery,mill")).toMatchObject({
    symbols: [
      expect.objectContaining({ namespace: "bakery" }),
      expect.objectContaining({ namespace: "mill" }),
    ],
  });
  expect(await jsonOf("grep", "Grinds", "--all")).toMatchObject({
    matches: [{ namespace: "mill", path: "mill/mill.ts", line: 1 }],
  });
});

test("nothing found names what was searched", async () => {
  const nothing = await here.svc("search", "zzzqqq", "--namespace", "bakery,mill");
  expect(nothing).toMatchObject({ code: 1, out: "" });
  expect(nothing.err).toContain('No results in "bakery" or "mill".');
  expect((await here.svc("symbols", "zzzqqq", "--all")).err).toContain("in any namespace");
});

test("flags and PATH that contradict each other are refused", async () => {
  const both = await here.svc("search", "bread", "--all", "--namespace", "mill");
  expect(both).toMatchObject({ code: 2, out: "" });
  expect(both.err).toContain("--all and --namespace cannot be used together.");
  const path = await here.svc("grep", "bread", "mill", "--all");
  expect(path).toMatchObject({ code: 2, out: "" });
  expect(path.err).toContain("PATH limits a search to one project.");
  const unknown = await here.svc("search", "bread", "--namespace", "bakery,mil");
  expect(unknown).toMatchObject({ code: 2, out: "" });
  expect(unknown.err).toMatch(/There is no namespace "mil"\.[\s\S]*mill/);
});
