// The changes between two states of a folder, computed from whole texts: the reference for the change log.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

import { chunkFile, type ChunkedFile } from "../../src/chunk/chunk.ts";
import { packedGrammars } from "../../src/engine/packed-grammars.ts";
import type { SymbolChange } from "../../src/index/change-log/symbol-diff.ts";
import type { ChangeEvent } from "../../src/index/change-log/change-event.ts";
import { languageOf } from "../../src/scan/classify.ts";

export interface FileVersion {
  readonly text: string;
  readonly chunked: ChunkedFile;
}

/** By path. */
export type FolderVersion = ReadonlyMap<string, FileVersion>;

/** The problems of one file; the others are only counted. */
const MAX_SYMBOLS = 200;
const INDENTED = new Set(["python", "yaml"]);

export async function folderVersion(
  root: string,
  isIndexed: (path: string) => boolean = () => true,
): Promise<FolderVersion> {
  const files = new Map<string, FileVersion>();
  const grammars = await packedGrammars();
  for (const entry of readdirSync(root, { withFileTypes: true, recursive: true })) {
    const place = join(entry.parentPath, entry.name);
    const path = relative(root, place).split(sep).join("/");
    if (!entry.isFile() || path.startsWith(".git/") || !isIndexed(path)) continue;
    const text = readFileSync(place, "utf8")
      .replaceAll("\r\n", "\n")
      .replace(/^\ufeff/, "");
    const chunked = chunkFile(
      { path, language: languageOf(path, text.slice(0, 200)), text },
      grammars,
    );
    files.set(path, { text, chunked });
  }
  return files;
}

/** The problems of a change log between two states; empty if it lists exactly the changes. */
export function problemsOf(
  before: FolderVersion,
  now: FolderVersion,
  changes: readonly ChangeEvent[],
): readonly string[] {
  const reported = changes.map(({ path, oldPath }) => oldPath ?? path);
  return [
    ...changes.flatMap((change) =>
      wrongIn(before, now, change).map((what) => `${change.kind} ${change.path}: ${what}`),
    ),
    ...reported
      .filter((path, at) => reported.indexOf(path) !== at)
      .map((path) => `${path}: reported twice`),
    ...unreported(before, now, changes),
    ...missedRenames(before, now, changes),
  ];
}

function wrongIn(
  before: FolderVersion,
  now: FolderVersion,
  { kind, path, oldPath, detail }: ChangeEvent,
): readonly string[] {
  const was = before.get(oldPath ?? path);
  const is = now.get(path);
  const isRenamed = kind === "renamed";
  const wrong: readonly (readonly [boolean, string])[] = [
    [(kind !== "added") !== (was !== undefined), "it was there, or was not"],
    [(kind !== "removed") !== (is !== undefined), "it is there, or is not"],
    [isRenamed !== (oldPath !== undefined), "it has an old path, or has none"],
    [isRenamed && before.has(path), "it had been there"],
    [isRenamed && now.has(oldPath ?? ""), "it is at its old place too"],
    [kind === "changed" && was?.text === is?.text, "it is as it was"],
  ];
  const expected = symbolChanges(was?.chunked, is?.chunked, [path, was?.text, is?.text]);
  const reported = JSON.stringify(detail.symbols ?? []);
  const wanted = JSON.stringify(expected.slice(0, MAX_SYMBOLS));
  return [
    ...wrong.filter(([isWrong]) => isWrong).map(([, what]) => what),
    ...(reported === wanted ? [] : [`reported ${reported}, expected ${wanted}`]),
  ];
}

function unreported(
  before: FolderVersion,
  now: FolderVersion,
  changes: readonly ChangeEvent[],
): readonly string[] {
  const reported = new Set(changes.flatMap(({ path, oldPath = path }) => [path, oldPath]));
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths]
    .filter((path) => !reported.has(path) && before.get(path)?.text !== now.get(path)?.text)
    .map((path) => `${path}: changed, and not reported`);
}

function missedRenames(
  before: FolderVersion,
  now: FolderVersion,
  changes: readonly ChangeEvent[],
): readonly string[] {
  const added = changes.filter(({ kind }) => kind === "added");
  const texts = new Set(added.map(({ path }) => now.get(path)?.text));
  return changes
    .filter(({ kind, path }) => kind === "removed" && texts.has(before.get(path)?.text))
    .map(({ path }) => `${path}: came back elsewhere, and is not reported as renamed`);
}

/** `what`: path, old text, new text. */
function symbolChanges(
  before: ChunkedFile | undefined,
  now: ChunkedFile | undefined,
  [path, oldText = "", newText = ""]: readonly [string, string | undefined, string | undefined],
): readonly SymbolChange[] {
  const olds = wholeSymbols(path, before, oldText);
  const news = wholeSymbols(path, now, newText);
  const partners = new Map<WholeSymbol, WholeSymbol>();
  const likenesses: readonly (keyof WholeSymbol | undefined)[][] = [
    ["signature", "body"],
    ["signature"],
    ["body"],
    [],
  ];
  for (const fields of likenesses) {
    for (const one of news) {
      if (partners.has(one)) continue;
      const other = olds.find(
        (old) =>
          old.key === one.key &&
          ![...partners.values()].includes(old) &&
          fields.every((field) => field === undefined || old[field] === one[field]),
      );
      if (other !== undefined) partners.set(one, other);
    }
  }
  const gone = olds.filter((old) => ![...partners.values()].includes(old));
  const added = news.filter((one) => !partners.has(one));
  const isLike = (one: WholeSymbol, other: WholeSymbol): boolean =>
    one.kind === other.kind && one.signature === other.signature && one.body === other.body;
  const renamed = new Map<WholeSymbol, WholeSymbol>();
  for (const one of added) {
    const [was, ...more] = gone.filter((old) => isLike(one, old));
    if (was === undefined || more.length > 0) continue;
    if (added.filter((other) => isLike(one, other)).length === 1) renamed.set(one, was);
  }
  const changes = news.flatMap((one): SymbolChange[] => {
    const { name, kind } = one;
    const partner = partners.get(one);
    if (partner !== undefined) {
      if (partner.signature !== one.signature) return [{ change: "signature", name, kind }];
      return partner.body === one.body ? [] : [{ change: "body", name, kind }];
    }
    const was = renamed.get(one);
    return was === undefined
      ? [{ change: "added", name, kind }]
      : [{ change: "renamed", name, kind, oldName: was.name }];
  });
  const taken = new Set(renamed.values());
  const removed = gone.filter((old) => !taken.has(old));
  return [
    ...changes,
    ...removed.map(({ name, kind }): SymbolChange => ({ change: "removed", name, kind })),
  ];
}

interface WholeSymbol {
  readonly key: string;
  readonly name: string;
  readonly kind: SymbolChange["kind"];
  readonly signature: string;
  readonly body: string;
}

function wholeSymbols(
  path: string,
  chunked: ChunkedFile | undefined,
  text: string,
): readonly WholeSymbol[] {
  if (chunked === undefined) return [];
  const isIndented = INDENTED.has(languageOf(path, text.slice(0, 200)) ?? "");
  const names = new Map<number, string>();
  for (const { name, nameLine } of chunked.symbols) {
    if (name !== "" && !names.has(nameLine)) names.set(nameLine, name);
  }
  const lines = text.split("\n").map((line, at) => {
    const name = names.get(at + 1);
    return name === undefined ? line : withoutFirst(line, name);
  });
  return chunked.symbols.map((symbol, number) => {
    const { qualifiedName: name, kind, signature, access, startLine, endLine } = symbol;
    const inner = chunked.symbols.slice(number + 1);
    const own: string[] = [];
    for (let line = startLine; line <= endLine; line += 1) {
      if (inner.some((one) => one.startLine <= line && line <= one.endLine)) continue;
      own.push(lines[line - 1] ?? "");
    }
    const first = own.find((line) => line.trim() !== "") ?? "";
    const shift = first.length - first.trimStart().length;
    const body = isIndented
      ? own
          .filter((line) => line.trim() !== "")
          .map((line) => `${line.length - line.trimStart().length - shift}|${tight(line)}`)
          .join("\n")
      : tight(own.join("\n"));
    return {
      key: `${kind} ${name}`,
      name,
      kind,
      signature: `${access} ${tight(withoutFirst(signature, symbol.name))}`,
      body,
    };
  });
}

function withoutFirst(text: string, name: string): string {
  // As two texts, so that no word continues from one to the other.
  const at = name === "" ? -1 : text.indexOf(name);
  return at === -1 ? text : text.slice(0, at) + text.slice(at + name.length);
}

function tight(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, " ")
    .replace(/ ?([^\w$\u0080-\uffff ]) ?/g, "$1");
}

/** Lines that only the new version has, ignoring white space; 1-based. */
export function newLines(before: string, now: string): readonly { line: number; text: string }[] {
  const left = new Map<string, number>();
  for (const line of before.split("\n"))
    left.set(wordsOf(line), (left.get(wordsOf(line)) ?? 0) + 1);
  return now.split("\n").flatMap((text, at) => {
    const count = left.get(wordsOf(text)) ?? 0;
    if (wordsOf(text) === "") return [];
    if (count > 0) {
      left.set(wordsOf(text), count - 1);
      return [];
    }
    return [{ line: at + 1, text }];
  });
}

function wordsOf(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}

/** How often each definition of a file uses a name. */
export function usesOf(
  name: string,
  file: FileVersion | undefined,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const use of file?.chunked.references.uses ?? []) {
    if (use.name !== name) continue;
    const owner = file?.chunked.symbols[use.owner]?.qualifiedName ?? "";
    counts[owner] = (counts[owner] ?? 0) + 1;
  }
  return counts;
}
