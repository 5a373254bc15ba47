// Finds the uses of a name in the segments of a snapshot.

import type { FileReferences, Use } from "../../parse/references/references.ts";
import type { UsingSymbols, FileImports, FileIncludes, FileScope, FileUses } from "../port.ts";
import { eachPosting } from "../coding/posting-list.ts";
import {
  readImporting,
  readInherits,
  readReferences,
  readScope,
  usesReader,
  withoutUses,
} from "../references/reference-block.ts";
import type { DictionaryEntry } from "./segment/dictionary-reader.ts";
import type { SymbolFacts } from "../types.ts";
import type { SegmentView } from "./segment/live-segments.ts";
import type { IndexSnapshot } from "./snapshot.ts";
import { liveSymbols } from "./symbol-lookup.ts";
import { importTerm, usedTerm } from "../references/used-terms.ts";

/** Returns the uses of a name in this exact case, by file, in path order. */
export function usesOf({ segments }: IndexSnapshot, name: string): readonly FileUses[] {
  const found: FileUses[] = [];
  const readUses = usesReader(name);
  for (const view of segments) {
    eachFileWithTerm(view, usedTerm(name), (file) => {
      const bytes = view.reader.referenceBytes(file);
      const read = readUses(bytes);
      if (read.uses.length === 0) return;
      view.reader.keepScope(file, withoutUses(bytes));
      found.push({ ...view.reader.file(file), ...read });
    });
  }
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

/** Returns the definitions that use a name, by file; one per use. */
export function ownersOfUses(
  segments: readonly SegmentView[],
  name: string,
): readonly UsingSymbols[] {
  const found: UsingSymbols[] = [];
  const readUses = usesReader(name);
  for (const view of segments) {
    eachFileWithTerm(view, usedTerm(name), (file) => {
      const { uses } = readUses(view.reader.referenceBytes(file));
      if (uses.length === 0) return;
      const symbols = view.reader.symbolsOf(file);
      const owners = uses.map(({ owner }) => symbols[owner]?.qualifiedName ?? "");
      found.push({ path: view.reader.path(file), owners });
    });
  }
  return found;
}

/** Returns the number of files that use a name, in any case. */
export function usingFiles({ segments }: IndexSnapshot, name: string): number {
  return sumOf(segments, name, ({ reader: { dictionary }, live }, entry) =>
    live.filesIn(dictionary.count(entry, "uses"), () => dictionary.list(entry, "uses")),
  );
}

/** Returns the number of symbols with a name, in any case. */
export function definitionsOf({ segments }: IndexSnapshot, name: string): number {
  return sumOf(segments, name, liveSymbols);
}

function sumOf(
  segments: readonly SegmentView[],
  name: string,
  count: (view: SegmentView, entry: DictionaryEntry) => number,
): number {
  return segments.reduce((sum, view) => {
    const entry = view.reader.dictionary.lookup(usedTerm(name));
    return sum + (entry === undefined ? 0 : count(view, entry));
  }, 0);
}

/** Returns the paths of the files with an import whose module ends in this part, in order. */
export function importing({ segments }: IndexSnapshot, lastPart: string): readonly string[] {
  const paths: string[] = [];
  for (const view of segments) {
    eachFileWithTerm(view, importTerm(lastPart), (file) => paths.push(view.reader.path(file)));
  }
  return paths.toSorted();
}

/** Returns the references of a file of a segment. */
export function referencesIn({ reader }: SegmentView, file: number): FileReferences {
  return readReferences(reader.referenceBytes(file));
}

/** Returns the uses of supertypes in a file of a segment. */
export function inheritsIn({ reader }: SegmentView, file: number): readonly Use[] {
  return readInherits(reader.referenceBytes(file));
}

/** Returns what a file of a segment imports. */
export function importsIn({ reader }: SegmentView, file: number): FileImports {
  return { ...reader.file(file), ...readImporting(reader.scopeBytes(file)) };
}

/** Returns what a file of a segment imports as a whole. */
export function includesIn({ reader }: SegmentView, file: number): FileIncludes {
  return { ...reader.file(file), modules: reader.includesOf(file) };
}

/** Returns the scope of a file of a segment. Reads its imports, its definitions and their types on demand. */
export function scopeIn({ reader }: SegmentView, file: number): FileScope {
  let symbols: readonly SymbolFacts[] | undefined;
  let imported: ReturnType<typeof readImporting> | undefined;
  let scope: ReturnType<typeof readScope> | undefined;
  const readImports = (): ReturnType<typeof readImporting> => {
    imported ??= readImporting(reader.scopeBytes(file));
    return imported;
  };
  const read = (): ReturnType<typeof readScope> => {
    scope ??= readScope(reader.scopeBytes(file));
    return scope;
  };
  return {
    ...reader.file(file),
    get imports() {
      return readImports().imports;
    },
    get package() {
      return readImports().package;
    },
    get symbols() {
      symbols ??= reader.symbolsOf(file);
      return symbols;
    },
    get types() {
      return read().types;
    },
    get signatures() {
      return read().signatures;
    },
  };
}

function eachFileWithTerm(
  { reader, tombstones }: SegmentView,
  term: string,
  visit: (file: number) => void,
): void {
  const entry = reader.dictionary.lookup(term);
  if (entry === undefined) return;
  eachPosting(reader.dictionary.list(entry, "uses"), (file) => {
    if (tombstones[file] !== 1) visit(file);
  });
}
