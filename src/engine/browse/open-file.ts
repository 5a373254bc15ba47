// The whole text of a file and its outline, for a person who reads it.

import { join } from "node:path";

import { shortHash } from "../../base/short-hash.ts";
import { fileRole, languageOf } from "../../scan/classify.ts";
import { isLanguage, type Language } from "../../scan/languages.ts";
import { checkedOutCommit } from "../../sources/clones.ts";
import { headCommit } from "../../sources/git-history.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { SourceText } from "../../sources/text/source-text.ts";
import { sourceOfPath } from "../../sources/text/source-of-path.ts";
import type { FileRequest, FileText } from "../api/browse.ts";
import { requireText } from "../files/current-file.ts";
import { SourceLines } from "../files/source-lines.ts";
import { fileOutline } from "../outline/outline-file.ts";
import type { QueryContext } from "../query-context.ts";
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
  { reader, sources, texts }: QueryContext,
  path: string,
): Promise<OpenedFile> {
  requireNotSecret(sources, path);
  const known = await reader.file(path);
  const source = await requireText(texts, path, known);
  if (source === undefined) throw await pathNotFound(reader, path);
  const text = source.isBinary ? "" : source.lines.join("\n");
  const isKnown = known !== undefined && isLanguage(known.language);
  const language = isKnown ? known.language : languageOf(path, source.lines[0]);
  return { path, language, text, source, version: shortHash(text) };
}

/** Returns the text of a file with its outline. Throws as `openFile` does. */
export async function readWholeFile(
  context: QueryContext,
  { path }: FileRequest,
): Promise<Omit<FileText, "namespace">> {
  const { reader, texts, sources } = context;
  const { language, text, source, version } = await openFile(context, path);
  const { isBinary, isChanged, sizeBytes, document } = source;
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
    ...placeOf(sources, path),
  };
}

function placeOf(sources: readonly Source[], path: string): Pick<FileText, "localPath" | "commit"> {
  const place = sourceOfPath(sources, path);
  if (place === undefined) return { localPath: "", commit: "" };
  const { source, relative } = place;
  if (source.url === undefined)
    return { localPath: join(source.root, relative), commit: headCommit(source) ?? "" };
  return { localPath: "", commit: source.fetchedCommit ?? checkedOutCommit(source.root) ?? "" };
}
