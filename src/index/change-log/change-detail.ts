// What is told of a change, from two versions of a file.

import type { FileFingerprints } from "../../parse/fingerprints.ts";
import type { SymbolChange } from "./symbol-diff.ts";

/**
 * `indexed`: a source was read for the first time; `unindexed`: it no longer feeds the namespace. Of both only the
 * number of files is told.
 */
export type ChangeKind = "added" | "removed" | "renamed" | "changed" | "indexed" | "unindexed";

/** What is kept of a change besides its row's columns. */
export interface ChangeDetail {
  readonly symbols?: readonly SymbolChange[];
  /** Symbols beyond MOST_SYMBOLS. */
  readonly more?: number;
  /** Lines outside of all definitions changed. */
  readonly outside?: true;
  /** Nothing but white space changed. */
  readonly whitespace?: true;
  /** Its content is not, or was not, indexed. */
  readonly unread?: true;
  readonly files?: number;
}

export interface FileChange {
  readonly kind: ChangeKind;
  readonly path: string;
  readonly oldPath: string | undefined;
  readonly detail: ChangeDetail;
}

/** One version of a file: its content, "" where that is not indexed, and the prints of its symbols. */
export interface ContentVersion {
  readonly hash: string;
  readonly fingerprints: FileFingerprints;
}

/** Symbols of one file that are written down; the others are counted. */
const MAX_SYMBOL_CHANGES = 200;
const CHANGE_KINDS: readonly ChangeKind[] = [
  "added",
  "removed",
  "renamed",
  "changed",
  "indexed",
  "unindexed",
];

export function changeKindOf(value: unknown): ChangeKind {
  return CHANGE_KINDS.find((kind) => kind === value) ?? "changed";
}

/** `hash`: undefined when the file is gone; `oldHash`: when it is new. */
export function classifyChange({
  hash,
  oldHash,
  isMoved,
}: {
  hash: string | undefined;
  oldHash: string | undefined;
  isMoved: boolean;
}): ChangeKind {
  if (hash === undefined) return "removed";
  if (isMoved) return "renamed";
  return oldHash === undefined ? "added" : "changed";
}

/** What is told of a file beside its path. */
export function detailOf({
  kind,
  symbols,
  before,
  now,
}: {
  readonly kind: ChangeKind;
  readonly symbols: readonly SymbolChange[];
  readonly before: ContentVersion | undefined;
  readonly now: ContentVersion | undefined;
}): ChangeDetail {
  const more = symbols.length - MAX_SYMBOL_CHANGES;
  return {
    ...(symbols.length > 0 ? { symbols: symbols.slice(0, MAX_SYMBOL_CHANGES) } : {}),
    ...(more > 0 ? { more } : {}),
    ...flagsOf(kind, symbols, [before, now]),
  };
}

function flagsOf(
  kind: ChangeKind,
  symbols: readonly SymbolChange[],
  [before, now]: readonly [ContentVersion | undefined, ContentVersion | undefined],
): Pick<ChangeDetail, "unread" | "outside" | "whitespace"> {
  if (before?.hash === "" || now?.hash === "") return { unread: true };
  // What a file that came or went as a whole consists of is told with it.
  if (kind !== "changed" && kind !== "renamed") return {};
  if (before?.fingerprints.outside !== now?.fingerprints.outside) return { outside: true };
  return before?.hash !== now?.hash && symbols.length === 0 ? { whitespace: true } : {};
}
