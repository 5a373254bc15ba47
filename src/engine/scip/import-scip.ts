// Imports SCIP indexes into a namespace: keeps their facts for each file whose current content they describe. A run
// then applies them.

import { hash } from "node:crypto";
import { dirname, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

import { SvcError } from "../../base/errors.ts";
import { decodeCompilerFacts } from "../../index/compiler-facts/compiler-facts.ts";
import {
  COMPILER_NOTE,
  decodeManifest,
  decodeNote,
  encodeManifest,
  type Manifest,
} from "../../index/compiler-facts/manifest.ts";
import type { IndexReader } from "../../index/port.ts";
import type { SymbolFacts } from "../../index/types.ts";
import { takeIndexes, type ScipFile, type ScipProject } from "../../scip/import-index.ts";
import { isInside, realOrSame } from "../../sources/confined-path.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { TextArchive, TextReader } from "../../sources/text/port.ts";
import type { RefusedDocuments } from "../api/index-source.ts";
import { textIfReadable } from "../files/current-file.ts";
import type { NewFacts } from "../indexing/known-facts.ts";

interface ScipImport {
  readonly reader: IndexReader;
  /** With secrets: nothing of them is kept. */
  readonly texts: TextReader;
  readonly archive: TextArchive;
  /** All sources of the namespace. */
  readonly sources: readonly Source[];
  /** The source that the caller has named. */
  readonly source: Source;
}

interface ImportedScip {
  /** For the run that takes them into use. */
  readonly facts: NewFacts;
  readonly refused: readonly RefusedDocuments[];
}

/** Imports the SCIP indexes at these paths. Throws INVALID_PARAMS if one is none, or describes no file as it is now. */
export async function importScip(
  context: ScipImport,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ImportedScip> {
  const { reader, archive } = context;
  const note = decodeNote(await reader.note(COMPILER_NOTE));
  const before = await manifestIn(archive, note?.manifest);
  const known = note === undefined ? before : withoutStale(before, note.stale);
  const project = projectOf(context, (path) => addedSymbols(archive, known.get(path)?.facts));
  const manifest = new Map(before);
  let taken = 0;
  const { tools, refused } = await takeIndexes(paths, project, {
    signal,
    keep: async (file, facts) => {
      taken += 1;
      manifest.set(file.path, { hash: file.hash, facts: keptHash(facts) });
      archive.keep(keptHash(facts), facts);
      if (archive.isFull) await archive.flush();
    },
  });
  const all = [...refused].map(([reason, documents]) => ({ reason, documents }));
  if (taken === 0) throw nothingTaken(paths, all);
  const bytes = encodeManifest(manifest);
  archive.keep(keptHash(bytes), bytes);
  await archive.flush();
  const both = new Set([...(note?.tools ?? []), ...tools]);
  return { facts: { manifest: keptHash(bytes), tools: [...both] }, refused: all };
}

/** No facts, for a run that takes all out of use. */
export const NO_NEW_FACTS: NewFacts = { manifest: "", tools: [] };

function keptHash(bytes: Buffer): string {
  return hash("sha256", bytes).slice(0, 32);
}

async function manifestIn(archive: TextArchive, wanted: string | undefined): Promise<Manifest> {
  const bytes = wanted === undefined ? undefined : await archive.find(wanted);
  return (bytes && decodeManifest(bytes)) ?? new Map();
}

function withoutStale(manifest: Manifest, stale: readonly string[]): Manifest {
  const others = new Map(manifest);
  for (const path of stale) others.delete(path);
  return others;
}

/** How many symbols of a file come from an earlier import; they follow those of the parser. */
async function addedSymbols(archive: TextArchive, facts: string | undefined): Promise<number> {
  const bytes = facts === undefined ? undefined : await archive.find(facts);
  return (bytes && decodeCompilerFacts(bytes)?.definitions.length) ?? 0;
}

function projectOf(
  { reader, texts, sources, source }: ScipImport,
  addedTo: (path: string) => Promise<number>,
): ScipProject {
  const parsedSymbols = async (path: string): Promise<readonly SymbolFacts[]> => {
    const all = await reader.numberedSymbolsOf(path);
    return all.slice(0, all.length - (await addedTo(path)));
  };
  return {
    folderOf: async ({ path, projectRoot, documents }) => {
      const folders = foldersOf({ sources, source }, path, projectRoot);
      let best = { folder: source.prefix, count: 0 };
      for (const folder of folders) {
        // oxlint-disable-next-line no-await-in-loop -- two or three
        const facts = await Promise.all(documents.map((one) => reader.factsOf(`${folder}${one}`)));
        const count = facts.filter((one) => one !== undefined).length;
        if (count > best.count) best = { folder, count };
      }
      return best.folder;
    },
    file: async (path): Promise<ScipFile | undefined> => {
      const row = await reader.file(path);
      if (row?.hasContent !== true || row.stage !== "complete") return undefined;
      const text = await textIfReadable(texts, path, row);
      if (text === undefined || text.isChanged || text.isBinary) return undefined;
      const { lines } = text;
      return { path, hash: row.hash, text: text.text, lines, symbols: await parsedSymbols(path) };
    },
  };
}

/** Folders of the namespace to which an index may belong, the likeliest first: each is "" or ends with "/". */
function foldersOf(
  { sources, source }: Pick<ScipImport, "sources" | "source">,
  path: string,
  projectRoot: string,
): readonly string[] {
  const places = [folderOfUrl(projectRoot), dirname(realOrSame(path))];
  const inSources = places.flatMap((place) =>
    place === undefined
      ? []
      : [source, ...sources]
          .filter(({ root }) => isInside(root, place))
          .map(({ root, prefix }) => `${prefix}${folderBelow(root, place)}`),
  );
  return [...inSources, source.prefix];
}

function folderBelow(root: string, folder: string): string {
  const below = relative(root, folder).replaceAll(sep, "/");
  return below === "" ? "" : `${below}/`;
}

/** Undefined for text that is no URL of a folder of this machine. */
function folderOfUrl(url: string): string | undefined {
  try {
    return realOrSame(fileURLToPath(url));
  } catch {
    return undefined;
  }
}

function nothingTaken(paths: readonly string[], refused: readonly RefusedDocuments[]): SvcError {
  const reasons = refused.map(
    ({ reason, documents }) =>
      `${documents.length} documents: ${reason}, such as "${documents[0]}"`,
  );
  return new SvcError(
    "INVALID_PARAMS",
    `${paths.join(", ")} does not describe the current content of any indexed file (${reasons.join("; ")}).`,
    { hint: "Run the indexer again in the folder that you give to `svc index`." },
  );
}
