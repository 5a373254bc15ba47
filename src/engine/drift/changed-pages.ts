// Chooses the pages to read again when an answer about the whole documentation is made current: HEAD has moved since.

import type { Yielder } from "../../base/yielder.ts";
import type { OutdatedStatements } from "../../index/commits/outdated-store.ts";
import type { Removal } from "../../index/commits/removal-store.ts";
import { anyOf, literal } from "../../index/literal-query.ts";
import type { IndexReader } from "../../index/port.ts";
import type { FileFacts } from "../../index/types.ts";
import { listMissingCommits } from "../../sources/commit-patches.ts";
import type { SourceHistory } from "../../sources/open-history.ts";
import type { Source } from "../../sources/registry/records.ts";
import { withGit } from "../../sources/run-git.ts";

/** An answer about all pages to make current. */
export interface DriftRenewal {
  readonly stored: OutdatedStatements;
  /** With more new commits, nothing is read. */
  readonly maxNew: number;
  readonly yielder: Yielder;
}

/** A source with its history, and what that removed. */
export interface Past {
  readonly source: Source;
  readonly history: SourceHistory;
  readonly byKey: ReadonlyMap<string, Removal>;
}

/** A page that was read so shortly before the last answer may have been indexed after it. */
const MARGIN_MS = 60_000;
/** With more new texts to look for, all pages are read. */
const MAX_TEXTS = 2000;
const LIST_TIMEOUT_MS = 30_000;

interface ChangedPagesOptions {
  readonly pages: readonly FileFacts[];
  readonly pasts: readonly Past[];
  readonly signal: AbortSignal;
}

/**
 * Returns those of the pages that name what commits have removed since the last answer, have changed since, or had a statement
 * that no longer fits. Throws TIMEOUT.
 */
export async function changedPages(
  reader: Pick<IndexReader, "file" | "textCandidates">,
  { stored: { heads, readMs, statements }, maxNew: max }: DriftRenewal,
  { pages, pasts, signal }: ChangedPagesOptions,
): Promise<readonly FileFacts[]> {
  const texts = new Set<string>();
  for (const { source, history, byKey } of pasts) {
    const { head, below, repository } = history;
    const range = { head, old: heads[source.root] ?? "", below, max };
    const limits = { signal, timeoutMs: LIST_TIMEOUT_MS };
    // oxlint-disable-next-line no-await-in-loop -- few sources
    const ids = await withGit(repository, (git) => listMissingCommits(git, range, limits));
    if (ids === undefined) return pages;
    const isNew = new Set(ids);
    for (const [key, { commit }] of byKey)
      if (isNew.has(commit)) for (const text of writtenAs(key)) texts.add(text);
  }
  if (texts.size > MAX_TEXTS) return pages;
  const wanted = new Set(statements.map(({ path }) => path));
  if (texts.size > 0) {
    const query = anyOf([...texts].map((text) => literal(text)));
    for await (const { path } of reader.textCandidates(query, { filter: isPage })) wanted.add(path);
  }
  const changed: FileFacts[] = [];
  for (const page of pages) {
    // oxlint-disable-next-line no-await-in-loop -- a row
    const row = wanted.has(page.path) ? undefined : await reader.file(page.path);
    if (row === undefined || row.indexedMs > readMs - MARGIN_MS) changed.push(page);
  }
  return changed;
}

function isPage({ role }: FileFacts): boolean {
  return role === "docs";
}

/** The texts by which a page may name what was removed. */
function writtenAs(key: string): readonly string[] {
  if (key.startsWith("/")) return [key.slice(key.lastIndexOf("/") + 1)];
  const name = key.replace(/^--/, "");
  // A flag may be the field of a parser, and has escaped dashes in a manual page.
  const flag = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])|_/g, "-");
  return [name, flag, flag.replaceAll("-", "\\-")];
}
