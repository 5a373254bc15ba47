import { expect, test } from "vitest";

import { chunkFile } from "../../src/chunk/chunk.ts";
import { lineHashes, fingerprintsOf, type FileFingerprints } from "../../src/parse/fingerprints.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import {
  readFingerprints,
  writeFingerprints,
} from "../../src/index/change-log/fingerprint-block.ts";
import { diffSymbols } from "../../src/index/change-log/symbol-diff.ts";
import { languageOf } from "../../src/scan/classify.ts";

async function fingerprints(text: string, path = "a.ts"): Promise<FileFingerprints> {
  const language = languageOf(path, text);
  const { symbols } = chunkFile({ path, language, text }, await packedGrammars());
  return fingerprintsOf({ text, language, symbols });
}

/** Returns `change name` of each changed symbol, and "outside" if other lines differ. */
async function differences(before: string, now: string, path?: string): Promise<readonly string[]> {
  const [old, updated] = [await fingerprints(before, path), await fingerprints(now, path)];
  return [
    ...diffSymbols(old.symbols, updated.symbols).map(({ change, name }) => `${change} ${name}`),
    ...(old.outside === updated.outside ? [] : ["outside"]),
  ];
}

test("a field is no other definition than the constant it was called before", async () => {
  const { symbols } = await fingerprints("export class A {\n  limit = 1;\n  other = 2;\n}\n");
  const before = symbols.map((one) => ({
    ...one,
    kind: one.kind === "field" ? ("constant" as const) : one.kind,
  }));
  expect(symbols.map(({ kind }) => kind)).toEqual(["class", "field", "field"]);
  expect(diffSymbols(before, symbols)).toEqual([]);
});

const SESSION =
  "import { log } from './log.ts';\n\nexport class Session {\n  open(path: string): void {\n    log(path);\n  }\n\n  close(): void {}\n}\n";

test.each([
  ["nothing", SESSION, []],
  [
    "the body of a method, which does not count for its class",
    SESSION.replace("log(path)", "log(1)"),
    ["body Session.open"],
  ],
  ["a parameter", SESSION.replace("path: string", "path: URL"), ["signature Session.open"]],
  ["a name", SESSION.replace("open(", "begin("), ["renamed Session.begin"]],
  [
    "a new method",
    SESSION.replace("  close", "  end(): number {\n    return 1;\n  }\n\n  close"),
    ["added Session.end"],
  ],
  ["a removed method", SESSION.replace("  close(): void {}\n", ""), ["removed Session.close"]],
  ["an import", SESSION.replace("{ log }", "{ log, warn }"), ["outside"]],
  ["its access", SESSION.replace("export class", "class"), ["signature Session"]],
  [
    "a comment in a body",
    SESSION.replace("log(path);", "log(path); // here"),
    ["body Session.open"],
  ],
  [
    "line breaks, indentation and blank lines",
    SESSION.replace("  open(path: string)", "\n\n\topen(\n\t\tpath: string\n\t)").replace(
      "    log",
      "\tlog",
    ),
    [],
  ],
  ["a space between words", SESSION.replace("log(path)", "lo g(path)"), ["body Session.open"]],
])("%s: the change is reported for the innermost symbol", async (_, now, expected) => {
  expect(await differences(SESSION, now)).toEqual(expected);
});

test("indentation counts in languages where it is syntax", async () => {
  const before = "def alpha():\n    if beta():\n        gamma()\n    return 1\n";
  expect(await differences(before, before.replace("    return", "        return"), "a.py")).toEqual(
    ["body alpha"],
  );
  const deeper = before.replaceAll("    ", "  ").replaceAll("\n\n", "\n");
  expect(await differences(before, `${before}\n\n`, "a.py")).toEqual([]);
  expect(await differences(before, deeper, "a.py")).toEqual(["body alpha"]);
});

function classOf(...methods: readonly (string | undefined)[]): string {
  return `class A {\n${methods.join("")}}\n`;
}

test("the added, removed or changed overload is reported", async () => {
  const [one, two, three] = ["int a", "long b", "String c"].map(
    (parameter) => `  void f(${parameter}) {\n    use(1);\n  }\n`,
  );
  const both = classOf(one, two, three);
  expect(await differences(both, classOf(two, three), "A.java")).toEqual(["removed A.f"]);
  expect(await differences(classOf(two, three), both, "A.java")).toEqual(["added A.f"]);
  expect(await differences(both, both.replace("long b", "char b"), "A.java")).toEqual([
    "signature A.f",
  ]);
  expect(await differences(both, classOf(three, one, two), "A.java")).toEqual([]);
});

test("fingerprints are unchanged after writing and reading", async () => {
  const original = await fingerprints(SESSION);
  expect(readFingerprints(writeFingerprints(original))).toEqual(original);
});

test("white space does not change the hash of a line", () => {
  expect([...lineHashes("a  b\n\n\tc\n")]).toEqual([...lineHashes("  c\na b")]);
  expect([...lineHashes("ab")]).not.toEqual([...lineHashes("a b")]);
});
