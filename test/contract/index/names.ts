import { expect, test } from "vitest";

import { forgetAll } from "../../../src/base/at-rest.ts";
import type { FileReferences, Import, Use } from "../../../src/parse/references/references.ts";
import { NO_REFERENCES } from "../../../src/parse/references/references.ts";
import type { IndexReader } from "../../../src/index/port.ts";
import type { FileInput, SymbolFacts } from "../../../src/index/types.ts";
import { addAll, fileWith, testedIndex, type MakeBackends } from "./tested-index.ts";

function symbol(qualifiedName: string, startLine: number, endLine = startLine): SymbolFacts {
  const name = qualifiedName.split(".").at(-1) ?? "";
  const lines = { startLine, endLine, nameLine: startLine };
  return { name, qualifiedName, kind: "function", access: "exported", ...lines };
}

function use(name: string, line: number, more: Partial<Use> = {}): Use {
  const none = { owner: -1, target: -1, receiver: "", binding: -1 };
  return { name, line, role: "call", ...none, ...more };
}

function imported(module: string, line: number, ...names: readonly string[]): Import {
  const bindings = names.map((name) => ({ name, local: name }));
  return { line, module, bindings, isWildcard: false, isReexport: false };
}

const NET: FileReferences = {
  uses: [
    use("close", 1, { role: "import", binding: 0 }),
    use("open", 1, { role: "import", binding: 0 }),
    use("log", 4, { owner: 0, receiver: "@Logger" }),
    use("open", 4, { owner: 0, binding: 0 }),
    use("Open", 6, { role: "value" }),
    use("open", 9, { owner: 1, target: 1 }),
  ],
  imports: [
    imported("../base/disk.ts", 1, "open", "close"),
    { ...imported("a.b.Logger", 2), isWildcard: true },
  ],
  types: ["", "@Session"],
  package: "net",
};

const FILES = [
  fileWith("src/net.ts", {
    symbols: [symbol("Net.open", 8, 20), symbol("Net", 3, 30), symbol("log", 40)],
    references: NET,
  }),
  fileWith("src/disk.ts", {
    symbols: [symbol("open", 5), symbol("Open", 9), symbol("openAll", 12), symbol("größe", 13)],
    references: { ...NO_REFERENCES, uses: [use("log", 7)] },
  }),
  fileWith("lib/other.ts", {
    symbols: [symbol("OPEN", 1), symbol("open", 2)],
    references: { ...NO_REFERENCES, imports: [imported("crate::disk", 1)] },
  }),
  fileWith("docs/guide.md", { symbols: [{ ...symbol("Getting started", 1), kind: "section" }] }),
];

async function readerOf(
  make: MakeBackends,
  files = FILES,
  more: readonly ReturnType<typeof fileWith>[] = [],
): Promise<IndexReader> {
  const { write, read } = testedIndex(make);
  await write(async (writer) => {
    addAll(writer, files);
    await writer.commit();
    addAll(writer, more);
    await writer.commit();
  });
  return read();
}

/** Symbols, uses, imports and ranks. */
export function namesContract(make: MakeBackends): void {
  test("the symbols of a file come in line order, outer ones first, with all their facts", async () => {
    const reader = await readerOf(make);
    const symbols = await reader.symbolsOf("src/net.ts");
    expect(symbols.map(({ qualifiedName }) => qualifiedName)).toEqual(["Net", "Net.open", "log"]);
    const inner = {
      ...symbol("a.b", 3, 9),
      access: "private",
      kind: "field",
      nameLine: 5,
    } as const;
    const file = fileWith("a.ts", { symbols: [symbol("a", 3, 9), inner] });
    expect(await (await readerOf(make, [file])).symbolsOf("a.ts")).toEqual(file.content.symbols);
    expect(await reader.numberedSymbolsOf("src/net.ts")).toEqual(FILES[0]?.content.symbols);
    expect(await reader.numberedSymbolsOf("none.ts")).toEqual([]);
  });

  test("a reader keeps to the symbols and references of its version", async () => {
    const { write, read } = testedIndex(make);
    const versionOf = async (name: string): Promise<IndexReader> => {
      const references = { ...NO_REFERENCES, uses: [use(name, 2)] };
      await write(async (writer) => {
        addAll(writer, [fileWith("a.ts", { symbols: [symbol(name, 1)], references })]);
        await writer.commit();
      });
      return read();
    };
    const [before, after] = [await versionOf("first"), await versionOf("second")];
    for (const [reader, name] of [
      [before, "first"],
      [after, "second"],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- two readers
      const [symbols, { uses }] = [
        await reader.symbolsOf("a.ts"),
        await reader.referencesOf("a.ts"),
      ];
      expect([...symbols, ...uses].map((one) => one.name)).toEqual([name, name]);
    }
  });

  test("definitions of a name come in its own case first, then by path and line, up to a limit", async () => {
    const reader = await readerOf(make);
    const places = async (name: string, limit: number): Promise<readonly string[]> =>
      (await reader.symbolsNamed(name, limit)).map(
        (one) => `${one.path}:${one.startLine} ${one.qualifiedName} ${one.number}`,
      );
    const all = [
      "lib/other.ts:2 open 1",
      "src/disk.ts:5 open 0",
      "src/net.ts:8 Net.open 0",
      "lib/other.ts:1 OPEN 0",
      "src/disk.ts:9 Open 1",
    ];
    expect(await places("open", 10)).toEqual(all);
    expect(await places("open", 2)).toEqual(all.slice(0, 2));
    expect((await places("OPEN", 10)).slice(0, 1)).toEqual(["lib/other.ts:1 OPEN 0"]);
    expect(await places("GRÖSSE", 10)).toEqual([]);
    expect(await places("GRÖßE", 10)).toEqual(["src/disk.ts:13 größe 3"]);
    expect(await places("Getting started", 10)).toEqual(["docs/guide.md:1 Getting started 0"]);
    expect(await places("ope", 10)).toEqual([]);
    expect([await reader.definitionsOf("Open"), await reader.definitionsOf("none")]).toEqual([
      5, 0,
    ]);
  });

  test("names that begin with a prefix, in any case, are listed once", async () => {
    const reader = await readerOf(make);
    const names = async (prefix: string, limit: number): Promise<readonly string[]> =>
      (await reader.symbolNames(prefix, limit)).toSorted();
    expect(await names("OP", 10)).toEqual(["OPEN", "Open", "open", "openAll"]);
    expect(await names("lo", 10)).toEqual(["log"]);
    expect(await names("none", 10)).toEqual([]);
    expect(await names("", 2)).toHaveLength(2);
  });

  test("the names of all definitions are in memory, with their files, kinds and owners, after a rest too", async () => {
    const reader = await readerOf(make);
    await reader.segmentSymbols();
    forgetAll();
    const found: string[] = [];
    for (const { names, tombstones } of await reader.segmentSymbols()) {
      for (let name = 0; name < names.size; name += 1) {
        for (const at of names.symbolsOf(name)) {
          const file = names.fileOf(at);
          if (tombstones?.[file] === 1) continue;
          found.push(
            `${names.file(file).path} ${names.ownerOf(at)}${names.name(name)} ${names.kindOf(at)}`,
          );
        }
      }
    }
    expect(found.toSorted()).toEqual(
      FILES.flatMap(({ content: { path, symbols } }) =>
        symbols.map(({ qualifiedName, kind }) => `${path} ${qualifiedName} ${kind}`),
      ).toSorted(),
    );
  });

  test("the uses of a name come by file, in path and line order, in exact case", async () => {
    const reader = await readerOf(make);
    const found = await reader.usesOf("log");
    expect(found.map(({ path, language, role, uses }) => [path, language, role, uses])).toEqual([
      ["src/disk.ts", "typescript", "code", [use("log", 7)]],
      ["src/net.ts", "typescript", "code", [use("log", 4, { owner: 0, receiver: "@Logger" })]],
    ]);
    const [open] = await reader.usesOf("open");
    expect(open?.uses).toEqual(NET.uses.filter(({ name }) => name === "open"));
    expect((await reader.usesOf("Open")).flatMap(({ uses }) => uses)).toEqual([
      use("Open", 6, { role: "value" }),
    ]);
    expect(await reader.usesOf("OPEN")).toEqual([]);
    // In any letter case.
    expect(await Promise.all(["LOG", "open", "none"].map(reader.usingFiles))).toEqual([2, 1, 0]);
  });

  test("the uses of a name come with the names under which a file exports it again", async () => {
    const renamed = imported("./disk.ts", 1, "open", "close");
    const bindings = [...renamed.bindings, { name: "open", local: "start" }];
    const imports = [
      { ...renamed, bindings, isReexport: true },
      { ...imported("./net.ts", 2), bindings: [{ name: "open", local: "other" }] },
    ];
    const uses = [use("open", 3), use("start", 4)];
    const file = fileWith("src/all.ts", { references: { ...NO_REFERENCES, uses, imports } });
    const reader = await readerOf(make, [...FILES, file]);
    const found = await reader.usesOf("open");
    expect(found.map(({ path, reexports }) => [path, reexports])).toEqual([
      ["src/all.ts", ["open", "start"]],
      ["src/net.ts", []],
    ]);
    const [start] = await reader.usesOf("start");
    expect(start?.reexports).toEqual([]);
  });

  test("the references of a file are read back in the order of every backend", async () => {
    const reader = await readerOf(make);
    const [close, open, ...others] = NET.uses;
    // The names of an import keep its order.
    expect(await reader.referencesOf("src/net.ts")).toEqual({
      ...NET,
      uses: [open, close, ...others],
    });
    expect(await reader.referencesOf("docs/guide.md")).toEqual(NO_REFERENCES);
    expect(await reader.referencesOf("none.ts")).toEqual(NO_REFERENCES);
    const { uses: _uses, ...scope } = NET;
    expect(await reader.scopeOf("src/net.ts")).toEqual({
      path: "src/net.ts",
      language: "typescript",
      role: "code",
      flags: 0,
      ...scope,
      symbols: FILES[0]?.content.symbols,
    });
    expect(await reader.scopeOf("none.ts")).toBeUndefined();
    expect(await reader.importsOf("src/net.ts")).toEqual({
      path: "src/net.ts",
      language: "typescript",
      role: "code",
      flags: 0,
      imports: NET.imports,
      package: "net",
    });
    expect(await reader.importsOf("none.ts")).toBeUndefined();
    expect(await reader.includesOf("src/net.ts")).toEqual({
      path: "src/net.ts",
      language: "typescript",
      role: "code",
      flags: 0,
      modules: ["a.b.Logger"],
    });
    expect((await reader.includesOf("docs/guide.md"))?.modules).toEqual([]);
    expect(await reader.includesOf("none.ts")).toBeUndefined();
  });

  test("the uses of supertypes in a file come in line order", async () => {
    const uses = [
      use("Zebra", 1, { role: "inherit", owner: 0, receiver: "zoo" }),
      use("Animal", 3, { role: "inherit", owner: 1 }),
      use("Animal", 4, { role: "type", owner: 1 }),
      use("Zebra", 5, { owner: 1, receiver: "zoo" }),
    ];
    const file = fileWith("src/zoo.ts", { references: { ...NO_REFERENCES, uses } });
    const reader = await readerOf(make, [...FILES, file]);
    expect(await reader.inheritsOf("src/zoo.ts")).toEqual(uses.slice(0, 2));
    expect(await reader.inheritsOf("src/net.ts")).toEqual([]);
    expect(await reader.inheritsOf("none.ts")).toEqual([]);
  });

  test("importers are found by the last parts of the module, in any case and in path order", async () => {
    const reader = await readerOf(make);
    expect(await reader.importersOf("disk")).toEqual(["lib/other.ts", "src/net.ts"]);
    expect(await reader.importersOf("LOGGER")).toEqual(["src/net.ts"]);
    expect(await reader.importersOf("b")).toEqual(["src/net.ts"]);
    expect(await reader.importersOf("a")).toEqual([]);
  });

  test("a replaced file has only its new names", async () => {
    const next = fileWith("src/net.ts", {
      symbols: [symbol("close", 2)],
      references: { ...NO_REFERENCES, uses: [use("shut", 3)] },
    });
    const reader = await readerOf(make, FILES, [next]);
    expect((await reader.symbolsNamed("open", 10)).map(({ path }) => path)).not.toContain(
      "src/net.ts",
    );
    expect((await reader.usesOf("shut")).map(({ path }) => path)).toEqual(["src/net.ts"]);
    expect(await reader.usesOf("open")).toEqual([]);
    expect(await reader.importersOf("disk")).toEqual(["lib/other.ts"]);
  });

  ranksContract(make);
}

function user(path: string, ...names: readonly string[]): ReturnType<typeof fileWith> {
  const uses = names.map((name, at) => use(name, at + 1));
  return fileWith(path, { references: { ...NO_REFERENCES, uses } });
}

const definer = (path: string, ...names: readonly string[]): ReturnType<typeof fileWith> =>
  fileWith(path, {
    symbols: names.map((name, at) => symbol(name, at + 1)),
  } satisfies Partial<FileInput>);

function ranksContract(make: MakeBackends): void {
  test("used files and symbols rank above others, and a computation creates no new version", async () => {
    const { write, read } = testedIndex(make);
    const version = await write(async (writer) => {
      addAll(writer, [
        definer("log.ts", "unused", "write"),
        user("one.ts", "write"),
        user("two.ts", "write"),
      ]);
      await writer.commit();
      expect([await writer.computePageRank(), await writer.computePageRank()]).toEqual([
        true,
        false,
      ]);
      return writer.commit();
    });
    const reader = await read();
    expect([reader.version, version.at, await reader.rankVersion()]).toEqual([version, 1, 1]);
    const { fileRank, symbolRank } = await reader.pageRanks();
    expect(fileRank("log.ts")).toBeGreaterThan(fileRank("one.ts"));
    expect(fileRank("one.ts")).toBe(fileRank("two.ts"));
    expect(fileRank("one.ts")).toBeGreaterThan(0);
    expect([symbolRank("log.ts", 0), fileRank("none.ts"), symbolRank("none.ts", 0)]).toEqual([
      0, 0, 0,
    ]);
    expect(symbolRank("log.ts", 1)).toBeGreaterThan(0);
  });

  test("before the first computation no file has a rank", async () => {
    const reader = await readerOf(make);
    const { fileRank, symbolRank } = await reader.pageRanks();
    expect([fileRank("src/net.ts"), symbolRank("src/net.ts", 0)]).toEqual([0, 0]);
    expect(await reader.rankVersion()).toBe(0);
  });

  test("a changed file keeps its ranks until the next computation, a removed one does not", async () => {
    const { write, read } = testedIndex(make);
    const ranks = async () => (await read()).pageRanks();
    await write(async (writer) => {
      addAll(writer, [
        definer("log.ts", "write"),
        user("one.ts", "write"),
        user("two.ts", "write"),
      ]);
      await writer.commit();
      await writer.computePageRank();
      const before = await ranks();
      const [rank, ofWrite] = [before.fileRank("log.ts"), before.symbolRank("log.ts", 0)];
      expect(ofWrite).toBeGreaterThan(0);
      addAll(writer, [definer("log.ts", "fresh", "write")]);
      writer.remove("two.ts");
      await writer.commit();
      const { fileRank, symbolRank } = await ranks();
      expect([fileRank("log.ts"), fileRank("two.ts")]).toEqual([rank, 0]);
      expect([symbolRank("log.ts", 0), symbolRank("log.ts", 1)]).toEqual([0, ofWrite]);
      expect(await writer.computePageRank()).toBe(true);
      expect((await ranks()).fileRank("log.ts")).not.toBe(rank);
      expect(await (await read()).rankVersion()).toBe(2);
    });
  });

  test("ranks are due again when more than two in a hundred files have changed", async () => {
    const { write } = testedIndex(make);
    await write(async (writer) => {
      addAll(
        writer,
        Array.from({ length: 100 }, (_, at) => definer(`${at}.ts`, `name${at}`)),
      );
      await writer.commit();
      expect(await writer.computePageRank()).toBe(true);
      const due: boolean[] = [];
      for (const at of [1, 2, 3]) {
        addAll(writer, [definer(`${at}.ts`, "other")]);
        // oxlint-disable-next-line no-await-in-loop -- one commit after the other
        await writer.commit();
        // oxlint-disable-next-line no-await-in-loop -- as above
        due.push(await writer.computePageRank());
      }
      expect(due).toEqual([false, false, true]);
    });
  });
}
