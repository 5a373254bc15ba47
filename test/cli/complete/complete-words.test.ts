import { expect, test } from "vitest";

import { completeWords } from "../../../src/cli/complete/complete-words.ts";
import { shownIn, wordsOf } from "../../../src/cli/complete/shell-words.ts";
import { commands } from "../sample-commands.ts";

const VALUES = { namespace: ["backend", "web"], language: ["go", "rust"] };

/** The candidates for the last word, or the kind of path. */
async function call(...words: readonly string[]): Promise<readonly string[] | string> {
  const found = await completeWords(words, commands, async (kind) => VALUES[kind]);
  return typeof found === "string" ? found : found.map(({ word }) => word);
}

test.each<[readonly string[], readonly string[]]>([
  [["f"], ["find"]],
  [[""], ["find", "show", "auth", "help"]],
  [["-"], ["--help", "--version", "--licenses"]],
  [
    ["auth", ""],
    ["keys", "token"],
  ],
  [["auth", "token", "c"], ["create"]],
  [["help", "au"], ["auth"]],
  [["help", "find", ""], []],
  [["fnd", ""], []],
  [["find", "q", "--li"], ["--limit"]],
  [["find", "q", "--limit", "3", "--l"], []],
  [["find", "--no"], ["--no-snippets"]],
  [
    ["find", "--sort", ""],
    ["score", "path"],
  ],
  [["find", "--sort=p"], ["--sort=path"]],
  [
    ["find", "--kind", "code,"],
    ["code,docs", "code,tests"],
  ],
  [["find", "-k", "t"], ["tests"]],
  [["find", "--namespace", "b"], ["backend"]],
  [["find", "--limit", ""], []],
  [["find", "--", "--li"], []],
])("%j is completed to %j", async (words, offered) => {
  expect(await call(...words)).toEqual(offered);
});

test("a flag that is given already is offered again only if it takes a list", async () => {
  const offered = await call("find", "--json", "--kind", "code", "--");
  expect(offered).toContain("--kind");
  expect(offered).not.toContain("--json");
});

test("a glob is completed as a file", async () => {
  expect(await call("find", "--path-glob", "sr")).toBe("file");
});

test("bash, which splits words at =, gets the part after it", () => {
  const passed = ["find", "--kind", "=", "co"];
  expect(wordsOf("bash", passed)).toEqual(["find", "--kind=co"]);
  expect(wordsOf("bash", ["find", "--kind", "="])).toEqual(["find", "--kind="]);
  expect(wordsOf("zsh", ["find", "a", "=", "b"])).toEqual(["find", "a", "=", "b"]);
  expect(shownIn("bash", { word: "--kind=code", description: "" }, passed)).toBe("code");
});

test("PowerShell, which drops an empty word, marks the last", () => {
  expect(wordsOf("powershell", ["find", "="])).toEqual(["find", ""]);
});
