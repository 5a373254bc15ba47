import { SvcError } from "../../base/errors.ts";
import { closestWord } from "../../base/closest-word.ts";
import type { IndexReader } from "../../index/port.ts";
import { languageOf } from "../../scan/classify.ts";
import { UnknownPath } from "../../sources/unknown-path.ts";
import type { QueryContext } from "../query-context.ts";
import { requireText } from "../files/current-file.ts";
import type { FileOutline, FolderOutline, OutlineRequest } from "../api/outline.ts";
import type { Tokenizer } from "../../parse/tokenizer.ts";
import type { QueryEmbedder } from "../../search/query-embedder.ts";
import { fileOutline, type OutlineInput } from "./outline-file.ts";
import { folderOutline } from "./outline-folder.ts";
import { pathNotFound, requireNotSecret } from "../symbols/resolve-target.ts";
import { SourceLines } from "../files/source-lines.ts";
import type { RankedFiles } from "./ranked-files.ts";

interface OutlineContext extends Pick<QueryContext, "texts"> {
  readonly sources: QueryContext["sources"];
  readonly reader: IndexReader;
  readonly tokenizer: Tokenizer;
  readonly embedder: QueryEmbedder;
  /** Returns the files of a folder and its subfolders, or a file; of "" all. */
  readonly files: (path: string) => Promise<RankedFiles>;
}

/**
 * The outline of a file or a folder, within the budget. Throws PATH_OUTSIDE_SOURCE, INVALID_PARAMS for a
 * query about a file, and PATH_NOT_FOUND with the nearest path.
 */
export async function outlineOf(
  context: OutlineContext,
  request: OutlineRequest,
): Promise<FileOutline | FolderOutline> {
  const path = requirePath(request.path ?? "");
  const files = await context.files(path);
  const known = files.byPath.get(path);
  const lines = new SourceLines(context.reader, context.texts);
  if (known !== undefined) {
    requireNoQuery(request, path);
    const file = await lines.read(path);
    if (file === undefined) throw await pathNotFound(context.reader, path);
    const { language } = known;
    return fileOutline({ path, language, file, symbols: await file.symbols() }, request);
  }
  if (path === "" || files.files.length > 0) {
    const ordered = await focused(context, request.query, { path, files });
    return folderOutline({ ...context, files: ordered, lines }, { ...request, path });
  }
  const file = await readUnknown(context, path);
  if (file === undefined) throw await notFound(context, path);
  requireNoQuery(request, path);
  return fileOutline({ path, ...file }, request);
}

/** The files in the order of a question about a folder, if there is one. */
async function focused(
  context: OutlineContext,
  query: string | undefined,
  { path: folder, files }: { readonly path: string; readonly files: RankedFiles },
): Promise<RankedFiles> {
  if (query === undefined) return files;
  const { focusOutline } = await import("./focus-outline.ts");
  const prefix = folder === "" ? "" : `${folder}/`;
  return focusOutline(context, files, {
    query,
    filter: ({ path }) => path.startsWith(prefix),
  });
}

/** The outline of a file has all of its definitions in their order. Throws INVALID_PARAMS. */
function requireNoQuery({ query }: OutlineRequest, path: string): void {
  if (query === undefined) return;
  throw new SvcError("INVALID_PARAMS", `"${path}" is a file, and a query orders folders.`, {
    hint: "Leave out the query, or name a folder.",
  });
}

/** The normalized path, as in the index. Throws PATH_OUTSIDE_SOURCE. */
function requirePath(path: string): string {
  const isOutside =
    /^(?:[/\\]|[A-Za-z]:[\\/])/.test(path) ||
    path.includes("\0") ||
    path.split(/[\\/]/).includes("..");
  if (isOutside) {
    throw new SvcError("PATH_OUTSIDE_SOURCE", `"${path}" leads out of the source.`, {
      hint: "Use a path relative to the source's root, without `..`.",
    });
  }
  const parts = path.split("/");
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}

/** An existing file that is not in the index. Throws PATH_OUTSIDE_SOURCE. */
async function readUnknown(
  { sources, texts }: Pick<QueryContext, "sources" | "texts">,
  path: string,
): Promise<Omit<OutlineInput, "path"> | undefined> {
  const current = await requireText(texts, path);
  if (current === undefined) return undefined;
  requireNotSecret(sources, path);
  const { lines, sizeBytes, document } = current;
  const language = languageOf(path, lines[0]);
  const { chunkFile } = await import("../../chunk/chunk.ts");
  const { symbols } = chunkFile({ path, language, text: lines.join("\n"), document });
  return {
    language: language ?? "",
    symbols,
    file: { lines, sizeBytes, document, changed: false },
  };
}

async function notFound({ reader, files }: OutlineContext, path: string): Promise<SvcError> {
  const folders = new Set<string>();
  for (const file of (await files("")).files) {
    for (let at = file.path.indexOf("/"); at >= 0; at = file.path.indexOf("/", at + 1)) {
      folders.add(file.path.slice(0, at));
    }
  }
  const name = path.slice(path.lastIndexOf("/") + 1);
  const named = [...folders].find((folder) => folder === name || folder.endsWith(`/${name}`));
  // A name with an extension is probably that of a file.
  if (named === undefined && languageOf(path) !== undefined) return pathNotFound(reader, path);
  const close = named ?? closestWord(path, folders);
  if (close === undefined) return pathNotFound(reader, path);
  return new UnknownPath({ what: "file or folder", path, nearest: [close], isAlike: true });
}
