// Copies namespaces from one backend to another: their indexes with the change logs, their sources, and into a database
// the texts of their files. Monitors and credentials stay: they belong to the people of the other backend.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";

import type { AuthorizedNamespace } from "../base/authorized-namespace.ts";
import { documentFormatOf } from "../base/documents/document-formats.ts";
import { SvcError } from "../base/errors.ts";
import { Catalog } from "../index/embedded/catalog/catalog.ts";
import { copyIndexFiles, placeIndex, type SourceNumbers } from "../index/embedded/copy-index.ts";
import { indexLayout, type IndexLayout } from "../index/embedded/layout.ts";
import type { FileRow } from "../index/types.ts";
import type { TextReader } from "../sources/text/port.ts";
import { checkedOutCommit, ownCloneRoot } from "../sources/clones.ts";
import type { Principal } from "../sources/principal.ts";
import type { Source } from "../sources/registry/records.ts";
import type { RegistryState } from "../sources/registry/registry-state.ts";
import type { Backend, StoredDescription } from "./backend.ts";
import { openBackend } from "./open-backend.ts";

export interface CopiedNamespace {
  readonly namespace: string;
  readonly files: number;
  /** Sum of the rows of all files and of all segments; equal for equal indexes. */
  readonly sum: string;
  /** Files that have changed since they were indexed: the target has no text of them until the next run. */
  readonly changedFiles: number;
  /** False if the target had the same index already. */
  readonly isNew: boolean;
}

interface CopyOptions {
  readonly principal: Principal;
  /** Copy only this namespace. */
  readonly wanted?: string | undefined;
}

interface Side {
  readonly description: StoredDescription;
  readonly backend: Backend;
}

interface Original extends Side {
  readonly state: RegistryState;
}

/**
 * Yields each copied namespace, in the order of their names. A copy that was interrupted continues. Throws
 * NAMESPACE_NOT_FOUND, INDEX_EMPTY, INDEX_UNAVAILABLE, BACKEND_UNAVAILABLE, STORAGE_FULL and USAGE.
 */
export async function* copyBackend(
  from: StoredDescription,
  to: StoredDescription,
  { principal, wanted }: CopyOptions,
): AsyncGenerator<CopiedNamespace, void, undefined> {
  const [source, target] = [await openBackend(from), await openBackend(to)];
  try {
    const state = await (await source.registry()).state();
    const names = wanted === undefined ? state.namespaces() : [wanted];
    for (const name of names) {
      const namespace = principal.authorize(name, (one) => state.has(one));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const copied = await copyNamespace(
        { description: from, backend: source, state },
        { description: to, backend: target },
        namespace,
      );
      if (copied !== undefined) yield copied;
      else if (wanted !== undefined)
        throw new SvcError("INDEX_EMPTY", `"${name}" has no index yet.`);
    }
  } finally {
    source.close();
    target.close();
  }
}

/** Undefined for a namespace without an index. */
async function copyNamespace(
  from: Original,
  to: Side,
  namespace: AuthorizedNamespace,
): Promise<CopiedNamespace | undefined> {
  // Brings the copy of a database up to date.
  if ((await from.backend.index.reader(namespace)) === undefined) return undefined;
  const files = indexLayout(folderOf(from.description), namespace);
  const existing = await to.backend.index.reader(namespace);
  if (existing !== undefined) {
    const [wanted, found] = [files, indexLayout(folderOf(to.description), namespace)].map(sumOf);
    if (wanted?.sum !== found?.sum || wanted === undefined) throw otherIndex(namespace);
    await register(from, to, namespace);
    // A copy that was interrupted may have the index, and not yet all documents.
    if (to.description.kind !== "postgres") await copyNamespaceTexts(from, to, namespace);
    return { namespace, ...wanted, changedFiles: 0, isNew: false };
  }
  const isOfDatabase = to.description.kind === "postgres";
  const changedBefore = isOfDatabase ? await copyNamespaceTexts(from, to, namespace) : 0;
  const draft = join(folderOf(to.description), "copying");
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const layout = indexLayout(draft, namespace);
  // From here on the target lists it; its index follows.
  const numbers = await register(from, to, namespace);
  copyIndexFiles(files, layout, numbers);
  const wanted = sumOf(files);
  await adopt(to, namespace, layout);
  // In files they are in the folder of the index.
  const changedAfter = isOfDatabase ? 0 : await copyNamespaceTexts(from, to, namespace);
  rmSync(draft, { recursive: true, force: true });
  const found = sumOf(indexLayout(folderOf(to.description), namespace));
  if (found.sum !== wanted.sum) {
    throw new SvcError(
      "INDEX_UNAVAILABLE",
      `The copy of "${namespace}" differs from its original.`,
      {
        hint: `Run \`svc namespaces remove ${namespace}\` there, and copy it again.`,
      },
    );
  }
  const changedFiles = changedBefore + changedAfter;
  return { namespace, ...found, changedFiles, isNew: true };
}

async function adopt({ backend, description }: Side, namespace: string, layout: IndexLayout) {
  if (backend.adoptIndex === undefined) placeIndex(layout, description.dataDirectory, namespace);
  else await backend.adoptIndex(namespace, layout);
}

function isSameSource(one: Source, other: Source): boolean {
  return one.prefix === other.prefix && (one.url ?? one.root) === (other.url ?? other.root);
}

/** Adds the namespace and its sources to the registry of the target, unless it has them, and returns their numbers there. */
async function register(from: Original, to: Side, namespace: string): Promise<SourceNumbers> {
  const createdAt = from.state.createdAt(namespace) ?? new Date().toISOString();
  const sources = from.state.sources(namespace);
  const registry = await to.backend.registry();
  return registry.change((draft) => {
    if (!draft.has(namespace))
      draft.edit({ put: "namespace", record: { name: namespace, createdAt } });
    return new Map(
      sources.map((source) => {
        const known = draft.sources(namespace).find((one) => isSameSource(one, source));
        const { id } = known ?? draft.put(sourceIn(to, source, draft.records.nextSourceId), known);
        return [source.id, id];
      }),
    );
  });
}

/** A source as the registry of the target has it. */
function sourceIn({ description }: Side, source: Source, id: number): Source {
  const { url, root, fetchedCommit } = source;
  if (url === undefined) return { ...source, id };
  return {
    ...source,
    id,
    root: ownCloneRoot(description.dataDirectory, root),
    fetchedCommit: fetchedCommit ?? checkedOutCommit(root),
  };
}

/** Copies the texts of documents, and into a database those of all files. Returns the number of files whose text has changed since they were indexed. */
async function copyNamespaceTexts(
  from: Original,
  to: Side,
  namespace: AuthorizedNamespace,
): Promise<number> {
  const archive = to.backend.texts.archiveOf(namespace);
  if (from.description.kind === "postgres" && to.description.kind === "postgres") {
    await copyTextsBetween(from.description.url, to.description.url, namespace);
    return 0;
  }
  const documents = from.backend.texts.archiveOf(namespace);
  const reader = from.backend.texts.open(namespace, from.state.sources(namespace));
  const stored =
    to.description.kind === "postgres" ? await textsIn(to.description.url, namespace) : NONE;
  let changed = 0;
  for (const file of indexedFiles(indexLayout(folderOf(from.description), namespace))) {
    if (stored.has(file.hash)) continue;
    const isDocument = documentFormatOf(file.path) !== undefined;
    if (!isDocument && !archive.keepsFiles) continue;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    if (!archive.keepsFiles && (await archive.find(file.hash)) !== undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- the bytes are valid until the next read
    const bytes = await (isDocument ? documents.find(file.hash) : contentOf(reader, file));
    if (bytes === undefined) changed += 1;
    else archive.keep(file.hash, bytes);
    // oxlint-disable-next-line no-await-in-loop -- few in memory at a time
    if (archive.isFull) await archive.flush();
  }
  await archive.flush();
  return changed;
}

const NONE: ReadonlySet<string> = new Set();

/** The bytes of a file; undefined if they are not those of the index any more. */
async function contentOf(reader: TextReader, file: FileRow): Promise<Buffer | undefined> {
  const text = await reader.read(file.path, file);
  return "problem" in text || hashOf(text.bytes) !== file.hash ? undefined : text.bytes;
}

/** The hashes of the texts that an interrupted copy has stored. */
async function textsIn(url: string, namespace: string): Promise<ReadonlySet<string>> {
  const [{ Database }, { parseDatabaseUrl }, { storedTexts }] = await Promise.all([
    import("../postgres/database.ts"),
    import("../postgres/database-url.ts"),
    import("../sources/text/copy-texts.ts"),
  ]);
  const database = new Database(parseDatabaseUrl(url), userInfo().username);
  try {
    return await storedTexts(database, namespace);
  } finally {
    await database.close();
  }
}

async function copyTextsBetween(from: string, to: string, namespace: string): Promise<void> {
  const [{ Database }, { parseDatabaseUrl }, { copyTexts }] = await Promise.all([
    import("../postgres/database.ts"),
    import("../postgres/database-url.ts"),
    import("../sources/text/copy-texts.ts"),
  ]);
  const [source, target] = [from, to].map(
    (url) => new Database(parseDatabaseUrl(url), userInfo().username),
  );
  if (source === undefined || target === undefined) return;
  try {
    await copyTexts(source, target, namespace);
  } finally {
    await source.close();
    await target.close();
  }
}

/** The folder with the files of the indexes: of a database, those of this machine's copies. */
function folderOf(description: StoredDescription): string {
  return description.kind === "postgres" ? description.cacheDirectory : description.dataDirectory;
}

function indexedFiles(layout: IndexLayout) {
  const catalog = Catalog.openToRead(layout.catalog);
  try {
    return (catalog?.files.all() ?? []).filter(({ segment }) => segment !== null);
  } finally {
    catalog?.close();
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex").slice(0, 32);
}

/**
 * The data that equal indexes share, whatever the numbers of their sources: the files, and the content of the segments.
 */
function sumOf(layout: IndexLayout): { readonly files: number; readonly sum: string } {
  const sum = createHash("sha256");
  const catalog = existsSync(layout.catalog) ? Catalog.openToRead(layout.catalog) : undefined;
  try {
    const files = catalog?.files.all() ?? [];
    for (const { source: _number, ...file } of files) sum.update(JSON.stringify(file));
    for (const { name, isRow } of catalog?.segments.all() ?? []) {
      sum.update(name);
      if (!isRow) sum.update(readFileSync(join(layout.segments, name)));
    }
    return { files: files.length, sum: sum.digest("hex").slice(0, 32) };
  } finally {
    catalog?.close();
  }
}

function otherIndex(namespace: string): SvcError {
  return new SvcError("INDEX_UNAVAILABLE", `The target has another index of "${namespace}".`, {
    hint: `Run \`svc namespaces remove ${namespace}\` there first, or copy other namespaces with --namespace.`,
  });
}
