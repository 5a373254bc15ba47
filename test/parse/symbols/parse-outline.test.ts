// The positions of the names of definitions, which distinguish them from uses.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { parseOutline } from "../../../src/parse/symbols/parse-outline.ts";
import { flatTreeOf } from "../../../src/parse/references/parse-references.ts";
import type { Definition } from "../../../src/parse/languages/definition-rules.ts";
import { DEFINITION_RULES } from "../../../src/parse/languages/definition-rules-by-language.ts";
import { sharedGrammars } from "../../chunk/helpers.ts";

const LANGUAGES = path.join(import.meta.dirname, "../../../src/parse/languages");
/** Names that do not occur in the source in this form. */
const NOT_IN_SOURCE = new Set(["default", "this[]", "MyApp.Size.Map"]);

async function definitions(language: string, text: string): Promise<readonly Definition[]> {
  const rules = DEFINITION_RULES.get(language);
  if (rules === undefined) throw new Error(`no rules for ${language}`);
  const lineCount = text.split("\n").length;
  const grammars = await sharedGrammars();
  const parsed = grammars.parse(language, rules.prepareText?.(text) ?? text, (root) =>
    parseOutline(root, {
      text,
      path: "file",
      lineCount,
      rules,
      tree: flatTreeOf(root, text, language),
    }),
  );
  if (parsed === undefined || "problem" in parsed) throw new Error(`no tree of ${language}`);
  return flatten(parsed.value.definitions);
}

function flatten(all: readonly Definition[]): readonly Definition[] {
  return all.flatMap((each) => [...(each.isSymbol ? [each] : []), ...flatten(each.members)]);
}

/** Returns the text at the position of each name. */
async function textAtNames(language: string, text: string): Promise<string[]> {
  const all = await definitions(language, text);
  return all.map(({ name, nameIndex }) =>
    nameIndex === -1 ? `${name} nowhere` : text.slice(nameIndex, nameIndex + name.length),
  );
}

describe("the position of a name", () => {
  const folders = readdirSync(LANGUAGES).filter((name) => DEFINITION_RULES.has(name));
  it.each(folders)("is correct for every symbol of the fixture of %s", async (language) => {
    const folder = path.join(LANGUAGES, language, "fixture");
    const files = readdirSync(folder).filter((name) => !name.endsWith(".golden"));
    expect(files).not.toHaveLength(0);
    for (const file of files) {
      const text = readFileSync(path.join(folder, file), "utf8");
      // oxlint-disable-next-line no-await-in-loop -- one parser
      for (const { name, nameIndex, nameLine } of await definitions(language, text)) {
        if (NOT_IN_SOURCE.has(name)) continue;
        const last = name.split(/[.\s]/).at(-1) ?? name;
        const written = text.slice(nameIndex).startsWith(name) ? name : last;
        expect([name, text.slice(nameIndex, nameIndex + written.length)]).toEqual([name, written]);
        expect([name, text.slice(0, nameIndex).split("\n").length]).toEqual([name, nameLine]);
      }
    }
  });

  it("is that of the name, not of an equal word before it", async () => {
    expect(await textAtNames("java", "class A { Color Color; Foo foo() { return Foo; } }")).toEqual(
      ["A", "Color", "foo"],
    );
    const [, color] = await definitions("java", "class A { Color Color; }");
    expect(color?.nameIndex).toBe(16);
  });

  it("is that of the last part of a qualified name", async () => {
    expect(
      await textAtNames("cpp", "void A::B::open() {}\nbool A::operator==(A a) {}\nA::~A() {}\n"),
    ).toEqual(["open", "operator==", "~A"]);
    expect(await textAtNames("javascript", "A.prototype.open = function () {};\n")).toEqual([
      "open",
    ]);
    expect(await textAtNames("lua", "function M.a.open() end\n")).toEqual(["open"]);
  });

  it("is inside of quotes and after sigils", async () => {
    expect(await textAtNames("php", "<?php\nclass A { private $b; }\ndefine('C', 1);\n")).toEqual([
      "A",
      "b",
      "C",
    ]);
    expect(await textAtNames("ruby", "class A\n  attr_reader :b\nend\n")).toEqual(["A", "b"]);
  });

  it("is searched if a rule gives only the name", async () => {
    expect(await textAtNames("kotlin", "class A { @Old\n constructor(x: Int) {} }\n")).toEqual([
      "A",
      "constructor",
    ]);
    const [, , again] = await definitions(
      "kotlin",
      "class A {\n @Old\n constructor(x: Int) {}\n constructor() {} }\n",
    );
    expect(again?.nameLine).toBe(4);
  });

  it("is unknown if the text does not contain the name", async () => {
    expect(await textAtNames("javascript", "export default function () {}\n")).toEqual([
      "default nowhere",
    ]);
  });
});

describe("the symbols of plain JavaScript", () => {
  it("include properties that assignments create, keys of constants, and variables that inner functions use", async () => {
    const text = `function Queue() { this.jobs = []; }
Queue.prototype = { size() { return this.jobs.length; } };
Queue.LIMIT = 10;
Object.defineProperty(Queue.prototype, "first", { get() { return 1; } });
const codes = { OPEN: 1, SHUT: 2 };
const app = (module.exports = {});
app.port = 80;
other.port = 81;
exports.VERSION = "1";
function make(options) {
  const used = 1, unused = options;
  return () => used + unused.length;
}
function sum(numbers) { const total = numbers[0]; return total; }
class Job { run() { this.done = true; } }
`;
    const all = await definitions("javascript", text);
    expect(all.map(({ kind, owner, name }) => [kind, owner, name].join(" "))).toEqual([
      "function  Queue",
      "field Queue jobs",
      "method  size",
      "field Queue LIMIT",
      "field Queue first",
      "constant  codes",
      "field  OPEN",
      "field  SHUT",
      "constant  app",
      "field app port",
      "constant  VERSION",
      "function  make",
      "constant  used",
      "constant  unused",
      "function  sum",
      "class  Job",
      "method  run",
      "field  done",
    ]);
  });

  it.each([
    ["(function () {", "})();"],
    ["(function () {", "}());"],
    [";(function () {", "}.call(this));"],
    ["(() => {", "}).apply(this);"],
    ["!function () {", "}();"],
    ["(function (root, factory) {\n  factory(root);\n})(this, (function (root) {", "}));"],
    ["define(['jquery'], function ($) {", "});"],
  ])("include those in a function that is called at once: %s %s", async (start, end) => {
    const lines = Array.from({ length: 20 }, (_, at) => `  // ${at}`).join("\n");
    const text = `${start}\n${lines}\n  function inner(a) {\n    return a;\n  }\n${end}\n`;
    const all = await definitions("javascript", text);
    expect(all.map(({ name }) => name)).toEqual(["inner"]);
  });
});
