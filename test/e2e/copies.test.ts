// The shipped program in a project with translations and build output: the folded results, and how each interface
// reports them.
import { execFileSync } from "node:child_process";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { REPEATING } from "../engine/passages/repeating-files.ts";
import { createTokenFor } from "../spec/commands-here.ts";
import { createPlace, svc } from "../spec/program.ts";
import { startServer, type Server } from "../spec/stdio-client.ts";

process.env["SVC_BIN"] = join(import.meta.dirname, "../../dist/svc");

const ANCHOR = "drop the anchor of the ship";
const LEDGER = "load the harbour ledger";
const TRANSLATIONS = ["de", "fr", "ja", "pl-PL"].map((language) => `docs/${language}/anchor.md`);

const place = createPlace(REPEATING);
let server: Server;
beforeAll(async () => {
  execFileSync("git", ["init", "-q", place.root]);
  const { exit, stderr } = await svc(place, "index", place.root);
  if (exit !== 0) throw new Error(stderr);
  const { token } = await createTokenFor(place);
  server = startServer(place, { SERVICE_TOKEN: token });
}, 120_000);
afterAll(async () => {
  await server.close();
  place.remove();
});

interface Found {
  readonly path: string;
  readonly copies?: readonly string[];
  readonly translations?: readonly string[];
}

async function foundAtShell(...words: readonly string[]): Promise<readonly Found[]> {
  const { stdout } = await svc(place, "search", ...words, "--json");
  const answer: { readonly results: readonly Found[] } = JSON.parse(stdout);
  return answer.results;
}

async function textOf(input: Readonly<Record<string, unknown>>): Promise<string> {
  const { result } = await server.request("tools/call", {
    name: "search_context",
    arguments: input,
  });
  return (result?.content ?? []).map(({ text }) => text).join("\n");
}

test("a shell shows the original, with a note of what is folded into it", async () => {
  const { stdout } = await svc(place, "search", ANCHOR);
  expect(stdout).toMatch(/^docs\/anchor\.md:1-\d+ {2}Drop the anchor {2}\+ 4 translations$/m);
  expect(stdout).not.toContain("docs/de/anchor.md");
  const { stdout: ledger } = await svc(place, "search", LEDGER);
  expect(ledger).toMatch(/^src\/ledger\.js:\d+-\d+ {2}loadLedger {2}\+ 2 copies$/m);
});

test("JSON names the folded files, and --all-copies gives them places of their own", async () => {
  const folded = await foundAtShell(ANCHOR);
  const original = folded.find(({ path }) => path === "docs/anchor.md");
  expect(original?.translations?.toSorted()).toEqual(TRANSLATIONS);
  expect(original).not.toHaveProperty("copies");
  const all = await foundAtShell(ANCHOR, "--all-copies");
  expect(all.map(({ path }) => path)).toEqual(expect.arrayContaining(TRANSLATIONS));
  expect(all.filter((one) => "translations" in one || "copies" in one)).toEqual([]);
});

test("an agent reads how many files are folded, and which argument shows them", async () => {
  const text = await textOf({ query: LEDGER });
  expect(text).toMatch(/^src\/ledger\.js:\d+-\d+ {2}loadLedger {2}\+ 2 copies$/m);
  expect(text).toContain("all_copies: true shows copies and translations.");
  const all = await textOf({ query: LEDGER, all_copies: true });
  expect(all).toContain("dist/bundle.js:");
  expect(all).not.toMatch(/ {2}\+ \d|all_copies/);
});
