// The last findings of outdated documentation, stored next to the words of commits. They can be found again at any
// time, so an unreadable file counts as missing.

import type { Storage } from "../embedded/storage/storage.ts";
import type { CommitStorage, OpenCommitStorage } from "./port.ts";

/** A statement that no longer fits. */
export interface OutdatedStatement {
  /** Path of the page in the namespace. */
  readonly path: string;
  /** Hash of the page in which it was found. */
  readonly hash: string;
  /** 1-based. */
  readonly line: number;
  /** The name, flag or path that is gone. */
  readonly name: string;
  /** What is there instead; "" if that is not known. */
  readonly became: string;
  /** Full id of the commit that removed it. */
  readonly commit: string;
  /** ISO 8601; "" if the commit has no valid date. */
  readonly authoredAt: string;
  /** The words by which code would have it; none for a path. */
  readonly words: readonly string[];
}

/** The statements of a namespace that no longer fit. */
export interface OutdatedStatements {
  /** The version of the index in which they were found, in any form; "" without any. */
  readonly index: string;
  /** The commits at HEAD up to which removals are known, by the root of the source. */
  readonly heads: Readonly<Record<string, string>>;
  /** When the pages were read, as `Date.now()`. */
  readonly readMs: number;
  readonly statements: readonly OutdatedStatement[];
}

const NONE: OutdatedStatements = { index: "", heads: {}, readMs: 0, statements: [] };

const FILE = "outdated.json";
/** Name of the place in the storage of a namespace. */
const PLACE = "outdated";
/** Increase it when a statement has other members. */
const VERSION = 2;
/** More are not noted on results: then something else is wrong. */
const MAX_STATEMENTS = 1000;

/** Returns what was stored for a namespace; nothing is created. */
export function loadOutdated(open: OpenCommitStorage, namespace: string): OutdatedStatements {
  if (!open.has(namespace)) return NONE;
  try {
    return read(placeOf(open, namespace).storage);
  } catch {
    return NONE;
  }
}

function read(storage: Storage): OutdatedStatements {
  const file = storage.open(FILE);
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as `saveOutdated` writes it; else the caller drops it
    const { version, ...stored } = JSON.parse(
      Buffer.from(file.read(0, file.sizeBytes)).toString(),
    ) as OutdatedStatements & { readonly version: number };
    return version === VERSION ? stored : NONE;
  } finally {
    file.close();
  }
}

/** Replaces what is stored for a namespace, unless another process does so. */
export function saveOutdated(
  open: OpenCommitStorage,
  namespace: string,
  outdated: OutdatedStatements,
): void {
  const { storage, lock } = placeOf(open, namespace);
  const release = lock();
  if (release === undefined) return;
  try {
    const statements = outdated.statements.slice(0, MAX_STATEMENTS);
    const stored = { version: VERSION, ...outdated, statements };
    storage.write(FILE, [Buffer.from(JSON.stringify(stored))]);
  } finally {
    release();
  }
}

function placeOf(open: OpenCommitStorage, namespace: string): CommitStorage {
  return open(namespace, PLACE);
}
