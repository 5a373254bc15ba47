import { afterAll, beforeAll, expect, test } from "vitest";
import { join } from "node:path";

import { createMachine } from "../helpers/cli.ts";

const place = createMachine({ "src/config.ts": "export function parseConfig(): void {}\n" });
beforeAll(() => place.svc("index", place.root, "--namespace", "backend"));
afterAll(() => place.dispose());

test.each<[readonly string[], string]>([
  [["serch", "x"], "Did you mean `svc search`?"],
  [["map"], "Did you mean `svc outline`?"],
  [["usages", "parse"], "Did you mean `svc refs`?"],
  [["version"], "Did you mean `svc --version`?"],
  [["-v"], "Did you mean --version?"],
  [["login", "https://svc.example.org"], "Did you mean `svc auth login`?"],
  [["import", "index.scip"], "Did you mean `svc index --scip`?"],
  [["where is it parsed?"], "To search for it, run `svc search 'where is it parsed?'`."],
  [["grep", "-rn", "parse"], "svc grep searches folders without it."],
  [
    ["grep", "-n", "parse"],
    "svc grep prints line numbers without it; --limit N, or -n N, prints N lines.",
  ],
  [["grep", "parse", "-A", "3"], "-C N prints N lines before and after each match."],
  [["grep", "parse", "--include", "*.ts"], "Did you mean --path?"],
  [["grep", "parse", "a.ts", "b.ts"], "--path GLOB, in quotes, selects several files."],
  [["grep", "(", "--fixed-string"], "Did you mean --fixed-strings?"],
  [["search", "parse", "--no-color"], "Write --color=never."],
  [["auth", "token", "creat"], "Did you mean `svc auth token create`?"],
  [["search", "parse", "--limt", "3"], "Did you mean --limit?"],
  [["search", "parse", "--kind", "cod"], "Did you mean code?"],
  [["completions", "basj"], "Did you mean bash?"],
  [["install", "cursr"], "Did you mean cursor?"],
  [["config", "get", "log_lvel"], "Did you mean log_level?"],
  [["search", "parse", "--namespace", "backnd"], 'Did you mean "backend"?'],
  [["namespaces", "remove", "bakend"], 'Did you mean "backend"?'],
  [["outline", "src/confg.ts", "--namespace", "backend"], "Nearest: src/config.ts."],
  [["search"], 'For example: svc search "where are tokens revoked"'],
])("%j suggests the right word", async (words, hint) => {
  const { code, out, err } = await place.svc(...words);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toContain(hint);
});

test("the nearest name of an unknown one is suggested; nothing was found, as for symbols", async () => {
  const { code, out, err } = await place.svc("refs", "parseConfg", "--namespace", "backend");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain("Nearest: parseConfig.");
});

test("for a missing folder the error suggests a neighbour", async () => {
  const { code, err } = await place.svc("index", join(place.root, "scr"));
  expect(code).toBe(2);
  expect(err).toContain(`Did you mean "${join(place.root, "src")}"?`);
});
