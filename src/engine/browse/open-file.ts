// The whole text of a file and its outline, for a person who reads it.

import { join } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { shortHash } from "../../base/short-hash.ts";
import { fileRole, languageOf } from "../../scan/classify.ts";
import { isLanguage, type Language } from "../../scan/languages.ts";
import { checkedOutCommit } from "../../sources/clones.ts";
import { headCommit } from "../../sources/git-history.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { SourceText } from "../../sources/text/source-text.ts";
import { sourceOfPath } from "../../sources/text/source-of-path.ts";
import type { FileRequest, FileText } from "../api/browse.ts";
import type { PlaceContext } from "../files/at-revision.ts";
import { requireText } from "../files/current-file.ts";
import { SourceLines } from "../files/source-lines.ts";
import { fileOutline } from "../outline/outline-file.ts";
import { contextOf } from "../revisions/requested-revision.ts";
import { pathNotFound, requireNotSecret } from "../symbols/resolve-target.ts";

/** The current text of a file. */
export interface OpenedFile {
  readonly path: string;
  readonly language: Language | undefined;
  /** With `\n` between lines; "" for a binary file. */
  readonly text: string;
  readonly source: SourceText;
  /** Identifies the text. */
  readonly version: string;
}

/** Reads a file. Throws PATH_OUTSIDE_SOURCE, and PATH_NOT_FOUND with the nearest paths or for a secrets file. */
export async function openFile(
  { reader, sources, texts, commits }: PlaceContext,
  path: string,
): Promise<OpenedFile> {
  requireNotSecret(sources, path);
  const known = await reader.file(path);
  // A commit may have files that the project does not show.
  const isShown = commits === undefined || known !== undefined;
  const source = isShown ? await requireText(texts, path, known) : undefined;
  if (source === undefined) throw await pathNotFound(reader, path);
  const text = source.isBinary ? "" : source.lines.join("\n");
  const isKnown = known !== undefined && isLanguage(known.language);
  const language = isKnown ? known.language : languageOf(path, source.lines[0]);
  return { path, language, text, source, version: shortHash(text) };
}

type BrowsedContext = Parameters<typeof contextOf>[0];

/** Returns the context of a query of a file, now or in its commit. Throws INVALID_PARAMS for an unknown commit. */
export function contextOfFile(
  query: BrowsedContext,
  { commit, signal }: Pick<FileRequest, "commit" | "signal">,
): Promise<PlaceContext> {
  return contextOf(query, { at: commit, signal });
}

/**
 * Returns the text of a file with its outline. A file that is now as it was in the commit of the request is the present one.
 * Throws as `openFile` and `contextOfFile` do.
 */
export async function readWholeFile(
  query: BrowsedContext,
  request: FileRequest,
): Promise<Omit<FileText, "namespace">> {
  const { path, commit } = request;
  if (commit === undefined) return describedFile(query, path);
  const past = await contextOfFile(query, request);
  const then = await openFile(past, path);
  const now = await openFile(query, path).catch(notThere);
  if (now?.version !== then.version) return describedFile(past, path);
  return { ...(await describedFile(query, path)), commit: commitOf(past, path) };
}

/** A file that is no longer there has no version. */
function notThere(thrown: unknown): undefined {
  if (thrown instanceof SvcError && thrown.code === "PATH_NOT_FOUND") return undefined;
  throw thrown;
}

async function describedFile(
  context: PlaceContext,
  path: string,
): Promise<Omit<FileText, "namespace">> {
  const { reader, texts, sources, commits } = context;
  const isPast = commits !== undefined;
  const { language, text, source, version } = await openFile(context, path);
  const { isBinary, sizeBytes, document } = source;
  const isChanged = !isPast && source.isChanged;
  const lines = await new SourceLines(reader, texts).read(path);
  const symbols = lines === undefined || isBinary ? [] : await lines.symbols();
  const { symbols: outline } = fileOutline(
    {
      path,
      language: language ?? "",
      file: { lines: source.lines, sizeBytes, document, changed: isChanged },
      symbols,
    },
    { maxTokens: Infinity },
  );
  return {
    generation: reader.version.at,
    path,
    language: language ?? "",
    kind: (await reader.factsOf(path))?.role ?? fileRole(path, language),
    bytes: sizeBytes,
    lines: isBinary ? 0 : source.lines.length,
    text,
    isBinary,
    version,
    changed: isChanged,
    symbols: outline,
    isPast,
    ...(isPast ? { localPath: "", commit: commitOf(context, path) } : placeOf(sources, path)),
  };
}

function commitOf({ sources, commits }: PlaceContext, path: string): string {
  const place = sourceOfPath(sources, path);
  return (place && commits?.get(place.source)) ?? "";
}

function placeOf(sources: readonly Source[], path: string): Pick<FileText, "localPath" | "commit"> {
  const place = sourceOfPath(sources, path);
  if (place === undefined) return { localPath: "", commit: "" };
  const { source, relative } = place;
  if (source.url === undefined)
    return { localPath: join(source.root, relative), commit: headCommit(source) ?? "" };
  return { localPath: "", commit: source.fetchedCommit ?? checkedOutCommit(source.root) ?? "" };
}
