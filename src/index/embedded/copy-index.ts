// Copies the files of an index into another folder, as the index of another registry.

import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { replaceFile, whileInUse } from "../../base/files.ts";
import { Catalog, REPLICA_KEY } from "./catalog/catalog.ts";
import { damagedCatalog } from "../damage.ts";
import { indexLayout, type IndexLayout } from "./layout.ts";

/** Number of a source in the registry of the index -> its number in the other registry. */
export type SourceNumbers = ReadonlyMap<number, number>;

/**
 * Copies an index that nobody writes meanwhile to a layout whose folder does not exist yet. Segments that the target has
 * already, from a copy that was interrupted, are not copied again. Throws INDEX_UNAVAILABLE.
 */
export function copyIndexFiles(from: IndexLayout, to: IndexLayout, numbers: SourceNumbers): void {
  const release = takeExclusiveLock(from.writerLock, 0);
  if (release === undefined) throw beingWritten();
  try {
    mkdirSync(to.segments, { recursive: true, mode: 0o700 });
    rmSync(to.catalog, { force: true });
    const catalog = Catalog.openToRead(from.catalog);
    if (catalog === undefined) throw damagedCatalog();
    try {
      for (const { name, isRow } of catalog.segments.all()) {
        if (!isRow) copyOnce(join(from.segments, name), join(to.segments, name));
      }
      catalog.copyTo(to.catalog);
    } finally {
      catalog.close();
    }
  } finally {
    release();
  }
  const copied = Catalog.openToWrite(to.catalog);
  try {
    copied.change(() => {
      copied.removeMeta(REPLICA_KEY);
      renumberSources(copied, numbers);
    });
  } finally {
    copied.close();
  }
}

/** Moves a complete index to its place in a data directory. Throws INDEX_UNAVAILABLE if there is one. */
export function placeIndex(from: IndexLayout, dataDirectory: string, namespace: string): void {
  const to = indexLayout(dataDirectory, namespace);
  if (existsSync(to.catalog)) {
    throw new SvcError("INDEX_UNAVAILABLE", `There is already an index of "${namespace}".`, {
      hint: `Run \`svc namespaces remove ${namespace}\` first.`,
    });
  }
  rmSync(to.directory, { recursive: true, force: true });
  mkdirSync(dirname(to.directory), { recursive: true, mode: 0o700 });
  whileInUse(() => renameSync(from.directory, to.directory));
}

function copyOnce(from: string, to: string): void {
  if (existsSync(to)) return;
  const temporary = `${to}.tmp`;
  copyFileSync(from, temporary);
  replaceFile(temporary, to);
}

function renumberSources(catalog: Catalog, numbers: SourceNumbers): void {
  if ([...numbers].every(([before, after]) => before === after)) return;
  for (const row of catalog.files.all()) {
    catalog.files.put({ ...row, source: numbers.get(row.source) ?? row.source });
  }
  catalog.changeLog.renumberSources(numbers);
}

function beingWritten(): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", "Another svc process is writing to the index.", {
    hint: "Try again when it is done; `svc status` shows the progress.",
  });
}
