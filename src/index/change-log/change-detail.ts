// Describes a change from two versions of a file.

import type { FileFingerprints } from "../../parse/fingerprints.ts";
import type { SymbolChange } from "./symbol-diff.ts";

/**
 * `indexed`: a source was read for the first time. `unindexed`: it no longer belongs to the namespace. Both
 * report only the number of files.
 */
export type ChangeKind = "added" | "removed" | "renamed" | "changed" | "indexed" | "unindexed";

/** Details of a change, in addition to its row's columns. */
export interface ChangeDetail {
  readonly symbols?: readonly SymbolChange[];
  /** Number of symbols beyond MAX_SYMBOL_CHANGES. */
  readonly more?: number;
  /** Lines outside all definitions changed. */
  readonly outside?: true;
  /** Only white space changed. */
  readonly whitespace?: true;
  /** The content is not, or was not, indexed. */
  readonly unread?: true;
  /** Number of files, only for `indexed` and `unindexed`. */
  readonly files?: number;
}

/** A change of one file or, for `indexed` and `unindexed`, of one source. */
export interface FileChange {
  readonly kind: ChangeKind;
  /** Path of the file; the path prefix of a source. */
  readonly path: string;
  /** Only for `renamed`. */
  readonly oldPath: string | undefined;
  readonly detail: ChangeDetail;
}

/** One version of a file: the hash of its content ("" if not indexed) and its symbol fingerprints. */
export interface ContentVersion {
  readonly hash: string;
  readonly fingerprints: FileFingerprints;
}

/** Maximum symbols recorded per file; the rest are only counted. */
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

/** `hash`: undefined if the file is removed. `oldHash`: undefined if it is new. */
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

/** Returns the details of a file's change. */
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
  // An added or removed file needs no flags.
  if (kind !== "changed" && kind !== "renamed") return {};
  if (before?.fingerprints.outside !== now?.fingerprints.outside) return { outside: true };
  return before?.hash !== now?.hash && symbols.length === 0 ? { whitespace: true } : {};
}
